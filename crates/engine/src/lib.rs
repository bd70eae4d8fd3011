//! Engine protocols: how other programs talk to the player.
//!
//! | protocol | used by |
//! |---|---|
//! | [`gtp`] | GoGui, Sabaki and other board programs; a stone or a move at a time |
//! | [`sau`] | the platform of Chinese computer games contests |
//! | [`cloudict`] | ConnectMore, the board program of Cloudict |
//! | [`botzone`] | botzone.org |
//! | [`gomocup`] | Piskvork and other managers of Gomocup, Yixin's and Rapfi's boards; go-moku |
//! | [`analysis`] | programs that have positions analysed, many at a time |
//!
//! A protocol is a [`Session`]: lines in, steps out, without input and output of
//! its own. [`drive()`] connects one to a reader, a writer and a [`Thinker`] with a
//! thread of its own.
//!
//! ```
//! use lambda6_engine::{Notices, PlayerThinker, drive, gtp::Gtp};
//! use lambda6_player::{PlayerOptions, TimeControl};
//! use lambda6_rules::Game;
//! use std::{io::Cursor, sync::Arc};
//!
//! let mut session = Gtp::new(Game::CONNECT6, TimeControl::Nodes(100), true);
//! let options = PlayerOptions { table_bytes: 1 << 20, ..Default::default() };
//! let thinker = Box::new(PlayerThinker::new(options));
//! let input = Cursor::new("1 genmove b\n2 gogui-rules_side_to_move\n");
//! let mut output = Vec::new();
//! let notices: Notices = Arc::new(|_| ());
//! drive(&mut session, thinker, input, &mut output, &notices)?;
//! assert_eq!(String::from_utf8(output)?, "=1 K10\n\n=2 white\n\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Parsers accept any text without a panic; the fuzz targets test that.

pub mod analysis;
mod balance;
pub mod botzone;
pub mod cloudict;
pub mod coords;
mod drive;
pub mod gomocup;
pub mod gtp;
pub mod sau;
mod session;
mod session_board;
mod session_clock;
mod thinker;

pub use coords::CoordError;
pub use drive::{MAX_LINE, Notice, Notices, drive, read_line};
pub use session::{Balance, CommandError, Session, Step, Task, Thought, Wanted};
pub use session_board::completed;
pub use thinker::{PlayerThinker, ThinkError, Thinker};
