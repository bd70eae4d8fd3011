//! Searches that prove wins.
//!
//! - [`full`]: wins by moves that leave the defender no free stone (VCDT in
//!   Connect6: victory by continuous double threats).
//! - [`any`]: wins by moves that make a threat or more (VCST), with relevance
//!   zones for the stones that the defender has to spare.
//! - [`dbs`]: the first again, by dependency-based search, which leaves out moves
//!   that have nothing to do with the line they continue.
//! - [`dfpn_vcdt`]: the first again, by proof numbers instead of depth after depth.
//! - [`proof`]: proofs that have been found, read back and made smaller.
//! - [`value`]: who wins a small game from the empty board.
//! - [`lambda`]: wins with moves that leave the defender stones to spare, or all
//!   of them, by proof numbers.
//! - [`wu`]: the method of 2006, with full threats only after the first move.
//! - [`verify`]: the moves of a defender that no search has refuted.
//!
//! [`field`] says what a position promises, so that searches and players know where
//! to look first. [`puzzle`] makes positions with forced wins, to measure searches with.
//!
//! A search never prints and never answers with a bare yes or no: it reports to
//! an [`Observer`] and ends in a [`Verdict`], which tells a search that gave up
//! from one that tried everything.

pub mod any;
mod candidates;
mod certificate;
pub mod dbs;
pub mod dfpn_vcdt;
pub mod field;
mod forced;
pub mod full;
pub mod lambda;
mod limits;
mod observer;
mod pn_table;
pub mod pns;
pub mod proof;
pub mod puzzle;
mod solver;
mod strategy;
mod table;
pub mod tree;
pub mod value;
mod vcdt;
mod verdict;
mod verifier;
pub mod verify;
mod weights;
pub mod wu;
mod zones;

pub use certificate::{Certificate, CertifyError, Method};
#[cfg(not(target_family = "wasm"))]
pub use limits::SystemClock;
pub use limits::{Budget, Clock, Limits, NoClock, Why};
pub use observer::{Observer, Progress, Silent};
pub use solver::{Class, ClassParseError, Report, SolveError, Solver, SolverOptions, Vcst};
pub use strategy::Strategy;
pub use table::Table;
pub use vcdt::{Vcdt, VcdtParseError};
pub use verdict::{Verdict, Win};
pub use verifier::{Verifier, VerifierParseError};
pub use zones::Zones;
