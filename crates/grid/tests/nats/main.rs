//! Jobs over a real NATS server, with workers that only pretend to work. Tests wait
//! for events, not for times; the test runner ends a test that waits for ever.

// clippy.toml allows it in functions that are tests, but not in their helpers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![cfg(unix)]

mod attacks;
mod permissions;
mod server;
mod transport;
mod versions;

use lambda6_grid::nats::{
    Access, ClientSettings, Grid, NatsClient, News, Stop, WorkerName, WorkerSettings, work,
};
use lambda6_jobs::{
    Answer, Command, Event, Execute, ExecuteError, JOB_LIMITS, JobId, Kind, Status, Task, Transport,
};
use lambda6_rules::{Game, Move, Position};
use lambda6_search::Method;
use server::Server;
use std::{
    sync::{
        atomic::{AtomicBool, AtomicU64},
        mpsc::{self, Receiver},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

const BUILD: &str = "test-1";

fn access(server: &Server) -> Access {
    Access { url: server.url(), ..Access::default() }
}

/// Access of a user of docs/grid-accounts.conf.
fn access_of(server: &Server, user: &str) -> Access {
    let user = Some((user.to_string(), format!("{user}-secret")));
    Access { user, ..access(server) }
}

fn client_settings(search: &str, deliveries: i64) -> ClientSettings {
    ClientSettings {
        grid: Grid::default(),
        search: search.to_string(),
        build: BUILD.to_string(),
        game: Game::CONNECT6,
        lease: Duration::from_secs(1),
        deliveries,
    }
}

/// A client of the search of this name.
fn client(server: &Server, search: &str, deliveries: i64) -> NatsClient {
    NatsClient::start(&access(server), client_settings(search, deliveries), &mut |_| false).unwrap()
}

fn position() -> Position {
    let mut position = Position::new(Game::CONNECT6);
    position.play(&Game::CONNECT6.parse_move("j10").unwrap()).unwrap();
    position
}

fn mv(text: &str) -> Move {
    Game::CONNECT6.parse_move(text).unwrap()
}

fn task(id: u64, excluded: &[&str]) -> Task {
    Task {
        id: JobId(id),
        attempt: 1,
        kind: Kind::Best,
        position: position(),
        excluded: excluded.iter().map(|text| mv(text)).collect(),
        limits: JOB_LIMITS,
        method: Method::Mutual,
    }
}

fn submit(client: &mut NatsClient, task: Task) {
    client.send(Command::Submit(Box::new(task))).unwrap();
}

/// Asks until something has happened.
fn events(client: &mut NatsClient) -> Vec<Event> {
    loop {
        let events = client.receive(Duration::from_millis(50)).unwrap();
        if !events.is_empty() {
            return events;
        }
    }
}

/// What a worker does that only pretends.
type Pretend = Box<dyn FnMut(&Task, &AtomicBool, &AtomicU64) -> Result<Answer, ExecuteError> + Send>;

struct Program(Pretend);

impl Execute for Program {
    fn execute(&mut self, task: &Task, stop: &AtomicBool, nodes: &AtomicU64) -> Result<Answer, ExecuteError> {
        (self.0)(task, stop, nodes)
    }
}

/// A worker in a thread.
struct Worker {
    stop: Stop,
    news: Receiver<News>,
    thread: JoinHandle<Result<(), String>>,
}

impl Worker {
    fn start(
        server: &Server,
        name: &str,
        build: &str,
        make: impl Fn() -> Pretend + Send + 'static,
    ) -> Worker {
        Worker::start_with(access(server), name, build, make)
    }

    /// Starts a worker; its name may begin with `owner/`.
    fn start_with(
        access: Access,
        name: &str,
        build: &str,
        make: impl Fn() -> Pretend + Send + 'static,
    ) -> Worker {
        let stop = Stop::default();
        let settings = settings(name, build, None);
        let asked = stop.clone();
        let (sender, news) = mpsc::channel();
        let body = move || {
            let make = move || Program(make());
            let mut tell = |news| {
                let _ = sender.send(news);
            };
            work(&access, &Grid::default(), &settings, make, &asked, &mut tell).map_err(|e| e.to_string())
        };
        Worker { stop, news, thread: thread::spawn(body) }
    }

    /// Waits for the first news that fit.
    fn await_news(&self, fits: impl Fn(&News) -> bool) -> News {
        self.news.iter().find(fits).expect("the worker ended")
    }

    /// Lets it finish its job, and leave.
    fn end(self) -> Result<(), String> {
        self.stop.ask();
        self.thread.join().unwrap()
    }
}

fn settings(name: &str, build: &str, jobs: Option<u64>) -> WorkerSettings {
    WorkerSettings { name: name.parse::<WorkerName>().unwrap(), build: build.to_string(), jobs }
}

/// A move that does not win.
fn plain(text: &str) -> Answer {
    Answer::Best { mv: mv(text), status: Status::Stable, win: None }
}

/// A program that answers every job with this, and tells which it has begun.
fn answering(answer: Answer) -> (impl Fn() -> Pretend + Clone + Send + 'static, Receiver<u64>) {
    let (sender, begun) = mpsc::channel();
    let make = move || -> Pretend {
        let (sender, answer) = (sender.clone(), answer.clone());
        Box::new(move |task, _, _| {
            let _ = sender.send(task.id.0);
            Ok(answer.clone())
        })
    };
    (make, begun)
}
