//! Certificates of forced wins: made, walked through, made smaller.
//!
//! - [`Solver`]: a position in, a [`Verdict`] out. A [`Win`] always holds a
//!   [`Certificate`], and a certificate exists only if the checker has accepted it.
//! - [`prove`]: the same for any search, see [`WinSearch`].
//! - [`verify`]: the moves of a defender that no search has refuted.
//! - [`Walkthrough`]: the defender plays, the certificate answers.
//! - [`Shorten`]: a smaller certificate of the same win.
//! - [`Replies`]: a proof as a hint for similar positions.
//! - [`convert`]: between the types of the rules and those of the checker.
//!
//! ```
//! use lambda6_proof::{Budget, Class, Silent, Solver, SolverOptions, Verdict};
//! use lambda6_rules::{Setup, Side};
//!
//! let setup = Setup::parse("game: 19 19 6 2 1\nblack: j10 j12 i11\nto-move: black\n")?;
//! let position = setup.position()?;
//! let mut solver = Solver::new(position.game(), SolverOptions::for_class(Class::Vcdt));
//! let report = solver.solve(&position, Side::Black, &mut Budget::of_nodes(100_000), &mut Silent)?;
//! let Verdict::Win(win) = report.verdict else { panic!("three open stones win") };
//! let mut text = Vec::new();
//! win.certificate().write(&mut text)?;
//! assert!(lambda6_checker::check(&text[..]).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The limits, the observers and the methods of the searches are re-exported
//! here, since they are part of this crate's interface.

mod advice;
mod certificate;
mod class;
pub mod convert;
mod fewest_replies;
mod proof_tree;
mod replies;
mod shorten;
mod small_proof;
mod solver;
mod verdict;
pub mod verify;
mod walkthrough;

pub use advice::Advice;
pub use certificate::{Certificate, CertifyError, ReadError};
pub use class::{Class, ClassParseError};
#[cfg(not(target_family = "wasm"))]
pub use lambda6_search::SystemClock;
pub use lambda6_search::{
    Budget, Clock, Control, Limits, Method, NoClock, Observer, Progress, Silent, Why, WinSearch, Zones,
};
pub use replies::Replies;
pub use shorten::{Shorten, ShortenProgress};
pub use solver::{Solver, SolverOptions, Strategy, prove};
pub use verdict::{Report, SolveError, Verdict, Win};
pub use walkthrough::{ProofAnswer, WalkError, Walkthrough};
