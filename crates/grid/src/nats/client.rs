//! The client's end.

use super::{
    Access, Grid, PATIENCE, PAUSE, WORKERS,
    message::{self, AbortMessage, JobMessage, Open, Presence, ResultMessage, VERSION},
    proofs, publish,
};
use async_nats::jetstream::{
    self,
    consumer::{AckPolicy, PullConsumer, pull},
    stream::Stream,
};
use futures_util::StreamExt;
use jobs::{Command, Event, JobId, Proof, Task, Transport, TransportError, WorkerInfo};
use rules::Game;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{runtime::Runtime, sync::mpsc};

/// How long a worker is counted after it was last heard of.
const PRESENT: Duration = Duration::from_secs(15);

/// The least time between two questions for results.
const SHORT: Duration = Duration::from_millis(10);

/// What the client's tasks hear.
enum Heard {
    Event(Event, Option<jetstream::Message>),
}

/// Jobs for workers all over a grid.
pub struct NatsClient {
    runtime: Runtime,
    context: jetstream::Context,
    nats: async_nats::Client,
    bucket: jetstream::kv::Store,
    grid: Grid,
    search: String,
    build: String,
    heard: mpsc::UnboundedReceiver<Heard>,
    workers: Arc<Mutex<BTreeMap<String, (Presence, Instant)>>>,
    /// Results that the client has been told of, to be acknowledged when it asks
    /// again.
    told: Vec<jetstream::Message>,
    outbox: VecDeque<Task>,
    calls_off: Vec<u64>,
    open: BTreeSet<JobId>,
    epoch: u64,
}

/// How the server deals with jobs.
#[derive(Clone, Copy, Debug)]
pub struct Leases {
    /// How long a worker's job may stand still.
    pub ack_wait: Duration,
    /// How often a job is delivered before it is given up.
    pub deliveries: i64,
}

impl NatsClient {
    /// Connects, makes what is not there, and listens.
    pub fn start(
        access: &Access,
        grid: Grid,
        search: String,
        build: String,
        game: Game,
        ack_wait: Duration,
        deliveries: i64,
    ) -> Result<NatsClient, TransportError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| TransportError::new(error.to_string()))?;
        let (sender, heard) = mpsc::unbounded_channel();
        let workers = Arc::new(Mutex::new(BTreeMap::new()));
        let leases = Leases { ack_wait, deliveries };
        let parts = runtime.block_on(async {
            let nats = access.connect("lambda6 client", "_INBOX").await?;
            let parts = set_up(&nats, &grid, &search, leases).await?;
            let listening = Listener {
                grid: grid.clone(),
                build: build.clone(),
                game,
                proofs: parts.proofs.clone(),
                sender: sender.clone(),
            };
            tokio::spawn(listening.results(parts.results.clone()));
            let advisories = nats.subscribe(grid.given_up()).await.map_err(other)?;
            tokio::spawn(given_up(advisories, parts.jobs.clone(), search.clone(), sender));
            let presences = nats.subscribe(grid.presence("*")).await.map_err(other)?;
            tokio::spawn(presence(presences, Arc::clone(&workers)));
            Ok::<_, TransportError>((nats, parts))
        })?;
        let (nats, Parts { context, bucket, epoch, .. }) = parts;
        Ok(NatsClient {
            runtime,
            context,
            nats,
            bucket,
            grid,
            search,
            build,
            heard,
            workers,
            told: Vec::new(),
            outbox: VecDeque::new(),
            calls_off: Vec::new(),
            open: BTreeSet::new(),
            epoch: epoch + 1,
        })
    }

    fn present(&self) -> BTreeMap<String, (Presence, Instant)> {
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.retain(|_, (presence, seen)| !presence.leaving && seen.elapsed() < PRESENT);
        workers.clone()
    }

    fn trouble(&self, presence: &Presence) -> Option<String> {
        if presence.version != VERSION {
            return Some(format!("messages of version {}, not {VERSION}", presence.version));
        }
        (presence.build != self.build).then(|| format!("program {}, not {}", presence.build, self.build))
    }

    /// Sends what could not be sent before. What fails again stays.
    async fn flush(&mut self) {
        if !self.calls_off.is_empty() {
            self.epoch += 1;
            let message = AbortMessage { search: self.search.clone(), jobs: self.calls_off.clone() };
            let open = Open { epoch: self.epoch, jobs: self.open.iter().map(|id| id.0).collect() };
            let payload = message::encode(&message).into();
            let _ = self.nats.publish(self.grid.abort(), payload).await;
            let put = self.bucket.put(self.search.clone(), message::encode(&open).into());
            if matches!(tokio::time::timeout(PATIENCE, put).await, Ok(Ok(_))) {
                self.calls_off.clear();
            }
        }
        while let Some(task) = self.outbox.front() {
            let message = JobMessage {
                version: VERSION,
                build: self.build.clone(),
                search: self.search.clone(),
                epoch: self.epoch,
                task: task.into(),
            };
            let id = format!("{}-{}-{}-{}", self.search, task.id, task.attempt, self.epoch);
            let subject = self.grid.jobs(&self.search);
            if publish(&self.context, subject, Some(id), message::encode(&message)).await.is_err() {
                return;
            }
            self.outbox.pop_front();
        }
    }
}

