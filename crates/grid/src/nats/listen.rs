//! What a client hears from the server: results, jobs that were given up, workers.

use super::{
    Grid, PAUSE, WorkerName,
    error::GridError,
    message::{self, JobMessage, Presence, ProofPlace, ResultMessage},
    presence::Presences,
    proofs,
};
use async_nats::jetstream::{self, consumer::PullConsumer, stream::Stream};
use futures_util::StreamExt;
use lambda6_jobs::{Answer, Event, JobId, JobProof, wire::AnswerText};
use lambda6_rules::Game;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::mpsc;

/// The shortest time between two requests for results.
const SHORT: Duration = Duration::from_millis(10);
/// The most results that are taken in before anything is sent.
const AT_ONCE: usize = 1000;

/// A message from one of the client's tasks.
pub(super) struct Heard {
    pub(super) event: Event,
    /// The result behind the event, if there is one.
    pub(super) result: Option<HeardResult>,
}

/// The message that brought a result, to be acknowledged when the event is dealt with.
pub(super) struct HeardResult {
    pub(super) key: String,
    pub(super) owner: String,
    pub(super) message: jetstream::Message,
}

/// Turns results into events.
pub(super) struct Listener {
    pub(super) grid: Grid,
    pub(super) build: String,
    pub(super) game: Game,
    pub(super) proofs: Stream,
    pub(super) sender: mpsc::UnboundedSender<Heard>,
}

impl Listener {
    /// Takes in the results that are there already, so that a client that starts
    /// again does not ask for them. An error is left to the next request.
    pub(super) async fn take_waiting(&self, consumer: &PullConsumer) {
        let Ok(mut batch) = consumer.fetch().max_messages(AT_ONCE).messages().await else { return };
        while let Some(Ok(message)) = batch.next().await {
            if !self.pass_on(message).await {
                return;
            }
        }
    }

    /// Pulls results until the client is gone. A server that is away is asked again.
    pub(super) async fn pull_results(self, consumer: PullConsumer) {
        while !self.sender.is_closed() {
            let asked = Instant::now();
            let batch = consumer.batch().max_messages(64).expires(Duration::from_secs(5)).messages().await;
            let Ok(mut batch) = batch else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            while let Some(Ok(message)) = batch.next().await {
                if !self.pass_on(message).await {
                    return;
                }
            }
            // A server that is away or not ready answers at once.
            if asked.elapsed() < SHORT {
                tokio::time::sleep(SHORT).await;
            }
        }
    }

    /// Passes a result to the client. False if the client is gone.
    async fn pass_on(&self, message: jetstream::Message) -> bool {
        match self.event(&message.subject, &message.payload).await {
            Some((event, key, owner)) => {
                let result = Some(HeardResult { key, owner, message });
                self.sender.send(Heard { event, result }).is_ok()
            }
            None => {
                // It cannot be read, now or later.
                let _ = message.ack_with(jetstream::AckKind::Term).await;
                true
            }
        }
    }

    /// The event, the key and the owner of a result; `None` if it cannot be read.
    async fn event(&self, subject: &str, payload: &[u8]) -> Option<(Event, String, String)> {
        let worker = WorkerName::from_subject(subject)?;
        let result: ResultMessage = message::decode(payload).ok()?;
        let job = JobId(result.job);
        let answer = match (result.answer, result.failed) {
            (None, failed) => Err(failed.unwrap_or_else(|| "no answer and no reason".to_string())),
            (Some(_), _) if result.build != self.build => {
                Err(format!("an answer of another program, {}", result.build))
            }
            (Some(answer), _) => {
                self.answer(&worker, &answer, result.proof).await.map_err(|error| error.to_string())
            }
        };
        let event = match answer {
            Ok(answer) => Event::Answered {
                job,
                worker: worker.to_string(),
                answer,
                nodes: message::bounded(result.nodes),
                millis: message::bounded(result.millis),
            },
            Err(why) => Event::Failed { job, worker: worker.to_string(), why: message::printable(&why) },
        };
        Some((event, result.key, worker.owner().to_string()))
    }

    async fn answer(
        &self,
        worker: &WorkerName,
        answer: &AnswerText,
        place: Option<ProofPlace>,
    ) -> Result<Answer, GridError> {
        let proof = match (answer.proof(), place) {
            (Some(id), Some(place)) => {
                let text = proofs::fetch(&self.proofs, &self.grid, worker, &id.0, place).await?;
                let unread = |error| GridError::Proof(format!("cannot be read: {error}"));
                Some(JobProof::parse(self.game, &text).map_err(unread)?)
            }
            _ => None,
        };
        Ok(answer.answer(self.game, proof)?)
    }
}

/// A job that an earlier client has left in the queue or with a worker.
pub(super) struct LeftJob {
    pub(super) id: JobId,
    pub(super) key: String,
    pub(super) sequence: u64,
}

/// The jobs of a search that are in the stream of jobs.
pub(super) async fn left_jobs(jobs: &Stream, subject: &str) -> Vec<LeftJob> {
    let (mut found, mut next) = (Vec::new(), 1);
    while let Ok(message) = jobs.get_first_raw_message_by_subject(subject, next).await {
        let sequence = message.sequence;
        next = sequence + 1;
        match message::decode::<JobMessage>(&message.payload) {
            Ok(job) => found.push(LeftJob { id: job.task.id(), key: job.key, sequence }),
            // It is of another version, and no client waits for it.
            Err(_) => {
                let _ = jobs.delete_message(sequence).await;
            }
        }
    }
    found
}

/// Hears of jobs that were delivered too often, and takes them out of the queue.
pub(super) async fn hear_given_up(
    mut advisories: async_nats::Subscriber,
    jobs: Stream,
    subject: String,
    sender: mpsc::UnboundedSender<Heard>,
) {
    #[derive(serde::Deserialize)]
    struct Advisory {
        stream_seq: u64,
        deliveries: u64,
    }
    while let Some(message) = advisories.next().await {
        let Ok(advisory) = serde_json::from_slice::<Advisory>(&message.payload) else { continue };
        let Ok(message) = jobs.get_raw_message(advisory.stream_seq).await else { continue };
        if message.subject.as_str() != subject {
            continue;
        }
        let _ = jobs.delete_message(advisory.stream_seq).await;
        let Ok(job) = message::decode::<JobMessage>(&message.payload) else { continue };
        let why = format!("given up after {} deliveries", advisory.deliveries);
        let event = Event::GivenUp { job: job.task.id(), why };
        if sender.send(Heard { event, result: None }).is_err() {
            return;
        }
    }
}

/// Hears the workers' signs of life.
pub(super) async fn hear_presences(mut presences: async_nats::Subscriber, workers: Arc<Mutex<Presences>>) {
    while let Some(message) = presences.next().await {
        let Some(worker) = WorkerName::from_subject(&message.subject) else { continue };
        let Ok(presence) = serde_json::from_slice::<Presence>(&message.payload) else { continue };
        workers.lock().unwrap_or_else(PoisonError::into_inner).note(&worker, presence);
    }
}
