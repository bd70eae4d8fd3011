//! The client's end.

use super::{
    Access, Grid, PATIENCE,
    listen::{Heard, Listener, Parts, given_up, other, presence, queued, set_up},
    message::{self, AbortMessage, JobMessage, Open, Presence, VERSION},
    publish,
};
use async_nats::jetstream::{self, stream::Stream};
use jobs::{Command, Event, JobId, Task, Transport, TransportError, WorkerInfo};
use rules::Game;
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{runtime::Runtime, sync::mpsc};

/// How long a worker is counted after it was last heard of.
const PRESENT: Duration = Duration::from_secs(15);

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
    /// The jobs that the client waits for, and their keys.
    open: BTreeMap<JobId, String>,
    jobs: Stream,
    /// Where jobs are in the queue.
    places: BTreeMap<JobId, u64>,
    /// What an earlier client has left in the queue, until the first jobs are
    /// sent.
    left: Vec<(JobId, String, u64)>,
    /// Whether what was there in the beginning has been told.
    begun: bool,
    /// Whether the bucket has an epoch of this client. The server takes a job of
    /// the same name and epoch for one that it has had already.
    announced: bool,
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
            listening.waiting(&parts.results).await;
            let left = queued(&parts.jobs, &grid.jobs(&search)).await;
            tokio::spawn(listening.results(parts.results.clone()));
            let advisories = nats.subscribe(grid.given_up()).await.map_err(other)?;
            tokio::spawn(given_up(advisories, parts.jobs.clone(), search.clone(), sender));
            let presences = nats.subscribe(grid.presence("*")).await.map_err(other)?;
            tokio::spawn(presence(presences, Arc::clone(&workers)));
            Ok::<_, TransportError>((nats, parts, left))
        })?;
        let (nats, Parts { context, bucket, epoch, jobs, .. }, left) = parts;
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
            open: BTreeMap::new(),
            jobs,
            places: BTreeMap::new(),
            left,
            begun: false,
            announced: false,
            epoch,
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

    /// Of what an earlier client left in the queue, keeps what this one would send
    /// and throws the rest away: a job that a worker is at is not done twice.
    async fn take_over(&mut self) {
        for (id, key, place) in std::mem::take(&mut self.left) {
            let wanted = self.open.get(&id) == Some(&key) && !self.places.contains_key(&id);
            if wanted && self.outbox.iter().any(|task| task.id == id) {
                self.outbox.retain(|task| task.id != id);
                self.places.insert(id, place);
            } else {
                let _ = self.jobs.delete_message(place).await;
            }
        }
    }

    /// Takes a job out of the queue, if it is still there.
    async fn withdraw(&mut self, id: JobId) {
        if let Some(place) = self.places.remove(&id) {
            // It may be done or gone: that is no error.
            let _ = tokio::time::timeout(PATIENCE, self.jobs.delete_message(place)).await;
        }
    }

    /// Sends what could not be sent before. What fails again stays.
    async fn flush(&mut self) {
        self.take_over().await;
        if !self.calls_off.is_empty() || !self.announced {
            self.epoch += 1;
            let message = AbortMessage { search: self.search.clone(), jobs: self.calls_off.clone() };
            let open = Open { epoch: self.epoch, jobs: self.open.keys().map(|id| id.0).collect() };
            let payload = message::encode(&message).into();
            let _ = self.nats.publish(self.grid.abort(), payload).await;
            let put = self.bucket.put(self.search.clone(), message::encode(&open).into());
            if matches!(tokio::time::timeout(PATIENCE, put).await, Ok(Ok(_))) {
                self.announced = true;
                for id in std::mem::take(&mut self.calls_off) {
                    self.withdraw(JobId(id)).await;
                }
            }
        }
        while let Some(task) = self.outbox.front().cloned() {
            // What an earlier attempt left in the queue is void.
            self.withdraw(task.id).await;
            let message = JobMessage {
                version: VERSION,
                build: self.build.clone(),
                search: self.search.clone(),
                epoch: self.epoch,
                key: task.key(&self.build).0,
                task: (&task).into(),
            };
            let id = format!("{}-{}-{}-{}", self.search, task.id, task.attempt, self.epoch);
            let subject = self.grid.jobs(&self.search);
            let Ok(place) = publish(&self.context, subject, Some(id), message::encode(&message)).await else {
                return;
            };
            self.places.insert(task.id, place);
            self.outbox.pop_front();
        }
    }

    /// Whether a result answers what is asked now. Whoever made the same search
    /// before may have asked other things under the same names.
    fn answers(&self, event: &Event, key: &str) -> bool {
        match event {
            Event::Answered { job, .. } | Event::Failed { job, .. } => {
                self.open.get(job).is_none_or(|asked| asked == key)
            }
            _ => true,
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
                self.open.insert(task.id, task.key(&self.build).0);
                self.outbox.retain(|waiting| waiting.id != task.id);
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
            // What was there in the beginning may answer what would be sent.
            let mut next = if self.begun { None } else { self.heard.try_recv().ok() };
            self.begun = true;
            if next.is_none() {
                self.flush().await;
                next = tokio::time::timeout(wait, self.heard.recv()).await.ok().flatten();
            }
            let mut events = Vec::new();
            while let Some(Heard { event, result }) = next {
                let fits = result.as_ref().is_none_or(|(key, _)| self.answers(&event, key));
                self.told.extend(result.map(|(_, message)| message));
                if fits {
                    if let Event::Answered { job, .. } | Event::Failed { job, .. } = &event {
                        self.open.remove(job);
                        self.places.remove(job);
                        self.outbox.retain(|task| task.id != *job);
                    }
                    events.push(event);
                }
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
