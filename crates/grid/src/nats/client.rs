//! The client's side: sends jobs and receives results.

use super::{
    Access, Grid, PATIENCE,
    error::GridError,
    listen::{Heard, LeftJob, Listener, hear_given_up, hear_presences, left_jobs},
    message::{self, AbortMessage, JobMessage, OpenJobs, VERSION},
    presence::Presences,
    publish,
    streams::{Streams, set_up, set_up_patiently},
};
use async_nats::{
    connection::State,
    jetstream::{self, stream::RawMessageErrorKind},
};
use lambda6_jobs::{Command, Event, JobId, Task, Transport, TransportError, WorkerInfo};
use lambda6_rules::Game;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    ops::Bound::{Excluded, Unbounded},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::{runtime::Runtime, sync::mpsc};

/// How often a client checks that the streams exist and its open jobs are in them.
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// Jobs that are looked for in one check.
const CHECK_AT_ONCE: usize = 32;
/// How long a job may be missing from the queue without a result. A worker stores
/// its result before it acknowledges the job, so that the result is on its way.
const MAX_MISSING: Duration = Duration::from_secs(5);

/// What a client is and how the server treats its jobs.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// The grid.
    pub grid: Grid,
    /// The name of the search, which no other client has.
    pub search: String,
    /// The program: answers depend on it.
    pub build: String,
    /// The game of the search.
    pub game: Game,
    /// How long a worker's job may make no progress before the server gives it to
    /// another worker.
    pub lease: Duration,
    /// How often a job is delivered before it is given up.
    pub deliveries: i64,
}

/// A job that the client waits for.
struct OpenJob {
    task: Task,
    key: String,
    /// Its sequence number in the stream of jobs, once it has been sent.
    sequence: Option<u64>,
    /// Since when it has been missing from the stream.
    missing: Option<Instant>,
    /// Whether it was sent more than once, so that a copy may be left in the queue.
    sent_again: bool,
}

/// Sends jobs to the workers of a grid.
pub struct NatsClient {
    runtime: Runtime,
    nats: async_nats::Client,
    streams: Streams,
    settings: ClientSettings,
    heard: mpsc::UnboundedReceiver<Heard>,
    workers: Arc<Mutex<Presences>>,
    /// Results that were passed to the caller, to be acknowledged at its next call.
    passed: Vec<jetstream::Message>,
    /// The jobs of these results. Those that the caller does not submit again before
    /// its next call are done.
    reported: BTreeSet<JobId>,
    /// The next message, if it could not be passed on with those before it.
    postponed: Option<Heard>,
    open: BTreeMap<JobId, OpenJob>,
    /// Open jobs to be sent.
    outbox: VecDeque<JobId>,
    calls_off: Vec<u64>,
    /// Messages to be taken out of the queue.
    withdrawals: BTreeSet<u64>,
    /// What an earlier client has left in the queue, until the first jobs are sent.
    left: Vec<LeftJob>,
    /// Whether the results that were there at the start have been passed on.
    begun: bool,
    /// Whether the bucket has this client's epoch.
    announced: bool,
    epoch: u64,
    /// Counts messages, so that each has an identifier of its own.
    sent: u64,
    checked: Instant,
    /// The job that was looked for last.
    last_checked: JobId,
}

