//! The analysis engine: one query a line, answers as they come, after the
//! manner of KataGo's.
//!
//! Every query gets exactly one final answer, whatever becomes of it. Answers
//! may come in another order than the queries.

mod answer;
mod query;
mod queue;

pub use answer::Analysis;
pub use query::{Action, MAX_CANDIDATES, Query, QueryError, Request, Unknown};
pub use queue::{Job, Queue};

use crate::{
    Mind, Task,
    drive::{STACK_BYTES, read_line},
};
use player::{Info, Level, PlayLimits, Watch};
use std::{
    io::{self, BufRead, Write},
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

/// How often the stop signal is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How to analyse.
pub struct Options {
    /// Queries worked on at once.
    pub threads: usize,
    /// For queries that say no limits at all.
    pub limits: PlayLimits,
    /// Ends what is under way when the input ends.
    pub quit_without_waiting: bool,
}

/// Makes somebody who thinks at this level, or the default one.
pub type Minds = Arc<dyn Fn(Option<Level>) -> Box<dyn Mind> + Send + Sync>;

struct Service<W> {
    queue: Mutex<Queue>,
    wake: Condvar,
    output: Mutex<W>,
    /// The output has gone away: there is nobody to work for.
    broken: AtomicBool,
}

/// A panic while a lock was held leaves nothing half done here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl<W: Write> Service<W> {
    fn say(&self, line: &str) {
        let mut output = lock(&self.output);
        let written = writeln!(output, "{line}").and_then(|()| output.flush());
        if written.is_err() {
            self.broken.store(true, Ordering::Relaxed);
        }
    }

    /// Takes one line in.
    fn take(&self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        match Request::parse(line) {
            Err(error) => self.say(&answer::error(&error)),
            Ok((Request::Query(query), unknown)) => {
                for field in unknown {
                    self.say(&answer::warning(&query.id, &field.field));
                }
                lock(&self.queue).push(*query);
                self.wake.notify_one();
            }
            Ok((Request::Action { action, mut fields }, _)) => {
                match action {
                    Action::Terminate(id) => self.terminate(Some(&id)),
                    Action::TerminateAll => self.terminate(None),
                    Action::QueryVersion => {
                        fields.insert("version".to_string(), env!("CARGO_PKG_VERSION").into());
                    }
                }
                self.say(&serde_json::Value::Object(fields).to_string());
            }
        }
    }

    fn terminate(&self, id: Option<&str>) {
        let ended = lock(&self.queue).terminate(id);
        ended.iter().for_each(|query| self.say(&Analysis::none(query).write()));
    }

    fn close(&self) {
        lock(&self.queue).close();
        self.wake.notify_all();
    }

    /// Works until the queue is over.
    fn work(&self, minds: &Minds, default: PlayLimits) {
        let mut mind: Option<(Option<Level>, Box<dyn Mind>)> = None;
        loop {
            let job = {
                let mut queue = lock(&self.queue);
                loop {
                    if let Some(job) = queue.pop() {
                        break job;
                    }
                    if queue.is_over() {
                        return;
                    }
                    queue = self.wake.wait(queue).unwrap_or_else(std::sync::PoisonError::into_inner);
                }
            };
            let level = job.query.level;
            let (_, mind) = match &mut mind {
                Some(kept) if kept.0 == level => kept,
                other => other.insert((level, minds(level))),
            };
            let answer = self.analyse(&job, mind.as_mut(), default);
            // Counted as done before it is said: a reader of the answer may rely
            // on it.
            let terminated = lock(&self.queue).finish(job.ticket);
            self.say(&answer(terminated));
        }
    }

    fn analyse(
        &self,
        job: &Job,
        mind: &mut dyn Mind,
        default: PlayLimits,
    ) -> impl FnOnce(bool) -> String + use<W> {
        let query = job.query.clone();
        let limits = if query.limits == PlayLimits::default() { default } else { query.limits };
        let task = Task { position: query.position.clone(), last: query.last, limits };
        let begin = Instant::now();
        let mut reporter = Reporter { service: self, query: &query, last: begin };
        let found = mind.think(&task, query.max_candidates, &job.stop, &mut reporter);
        let elapsed = begin.elapsed();
        move |terminated| match found {
            Ok(choices) => Analysis::last(&query, &choices, elapsed, terminated).write(),
            Err(error) => answer::error(&QueryError { id: Some(query.id), field: None, error }),
        }
    }
}

/// Passes on what the player reports, no more often than was asked for.
struct Reporter<'a, W> {
    service: &'a Service<W>,
    query: &'a Query,
    last: Instant,
}

impl<W: Write> Watch for Reporter<'_, W> {
    fn report(&mut self, info: &Info<'_>) {
        if self.query.report_every.is_some_and(|every| self.last.elapsed() >= every) {
            self.last = Instant::now();
            self.service.say(&Analysis::partial(self.query, info).write());
        }
    }
}

/// Analyses until the input ends and everything is answered. When `stop` is set
/// it ends all queries, answers them and returns.
pub fn run<W: Write + Send + 'static>(
    options: &Options,
    minds: &Minds,
    input: impl BufRead + Send + 'static,
    output: W,
    stop: &AtomicBool,
) -> io::Result<()> {
    let service = Arc::new(Service {
        queue: Mutex::new(Queue::default()),
        wake: Condvar::new(),
        output: Mutex::new(output),
        broken: AtomicBool::new(false),
    });
    let mut workers = Vec::new();
    for number in 0..options.threads.max(1) {
        let (service, minds, limits) = (Arc::clone(&service), Arc::clone(minds), options.limits);
        let thread = thread::Builder::new().name(format!("analysis {number}")).stack_size(STACK_BYTES);
        workers.push(thread.spawn(move || service.work(&minds, limits))?);
    }
    let (sender, lines) = mpsc::channel();
    let mut input = input;
    // Not waited for: it may sit in a read when the program is asked to stop.
    thread::Builder::new().name("input".to_string()).spawn(move || {
        while let Ok(Some(line)) = read_line(&mut input) {
            if sender.send(line).is_err() {
                return;
            }
        }
    })?;
    let broken = || service.broken.load(Ordering::Relaxed);
    let stopped = || stop.load(Ordering::Relaxed) || broken();
    let end_all = loop {
        if stopped() {
            break true;
        }
        match lines.recv_timeout(LOOK_EVERY) {
            Ok(line) => service.take(&line),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break options.quit_without_waiting,
        }
    };
    service.close();
    if end_all {
        service.terminate(None);
    }
    while workers.iter().any(|worker| !worker.is_finished()) {
        if stopped() {
            service.terminate(None);
        }
        thread::sleep(Duration::from_millis(5));
    }
    if broken() { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
}
