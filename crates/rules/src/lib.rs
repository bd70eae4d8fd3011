//! The rules of the games Connect(m,n,k,p,q): boards, squares, moves,
//! positions, symmetries, notation and records of games.
//!
//! Two players place `p` stones a move (`q` on the first move of the game) on
//! an `m` by `n` board; the first with `k` of their own in a row wins.
//! Connect6 is Connect(19,19,6,2,1).
//!
//! Untrusted input is read as a [`Setup`] or as a [`record`]; both give a
//! [`Position`], or a typed error that says what is wrong and where.
//!
//! ```
//! use lambda6_rules::record::{self, ReadOptions};
//! use lambda6_rules::{Game, Position, Side};
//!
//! // A game played move by move, each checked against the rules ...
//! let mut position = Position::new(Game::CONNECT6);
//! for text in ["j10", "i8h9", "k11l10"] {
//!     let mv = position.game().parse_move(text)?;
//!     position.play(&mv)?;
//! }
//! assert_eq!(position.to_move(), Side::White);
//!
//! // ... and the same game read from a record.
//! let sgf = b"(;FF[4];B[j10];W[i8h9];B[k11l10])";
//! let record = record::read(sgf, &ReadOptions::default())?;
//! assert_eq!(record.position_at(None)?, position);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod game;
mod moves;
pub mod opening;
mod position;
pub mod record;
mod setup;
mod side;
mod square;
mod symmetry;
mod zobrist;

pub use game::{Game, GameError, MAX_P, MAX_SIDE};
pub use moves::{Move, MoveParseError};
pub use position::{Outcome, PlayError, Position, Unreachable};
pub use setup::{Setup, SetupError, SetupFault};
pub use side::{Side, SideParseError};
pub use square::{Square, SquareParseError};
pub use symmetry::Symmetry;
pub use zobrist::{stone_key, to_move_key};

// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
