//! Plays the games Connect(m,n,k,p,q), Connect6 above all.
//!
//! ```
//! use lambda6_player::{Level, Player, PlayerOptions};
//! use lambda6_rules::{Game, Position};
//! use lambda6_search::{Control, Limits, NoClock, Silent};
//! use std::sync::atomic::AtomicBool;
//!
//! let game = Game::CONNECT6;
//! let options = PlayerOptions { level: Level::Club, table_bytes: 1 << 20, ..Default::default() };
//! let mut player = Player::new(game, options);
//! let mut position = Position::new(game);
//! position.play(&game.parse_move("j10")?)?;
//!
//! let limits = Limits { nodes: Some(1000), ..Limits::default() };
//! let stop = AtomicBool::new(false);
//! let choice = player.choose(&position, Control::new(limits, &NoClock, &stop), &mut Silent)?;
//! position.play(&choice.mv)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Player`] has a [`Level`]. It is given a position and limits (a
//! [`TimeControl`] allots them) and answers with a [`Choice`]: a move, its score
//! and a [`Status`] in the terms of job-level search. A win is called proved only
//! with a certificate.

mod alpha_beta;
mod choice;
mod deepening;
mod defense;
mod generator;
mod half_move;
mod kagami;
mod level;
mod opening_book;
mod parallel;
mod player;
mod question;
mod quiet_win;
mod root;
mod search_thread;
mod settings;
mod status;
mod tactics;
mod time_control;
mod transposition_table;
mod tree_levels;

pub use choice::{Candidate, Choice, DOUBTFUL_WIN, Info, JobAnswer, PlayError, WON, chance};
pub use level::{Level, LevelParseError};
pub use player::{Player, PlayerOptions};
pub(crate) use status::status_of;
pub use status::{Status, StatusParseError};
pub use time_control::{TimeControl, TimeControlParseError};
