//! The worker's side: pulls jobs, has them done, and publishes results.

use super::{
    Access, Grid, PAUSE, WorkerName,
    error::GridError,
    message::{self, AbortMessage, JobMessage, OpenJobs, Presence, ResultMessage, VERSION},
    proofs, publish,
    queue::{Delivery, Pulled, pull},
};
use async_nats::jetstream::{self, AckKind};
use futures_util::StreamExt;
use lambda6_jobs::{Answer, Execute, ExecuteError, Task, wire::AnswerText};
use lambda6_search::runner;
use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    sync::{mpsc, oneshot},
    time::MissedTickBehavior,
};

/// What a worker is and how long it works.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Its name, which no other worker of the grid should have.
    pub name: WorkerName,
    /// The program: answers depend on it.
    pub build: String,
    /// Leave after this many jobs.
    pub jobs: Option<u64>,
}

/// Asks a worker to leave: first when its job is done, then at once.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// Asks once more, and returns how often it has been asked.
    pub fn ask(&self) -> u8 {
        let before = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |asked| asked.checked_add(1));
        before.map_or(u8::MAX, |before| before + 1)
    }

    fn asked(&self) -> u8 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a worker reports about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// It waits for a server, or for a client to create the queue.
    Waiting(String),
    /// It is ready for jobs.
    Ready,
    /// It begins a job.
    Begin {
        /// The job.
        job: u64,
        /// What is asked, in words.
        words: String,
    },
    /// It has done a job.
    Done {
        /// The job.
        job: u64,
        /// The answer in words.
        words: String,
        /// How long it took.
        millis: u64,
    },
    /// The job was called off.
    CalledOff(u64),
    /// It gave the job back.
    Returned(u64),
    /// Something went wrong; it goes on.
    Trouble(String),
}

/// How often a worker shows that it is present and at work.
const BEAT: Duration = Duration::from_secs(1);
/// How long a pull waits for a job.
const PULL: Duration = Duration::from_secs(3);
/// How long a job that this worker cannot do is kept from the workers.
const DELAY: Duration = Duration::from_secs(5);

/// A task for the thread that executes them.
struct Errand {
    task: Task,
    stop: Arc<AtomicBool>,
    nodes: Arc<AtomicU64>,
    done: oneshot::Sender<Result<Answer, ExecuteError>>,
}

/// Works until it is asked to leave. A server that does not answer is waited for.
pub fn work<E: Execute>(
    access: &Access,
    grid: &Grid,
    settings: &WorkerSettings,
    make: impl Fn() -> E + Send + 'static,
    stop: &Stop,
    news: &mut dyn FnMut(News),
) -> Result<(), GridError> {
    let (errands, mut inbox) = mpsc::unbounded_channel::<Errand>();
    let body = move || {
        let mut program = make();
        while let Some(errand) = inbox.blocking_recv() {
            let Errand { task, stop, nodes, done } = errand;
            let answer = runner::catch(|| program.execute(&task, &stop, &nodes)).unwrap_or_else(|_| {
                program = make();
                Err(ExecuteError::Failed("the worker broke down".to_string()))
            });
            let _ = done.send(answer);
        }
    };
    runner::spawn("jobs", body).map_err(|error| GridError::Start(std::io::Error::other(error)))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(GridError::Start)?;
    runtime.block_on(async {
        let (name, mut told) = (format!("lambda6 worker {}", settings.name), false);
        let mut waiting = |error: &GridError| {
            if !std::mem::replace(&mut told, true) {
                news(News::Waiting(error.to_string()));
            }
            stop.asked() == 0
        };
        let connected = access.connect(&name, &grid.inbox(settings.name.owner()), &mut waiting).await;
        let nats = match connected {
            Err(_) if stop.asked() > 0 => return Ok(()),
            connected => connected?,
        };
        let context = jetstream::new(nats.clone());
        Worker { context, nats, grid, settings, errands, stop, news }.run().await
    })
}

struct Worker<'a> {
    context: jetstream::Context,
    nats: async_nats::Client,
    grid: &'a Grid,
    settings: &'a WorkerSettings,
    errands: mpsc::UnboundedSender<Errand>,
    stop: &'a Stop,
    news: &'a mut dyn FnMut(News),
}

/// How a job ended.
enum Ended {
    Answer(Result<Answer, ExecuteError>),
    CalledOff,
    HandedBack,
}

