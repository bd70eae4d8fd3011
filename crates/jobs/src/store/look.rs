//! Facts about a search for other processes: whether a process works on it, and
//! which workers have done its jobs.

use super::{SqliteStore, StoreError};
use std::{fs::File, path::Path};

/// The jobs that one worker has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The worker's name.
    pub worker: String,
    /// The number of jobs.
    pub jobs: u64,
    /// The moves tried for them.
    pub nodes: u64,
    /// The time they took, in milliseconds.
    pub millis: u64,
}

impl SqliteStore {
    /// Whether a process works on the search. Takes the search's lock for a moment,
    /// for which [`SqliteStore::open`] waits.
    pub fn is_at_work(path: &Path) -> Result<bool, StoreError> {
        let file = |source| StoreError::File { path: path.display().to_string(), source };
        let lock = match File::open(SqliteStore::lock_file(path)) {
            Ok(lock) => lock,
            // No process has worked on it yet.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(file(error)),
        };
        match lock.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(std::fs::TryLockError::WouldBlock) => Ok(true),
            Err(std::fs::TryLockError::Error(source)) => Err(file(source)),
        }
    }

    /// The workers that have done jobs, by name.
    pub fn done_by_worker(&self) -> Result<Vec<Done>, StoreError> {
        let query = || {
            let mut query = self.db.prepare_cached(
                "SELECT worker, count(*), sum(nodes), sum(millis) FROM jobs \
                 WHERE state = 'done' AND worker <> '' GROUP BY worker ORDER BY worker",
            )?;
            let number = |row: &rusqlite::Row<'_>, column| row.get::<_, i64>(column).map(|n| n.max(0) as u64);
            let rows = query.query_map([], |row| {
                let (jobs, nodes, millis) = (number(row, 1)?, number(row, 2)?, number(row, 3)?);
                Ok(Done { worker: row.get(0)?, jobs, nodes, millis })
            })?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        query().map_err(|source| self.failed(source))
    }
}
