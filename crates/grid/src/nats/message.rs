//! The messages of a grid. All are JSON; docs/GRID.md describes them.

use super::error::GridError;
use lambda6_jobs::wire::{AnswerText, TaskText};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Increases when a message changes so that an older program would misread it.
pub const VERSION: u32 = 2;

/// A job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct JobMessage {
    pub(super) version: u32,
    pub(super) build: String,
    pub(super) search: String,
    /// The client's epoch when the job was sent.
    pub(super) epoch: u64,
    /// The hash of all that the answer depends on: position, question, limits and program.
    pub(super) key: String,
    pub(super) task: TaskText,
}

/// The result of a job. The subject names the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ResultMessage {
    pub(super) version: u32,
    pub(super) build: String,
    pub(super) job: u64,
    /// The job's key: a result with another key answers another question.
    pub(super) key: String,
    pub(super) attempt: u32,
    pub(super) nodes: u64,
    pub(super) millis: u64,
    /// Absent if the job failed.
    pub(super) answer: Option<AnswerText>,
    pub(super) failed: Option<String>,
    pub(super) proof: Option<ProofPlace>,
}

/// Where a proof's text is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ProofPlace {
    /// In the result.
    Text(String),
    /// In the stream of proofs, in this many parts.
    Parts(usize),
}

/// Jobs that are called off.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AbortMessage {
    pub(super) search: String,
    pub(super) jobs: Vec<u64>,
}

/// The open jobs of a search, kept in the bucket under the search's name. A job
/// that was sent before this epoch and is not listed is called off.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct OpenJobs {
    pub(super) epoch: u64,
    pub(super) jobs: Vec<u64>,
}

/// A worker's sign of life. The subject names the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Presence {
    pub(super) version: u32,
    pub(super) build: String,
    pub(super) job: Option<String>,
    pub(super) nodes: u64,
    pub(super) leaving: bool,
}

/// The field by which messages of another version are recognized.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

pub(super) fn encode(message: &impl Serialize) -> Vec<u8> {
    // Strings and numbers only: this cannot fail.
    serde_json::to_vec(message).unwrap_or_default()
}

/// Reads a message that carries a version.
pub(super) fn decode<T: DeserializeOwned>(payload: &[u8]) -> Result<T, GridError> {
    let Versioned { version } = serde_json::from_slice(payload).map_err(GridError::Unreadable)?;
    if version != VERSION {
        return Err(GridError::Version(version));
    }
    serde_json::from_slice(payload).map_err(GridError::Unreadable)
}

/// The longest text of a worker that a client keeps or shows.
const MAX_TEXT: usize = 200;
/// The greatest count of nodes or milliseconds that a client takes from a worker.
/// Sums of them stay far from the limits of 64-bit integers.
const MAX_COUNT: u64 = 1 << 40;

/// A worker's text made fit to keep and to print: short, without control characters.
pub(super) fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_TEXT).collect()
}

/// A worker's count made fit to be added up.
pub(super) fn bounded(count: u64) -> u64 {
    count.min(MAX_COUNT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_counts_of_workers_are_bounded() {
        assert_eq!(printable("job\x1b[31m 7\n"), "job[31m 7");
        assert_eq!(printable(&"é".repeat(1000)).chars().count(), MAX_TEXT);
        assert_eq!(bounded(u64::MAX), MAX_COUNT);
        assert_eq!(bounded(5), 5);
    }

    #[test]
    fn a_message_of_another_version_is_told_from_an_unreadable_one() {
        let error = decode::<JobMessage>(br#"{"version": 99, "whatever": []}"#).unwrap_err();
        assert!(matches!(error, GridError::Version(99)), "{error}");
        let error = decode::<JobMessage>(br#"{"version": 2}"#).unwrap_err();
        assert!(matches!(error, GridError::Unreadable(_)), "{error}");
    }
}
