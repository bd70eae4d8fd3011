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
//! - [`Play`] places stones for the length of a call and takes them back.
//! - [`defence`] answers exactly how many threats there are and which sets of
//!   squares meet them.
//! - [`Attack`] generates the moves that make threats.
//! - [`sight`] finds what a drawing of the board shows: threat cells, the row that
//!   won.
//! - [`perft`] counts the tree of moves and its threat moves.
//! - [`Shapes`] is a table of line patterns (live and dead rows), for players and
//!   evaluations. No proof depends on it.
//! - [`SegmentBoard`] keeps the same knowledge in a counter for every segment. It is
//!   slower; tests compare the other board with it.
//!
//! ```
//! use lambda6_threats::{Attack, Board, Defences, ThreatCount, ThreatMoves, defence};
//! use lambda6_rules::{Game, Side};
//!
//! let game = Game::CONNECT6;
//! let mut board = Board::new(game);
//! for name in ["a1", "b1", "c1"] {
//!     board.place(Side::Black, game.parse_square(name)?);
//! }
//! assert_eq!(defence::count(&board, Side::Black), ThreatCount::Exactly(0));
//!
//! // One stone makes a threat: d1, e1 or f1.
//! let (mut attack, mut moves) = (Attack::new(game), ThreatMoves::default());
//! attack.threat_moves(&mut board, Side::Black, &mut moves);
//! let names: Vec<_> = moves.partial.iter().map(|mv| game.move_name(mv)).collect();
//! assert_eq!(names, ["d1", "e1", "f1"]);
//!
//! // After d1, White meets the threat on e1 or on f1.
//! board.place(Side::Black, game.parse_square("d1")?);
//! let mut defences = Defences::default();
//! defences.find(&board, Side::Black);
//! let names: Vec<_> = defences.iter().map(|mv| game.move_name(mv)).collect();
//! assert_eq!(names, ["e1", "f1"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attack;
mod board;
pub mod defence;
mod free;
mod geometry;
mod lineset;
mod one_stone;
pub mod perft;
mod play;
mod rows;
mod segments;
mod sets;
mod shapes;
pub mod sight;
mod work_meter;

pub use attack::{Attack, ThreatMoves};
pub use board::{Board, Level};
pub use defence::{Defences, OpenLine, ThreatCount};
pub use free::FreeStones;
pub use geometry::{Direction, Geometry, LineId};
pub use lineset::LineSet;
pub use play::Play;
pub use rows::{Row, are_named as rows_are_named, row_name, rows};
pub use segments::SegmentBoard;
pub use shapes::{Connection, Shape, Shapes};
