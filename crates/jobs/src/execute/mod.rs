//! What a worker does with a task.

mod others;
mod worker;

pub use worker::{Worker, WorkerOptions};

use crate::{Answer, Task};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Does jobs.
pub trait Execute {
    /// Does one. It looks at `stop` often enough, and counts in `nodes` the moves
    /// that it tries: a counter that stands still is taken for a job that hangs.
    fn execute(&mut self, task: &Task, stop: &AtomicBool, nodes: &AtomicU64) -> Result<Answer, ExecuteError>;
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExecuteError {
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
    /// It cannot be done.
    #[error("{0}")]
    Failed(String),
}
