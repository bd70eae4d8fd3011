//! The analysis engine, modelled on KataGo's: one query a line, many at a time.
//!
//! Every query gets exactly one final report. Reports may come in another order
//! than the queries.

mod query;
mod queue;
mod report;

pub use query::{Action, Query, QueryError, Request};

use crate::{Task, Thinker, drive::read_line};
use lambda6_player::{Info, Level};
use lambda6_search::{Limits, Observer, runner};
use queue::{QueryQueue, RunningQuery};
use report::Report;
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

/// The interval at which the stop signal is read.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The options of [`run`].
pub struct AnalysisOptions {
    /// The number of queries that run at once.
    pub threads: usize,
    /// The limits of queries without limits.
    pub limits: Limits,
    /// Whether the end of the input ends all queries.
    pub quit_without_waiting: bool,
}

/// Makes a thinker of a level, or of the default level.
pub type ThinkerFactory = Arc<dyn Fn(Option<Level>) -> Box<dyn Thinker> + Send + Sync>;

struct Service<W> {
    queue: Mutex<QueryQueue>,
    wake: Condvar,
    output: Mutex<W>,
    /// The output cannot be written any more.
    broken: AtomicBool,
}

/// Locks, also after a panic: no critical section leaves its data inconsistent.
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

    /// Handles one line of input.
    fn handle(&self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        match Request::parse(line) {
            Err(error) => self.say(&report::query_error(&error)),
            Ok((Request::Query(query), unknown)) => {
                for field in unknown {
                    self.say(&report::warning(&query.id, &field));
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
        ended.iter().for_each(|query| self.say(&Report::no_results(query).write()));
    }

    fn close(&self) {
        lock(&self.queue).close();
        self.wake.notify_all();
    }

    /// Runs queries until the queue is closed and empty.
    fn work(&self, thinkers: &ThinkerFactory, default: Limits) {
        let mut thinker: Option<(Option<Level>, Box<dyn Thinker>)> = None;
        loop {
            let running = {
                let mut queue = lock(&self.queue);
                loop {
                    if let Some(running) = queue.pop() {
                        break running;
                    }
                    if queue.is_over() {
                        return;
                    }
                    queue = self.wake.wait(queue).unwrap_or_else(std::sync::PoisonError::into_inner);
                }
            };
            let level = running.query.level;
            let (_, thinker) = match &mut thinker {
                Some(kept) if kept.0 == level => kept,
                other => other.insert((level, thinkers(level))),
            };
            let report = self.analyse(&running, thinker.as_mut(), default);
            // Finished before the report is written: its reader may rely on it.
            let terminated = lock(&self.queue).finish(running.ticket);
            self.say(&report(terminated));
        }
    }

    fn analyse(
        &self,
        running: &RunningQuery,
        thinker: &mut dyn Thinker,
        default: Limits,
    ) -> impl FnOnce(bool) -> String + use<W> {
        let query = running.query.clone();
        let limits = if query.limits == Limits::default() { default } else { query.limits };
        let task = Task::new(query.position.clone(), query.last, limits);
        let begin = Instant::now();
        let mut reporter = PartialReporter { service: self, query: &query, last: begin };
        let found = thinker.think(&task, query.max_candidates, &running.stop, &mut reporter);
        let elapsed = begin.elapsed();
        move |terminated| match found {
            Ok(choices) => Report::complete(&query, &choices, elapsed, terminated).write(),
            Err(error) => report::search_error(&query.id, &error),
        }
    }
}

/// Writes the player's reports, no more often than the query demands.
struct PartialReporter<'a, W> {
    service: &'a Service<W>,
    query: &'a Query,
    last: Instant,
}

impl<W: Write> Observer<Info> for PartialReporter<'_, W> {
    fn report(&mut self, info: &Info) {
        if self.query.report_every.is_some_and(|every| self.last.elapsed() >= every) {
            self.last = Instant::now();
            self.service.say(&Report::partial(self.query, info).write());
        }
    }
}

/// Runs until the input ends and all queries are answered. When `stop` is set, all
/// queries are ended and answered.
pub fn run<W: Write + Send + 'static>(
    options: &AnalysisOptions,
    thinkers: &ThinkerFactory,
    input: impl BufRead + Send + 'static,
    output: W,
    stop: &AtomicBool,
) -> io::Result<()> {
    let service = Arc::new(Service {
        queue: Mutex::new(QueryQueue::default()),
        wake: Condvar::new(),
        output: Mutex::new(output),
        broken: AtomicBool::new(false),
    });
    let mut workers = Vec::new();
    for number in 0..options.threads.max(1) {
        let (service, thinkers, limits) = (Arc::clone(&service), Arc::clone(thinkers), options.limits);
        let work = move || service.work(&thinkers, limits);
        workers.push(runner::spawn(&format!("analysis {number}"), work).map_err(io::Error::other)?);
    }
    let (sender, lines) = mpsc::channel();
    let mut input = input;
    // Not joined: it may block in a read when the program is asked to stop.
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
            Ok(line) => service.handle(&line),
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
