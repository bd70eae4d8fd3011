//! Where a search is kept.

mod look;
mod memory;
mod orders;
mod schema;
mod sqlite;
mod workers;

pub use look::Done;
pub use memory::MemoryStore;
pub use orders::{Order, OrderState};
pub use sqlite::SqliteStore;

use crate::{Answer, Change, End, JobKey, Proof, ProofId, Search};
use std::collections::BTreeMap;

/// Keeps a search so that it can be gone on with.
pub trait Store {
    /// Stores these changes, all or none. When this returns they are safe.
    fn commit(&mut self, changes: &[Change]) -> Result<(), StoreError>;

    /// The search as it was after the last commit.
    fn load(&self) -> Result<Search, StoreError>;

    /// An answer from before.
    fn answer(&self, key: &JobKey) -> Result<Option<Answer>, StoreError>;

    /// A proof.
    fn proof(&self, id: &ProofId) -> Result<Option<Proof>, StoreError>;

    /// How many jobs ended in each way.
    fn ended(&self) -> Result<BTreeMap<End, u64>, StoreError>;
}

/// Why a search cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is one of another program, or of another version of this one.
    #[error("{path}: {what}")]
    Foreign {
        /// The file.
        path: String,
        /// What it is.
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
        /// How.
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
        /// How.
        source: std::io::Error,
    },
}
