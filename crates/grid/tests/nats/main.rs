//! The way of jobs over a real NATS server, with workers that only pretend to
//! work. Nothing here waits for a time to pass, only for things to happen; a test
//! that waits for ever is ended by whoever runs the tests.

// clippy.toml allows it in functions that are tests, but not in their helpers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![cfg(unix)]

mod permissions;
mod server;
mod transport;
mod versions;

use jobs::{Answer, Command, Event, Execute, ExecuteError, JobId, JobLimits, Kind, Status, Task, Transport};
use lambda6_grid::nats::{Access, Grid, NatsClient, Stop, WorkerSettings, work};
use rules::{Game, Move, Position};
use search::Method;
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

/// A client of the search of this name.
fn client(server: &Server, search: &str, deliveries: i64) -> NatsClient {
    let lease = Duration::from_secs(1);
    let (search, build) = (search.to_string(), BUILD.to_string());
    NatsClient::start(&access(server), Grid::default(), search, build, Game::CONNECT6, lease, deliveries)
        .unwrap()
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
        limits: JobLimits::default(),
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
    thread: JoinHandle<Result<(), String>>,
}

impl Worker {
    fn start(
        server: &Server,
        name: &str,
        build: &str,
        make: impl Fn() -> Pretend + Send + 'static,
    ) -> Worker {
        let (access, stop) = (access(server), Stop::default());
        let settings = WorkerSettings { name: name.to_string(), build: build.to_string(), jobs: None };
        let asked = stop.clone();
        let body = move || {
            let make = move || Program(make());
            work(&access, &Grid::default(), &settings, make, &asked, &mut |_| {}).map_err(|e| e.to_string())
        };
        Worker { stop, thread: thread::spawn(body) }
    }

    /// Lets it finish what it does, and go.
    fn end(self) -> Result<(), String> {
        self.stop.ask();
        self.thread.join().unwrap()
    }
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
