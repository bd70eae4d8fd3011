//! Dependency-based search for wins by double threats (VCDT).
//!
//! Where a board has several areas that have little to do with one another, a
//! search that tries every move in every order multiplies their trees. This one
//! keeps a [hypergraph](Graph) of which move depends on which, and searches only
//! moves that have to do with the line they continue: see [`Filter`].
//!
//! The defence is conservative: the defender gets all squares of all critical
//! defences at once. So a line of the search is a list of *macro-moves*, and a
//! win is one line. That is sound, and the line itself is the strategy:
//!
//! - A real defence has no stone that the conservative one has not. Against it
//!   the attacker's next stones of the line go on empty squares too, every
//!   threat they make in the search they make here, and they meet every threat
//!   of the defender, who has fewer.
//! - More threats need more stones to meet. So the move makes two threats at
//!   least, and a pair that meets all of them meets those of the search: it
//!   is one of the critical pairs there, and the argument goes on.
//! - The line ends with three threats, or earlier when a real defence cannot
//!   meet what the conservative one could.
//!
//! What a filter leaves out may win, so F4 and F5 search it in the end: see
//! [`Filter::falls_back_on`]. A failed search proves nothing all the same, for the
//! defence is too strong; the verdict says [`Why::Narrowed`](lambda6_search::Why::Narrowed).
//!
//! All of this is for games in which a move has two stones.

mod candidates;
mod defend;
mod filters;
mod graph;
mod macro_moves;
mod options;
mod replies;
mod search;
#[cfg(test)]
mod tests;
mod zones;

pub use filters::{Filter, FilterContext, NoSuchFilter, Primitive, SplitCandidate};
pub use graph::{EdgeId, Graph, Slots};
pub use macro_moves::{Category, Pieces, Split, threat_stones};
pub use options::{DbsError, DbsOptions, DbsStats};
pub use search::DbsSearch;
