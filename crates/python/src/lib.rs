//! lambda6 for Python: the module `lambda6._lambda6`, which the package `lambda6` wraps.
//!
//! Squares, moves and sides are text, as everywhere in lambda6: `j10`, `i8h9`, `black`. Input
//! is checked here, so that what is wrong becomes an exception of `lambda6.errors` that
//! names the argument. Searches run in threads without the interpreter's lock (`watch`).

#![allow(missing_docs, reason = "nothing is public: the documentation is that of the Python package")]
#![allow(
    rustdoc::broken_intra_doc_links,
    rustdoc::invalid_html_tags,
    reason = "comments on what Python sees are docstrings, in which brackets are Python's"
)]

mod args;
mod certificate;
mod errors;
mod game;
mod player;
mod position;
mod puzzle;
mod record;
mod solve;
mod threats;
mod value;
mod verify;
mod walk;
mod watch;

use mimalloc::MiMalloc;
use pyo3::prelude::*;

/// Searches run in threads of their own, in which the system's allocator requests
/// memory page by page; this one is faster.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

/// lambda6 for Python: see the package `lambda6`.
#[pymodule(gil_used = false)]
mod _lambda6 {
    #[pymodule_export]
    use crate::{
        certificate::{PyCertificate, PyChecked, check},
        game::PyGame,
        player::{PyChoice, PyPlayer, PyThinking},
        position::PyPosition,
        puzzle::{PyPuzzle, puzzles},
        record::{PyRecord, PyRecordNode},
        solve::{PyProgress, PySolveResult, solve, solve_all},
        threats::{PyRow, PyThreatCells, PyThreatMoves},
        value::{PyValue, value},
        verify::{PyRefutation, PyVerification, verify},
        walk::PyWalk,
    };

    /// The version of lambda6.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
