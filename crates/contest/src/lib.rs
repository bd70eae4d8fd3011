//! Matches and tournaments between the player's levels and other programs, and
//! statistics of their results.
//!
//! ```
//! use lambda6_contest::{Contest, Entrant, Time, openings, referee::Terms};
//! use lambda6_player::PlayerOptions;
//! use lambda6_rules::Game;
//! use std::sync::atomic::AtomicBool;
//!
//! let time: Time = "20n".parse()?;
//! let contest = Contest {
//!     game: Game::CONNECT6,
//!     entrants: vec![Entrant::new("defense".parse()?, time), Entrant::new("novice".parse()?, time)],
//!     openings: openings::named("X-K9", Game::CONNECT6)?,
//!     games: 2,
//!     parallel: 1,
//!     terms: Terms {
//!         max_moves: Some(6),
//!         player: PlayerOptions { table_bytes: 1 << 20, ..Default::default() },
//!         ..Terms::default()
//!     },
//!     sprt: None,
//!     seed: 0,
//!     directory: None,
//! };
//! let standing = contest.run(&AtomicBool::new(false), &mut |_, _| ())?;
//! assert_eq!(standing.tally(0, 1).games(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [`referee`] of a [`Contest`] keeps the clocks, checks every move, and ends a
//! game early only if the solver proves a win or no side can win any more. An
//! entrant that crashes, plays an illegal move or exceeds its time loses, and its
//! transcript is kept. Results go to a log, so that an interrupted contest can be
//! continued; [`stats`] gives their significance.

mod client;
mod entrant;
mod files;
mod log;
pub mod openings;
mod pace;
mod process;
pub mod referee;
mod run;
mod seat;
mod standing;
pub mod stats;

pub use client::UnsupportedBoard;
pub use entrant::{Entrant, Protocol, Time, Who, WhoError, distinguish};
pub use log::{LogError, Played};
pub use run::{Contest, ContestError, EntrantProblem};
pub use seat::Failure;
pub use standing::{Ranked, Standing};