impl Worker<'_> {
    async fn run(&mut self) -> Result<(), GridError> {
        (self.news)(News::Ready);
        let (mut done, mut waiting) = (0, false);
        while self.stop.asked() == 0 && self.settings.jobs.is_none_or(|most| done < most) {
            self.show(None, 0, false).await;
            let (asked, mut given) = (Instant::now(), false);
            match pull(&self.nats, self.grid, PULL).await {
                Ok(Pulled::Job(delivery)) => {
                    (waiting, given) = (false, true);
                    done += u64::from(self.take(*delivery).await?);
                }
                Ok(Pulled::Nothing) => waiting = false,
                Ok(Pulled::NoQueue) if waiting => {}
                Ok(Pulled::NoQueue) => {
                    waiting = true;
                    (self.news)(News::Waiting("the queue of jobs does not answer".to_string()));
                }
                Err(error) => (self.news)(News::Trouble(error.to_string())),
            }
            // A server that is away or not ready answers at once.
            if !given && asked.elapsed() < PAUSE {
                tokio::time::sleep(PAUSE).await;
            }
        }
        self.show(None, 0, true).await;
        let _ = tokio::time::timeout(BEAT, self.nats.flush()).await;
        Ok(())
    }

    async fn show(&self, job: Option<String>, nodes: u64, leaving: bool) {
        let WorkerSettings { name, build, .. } = self.settings;
        let presence = Presence { version: VERSION, build: build.clone(), job, nodes, leaving };
        let subject = self.grid.presence(name.owner(), name.process());
        // One that is lost with the connection is followed by the next.
        let _ = self.nats.publish(subject, message::encode(&presence).into()).await;
    }

    /// Deals with a job from the queue. True if it was done.
    async fn take(&mut self, delivery: Delivery) -> Result<bool, GridError> {
        let job: JobMessage = match message::decode(&delivery.payload) {
            Ok(job) => job,
            Err(error) => {
                // Another worker may be able to read it. If none is, the server gives
                // it up after as many deliveries as any job has.
                delivery.acknowledge(AckKind::Nak(Some(DELAY))).await;
                (self.news)(News::Trouble(format!("a job is left to other workers: {error}")));
                return Ok(false);
            }
        };
        if job.build != self.settings.build {
            delivery.acknowledge(AckKind::Nak(Some(DELAY))).await;
            let _ = tokio::time::timeout(BEAT, self.nats.flush()).await;
            return Err(GridError::Build { client: job.build, worker: self.settings.build.clone() });
        }
        let task = match job.task.task() {
            Ok(task) => task,
            Err(error) => {
                let failed = Err(ExecuteError::Failed(error.to_string()));
                self.report(&job, &delivery, failed, 0, Duration::ZERO).await;
                return Ok(false);
            }
        };
        if self.is_called_off(&job).await {
            delivery.acknowledge(AckKind::Ack).await;
            (self.news)(News::CalledOff(task.id.0));
            return Ok(false);
        }
        let stones = task.position.game().area() - task.position.empty_count();
        let (kind, excluded) = (task.kind.name(), task.excluded.len());
        let words = format!("{kind} after {stones} stones, {excluded} excluded");
        (self.news)(News::Begin { job: task.id.0, words: words.clone() });
        let begin = Instant::now();
        let nodes = Arc::new(AtomicU64::new(0));
        let ended = self.perform(&job, &delivery, task, &nodes, &words).await?;
        let id = job.task.id().0;
        match ended {
            Ended::Answer(answer) => {
                let words = in_words(&answer, &job);
                let nodes = nodes.load(Ordering::Relaxed);
                self.report(&job, &delivery, answer, nodes, begin.elapsed()).await;
                let millis = begin.elapsed().as_millis() as u64;
                (self.news)(News::Done { job: id, words, millis });
                Ok(true)
            }
            Ended::CalledOff => {
                delivery.acknowledge(AckKind::Ack).await;
                (self.news)(News::CalledOff(id));
                Ok(false)
            }
            Ended::HandedBack => {
                delivery.acknowledge(AckKind::Nak(None)).await;
                (self.news)(News::Returned(id));
                Ok(false)
            }
        }
    }

    /// Has the job done, and keeps its lease while its counter moves.
    async fn perform(
        &self,
        job: &JobMessage,
        delivery: &Delivery,
        task: Task,
        nodes: &Arc<AtomicU64>,
        words: &str,
    ) -> Result<Ended, GridError> {
        let stop = Arc::new(AtomicBool::new(false));
        let (done, mut answer) = oneshot::channel();
        let id = task.id.0;
        let aborts = self.nats.subscribe(self.grid.abort()).await;
        let mut aborts = aborts.map_err(GridError::request("aborts"))?;
        let errand = Errand { task, stop: Arc::clone(&stop), nodes: Arc::clone(nodes), done };
        self.errands.send(errand).map_err(|_| GridError::NoThread)?;
        let (mut beat, mut seen) = (tokio::time::interval(BEAT), 0);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // Runs beside everything else: no answer waits for the bucket.
        let mut called_off = pin!(self.until_called_off(job));
        let mut why = None;
        loop {
            tokio::select! {
                biased;
                done = &mut answer => {
                    return Ok(match done.map_err(|_| GridError::NoThread)? {
                        Ok(answer) => Ended::Answer(Ok(answer)),
                        Err(ExecuteError::Stopped) => why.unwrap_or(Ended::HandedBack),
                        Err(error) => Ended::Answer(Err(error)),
                    });
                }
                Some(abort) = aborts.next() => {
                    let abort = serde_json::from_slice::<AbortMessage>(&abort.payload);
                    if abort.is_ok_and(|abort| abort.search == job.search && abort.jobs.contains(&id)) {
                        stop.store(true, Ordering::Relaxed);
                        why = Some(Ended::CalledOff);
                    }
                }
                () = &mut called_off, if why.is_none() => {
                    stop.store(true, Ordering::Relaxed);
                    why = Some(Ended::CalledOff);
                }
                _ = beat.tick() => {
                    let now = nodes.load(Ordering::Relaxed);
                    // A job that stands still does not keep its lease.
                    if now > seen {
                        seen = now;
                        delivery.acknowledge(AckKind::Progress).await;
                    }
                    self.show(Some(format!("job {id}: {words}")), now, false).await;
                    if self.stop.asked() > 1 {
                        stop.store(true, Ordering::Relaxed);
                        why.get_or_insert(Ended::HandedBack);
                    }
                }
            }
        }
    }

    /// Whether the bucket says that the job is called off. If it cannot be read the
    /// job is done: better in vain than not at all.
    async fn is_called_off(&self, job: &JobMessage) -> bool {
        let asked = self.nats.request(self.grid.open_jobs(&job.search), "".into());
        let Ok(Ok(message)) = tokio::time::timeout(BEAT, asked).await else { return false };
        let open = serde_json::from_slice::<OpenJobs>(&message.payload);
        open.is_ok_and(|open| open.epoch > job.epoch && !open.jobs.contains(&job.task.id().0))
    }

    /// Asks the bucket again and again, and returns when the job is called off.
    async fn until_called_off(&self, job: &JobMessage) {
        while !self.is_called_off(job).await {
            tokio::time::sleep(BEAT).await;
        }
    }

    /// Publishes the result until the stream has it; only then is the job done.
    async fn report(
        &mut self,
        job: &JobMessage,
        delivery: &Delivery,
        answer: Result<Answer, ExecuteError>,
        nodes: u64,
        took: Duration,
    ) {
        loop {
            match self.publish_result(job, &answer, nodes, took).await {
                Ok(()) => break,
                Err(error) => (self.news)(News::Trouble(format!("job {}: {error}", job.task.id()))),
            }
            // The lease runs out, and another worker gets the job.
            if self.stop.asked() > 1 {
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
        delivery.acknowledge(AckKind::Ack).await;
    }

    async fn publish_result(
        &self,
        job: &JobMessage,
        answer: &Result<Answer, ExecuteError>,
        nodes: u64,
        took: Duration,
    ) -> Result<(), GridError> {
        let WorkerSettings { name, build, .. } = self.settings;
        let task = job.task.task().map(|task| task.position.game());
        let (answer, failed) = match (answer, task) {
            (Ok(answer), Ok(game)) => (Some((answer, game)), None),
            (Ok(_), Err(error)) => (None, Some(error.to_string())),
            (Err(error), _) => (None, Some(error.to_string())),
        };
        let proof = match answer.and_then(|(answer, game)| Some((answer.proof()?, game))) {
            Some((proof, game)) => {
                let (id, text) = (proof.id(game), proof.text(game));
                Some(proofs::send(&self.context, self.grid, name, &id.0, text).await?)
            }
            None => None,
        };
        let attempt = job.task.task().map_or(0, |task| task.attempt);
        let result = ResultMessage {
            version: VERSION,
            build: build.clone(),
            job: job.task.id().0,
            key: job.key.clone(),
            attempt,
            nodes,
            millis: took.as_millis() as u64,
            answer: answer.map(|(answer, game)| AnswerText::new(game, answer)),
            failed,
            proof,
        };
        let subject = self.grid.results(&job.search, name.owner(), name.process());
        publish(&self.context, subject, None, message::encode(&result)).await.map(|_| ())
    }
}

fn in_words(answer: &Result<Answer, ExecuteError>, job: &JobMessage) -> String {
    let game = job.task.task().map(|task| task.position.game());
    let (answer, game) = match (answer, game) {
        (Ok(answer), Ok(game)) => (answer, game),
        (Err(error), _) => return format!("failed: {error}"),
        (_, Err(error)) => return error.to_string(),
    };
    match answer {
        Answer::Best { mv, status, win } => {
            let proved = if win.is_some() { ", proved" } else { "" };
            format!("{} {status}{proved}", game.move_name(mv))
        }
        Answer::OthersLose { .. } => "all other moves lose, proved".to_string(),
        Answer::Defences { moves, .. } => format!("{} defences, all others lose, proved", moves.len()),
    }
}
