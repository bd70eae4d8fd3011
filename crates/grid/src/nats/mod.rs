//! Jobs over NATS JetStream, for workers on any number of machines that come and
//! go at any time. docs/GRID.md describes streams, messages and accounts.
//!
//! - jobs wait in a work-queue stream; a worker pulls one at a time and keeps its
//!   lease only while the job's counter moves
//! - results go to a stream and are stored there before the job is acknowledged, so
//!   that a job is done twice rather than never
//! - a job that is not needed any more is called off by a message to all workers;
//!   a worker that misses it learns of it from a key-value bucket
//! - a client checks that its open jobs are in the queue, and sends those again
//!   that have gone without a result

mod access;
mod client;
mod error;
mod listen;
mod message;
mod name;
mod presence;
mod proofs;
mod queue;
mod streams;
mod worker;

pub use access::Access;
pub use client::{ClientSettings, NatsClient};
pub use error::{GridError, NameError};
pub use message::VERSION;
pub use name::WorkerName;
pub use worker::{News, Stop, WorkerSettings, work};

use async_nats::jetstream;
use std::{fmt, str::FromStr, time::Duration};

/// The name of a grid, and with it the names of its subjects and streams. Several
/// grids can share a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid(String);

impl Default for Grid {
    fn default() -> Grid {
        Grid("lambda6".to_string())
    }
}

impl FromStr for Grid {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Grid, NameError> {
        name::check(text, 32)?;
        Ok(Grid(text.to_string()))
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The consumer that all workers pull from.
const WORKERS: &str = "workers";

impl Grid {
    fn jobs_stream(&self) -> String {
        format!("{}_JOBS", self.0)
    }

    fn results_stream(&self) -> String {
        format!("{}_RESULTS", self.0)
    }

    fn proofs_stream(&self) -> String {
        format!("{}_PROOFS", self.0)
    }

    fn bucket(&self) -> String {
        self.0.clone()
    }

    fn jobs(&self, search: &str) -> String {
        format!("{}.jobs.{search}", self.0)
    }

    fn results(&self, search: &str, owner: &str, process: &str) -> String {
        format!("{}.results.{search}.{owner}.{process}", self.0)
    }

    fn proof(&self, owner: &str, id: &str, part: usize) -> String {
        format!("{}.proofs.{owner}.{id}.{part}", self.0)
    }

    fn abort(&self) -> String {
        format!("{}.abort", self.0)
    }

    fn presence(&self, owner: &str, process: &str) -> String {
        format!("{}.workers.{owner}.{process}", self.0)
    }

    /// Where an owner's workers receive replies. Permissions need not let a worker
    /// hear what others are sent.
    fn inbox(&self, owner: &str) -> String {
        format!("_INBOX_{}.{owner}", self.0)
    }

    /// Where a job is asked for.
    fn next_job(&self) -> String {
        format!("$JS.API.CONSUMER.MSG.NEXT.{}.{WORKERS}", self.jobs_stream())
    }

    /// Where the open jobs of a search are asked for.
    fn open_jobs(&self, search: &str) -> String {
        let bucket = self.bucket();
        format!("$JS.API.DIRECT.GET.KV_{bucket}.$KV.{bucket}.{search}")
    }

    fn given_up(&self) -> String {
        format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{}.{WORKERS}", self.jobs_stream())
    }
}

/// How long a request may take before it is tried again.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(300);

/// Publishes a message, waits until the stream has stored it, and returns its
/// sequence number. The server drops a second message of the same `id`.
async fn publish(
    context: &jetstream::Context,
    subject: String,
    id: Option<String>,
    payload: Vec<u8>,
) -> Result<u64, GridError> {
    let mut headers = async_nats::HeaderMap::new();
    if let Some(id) = id {
        headers.insert("Nats-Msg-Id", id);
    }
    let sent = async {
        let failed = || GridError::request(subject.clone());
        let ack = context.publish_with_headers(subject.clone(), headers, payload.into()).await;
        ack.map_err(failed())?.await.map_err(failed())
    };
    let ack = tokio::time::timeout(PATIENCE, sent).await.map_err(|_| GridError::Timeout)??;
    Ok(ack.sequence)
}