impl NatsClient {
    /// Connects, creates the streams that are missing, and listens. While no server
    /// answers at the address, `waiting` is told why and decides whether to try again.
    pub fn start(
        access: &Access,
        settings: ClientSettings,
        waiting: &mut dyn FnMut(&GridError) -> bool,
    ) -> Result<NatsClient, GridError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(GridError::Start)?;
        let (sender, heard) = mpsc::unbounded_channel();
        let workers = Arc::new(Mutex::new(Presences::default()));
        let ClientSettings { grid, search, build, game, .. } = &settings;
        let (nats, streams, left) = runtime.block_on(async {
            let nats = access.connect("lambda6 client", "_INBOX", waiting).await?;
            let streams = set_up_patiently(&nats, &settings, waiting).await?;
            let listener = Listener {
                grid: grid.clone(),
                build: build.clone(),
                game: *game,
                proofs: streams.proofs.clone(),
                sender: sender.clone(),
            };
            listener.take_waiting(&streams.results).await;
            let jobs = grid.jobs(search);
            let left = left_jobs(&streams.jobs, &jobs).await;
            tokio::spawn(listener.pull_results(streams.results.clone()));
            let advisories = nats.subscribe(grid.given_up()).await;
            let advisories = advisories.map_err(GridError::request("advisories"))?;
            tokio::spawn(hear_given_up(advisories, streams.jobs.clone(), jobs, sender));
            let presences = nats.subscribe(grid.presence("*", "*")).await;
            let presences = presences.map_err(GridError::request("presences"))?;
            tokio::spawn(hear_presences(presences, Arc::clone(&workers)));
            Ok::<_, GridError>((nats, streams, left))
        })?;
        Ok(NatsClient {
            runtime,
            nats,
            epoch: streams.epoch,
            streams,
            settings,
            heard,
            workers,
            passed: Vec::new(),
            reported: BTreeSet::new(),
            postponed: None,
            open: BTreeMap::new(),
            outbox: VecDeque::new(),
            calls_off: Vec::new(),
            withdrawals: BTreeSet::new(),
            left,
            begun: false,
            announced: false,
            sent: 0,
            checked: Instant::now(),
            last_checked: JobId(0),
        })
    }

    fn present(&self) -> MutexGuard<'_, Presences> {
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.expire();
        workers
    }

    /// Keeps those jobs of an earlier client that this one would send, so that a job
    /// that a worker is at is not done twice, and withdraws the others.
    fn take_over(&mut self) {
        for LeftJob { id, key, sequence } in std::mem::take(&mut self.left) {
            match self.open.get_mut(&id) {
                Some(open) if open.key == key && open.sequence.is_none() => {
                    open.sequence = Some(sequence);
                    self.outbox.retain(|&waiting| waiting != id);
                }
                _ => {
                    self.withdrawals.insert(sequence);
                }
            }
        }
    }

    /// Marks a job as not sent, and withdraws the message that was sent for it.
    fn send_again(&mut self, id: JobId) {
        if let Some(open) = self.open.get_mut(&id) {
            if let Some(sequence) = open.sequence.take() {
                self.withdrawals.insert(sequence);
                open.sent_again = true;
            }
            open.missing = None;
            if !self.outbox.contains(&id) {
                self.outbox.push_back(id);
            }
        }
    }

    /// Forgets a job that nobody waits for any more.
    fn close(&mut self, id: JobId, withdraw: bool) {
        self.outbox.retain(|&waiting| waiting != id);
        if let Some(open) = self.open.remove(&id)
            && (withdraw || open.sent_again)
        {
            self.withdrawals.extend(open.sequence);
        }
    }

    /// Sends what has not been sent. What fails is tried again at the next call.
    async fn flush(&mut self) {
        self.take_over();
        if (!self.calls_off.is_empty() || !self.announced) && !self.announce().await {
            return;
        }
        while let Some(&sequence) = self.withdrawals.first() {
            // A message that has been acknowledged is gone, which is no error.
            let deleted = self.streams.jobs.delete_message(sequence);
            if tokio::time::timeout(PATIENCE, deleted).await.is_err() {
                return;
            }
            self.withdrawals.remove(&sequence);
        }
        while let Some(&id) = self.outbox.front() {
            if let Some(open) = self.open.get(&id) {
                let Ok(sequence) = self.publish_job(open).await else { return };
                self.sent += 1;
                self.open.entry(id).and_modify(|open| open.sequence = Some(sequence));
            }
            self.outbox.pop_front();
        }
    }

    /// Tells workers which jobs are called off and which are open.
    async fn announce(&mut self) -> bool {
        self.epoch += 1;
        let search = self.settings.search.clone();
        let message = AbortMessage { search: search.clone(), jobs: self.calls_off.clone() };
        let open = OpenJobs { epoch: self.epoch, jobs: self.open.keys().map(|id| id.0).collect() };
        let _ = self.nats.publish(self.settings.grid.abort(), message::encode(&message).into()).await;
        let put = self.streams.bucket.put(search, message::encode(&open).into());
        self.announced = matches!(tokio::time::timeout(PATIENCE, put).await, Ok(Ok(_)));
        if self.announced {
            self.calls_off.clear();
        }
        self.announced
    }

    async fn publish_job(&self, open: &OpenJob) -> Result<u64, GridError> {
        let ClientSettings { grid, search, build, .. } = &self.settings;
        let message = JobMessage {
            version: VERSION,
            build: build.clone(),
            search: search.clone(),
            epoch: self.epoch,
            key: open.key.clone(),
            task: (&open.task).into(),
        };
        // The identifier makes repeated attempts to send this message one message.
        let id = format!("{search}-{}-{}-{}-{}", open.task.id, open.task.attempt, self.epoch, self.sent);
        publish(&self.streams.context, grid.jobs(search), Some(id), message::encode(&message)).await
    }

    /// Creates streams that have gone, and sends jobs again that have gone from the
    /// queue without a result: their streams were deleted, or a worker acknowledged
    /// what it had not done.
    async fn check(&mut self) {
        if self.checked.elapsed() < CHECK_EVERY {
            return;
        }
        let streams = tokio::time::timeout(PATIENCE, set_up(&self.nats, &self.settings)).await;
        self.checked = Instant::now();
        let Ok(Ok(streams)) = streams else { return };
        self.announced &= streams.epoch >= self.epoch;
        let (later, earlier) = ((Excluded(self.last_checked), Unbounded), ..=self.last_checked);
        let jobs = self.open.range(later).chain(self.open.range(earlier)).take(CHECK_AT_ONCE);
        let ids: Vec<JobId> = jobs.map(|(&id, _)| id).collect();
        for id in ids {
            self.last_checked = id;
            self.check_job(id).await;
        }
    }

    async fn check_job(&mut self, id: JobId) {
        let Some(open) = self.open.get_mut(&id) else { return };
        let Some(sequence) = open.sequence else { return };
        let found = self.streams.jobs.get_raw_message(sequence);
        let missing = match tokio::time::timeout(PATIENCE, found).await {
            // A stream that was created again counts from 1 again.
            Ok(Ok(message)) => {
                message::decode::<JobMessage>(&message.payload).map_or(true, |job| job.key != open.key)
            }
            Ok(Err(error)) if error.kind() == RawMessageErrorKind::NoMessageFound => true,
            _ => return,
        };
        if !missing {
            open.missing = None;
        } else if open.missing.get_or_insert_with(Instant::now).elapsed() >= MAX_MISSING {
            // Another message may have this number now.
            open.sequence = None;
            self.send_again(id);
        }
    }

    /// Whether a result answers what is asked now. An earlier client of the same
    /// search may have asked something else under the same name.
    fn answers(&self, event: &Event, key: &str) -> bool {
        match event {
            Event::Answered { job, .. } | Event::Failed { job, .. } => {
                self.open.get(job).is_none_or(|open| open.key == key)
            }
            _ => true,
        }
    }

    /// Takes in a message of a task; `None` if it is of no use.
    fn take_in(&mut self, Heard { event, result }: Heard) -> Option<Event> {
        if let Some(result) = result {
            let fits = self.answers(&event, &result.key);
            self.passed.push(result.message);
            if !fits {
                return None;
            }
            if let Event::Answered { job, .. } = &event
                && self.open.contains_key(job)
            {
                self.present().answered(&result.owner);
            }
        }
        match &event {
            Event::Answered { job, .. } | Event::Failed { job, .. } => {
                self.reported.insert(*job);
            }
            Event::GivenUp { job, .. } => self.close(*job, false),
            _ => {}
        }
        Some(event)
    }

    /// Acknowledges what was passed to the caller, which has dealt with it now.
    async fn settle(&mut self) {
        for message in std::mem::take(&mut self.passed) {
            // If this is lost the result comes again, and is known.
            let _ = message.ack().await;
        }
        for job in std::mem::take(&mut self.reported) {
            self.close(job, false);
        }
    }

    fn is_connected(&self) -> bool {
        self.nats.connection_state() == State::Connected
    }

    /// The next message that is there. A second result of a job waits until the
    /// caller has dealt with the first one.
    fn next_heard(&mut self) -> Option<Heard> {
        let next = self.postponed.take().or_else(|| self.heard.try_recv().ok())?;
        match &next.event {
            Event::Answered { job, .. } | Event::Failed { job, .. } if self.reported.contains(job) => {
                self.postponed = Some(next);
                None
            }
            _ => Some(next),
        }
    }
}

