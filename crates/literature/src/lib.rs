//! The searches of the literature on Connect6 and its family, reproduced to be
//! compared with those that lambda6 uses. Nothing here is needed to solve or to
//! play, and no win is claimed without a certificate.
//!
//! | module | what it reproduces |
//! |---|---|
//! | [`dbs`] | dependency-based search for VCDT with the filters F1 to F5 (`reproduce dbs`) |
//! | [`staged`], [`tree`] | proof-number search in one to three stages, and the searches it was compared with, on bitboards (`reproduce bitboard`) |
//! | [`Verifier`] | the verifiers of the papers on relevance zones, V_Wu of 2006 among them (`reproduce rzop`) |
//! | [`VcdtVariant`] | searches for VCDT: plain, filtered, both in turn, by proof numbers |
//! | [`small_games`] | who wins small games from the empty board |
//! | [`puzzle`] | sets of positions with forced wins, made by self-play |
//!
//! [`ComparisonSolver`] runs any of these searches on a position.

pub mod dbs;
mod numbers;
pub mod puzzle;
pub mod small_games;
mod solver;
pub mod staged;
pub mod tree;
mod vcdt_dfpn;
mod vcdt_variants;
mod verifier;
mod work_table;
mod wu;

pub use solver::{Compared, ComparisonOptions, ComparisonSolver, ComparisonStrategy};
pub use vcdt_dfpn::VcdtDfpn;
pub use vcdt_variants::{VcdtVariant, VcdtVariantParseError};
pub use verifier::{Verifier, VerifierParseError};
pub use wu::WuSearch;
