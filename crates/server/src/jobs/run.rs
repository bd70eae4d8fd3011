//! A search that this server works on.

use super::{Jobs, locked, picture::Picture, refused};
use crate::problem::Problem;
use api::{ApiError, Code};
use grid::{Local, nats::NatsClient};
use jobs::{Checked, Client, Patience, SqliteStore, Transport, Until, Worker, WorkerOptions, drive};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// How often the picture of a search is painted.
const PAINT_EVERY: Duration = Duration::from_millis(300);
/// How long a job of a thread may stand still.
const LEASE: Duration = Duration::from_secs(600);
/// How long a job on another machine may stand still before the grid gives it to
/// another worker, and how often it does so.
const GRID_LEASE: Duration = Duration::from_secs(30);
const DELIVERIES: i64 = 8;

/// A search under way, or one that was.
pub(super) struct Running {
    pub(super) name: String,
    pub(super) stop: AtomicBool,
    pub(super) over: AtomicBool,
    pub(super) picture: Mutex<Picture>,
}

/// Who does the jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hands {
    /// So many threads of this server.
    Threads(usize),
    /// Workers on other machines.
    Grid,
}

fn free(current: Option<&Running>) -> Result<(), Problem> {
    match current.filter(|running| !running.over.load(Ordering::Relaxed)) {
        None => Ok(()),
        Some(other) => {
            let message = format!("the search {:?} is under way: stop it first", other.name);
            Err(Problem(ApiError::new(Code::Busy, message)))
        }
    }
}

impl Jobs {
    /// Who is to do the jobs, if that is possible.
    pub(crate) fn hands(&self, workers: Option<&str>, threads: Option<usize>) -> Result<Hands, Problem> {
        match workers {
            None | Some("threads") => {
                let threads = threads.unwrap_or(self.threads);
                if !(1..=self.threads).contains(&threads) {
                    let message = format!("expected 1 to {}", self.threads);
                    return Err(Problem(ApiError::field("threads", message)));
                }
                Ok(Hands::Threads(threads))
            }
            Some("grid") if self.nats.is_some() => Ok(Hands::Grid),
            Some("grid") => {
                Err(Problem::new(Code::Unavailable, "this server knows no grid: lambda6 serve --nats URL"))
            }
            Some(other) => {
                let message = format!("{other:?} are no workers: expected threads or grid");
                Err(Problem(ApiError::field("workers", message)))
            }
        }
    }

    /// Whether this server can begin with a search.
    pub(super) fn is_free(&self) -> Result<(), Problem> {
        free(locked(&self.current).as_deref())
    }

    fn transport(&self, hands: Hands, store: &SqliteStore) -> Result<Box<dyn Transport + Send>, Problem> {
        let nats = match (hands, &self.nats) {
            (Hands::Grid, Some(nats)) => nats,
            (Hands::Grid, None) => return Err(Problem::new(Code::Unavailable, "this server knows no grid")),
            (Hands::Threads(threads), _) => {
                let options = WorkerOptions { table_bytes: self.table_bytes, ..WorkerOptions::default() };
                let local = Local::start(threads, move || Worker::new(options));
                return Ok(Box::new(local.map_err(ApiError::internal)?));
            }
        };
        let (name, game) = (store.name().map_err(refused)?, store.settings().root.game());
        let grid = nats.grid.clone();
        let client =
            NatsClient::start(&nats.access, grid, name, self.build.clone(), game, GRID_LEASE, DELIVERIES);
        // The address may hold a password: those who may read the page need not see it.
        let client = client.map_err(|error| {
            tracing::warn!("the grid cannot be reached: {error}");
            Problem::new(Code::Busy, "the grid cannot be reached")
        })?;
        Ok(Box::new(client))
    }

    /// Goes on with a search.
    pub(crate) fn go(self: &Arc<Jobs>, name: &str, hands: Hands) -> Result<(), Problem> {
        let file = self.existing(name)?;
        self.is_free()?;
        let store = SqliteStore::open(&file).map_err(refused)?;
        let mut workers = self.transport(hands, &store)?;
        // The grid's leases come first.
        let lease = if hands == Hands::Grid { 20 * GRID_LEASE } else { LEASE };
        let mut client =
            Client::open(store, Checked, Patience { lease, ..Patience::default() }).map_err(refused)?;
        let running = Arc::new(Running {
            name: name.to_string(),
            stop: AtomicBool::new(false),
            over: AtomicBool::new(false),
            picture: Mutex::new(Picture::default()),
        });
        {
            // Connecting takes time: somebody else may have been quicker.
            let mut current = locked(&self.current);
            free(current.as_deref())?;
            *current = Some(Arc::clone(&running));
        }
        // There is something to see before the first job is done.
        let begin = Instant::now();
        locked(&running.picture).paint(client.search(), client.store(), "running", None);
        let watched = Arc::clone(&running);
        let body = move || {
            let mut painted: Option<Instant> = None;
            let mut look = |client: &Client<SqliteStore, Checked>, transport: &dyn Transport| {
                let solved = client.search().value().is_some();
                if !solved && painted.is_some_and(|painted| painted.elapsed() < PAINT_EVERY) {
                    return;
                }
                painted = Some(Instant::now());
                let mut picture = locked(&running.picture);
                picture.paint(client.search(), client.store(), "running", client.last_trouble());
                picture.at_work(transport.workers(), begin.elapsed());
            };
            // A search with nothing to do waits for orders.
            let until = Until { jobs: None, wait: true };
            let now = || begin.elapsed();
            let left = drive(&mut client, &mut *workers, until, &now, &running.stop, &mut look);
            let trouble = left.err().map(|error| error.to_string());
            drop(workers);
            {
                let last = client.last_trouble().map(str::to_string);
                let mut picture = locked(&running.picture);
                picture.paint(client.search(), client.store(), "stopped", None);
                picture.stopped(trouble.or(last));
            }
            drop(client);
            running.over.store(true, Ordering::Relaxed);
        };
        let started = thread::Builder::new().name("jobs".to_string()).spawn(body);
        started.map(drop).map_err(|error| {
            watched.over.store(true, Ordering::Relaxed);
            Problem(ApiError::internal(error))
        })
    }
}
