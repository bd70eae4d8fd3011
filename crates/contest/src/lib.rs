//! Matches and tournaments: our levels and other programs against each other,
//! and what the results say.
//!
//! A [`Contest`] is played game by game by a [`referee`], who trusts nobody: he
//! keeps the clock, checks every move, and ends a game early only where the
//! solver proves the win or nobody can win any more. Whoever crashes, plays an
//! illegal move or oversteps the time loses, and what was said is kept. Results
//! go to a log, so that a contest that was broken off goes on; [`stats`] say how
//! much they mean.
//!
//! A crate of its own, and not a part of the program: it has threads, processes
//! and statistics enough to be tested by itself.

pub mod client;
mod entrant;
mod files;
mod log;
pub mod openings;
mod process;
pub mod referee;
mod run;
mod seat;
mod standing;
pub mod stats;

pub use entrant::{Entrant, Protocol, Time, Who, WhoError, distinguish};
pub use log::{Agreed, LogError, Played};
pub use run::{Contest, ContestError};
pub use seat::Failing;
pub use standing::Standing;
