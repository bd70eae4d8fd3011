//! Stores of searches.

mod look;
mod memory;
mod orders;
mod schema;
mod sqlite;
mod workers;

pub use look::Done;
pub use memory::MemoryStore;
pub use orders::{Order, OrderError, OrderState, Request};
pub use sqlite::SqliteStore;

use crate::{Answer, Change, End, JobKey, JobProof, ProofId, Search};
use std::collections::BTreeMap;

/// Keeps a search so that it can be resumed.
pub trait Store {
    /// Stores these changes, all or none. They are durable when this returns.
    fn commit(&mut self, changes: &[Change]) -> Result<(), StoreError>;

    /// The search as it was after the last commit.
    fn load(&self) -> Result<Search, StoreError>;

    /// The stored answer to a question.
    fn answer(&self, key: &JobKey) -> Result<Option<Answer>, StoreError>;

    /// The proof of an identifier.
    fn proof(&self, id: &ProofId) -> Result<Option<JobProof>, StoreError>;

    /// The number of ended jobs by the kind of end.
    fn ended(&self) -> Result<BTreeMap<End, u64>, StoreError>;
}

/// Why a search cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file belongs to another program or to another version of this one.
    #[error("{path}: {what}")]
    Foreign {
        /// The file.
        path: String,
        /// What was found.
        what: String,
    },
    /// The file is damaged.
    #[error("{path}: table {table}, row {row}: {what}")]
    Damaged {
        /// The file.
        path: String,
        /// The table.
        table: &'static str,
        /// The row's key.
        row: String,
        /// What was expected there.
        what: String,
    },
    /// The database failed.
    #[error("{path}: {source}")]
    Database {
        /// The file.
        path: String,
        /// The error.
        source: rusqlite::Error,
    },
    /// Another process has the search open to work on it.
    #[error("{path}: another process is working on this search")]
    Locked {
        /// The file.
        path: String,
    },
    /// The file system failed.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// The error.
        source: std::io::Error,
    },
}
