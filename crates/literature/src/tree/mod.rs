//! Trees of positions that are searched for a proof: one interface for all the
//! searches of [`staged`](crate::staged).
//!
//! A step has four parts. The search *selects* a node. The tree *expands* it:
//! it opens moves that wait there, the attacker's by stages and in batches
//! ([`Stage`]), the defender's as far as zones say that they matter. New nodes
//! are *evaluated* by a VCDT search with conservative defences. Then
//! the numbers are *backed up*.
//!
//! Nothing in a tree rests on a shortened list of the defender's moves: a root
//! that is proved is proved against every move, up to clashes of 64-bit keys.
//! Those, and faults, are caught by the certificate.

mod arena;
mod evaluate;
mod growth;
mod json;
mod replies;
mod sgf;
mod snapshot;
mod stage_moves;
#[cfg(test)]
mod tests;

pub(crate) use evaluate::{REST_OF_REPLIES, assess_and};
pub(crate) use growth::{Growth, OPEN_REPLIES, REST_OF_HINT, Tools};
pub(crate) use replies::{KnownAnswers, needed};

pub use crate::numbers::INFINITE;
pub use arena::{Edge, Kind, SearchNode, SearchNodeId, SearchTree, State};
pub use snapshot::{Knot, Snapshot, SnapshotError};
pub use stage_moves::{Offer, Stage};
