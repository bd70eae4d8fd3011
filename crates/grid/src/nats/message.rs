//! The messages of a grid. All are JSON; docs/GRID.md describes them.

use jobs::wire::{AnswerText, TaskText};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Counts up when a message changes so that an older program would misread it.
pub const VERSION: u32 = 1;

/// A job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct JobMessage {
    pub(super) version: u32,
    pub(super) build: String,
    pub(super) search: String,
    /// The client's epoch when it was sent.
    pub(super) epoch: u64,
    /// What the answer depends on: position, question, limits and program.
    pub(super) key: String,
    pub(super) task: TaskText,
}

/// What became of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ResultMessage {
    pub(super) version: u32,
    pub(super) build: String,
    pub(super) job: u64,
    /// The job's key: a result that has another one answers another question.
    pub(super) key: String,
    pub(super) attempt: u32,
    pub(super) worker: String,
    pub(super) nodes: u64,
    pub(super) millis: u64,
    /// Nothing if it failed.
    pub(super) answer: Option<AnswerText>,
    pub(super) failed: Option<String>,
    pub(super) proof: Option<ProofPlace>,
}

/// Where a proof is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ProofPlace {
    /// Here.
    Text(String),
    /// In the stream of proofs, in so many parts.
    Parts(usize),
}

/// These jobs are called off.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AbortMessage {
    pub(super) search: String,
    pub(super) jobs: Vec<u64>,
}

/// The jobs of a search that somebody waits for. Kept in the bucket under the
/// search's name: a job that was sent before this epoch and is not here is
/// called off.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Open {
    pub(super) epoch: u64,
    pub(super) jobs: Vec<u64>,
}

/// A worker says that it is there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Presence {
    pub(super) version: u32,
    pub(super) build: String,
    pub(super) name: String,
    pub(super) job: Option<String>,
    pub(super) nodes: u64,
    pub(super) leaving: bool,
}

/// What every message has, so that one of another version can be told.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

pub(super) fn encode(message: &impl Serialize) -> Vec<u8> {
    // Strings and numbers only: this cannot fail.
    serde_json::to_vec(message).unwrap_or_default()
}

/// Reads a message that carries a version.
pub(super) fn decode<T: DeserializeOwned>(payload: &[u8]) -> Result<T, String> {
    let unreadable = |error: serde_json::Error| format!("the message cannot be read: {error}");
    let Versioned { version } = serde_json::from_slice(payload).map_err(unreadable)?;
    if version != VERSION {
        return Err(format!("the message is of version {version}, this program knows {VERSION}"));
    }
    serde_json::from_slice(payload).map_err(unreadable)
}
