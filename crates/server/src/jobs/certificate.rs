//! The certificate of a solved search.

use super::Jobs;
use api::{ApiError, Code};
use jobs::{SqliteStore, Store};
use std::sync::atomic::AtomicBool;

/// Moves tried for a position that no proof of a job covers.
const NODES: u64 = 1_000_000;

impl Jobs {
    /// One certificate for a solved search.
    pub(crate) fn certificate(&self, name: &str, stop: &AtomicBool) -> Result<Vec<u8>, ApiError> {
        let file = self.existing(name).map_err(|problem| problem.0)?;
        let store = SqliteStore::visit(&file).map_err(ApiError::internal)?;
        let search = store.load().map_err(ApiError::internal)?;
        let method = search.settings().method;
        let mut solver = None;
        let mut solve = |position: &rules::Position, side| {
            let options = search::SolverOptions { method, ..search::SolverOptions::default() };
            let solver = solver.get_or_insert_with(|| search::Solver::new(position.game(), options));
            let limits = search::Limits { nodes: Some(NODES), ..search::Limits::default() };
            let report =
                solver.solve(position, side, limits, &search::NoClock, stop, &mut search::Silent).ok()?;
            match report.verdict {
                search::Verdict::Win(win) => win.certificate.map(|found| found.replies().to_vec()),
                search::Verdict::Unknown(_) => None,
            }
        };
        let certificate = jobs::certify(search.tree(), &store, method, &mut solve)
            .map_err(|e| ApiError::new(Code::BadRequest, format!("no certificate: {e}")))?;
        let mut text = Vec::new();
        certificate.write(&mut text).map_err(ApiError::internal)?;
        Ok(text)
    }
}
