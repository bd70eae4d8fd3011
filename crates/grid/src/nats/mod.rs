//! Jobs over NATS JetStream: workers on any number of machines, coming and going
//! as they like. docs/GRID.md describes streams, messages and permissions.
//!
//! - jobs wait in a work-queue stream; a worker pulls one at a time and keeps its
//!   lease only while the job's counter moves
//! - results go to a stream and are acknowledged there before the job is, so that
//!   a job is done twice rather than never
//! - a job that nobody needs any more is called off by a message to all; whoever
//!   misses it finds out from a key-value bucket

mod access;
mod client;
mod listen;
mod message;
mod proofs;
mod worker;

pub use access::Access;
pub use client::NatsClient;
pub use message::VERSION;
pub use worker::{News, Stop, WorkerSettings, work};

use async_nats::jetstream::{self, stream};
use std::{fmt, str::FromStr, time::Duration};

/// The names of everything that belongs to one grid. Several can share a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid(String);

impl Default for Grid {
    fn default() -> Grid {
        Grid("lambda6".to_string())
    }
}

impl FromStr for Grid {
    type Err = String;

    fn from_str(text: &str) -> Result<Grid, String> {
        let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        if text.is_empty() || text.len() > 32 || !text.bytes().all(fits) {
            return Err("expected up to 32 letters, digits, - or _".to_string());
        }
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

    fn results(&self, search: &str) -> String {
        format!("{}.results.{search}", self.0)
    }

    fn proof(&self, id: &str, part: usize) -> String {
        format!("{}.proofs.{id}.{part}", self.0)
    }

    fn abort(&self) -> String {
        format!("{}.abort", self.0)
    }

    fn presence(&self, worker: &str) -> String {
        format!("{}.workers.{worker}", self.0)
    }

    fn given_up(&self) -> String {
        format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{}.{WORKERS}", self.jobs_stream())
    }

    /// The streams, as a client makes them. Only fields that servers from 2.9 on
    /// know. The bucket is a stream too: making it through the library asks 2.9
    /// for things that it does not say.
    fn streams(&self) -> [stream::Config; 4] {
        let base = |name: String, subject: String| stream::Config {
            name,
            subjects: vec![subject],
            storage: stream::StorageType::File,
            num_replicas: 1,
            ..Default::default()
        };
        let day = Duration::from_secs(24 * 3600);
        [
            stream::Config {
                retention: stream::RetentionPolicy::WorkQueue,
                ..base(self.jobs_stream(), self.jobs("*"))
            },
            stream::Config {
                retention: stream::RetentionPolicy::WorkQueue,
                max_age: 30 * day,
                ..base(self.results_stream(), self.results("*"))
            },
            stream::Config {
                max_messages_per_subject: 1,
                max_age: day,
                ..base(self.proofs_stream(), format!("{}.proofs.>", self.0))
            },
            stream::Config {
                max_messages_per_subject: 1,
                allow_rollup: true,
                deny_delete: true,
                allow_direct: true,
                ..base(format!("KV_{}", self.bucket()), format!("$KV.{}.>", self.bucket()))
            },
        ]
    }
}

/// How long a request may take before it is tried again.
const PATIENCE: Duration = Duration::from_secs(10);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(300);

/// Publishes and waits until the stream has it; its number there.
async fn publish(
    context: &jetstream::Context,
    subject: String,
    id: Option<String>,
    payload: Vec<u8>,
) -> Result<u64, String> {
    let mut headers = async_nats::HeaderMap::new();
    if let Some(id) = id {
        headers.insert("Nats-Msg-Id", id);
    }
    let sent = async {
        let ack = context.publish_with_headers(subject, headers, payload.into()).await;
        ack.map_err(|error| error.to_string())?.await.map_err(|error| error.to_string())
    };
    let ack =
        tokio::time::timeout(PATIENCE, sent).await.map_err(|_| "no answer from the server".to_string())??;
    Ok(ack.sequence)
}
