//! The worker's end.

use super::{
    Access, Grid, PAUSE, WORKERS,
    message::{self, AbortMessage, JobMessage, Open, Presence, ResultMessage, VERSION},
    proofs, publish,
};
use async_nats::jetstream::{self, AckKind, consumer::PullConsumer, kv::Store};
use futures_util::StreamExt;
use jobs::{Answer, Execute, ExecuteError, Task, TransportError, wire::AnswerText};
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

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Its name, which nobody else in the grid should have.
    pub name: String,
    /// The program that it is: answers depend on it.
    pub build: String,
    /// Leave after so many jobs.
    pub jobs: Option<u64>,
}

/// Asks a worker to go: first when its job is done, then at once.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// Asks once more, and says how often that was done.
    pub fn ask(&self) -> u8 {
        let before = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |asked| asked.checked_add(1));
        before.map_or(u8::MAX, |before| before + 1)
    }

    fn asked(&self) -> u8 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a worker tells about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// It waits for a client to set the grid up.
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

/// How often a worker shows that it is there and at work.
const BEAT: Duration = Duration::from_secs(1);
/// Lines can be hundreds of moves long.
const STACK_BYTES: usize = 256 << 20;

/// A task for the thread that does them.
struct Errand {
    task: Task,
    stop: Arc<AtomicBool>,
    nodes: Arc<AtomicU64>,
    done: oneshot::Sender<Result<Answer, ExecuteError>>,
}

/// Works until it is asked to go.
pub fn work<E: Execute>(
    access: &Access,
    grid: &Grid,
    settings: &WorkerSettings,
    make: impl Fn() -> E + Send + 'static,
    stop: &Stop,
    news: &mut dyn FnMut(News),
) -> Result<(), TransportError> {
    let failed = |error: std::io::Error| TransportError::new(error.to_string());
    let (errands, mut inbox) = mpsc::unbounded_channel::<Errand>();
    let body = move || {
        let mut program = make();
        while let Some(errand) = inbox.blocking_recv() {
            let Errand { task, stop, nodes, done } = errand;
            let run = std::panic::AssertUnwindSafe(|| program.execute(&task, &stop, &nodes));
            let answer = std::panic::catch_unwind(run).unwrap_or_else(|_| {
                program = make();
                Err(ExecuteError::Failed("the worker broke down".to_string()))
            });
            let _ = done.send(answer);
        }
    };
    std::thread::Builder::new().name("jobs".into()).stack_size(STACK_BYTES).spawn(body).map_err(failed)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(failed)?;
    runtime.block_on(async {
        // A name of its own for replies: permissions need not let a worker hear
        // what others are told.
        let inbox = format!("_INBOX_{grid}_worker");
        let nats = access.connect(&format!("lambda6 worker {}", settings.name), &inbox).await?;
        let context = jetstream::new(nats.clone());
        let mut worker = Worker { context, nats, bucket: None, grid, settings, errands, stop, news };
        worker.run().await
    })
}

struct Worker<'a> {
    context: jetstream::Context,
    nats: async_nats::Client,
    /// Where it stands which jobs somebody waits for; `None` if it cannot be read.
    bucket: Option<Store>,
    grid: &'a Grid,
    settings: &'a WorkerSettings,
    errands: mpsc::UnboundedSender<Errand>,
    stop: &'a Stop,
    news: &'a mut dyn FnMut(News),
}

/// How a job ended.
enum Ended {
    Answer(Result<Answer, String>),
    CalledOff,
    HandedBack,
}

