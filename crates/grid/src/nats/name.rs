//! Names that are parts of subjects.

use super::error::NameError;
use std::{fmt, str::FromStr};

/// The greatest length of a worker's or an owner's name.
const MAX_NAME: usize = 64;

/// Whether a text can be one token of a subject: no dots, wildcards or spaces.
pub(super) fn check(text: &str, max: usize) -> Result<(), NameError> {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    if text.is_empty() || text.len() > max || !text.bytes().all(fits) {
        return Err(NameError { max });
    }
    Ok(())
}

/// A worker's name: the owner, which the server's permissions can bind to a user,
/// and the name of one process of that owner. It is written `owner/process`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkerName {
    owner: String,
    process: String,
}

impl WorkerName {
    /// The owner of workers of which nothing else is known.
    pub const DEFAULT_OWNER: &'static str = "worker";

    /// A name made of its two parts.
    pub fn new(owner: &str, process: &str) -> Result<WorkerName, NameError> {
        check(owner, MAX_NAME)?;
        check(process, MAX_NAME)?;
        Ok(WorkerName { owner: owner.to_string(), process: process.to_string() })
    }

    /// The owner.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// The name of the process.
    pub fn process(&self) -> &str {
        &self.process
    }

    /// The name in the last two tokens of a subject.
    pub(super) fn from_subject(subject: &str) -> Option<WorkerName> {
        let mut tokens = subject.rsplit('.');
        let (process, owner) = (tokens.next()?, tokens.next()?);
        WorkerName::new(owner, process).ok()
    }
}

impl fmt::Display for WorkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.process)
    }
}

impl FromStr for WorkerName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<WorkerName, NameError> {
        let (owner, process) = text.split_once('/').unwrap_or((WorkerName::DEFAULT_OWNER, text));
        WorkerName::new(owner, process)
    }
}
