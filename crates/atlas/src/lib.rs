//! The atlas: which second moves lose, with proofs.
//!
//! Black's first stone stands in the centre. For each of White's answers, up to symmetry, the
//! atlas has a third move and a certificate of the win, or says how much has been spent on it in
//! vain. Certificates of openings that are won in the same way mostly agree, so one is told by
//! another ([`delta`]), and searched by it: what wins an opening is played in its neighbours
//! first, and only what is missing is searched for.
//!
//! - [`Openings`]: the second moves of a game, with names.
//! - [`Log`]: the directory, which only ever grows; [`Atlas`]: what it says.
//! - [`Certificates`]: the certificates, put together again.
//! - [`build`](build::build): fills the atlas; [`check`](check::check): checks it.
//! - [`whole`]: one certificate for all openings.
//!
//! Nothing here is believed because it is written down: a certificate is put together by the
//! checker's walk, and [`check`](check::check) has the checker read its text.

mod archive;
mod atlas;
pub mod build;
pub mod check;
pub mod delta;
pub mod entry;
pub mod export;
mod log;
mod neighbours;
mod openings;
pub mod whole;

pub use archive::Certificates;
pub use atlas::{Atlas, AtlasError, Counts, Row};
pub use log::{Log, LogError};
pub use openings::{Group, NoOpenings, Opening, Openings};

use lambda6_proof::Method;
use lambda6_rules::Side;

/// The method of all certificates.
pub(crate) const METHOD: Method = Method::Mutual;
/// Who wins.
pub(crate) const WINNER: Side = Side::Black;
