//! Reviews of games: who stood better where, the mistakes, the forced wins that
//! were missed.
//!
//! - [`PlayedGame`]: the game, as positions and the moves between them.
//! - [`Reviewer`]: looks at one position and says how it [stands](Standing): won
//!   with a certificate, won as a search sees it, or an estimate.
//! - [`Review`]: the standings of a game, and what follows for its
//!   [moves](Judgement): their loss, their [`Quality`], the mistakes by size, and the
//!   last move at which the loser could have held.
//! - [`annotate()`]: writes a review into a game record: comments, marks, the
//!   properties of SGF for good and bad moves, and better lines as variations.
//! - [`Tally`]: sums over many games, player by player.
//!
//! Positions are looked at one by one and independently of each other, so that a
//! review can be stopped, taken up again and spread over threads.
//!
//! ```
//! use lambda6_review::{Effort, PlayedGame, Review, ReviewOptions, Reviewer};
//! use lambda6_rules::record::{self, ReadOptions};
//! use lambda6_search::NoClock;
//! use std::sync::atomic::AtomicBool;
//!
//! let record = record::read(b"game: 3 3 3 1 1\n\n1.b2 2.b1 3.a3 4.a1", &ReadOptions::default())?;
//! let game = PlayedGame::of(&record)?;
//! let options = ReviewOptions { effort: Effort::of_nodes(100), ..ReviewOptions::default() };
//! let mut reviewer = Reviewer::new(game.game(), options);
//! let mut review = Review::new(game);
//! let stop = AtomicBool::new(false);
//! while let Some(after) = review.next() {
//!     let standing = reviewer.look(review.game(), after, &NoClock, &stop)?;
//!     review.set(after, standing);
//! }
//! // After 2.b1 Black wins, and 4.a1 lets Black connect.
//! assert!(review.judgement(1).unwrap().loses_by_proof);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod annotate;
mod judgement;
mod played_game;
mod review;
mod reviewer;
mod standing;
mod tally;
mod winning_line;
mod words;

pub use annotate::{AnnotateError, annotate};
pub use judgement::{Judgement, Quality};
pub use played_game::{PlayedGame, PlayedGameError};
pub use review::{Review, SideSummary, Turning};
pub use reviewer::{Effort, LookError, ReviewOptions, Reviewer};
pub use standing::{Standing, Verdict};
pub use tally::{PlayerTally, Tally};
pub use winning_line::playable;
pub use words::{remark, summary_text};
