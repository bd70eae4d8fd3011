//! What a client sets up on a server, and what it hears from there.

use super::{
    Grid, PAUSE, WORKERS,
    client::Leases,
    message::{self, JobMessage, Open, Presence, ResultMessage},
    proofs,
};
use async_nats::jetstream::{
    self,
    consumer::{AckPolicy, PullConsumer, pull},
    stream::Stream,
};
use futures_util::StreamExt;
use jobs::{Event, JobId, Proof, TransportError};
use rules::Game;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::mpsc;

/// The least time between two questions for results.
const SHORT: Duration = Duration::from_millis(10);
/// The most results that are taken in before anything is sent.
const AT_ONCE: usize = 1000;

/// What the client's tasks hear.
pub(super) struct Heard {
    pub(super) event: Event,
    /// The message that told it, to be acknowledged, and the key in it.
    pub(super) result: Option<(String, jetstream::Message)>,
}

/// What a client works with.
pub(super) struct Parts {
    pub(super) context: jetstream::Context,
    pub(super) jobs: Stream,
    pub(super) results: PullConsumer,
    pub(super) proofs: Stream,
    pub(super) bucket: jetstream::kv::Store,
    pub(super) epoch: u64,
}

pub(super) fn other(error: impl std::fmt::Display) -> TransportError {
    TransportError::new(error.to_string())
}

/// Makes the streams, the consumers and the bucket that are not there yet.
pub(super) async fn set_up(
    nats: &async_nats::Client,
    grid: &Grid,
    search: &str,
    leases: Leases,
) -> Result<Parts, TransportError> {
    let context = jetstream::new(nats.clone());
    let mut streams = Vec::new();
    for config in grid.streams() {
        let name = config.name.clone();
        let stream = context.get_or_create_stream(config).await;
        streams.push(stream.map_err(|error| other(format!("stream {name}: {error}")))?);
    }
    let [jobs, results, proofs, _] = &streams[..] else { return Err(other("streams are missing")) };
    let Leases { ack_wait, deliveries } = leases;
    let config = pull::Config {
        durable_name: Some(WORKERS.to_string()),
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        max_deliver: deliveries,
        ..Default::default()
    };
    // Whoever is there already keeps the leases it was made with.
    jobs.get_or_create_consumer(WORKERS, config).await.map_err(other)?;
    let name = format!("client-{search}");
    let config = pull::Config {
        durable_name: Some(name.clone()),
        filter_subject: grid.results(search),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(10),
        ..Default::default()
    };
    let results = results.get_or_create_consumer(&name, config).await.map_err(other)?;
    let bucket = context.get_key_value(grid.bucket()).await.map_err(other)?;
    let open = bucket.get(search).await.map_err(other)?;
    let open = open.and_then(|bytes| serde_json::from_slice::<Open>(&bytes).ok()).unwrap_or_default();
    Ok(Parts { context, jobs: jobs.clone(), results, proofs: proofs.clone(), bucket, epoch: open.epoch })
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
    /// What is there already, so that a client that starts again need not ask for
    /// it. An error is left to those who ask next.
    pub(super) async fn waiting(&self, consumer: &PullConsumer) {
        let Ok(mut batch) = consumer.fetch().max_messages(AT_ONCE).messages().await else { return };
        while let Some(Ok(message)) = batch.next().await {
            if !self.pass_on(message).await {
                return;
            }
        }
    }

    /// Pulls results for as long as anybody wants them. A server that is away is
    /// asked again and again.
    pub(super) async fn results(self, consumer: PullConsumer) {
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
            // A server that is not there, or not ready, answers at once.
            if asked.elapsed() < SHORT {
                tokio::time::sleep(SHORT).await;
            }
        }
    }

    /// Tells the client of a result. False if nobody listens any more.
    async fn pass_on(&self, message: jetstream::Message) -> bool {
        match self.event(&message.payload).await {
            Some((event, key)) => self.sender.send(Heard { event, result: Some((key, message)) }).is_ok(),
            None => {
                // Nothing can be made of it, now or later.
                let _ = message.ack_with(jetstream::AckKind::Term).await;
                true
            }
        }
    }

    async fn event(&self, payload: &[u8]) -> Option<(Event, String)> {
        let result: ResultMessage = message::decode(payload).ok()?;
        let (job, key) = (JobId(result.job), result.key);
        let answer = match result.answer {
            None => Err(result.failed.unwrap_or_else(|| "no answer and no reason".to_string())),
            Some(_) if result.build != self.build => {
                Err(format!("{}: the answer of another program, {}", result.worker, result.build))
            }
            Some(answer) => self.answer(answer, result.proof).await,
        };
        let event = match answer {
            Ok(answer) => Event::Answered {
                job,
                worker: result.worker,
                answer,
                nodes: result.nodes,
                millis: result.millis,
            },
            Err(why) => Event::Failed { job, why },
        };
        Some((event, key))
    }

    async fn answer(
        &self,
        answer: jobs::wire::AnswerText,
        place: Option<message::ProofPlace>,
    ) -> Result<jobs::Answer, String> {
        let proof = match (answer.proof(), place) {
            (Some(id), Some(place)) => {
                let text = proofs::fetch(&self.proofs, &self.grid, &id.0, place).await?;
                Some(Proof::parse(self.game, &text)?)
            }
            _ => None,
        };
        answer.answer(self.game, proof).map_err(|error| error.to_string())
    }
}

/// The jobs of a search that wait in the queue or are with a worker: their
/// names, their keys and where they are in the stream.
pub(super) async fn queued(jobs: &Stream, subject: &str) -> Vec<(JobId, String, u64)> {
    let (mut found, mut next) = (Vec::new(), 1);
    while let Ok(message) = jobs.get_first_raw_message_by_subject(subject, next).await {
        next = message.sequence + 1;
        match message::decode::<JobMessage>(&message.payload) {
            Ok(job) => found.push((job.task.id(), job.key, message.sequence)),
            // Of another version: nobody waits for it any more.
            Err(_) => {
                let _ = jobs.delete_message(message.sequence).await;
            }
        }
    }
    found
}

/// Hears of jobs that were delivered too often, and takes them out of the queue.
pub(super) async fn given_up(
    mut advisories: async_nats::Subscriber,
    jobs: Stream,
    search: String,
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
        let Ok(job) = message::decode::<JobMessage>(&message.payload) else { continue };
        if job.search != search {
            continue;
        }
        let _ = jobs.delete_message(advisory.stream_seq).await;
        let why = format!("given up after {} deliveries", advisory.deliveries);
        let event = Event::GivenUp { job: job.task.id(), why };
        if sender.send(Heard { event, result: None }).is_err() {
            return;
        }
    }
}

pub(super) async fn presence(
    mut presences: async_nats::Subscriber,
    workers: Arc<Mutex<BTreeMap<String, (Presence, Instant)>>>,
) {
    while let Some(message) = presences.next().await {
        let Ok(presence) = serde_json::from_slice::<Presence>(&message.payload) else { continue };
        let mut workers = workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.insert(presence.name.clone(), (presence, Instant::now()));
    }
}