impl Transport for NatsClient {
    fn slots(&self) -> usize {
        // One job waits at the server, so that a worker that is done need not wait
        // for the client.
        self.present().believed(&self.settings.build) + 1
    }

    fn send(&mut self, command: Command) -> Result<(), TransportError> {
        match command {
            Command::Submit(task) => {
                let (id, key) = (task.id, task.key(&self.settings.build).0);
                match self.open.get_mut(&id) {
                    Some(open) => (open.task, open.key) = (*task, key),
                    None => {
                        let open =
                            OpenJob { task: *task, key, sequence: None, missing: None, sent_again: false };
                        self.open.insert(id, open);
                    }
                }
                self.reported.remove(&id);
                self.send_again(id);
            }
            Command::Abort(id) => {
                self.close(id, true);
                self.calls_off.push(id.0);
            }
        }
        Ok(())
    }

    fn receive(&mut self, wait: Duration) -> Result<Vec<Event>, TransportError> {
        let handle = self.runtime.handle().clone();
        handle.block_on(async {
            self.settle().await;
            // Results that were there at the start may answer what would be sent.
            let mut next = if self.begun { None } else { self.next_heard() };
            self.begun = true;
            if next.is_none() {
                if self.is_connected() {
                    self.check().await;
                    self.flush().await;
                }
                next = self.next_heard();
            }
            if next.is_none() {
                next = tokio::time::timeout(wait, self.heard.recv()).await.ok().flatten();
            }
            let mut events = Vec::new();
            while let Some(heard) = next {
                events.extend(self.take_in(heard));
                next = self.next_heard();
            }
            Ok(events)
        })
    }

    fn workers(&self) -> Vec<WorkerInfo> {
        self.present().infos(&self.settings.build)
    }
}

impl Drop for NatsClient {
    fn drop(&mut self) {
        let handle = self.runtime.handle().clone();
        handle.block_on(async {
            if self.is_connected() {
                self.settle().await;
                self.flush().await;
                let _ = tokio::time::timeout(PATIENCE, self.nats.flush()).await;
            }
        });
    }
}
