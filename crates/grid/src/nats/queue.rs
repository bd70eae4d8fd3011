//! A worker's side of the queue: pulls jobs and acknowledges them. A worker asks
//! with plain messages, so that it needs no right to read about the stream.

use super::{Grid, error::GridError};
use async_nats::{Client, Subject, jetstream::AckKind};
use bytes::Bytes;
use futures_util::StreamExt;
use std::time::Duration;

/// A job that the server has given to this worker.
pub(super) struct Delivery {
    pub(super) payload: Bytes,
    nats: Client,
    ack: Subject,
}

impl Delivery {
    /// Acknowledges the job or extends its lease. A message that is lost with the
    /// connection does no harm: the lease runs out and the job is given out again.
    pub(super) async fn acknowledge(&self, kind: AckKind) {
        let _ = self.nats.publish(self.ack.clone(), kind.into()).await;
    }
}

/// The server's answer to a pull.
pub(super) enum Pulled {
    Job(Box<Delivery>),
    /// No job came in time.
    Nothing,
    /// No server answers, or no client has created the queue.
    NoQueue,
}

/// Time that the server's answer may take beside the time that it waits for a job.
const GRACE: Duration = Duration::from_secs(1);

/// Asks for one job and waits for it.
pub(super) async fn pull(nats: &Client, grid: &Grid, wait: Duration) -> Result<Pulled, GridError> {
    let inbox = nats.new_inbox();
    let failed = "the queue of jobs";
    let mut replies = nats.subscribe(inbox.clone()).await.map_err(GridError::request(failed))?;
    let request = format!(r#"{{"batch":1,"expires":{}}}"#, wait.as_nanos());
    let asked = nats.publish_with_reply(grid.next_job(), inbox, request.into()).await;
    asked.map_err(GridError::request(failed))?;
    let Ok(Some(message)) = tokio::time::timeout(wait + GRACE, replies.next()).await else {
        return Ok(Pulled::NoQueue);
    };
    Ok(match (message.status, message.reply) {
        (None, Some(ack)) if ack.starts_with("$JS.ACK.") => {
            Pulled::Job(Box::new(Delivery { payload: message.payload, nats: nats.clone(), ack }))
        }
        (Some(async_nats::StatusCode::NO_RESPONDERS), _) => Pulled::NoQueue,
        _ => Pulled::Nothing,
    })
}
