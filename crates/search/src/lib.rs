//! Searches for forced wins.
//!
//! A search finds wins and claims nothing: what it finds becomes a claim when
//! the `proof` crate has made a certificate of its replies.
//!
//! ```
//! use lambda6_rules::{Setup, Side};
//! use lambda6_search::{Budget, Silent, WinSearch, lambda::{LambdaOptions, LambdaSearch}};
//! use lambda6_threats::Board;
//!
//! // Three stones in the open: Black, to move, wins by double threats.
//! let setup = Setup::parse("game: 19 19 6 2 1\nblack: j10 j12 i11\nto-move: black\n")?;
//! let position = setup.position()?;
//! let mut board = Board::from_position(&position);
//! let mut search = LambdaSearch::new(position.game(), LambdaOptions::default(), 1 << 24);
//! let mut budget = Budget::of_nodes(100_000);
//! let found = search.search(&mut board, Side::Black, Side::Black, &mut budget, &mut Silent);
//! assert!(found.is_ok());
//! let first = search.reply(&mut board, Side::Black, &mut budget)?;
//! assert_eq!(first.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//!
//! - [`vcdt`]: wins by moves that leave the defender no stone to spare (VCDT,
//!   victory by continuous double threats, in Connect6).
//! - [`vcdt_zones`]: the same wins with their relevance zones.
//! - [`vcst_rounds`]: wins by moves that make a threat or more (VCST), depth
//!   first in rounds of growing effort.
//! - [`lambda`]: wins by moves of any order, by proof numbers.
//! - [`walk`]: which stones of the defender need an answer, given the zones.
//! - [`evaluation`]: what a position promises, to order moves by.
//!
//! A search never prints and never answers with a bare yes or no: it reports to
//! an [`Observer`] and says [`Why`] it found nothing, which tells a search that
//! gave up from one that tried everything. All searches are limited by one
//! [`Budget`].

mod candidates;
pub mod evaluation;
pub mod lambda;
mod limits;
mod method;
mod observer;
mod random;
#[cfg(not(target_family = "wasm"))]
pub mod runner;
mod table;
pub mod vcdt;
pub mod vcdt_zones;
pub mod vcst_rounds;
pub mod walk;
mod weights;
mod win_search;
mod zones;

pub use candidates::{Candidates, How, MoveValues, VcdtMoves, affordable, complete, complete_within};
#[cfg(not(target_family = "wasm"))]
pub use limits::SystemClock;
pub use limits::{Budget, Clock, Control, Limits, NoClock, Since, Why};
pub use method::Method;
pub use observer::{Observer, Progress, Silent};
pub use random::Random;
pub use table::{Known, Table};
pub use win_search::{WinSearch, connecting, find_defences};
pub use zones::{Zones, covered};
