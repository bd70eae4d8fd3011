//! Engine protocols: how other programs talk to the player.
//!
//! | protocol | who speaks it |
//! |---|---|
//! | [`gtp`] | GoGui, Sabaki and other board programs; a stone or a move at a time |
//! | [`sau`] | the platform of Chinese computer games contests |
//! | [`cloudict`] | ConnectMore, the board program of Cloudict |
//! | [`botzone`] | botzone.org |
//! | [`analysis`] | programs that want positions analysed, many at a time |
//!
//! A protocol is a [`Session`]: lines in, steps out, no input and output of its
//! own. [`drive()`] connects one to a reader, a writer and a [`Mind`] that thinks
//! on a thread of its own. Parsers take any text without a panic; the fuzz
//! targets see to it.
//!
//! A crate of its own, and not a part of the program, so that the fuzz targets
//! and the referee of matches can use it.

pub mod analysis;
pub mod botzone;
mod clock;
pub mod cloudict;
pub mod coords;
mod desk;
mod drive;
pub mod gtp;
mod mind;
pub mod sau;
mod session;

pub use clock::Clock;
pub use desk::{Desk, Turn, completed};
pub use drive::{MAX_LINE, Notice, Notices, STACK_BYTES, drive, read_line};
pub use mind::{Mind, PlayerMind};
pub use session::{Session, Step, Task, Thought};
