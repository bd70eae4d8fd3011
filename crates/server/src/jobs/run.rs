//! Runs a search in this server.

use super::{Jobs, locked, store_problem, tree_view::TreeView};
use crate::{Nats, problem::Problem};
use lambda6_api::{ApiError, Code};
use lambda6_grid::{Session, SessionError, Workers};
use lambda6_jobs::{Checked, Client, SqliteStore, Transport, Until, WorkerOptions, drive};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// The time between two updates of the view of a search.
const UPDATE_EVERY: Duration = Duration::from_millis(300);

/// A search that runs in this server, or the last one that did.
pub(super) struct Running {
    pub(super) name: String,
    pub(super) stop: AtomicBool,
    pub(super) over: AtomicBool,
    pub(super) view: Mutex<TreeView>,
}

/// The workers that do the jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkerKind {
    /// This number of threads of the server.
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
    /// The workers that a request asks for.
    pub(crate) fn worker_kind(
        &self,
        workers: Option<&str>,
        threads: Option<usize>,
    ) -> Result<WorkerKind, Problem> {
        match workers {
            None | Some("threads") => {
                let threads = threads.unwrap_or(self.threads);
                if !(1..=self.threads).contains(&threads) {
                    let message = format!("expected 1 to {}", self.threads);
                    return Err(Problem(ApiError::field("threads", message)));
                }
                Ok(WorkerKind::Threads(threads))
            }
            Some("grid") if self.nats.is_some() => Ok(WorkerKind::Grid),
            Some("grid") => {
                Err(Problem::new(Code::Unavailable, "this server knows no grid: lambda6 serve --nats URL"))
            }
            Some(other) => {
                let message = format!("{other:?} are no workers: expected threads or grid");
                Err(Problem(ApiError::field("workers", message)))
            }
        }
    }

    /// Fails if this server works on a search.
    pub(super) fn is_free(&self) -> Result<(), Problem> {
        free(locked(&self.current).as_deref())
    }

    /// Opens a search with its workers.
    fn open(&self, store: SqliteStore, kind: WorkerKind) -> Result<Session, Problem> {
        let workers = match (kind, &self.nats) {
            (WorkerKind::Threads(count), _) => {
                let options = WorkerOptions { table_bytes: self.table_bytes, ..WorkerOptions::default() };
                Workers::Threads { count, options }
            }
            (WorkerKind::Grid, Some(Nats { access, grid })) => {
                let (access, grid) = (Box::new(access.clone()), grid.clone());
                Workers::Grid { access, grid, lease: Workers::LEASE }
            }
            (WorkerKind::Grid, None) => {
                return Err(Problem::new(Code::Unavailable, "this server knows no grid"));
            }
        };
        // A request is not kept waiting for a server that is not up.
        Session::open(store, workers, self.build.clone(), &mut |_| false).map_err(|error| match error {
            SessionError::Store(error) => store_problem(error),
            SessionError::Threads(error) => Problem(ApiError::internal(error)),
            // The address may hold a password, which the page must not show.
            SessionError::Grid(error) => {
                tracing::warn!("the grid cannot be reached: {error}");
                Problem::new(Code::Busy, "the grid cannot be reached")
            }
        })
    }

    /// Starts or resumes work on a search.
    pub(crate) fn go(self: &Arc<Jobs>, name: &str, kind: WorkerKind) -> Result<(), Problem> {
        let file = self.existing(name)?;
        self.is_free()?;
        let store = SqliteStore::open(&file).map_err(store_problem)?;
        let Session { mut client, transport: mut workers } = self.open(store, kind)?;
        let running = Arc::new(Running {
            name: name.to_string(),
            stop: AtomicBool::new(false),
            over: AtomicBool::new(false),
            view: Mutex::new(TreeView::default()),
        });
        {
            // Another request may have started a search while this one connected.
            let mut current = locked(&self.current);
            free(current.as_deref())?;
            *current = Some(Arc::clone(&running));
        }
        // The view exists before the first job is done.
        let begin = Instant::now();
        locked(&running.view).update(client.search(), client.store(), "running", None);
        let watched = Arc::clone(&running);
        let body = move || {
            let mut updated: Option<Instant> = None;
            let mut look = |client: &Client<SqliteStore, Checked>, transport: &dyn Transport| {
                let solved = client.search().value().is_some();
                if !solved && updated.is_some_and(|updated| updated.elapsed() < UPDATE_EVERY) {
                    return;
                }
                updated = Some(Instant::now());
                let mut view = locked(&running.view);
                view.update(client.search(), client.store(), "running", client.last_trouble());
                view.set_active(transport.workers(), begin.elapsed());
            };
            // A search without jobs waits for orders.
            let until = Until { jobs: None, wait: true };
            let now = || begin.elapsed();
            let left = drive(&mut client, &mut *workers, until, &now, &running.stop, &mut look);
            let trouble = left.err().map(|error| error.to_string());
            drop(workers);
            {
                let last = client.last_trouble().map(str::to_string);
                let mut view = locked(&running.view);
                view.update(client.search(), client.store(), "stopped", None);
                view.stopped(trouble.or(last));
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
