//! Exact threats on a board that changes stone by stone.
//!
//! A *segment* is `k` squares in a row. It is *active* for a side while the
//! other has no stone on it, and *needs* as many stones as it lacks. A *threat*
//! is an active segment that needs at most `p`. The *number of threats* is the
//! least number of stones that meets all threats of all lines together: one
//! stone on a crossing can meet two, so no sum over lines gives it.
//!
//! - [`Board`] keeps, for both sides, the active segments by the number of
//!   stones on them, as bit masks of lines.
//! - [`defence`] answers exactly how many threats there are and which sets of
//!   squares meet them.
//! - [`Attack`] generates the moves that make threats.
//! - [`sight`] is what a person sees at a glance: threat cells, the row that won.
//! - [`Shapes`] is the table of line patterns (live and dead rows) that people
//!   and evaluations speak of. Nothing that decides a proof rests on it.
//! - [`SegmentBoard`] keeps the same knowledge in a counter for every segment.
//!   It is slower, and it is the tests' second opinion.

mod attack;
mod board;
pub mod defence;
mod free;
mod geometry;
mod lineset;
mod segments;
mod sets;
mod shapes;
pub mod sight;
mod watch;

pub use attack::{Attack, ThreatMoves, spare_squares};
pub use board::{Board, Level};
pub use defence::{Defences, OpenLine, ThreatCount};
pub use free::FreeStones;
pub use geometry::{Direction, Geometry, LineId};
pub use lineset::LineSet;
pub use segments::SegmentBoard;
pub use shapes::{Connection, Shape, Shapes};