impl Worker<'_> {
    async fn run(&mut self) -> Result<(), TransportError> {
        let Some(consumer) = self.consumer().await? else { return Ok(()) };
        // Clients make it before the queue, so that it is there.
        match self.context.get_key_value(self.grid.bucket()).await {
            Ok(bucket) => self.bucket = Some(bucket),
            Err(error) => (self.news)(News::Trouble(format!("cannot hear of jobs called off: {error}"))),
        }
        (self.news)(News::Ready);
        let mut done = 0;
        while self.stop.asked() == 0 && self.settings.jobs.is_none_or(|most| done < most) {
            self.show(None, 0, false).await;
            let (asked, mut given) = (Instant::now(), false);
            let batch = consumer.batch().max_messages(1).expires(3 * BEAT).messages().await;
            let Ok(mut batch) = batch else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            while let Some(message) = batch.next().await {
                match message {
                    Ok(message) => {
                        given = true;
                        done += u64::from(self.take(message).await?);
                    }
                    Err(error) => {
                        (self.news)(News::Trouble(error.to_string()));
                        break;
                    }
                }
            }
            // A server that is not there, or not ready, answers at once.
            if !given && asked.elapsed() < PAUSE {
                tokio::time::sleep(PAUSE).await;
            }
        }
        self.show(None, 0, true).await;
        let _ = tokio::time::timeout(BEAT, self.nats.flush()).await;
        Ok(())
    }

    /// The queue of jobs; waits until some client has made it. `None` if it is
    /// asked to go before.
    async fn consumer(&mut self) -> Result<Option<PullConsumer>, TransportError> {
        let mut waiting = false;
        loop {
            let stream = self.grid.jobs_stream();
            let found = self.context.get_consumer_from_stream(WORKERS, &stream).await;
            match found {
                Ok(consumer) => return Ok(Some(consumer)),
                Err(error) if !waiting => {
                    waiting = true;
                    (self.news)(News::Waiting(error.to_string()));
                }
                Err(_) => {}
            }
            if self.stop.asked() > 0 {
                return Ok(None);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn show(&self, job: Option<String>, nodes: u64, leaving: bool) {
        let WorkerSettings { name, build, .. } = self.settings;
        let presence =
            Presence { version: VERSION, build: build.clone(), name: name.clone(), job, nodes, leaving };
        let subject = self.grid.presence(name);
        // Lost with the connection, if that is lost: the next one will do.
        let _ = self.nats.publish(subject, message::encode(&presence).into()).await;
    }

    /// Deals with a job from the queue. True if it was done.
    async fn take(&mut self, message: jetstream::Message) -> Result<bool, TransportError> {
        let job: JobMessage = match message::decode(&message.payload) {
            Ok(job) => job,
            Err(why) => {
                // Another worker may know what to do with it.
                let _ = message.ack_with(AckKind::Nak(Some(5 * BEAT))).await;
                return Err(TransportError::new(format!("a job cannot be taken: {why}")));
            }
        };
        if job.build != self.settings.build {
            let _ = message.ack_with(AckKind::Nak(Some(5 * BEAT))).await;
            let (theirs, ours) = (&job.build, &self.settings.build);
            let why = format!("the client is {theirs} and this worker is {ours}: they must be the same");
            return Err(TransportError::new(why));
        }
        let task = match job.task.task() {
            Ok(task) => task,
            Err(error) => {
                self.report(&job, &message, Err(error.to_string()), 0, Duration::ZERO).await;
                return Ok(false);
            }
        };
        if self.is_called_off(&job).await {
            let _ = message.ack().await;
            (self.news)(News::CalledOff(task.id.0));
            return Ok(false);
        }
        let stones = task.position.game().area() - task.position.empty_count();
        let (kind, excluded) = (task.kind.name(), task.excluded.len());
        let words = format!("{kind} after {stones} stones, {excluded} excluded");
        (self.news)(News::Begin { job: task.id.0, words: words.clone() });
        let begin = Instant::now();
        let nodes = Arc::new(AtomicU64::new(0));
        let ended = self.perform(&job, &message, task, &nodes, &words).await?;
        let id = job.task.id().0;
        match ended {
            Ended::Answer(answer) => {
                let words = in_words(&answer, &job);
                let nodes = nodes.load(Ordering::Relaxed);
                self.report(&job, &message, answer, nodes, begin.elapsed()).await;
                let millis = begin.elapsed().as_millis() as u64;
                (self.news)(News::Done { job: id, words, millis });
                Ok(true)
            }
            Ended::CalledOff => {
                let _ = message.ack().await;
                (self.news)(News::CalledOff(id));
                Ok(false)
            }
            Ended::HandedBack => {
                let _ = message.ack_with(AckKind::Nak(None)).await;
                (self.news)(News::Returned(id));
                Ok(false)
            }
        }
    }

    /// Has the job done, and keeps its lease while its counter moves.
    async fn perform(
        &self,
        job: &JobMessage,
        message: &jetstream::Message,
        task: Task,
        nodes: &Arc<AtomicU64>,
        words: &str,
    ) -> Result<Ended, TransportError> {
        let stop = Arc::new(AtomicBool::new(false));
        let (done, mut answer) = oneshot::channel();
        let id = task.id.0;
        let aborts = self.nats.subscribe(self.grid.abort()).await;
        let mut aborts = aborts.map_err(|error| TransportError::new(error.to_string()))?;
        let errand = Errand { task, stop: Arc::clone(&stop), nodes: Arc::clone(nodes), done };
        let gone = || TransportError::new("the thread that does the jobs is gone");
        self.errands.send(errand).map_err(|_| gone())?;
        let (mut beat, mut seen) = (tokio::time::interval(BEAT), 0);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // Asked beside everything else: no answer waits for the bucket's.
        let mut called_off = pin!(self.until_called_off(job));
        let mut why = None;
        loop {
            tokio::select! {
                biased;
                done = &mut answer => {
                    return Ok(match done.map_err(|_| gone())? {
                        Ok(answer) => Ended::Answer(Ok(answer)),
                        Err(ExecuteError::Stopped) => why.unwrap_or(Ended::HandedBack),
                        Err(error) => Ended::Answer(Err(error.to_string())),
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
                        let _ = message.ack_with(AckKind::Progress).await;
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

    /// Whether the bucket says that nobody waits for the job any more. If it
    /// cannot be asked the job is done: better in vain than not at all.
    async fn is_called_off(&self, job: &JobMessage) -> bool {
        let Some(bucket) = &self.bucket else { return false };
        let asked = async {
            let bytes = bucket.get(job.search.clone()).await.ok()??;
            serde_json::from_slice::<Open>(&bytes).ok()
        };
        let open = tokio::time::timeout(BEAT, asked).await.ok().flatten();
        open.is_some_and(|open| open.epoch > job.epoch && !open.jobs.contains(&job.task.id().0))
    }

    /// Asks the bucket again and again; comes back when the job is called off.
    async fn until_called_off(&self, job: &JobMessage) {
        while !self.is_called_off(job).await {
            tokio::time::sleep(BEAT).await;
        }
    }

    /// Publishes the result until the stream has it; only then is the job done.
    async fn report(
        &mut self,
        job: &JobMessage,
        message: &jetstream::Message,
        answer: Result<Answer, String>,
        nodes: u64,
        took: Duration,
    ) {
        loop {
            match self.publish_result(job, &answer, nodes, took).await {
                Ok(()) => break,
                Err(error) => (self.news)(News::Trouble(format!("job {}: {error}", job.task.id()))),
            }
            // The client's lease or the server's will have somebody else do it.
            if self.stop.asked() > 1 {
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
        let _ = message.ack().await;
    }

    async fn publish_result(
        &self,
        job: &JobMessage,
        answer: &Result<Answer, String>,
        nodes: u64,
        took: Duration,
    ) -> Result<(), String> {
        let task = job.task.task().map(|task| task.position.game());
        let (answer, failed) = match (answer, task) {
            (Ok(answer), Ok(game)) => (Some((answer, game)), None),
            (Ok(_), Err(error)) => (None, Some(error.to_string())),
            (Err(why), _) => (None, Some(why.clone())),
        };
        let proof = match answer.and_then(|(answer, game)| Some((answer.proof()?, game))) {
            Some((proof, game)) => {
                let (id, text) = (proof.id(game), proof.text(game));
                Some(proofs::send(&self.context, self.grid, &id.0, text).await?)
            }
            None => None,
        };
        let attempt = job.task.task().map_or(0, |task| task.attempt);
        let result = ResultMessage {
            version: VERSION,
            build: self.settings.build.clone(),
            job: job.task.id().0,
            key: job.key.clone(),
            attempt,
            worker: self.settings.name.clone(),
            nodes,
            millis: took.as_millis() as u64,
            answer: answer.map(|(answer, game)| AnswerText::new(game, answer)),
            failed,
            proof,
        };
        publish(&self.context, self.grid.results(&job.search), None, message::encode(&result))
            .await
            .map(|_| ())
    }
}

fn in_words(answer: &Result<Answer, String>, job: &JobMessage) -> String {
    let game = job.task.task().map(|task| task.position.game());
    let (answer, game) = match (answer, game) {
        (Ok(answer), Ok(game)) => (answer, game),
        (Err(why), _) => return format!("failed: {why}"),
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
