//! How a worker does a task.

mod others_lose;
mod worker;

pub use worker::{Worker, WorkerOptions};

use crate::{Answer, Task};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Does jobs.
pub trait Execute {
    /// Does a job. It checks `stop` often and counts the moves that it tries in
    /// `nodes`: a job whose counter stands still is taken to hang.
    fn execute(&mut self, task: &Task, stop: &AtomicBool, nodes: &AtomicU64) -> Result<Answer, ExecuteError>;
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExecuteError {
    /// The job was told to stop.
    #[error("stopped")]
    Stopped,
    /// The job cannot be done.
    #[error("{0}")]
    Failed(String),
}
