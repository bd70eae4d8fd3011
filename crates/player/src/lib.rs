//! Plays the games Connect(m,n,k,p,q).
//!
//! ```
//! use player::{PlayLimits, Player, PlayerOptions, Unwatched};
//! use rules::{Game, Position};
//! use search::NoClock;
//! use std::sync::atomic::AtomicBool;
//!
//! let mut player = Player::new(Game::CONNECT6, PlayerOptions { table_bytes: 1 << 20, ..Default::default() });
//! let mut position = Position::new(Game::CONNECT6);
//! position.play(&Game::CONNECT6.parse_move("j10")?)?;
//! let limits = PlayLimits { nodes: Some(1000), ..PlayLimits::default() };
//! let choice = player.choose(&position, &limits, &NoClock, &AtomicBool::new(false), &mut Unwatched)?;
//! position.play(&choice.mv)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Player`] has a [`Level`]. It is given a position and [`PlayLimits`] (a
//! [`TimeControl`] allots them) and answers with a [`Choice`]: a move, its score
//! and a [`Status`] in the words of job-level search. A win is called proved
//! only with a certificate.

mod choice;
mod defense;
mod halfmove;
mod helpers;
mod kagami;
mod level;
mod levels;
mod mind;
mod moves;
mod openings;
mod player;
mod question;
mod quiet;
mod root;
mod status;
mod table;
mod tactics;
mod time;
mod tree;

pub use choice::{Candidate, Choice, Info, JobAnswer, OthersLose, PlayError, Unwatched, WON, Watch, chance};
pub use halfmove::half_move;
pub use level::{Level, LevelParseError};
pub use player::{Player, PlayerOptions};
pub(crate) use search::field;
pub(crate) use status::status_of;
pub use status::{Status, StatusParseError};
pub use time::{PlayLimits, TimeControl, TimeControlParseError};