impl Transport for NatsClient {
    fn slots(&self) -> usize {
        let present = self.present();
        let able = present.values().filter(|(presence, _)| self.trouble(presence).is_none()).count();
        // One job waits at the server, so that a worker that is done need not
        // wait for the client.
        able + 1
    }

    fn send(&mut self, command: Command) -> Result<(), TransportError> {
        match command {
            Command::Submit(task) => {
                self.open.insert(task.id);
                self.outbox.push_back(*task);
            }
            Command::Abort(id) => {
                self.open.remove(&id);
                self.outbox.retain(|task| task.id != id);
                self.calls_off.push(id.0);
            }
        }
        Ok(())
    }

    fn receive(&mut self, wait: Duration) -> Result<Vec<Event>, TransportError> {
        let handle = self.runtime.handle().clone();
        handle.block_on(async {
            for message in std::mem::take(&mut self.told) {
                // If this is lost the result comes again, and is known.
                let _ = message.ack().await;
            }
            self.flush().await;
            let mut events = Vec::new();
            let first = tokio::time::timeout(wait, self.heard.recv()).await;
            let mut next = first.ok().flatten();
            while let Some(Heard::Event(event, message)) = next {
                if let Event::Answered { job, .. } | Event::Failed { job, .. } = &event {
                    self.open.remove(job);
                }
                events.push(event);
                self.told.extend(message);
                next = self.heard.try_recv().ok();
            }
            Ok(events)
        })
    }

    fn workers(&self) -> Vec<WorkerInfo> {
        let info = |(presence, _): &(Presence, Instant)| WorkerInfo {
            name: presence.name.clone(),
            job: presence.job.clone(),
            nodes: presence.nodes,
            trouble: self.trouble(presence),
        };
        self.present().values().map(info).collect()
    }
}

impl Drop for NatsClient {
    fn drop(&mut self) {
        let handle = self.runtime.handle().clone();
        handle.block_on(async {
            for message in std::mem::take(&mut self.told) {
                let _ = message.ack().await;
            }
            self.flush().await;
            let _ = tokio::time::timeout(PATIENCE, self.nats.flush()).await;
        });
    }
}

struct Parts {
    context: jetstream::Context,
    jobs: Stream,
    results: PullConsumer,
    proofs: Stream,
    bucket: jetstream::kv::Store,
    epoch: u64,
}

fn other(error: impl std::fmt::Display) -> TransportError {
    TransportError::new(error.to_string())
}

/// Makes the streams, the consumers and the bucket that are not there yet.
async fn set_up(
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
        ack_wait: Duration::from_secs(60),
        ..Default::default()
    };
    let results = results.get_or_create_consumer(&name, config).await.map_err(other)?;
    let bucket = context.get_key_value(grid.bucket()).await.map_err(other)?;
    let open = bucket.get(search).await.map_err(other)?;
    let open = open.and_then(|bytes| serde_json::from_slice::<Open>(&bytes).ok()).unwrap_or_default();
    Ok(Parts { context, jobs: jobs.clone(), results, proofs: proofs.clone(), bucket, epoch: open.epoch })
}

struct Listener {
    grid: Grid,
    build: String,
    game: Game,
    proofs: Stream,
    sender: mpsc::UnboundedSender<Heard>,
}

impl Listener {
    /// Pulls results for as long as anybody wants them. A server that is away is
    /// asked again and again.
    async fn results(self, consumer: PullConsumer) {
        while !self.sender.is_closed() {
            let asked = Instant::now();
            let batch = consumer.batch().max_messages(64).expires(Duration::from_secs(5)).messages().await;
            let Ok(mut batch) = batch else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            while let Some(Ok(message)) = batch.next().await {
                let Some(event) = self.event(&message.payload).await else {
                    // Nothing can be made of it, now or later.
                    let _ = message.ack_with(jetstream::AckKind::Term).await;
                    continue;
                };
                if self.sender.send(Heard::Event(event, Some(message))).is_err() {
                    return;
                }
            }
            // A server that is not there, or not ready, answers at once.
            if asked.elapsed() < SHORT {
                tokio::time::sleep(SHORT).await;
            }
        }
    }

    async fn event(&self, payload: &[u8]) -> Option<Event> {
        let result: ResultMessage = message::decode(payload).ok()?;
        let job = JobId(result.job);
        let answer = match result.answer {
            None => Err(result.failed.unwrap_or_else(|| "no answer and no reason".to_string())),
            Some(_) if result.build != self.build => {
                Err(format!("{}: the answer of another program, {}", result.worker, result.build))
            }
            Some(answer) => self.answer(answer, result.proof).await,
        };
        Some(match answer {
            Ok(answer) => Event::Answered {
                job,
                worker: result.worker,
                answer,
                nodes: result.nodes,
                millis: result.millis,
            },
            Err(why) => Event::Failed { job, why },
        })
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

/// Hears of jobs that were delivered too often, and takes them out of the queue.
async fn given_up(
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
        if sender.send(Heard::Event(event, None)).is_err() {
            return;
        }
    }
}

async fn presence(
    mut presences: async_nats::Subscriber,
    workers: Arc<Mutex<BTreeMap<String, (Presence, Instant)>>>,
) {
    while let Some(message) = presences.next().await {
        let Ok(presence) = serde_json::from_slice::<Presence>(&message.payload) else { continue };
        let mut workers = workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.insert(presence.name.clone(), (presence, Instant::now()));
    }
}
