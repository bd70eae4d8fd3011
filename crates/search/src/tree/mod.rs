//! Trees of positions that are searched for a proof: one interface for all the
//! strategies of [`pns`](crate::pns).
//!
//! A step has four parts. The strategy *selects* a node. The tree *expands* it:
//! it opens moves that wait there, the attacker's by stages and in batches
//! ([`Stage`]), the defender's as far as zones say that they matter. New nodes
//! are *evaluated* by a threat-space search with conservative defences. Then
//! the numbers are *backed up*.
//!
//! Nothing in a tree rests on a shortened list of the defender's moves: a root
//! that is proved is proved against every move, up to clashes of 64-bit keys.
//! Those, and faults, are caught by the certificate.

mod arena;
mod candidates;
pub(crate) mod evaluate;
mod growth;
mod json;
pub(crate) mod replies;
mod sgf;
mod snapshot;

pub(crate) use candidates::Candidates;
pub(crate) use evaluate::Evaluator;
pub(crate) use growth::Growth;

pub use arena::{Edge, INFINITE, Kind, Node, NodeId, State, Tree};
pub use candidates::{Offer, Stage};
pub use snapshot::{Knot, Snapshot, SnapshotError};
