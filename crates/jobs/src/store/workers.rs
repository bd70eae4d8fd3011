//! The workers of a search and their jobs, for other processes that read its file
//! (ask-info in the paper).

use super::{SqliteStore, StoreError};
use crate::WorkerInfo;
use rusqlite::params;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Older entries are ignored: the process that wrote them may be dead.
const FRESH: Duration = Duration::from_secs(15);

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

impl SqliteStore {
    /// Writes the workers and their jobs into the file, in place of the last ones.
    pub fn note_workers(&mut self, workers: &[WorkerInfo]) -> Result<(), StoreError> {
        let path = self.path.clone();
        let mut note = || {
            let transaction = self.db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            transaction.execute("DELETE FROM workers", [])?;
            for WorkerInfo { name, job, nodes, trouble } in workers {
                transaction.execute(
                    "INSERT OR REPLACE INTO workers VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![name, job, *nodes as i64, trouble, now() as i64],
                )?;
            }
            transaction.commit()
        };
        note().map_err(|source| StoreError::Database { path, source })
    }

    /// The workers that the process on the search wrote recently; none if there is no
    /// such process.
    pub fn workers(&self) -> Result<Vec<WorkerInfo>, StoreError> {
        let query = || {
            let mut query = self
                .db
                .prepare("SELECT name, job, nodes, trouble FROM workers WHERE seen >= ?1 ORDER BY name")?;
            let rows = query.query_map([now().saturating_sub(FRESH.as_secs()) as i64], |row| {
                Ok(WorkerInfo {
                    name: row.get(0)?,
                    job: row.get(1)?,
                    nodes: row.get::<_, i64>(2)? as u64,
                    trouble: row.get(3)?,
                })
            })?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        query().map_err(|source| self.failed(source))
    }
}
