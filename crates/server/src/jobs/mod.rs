//! Job-level searches: started, watched, steered and stopped from the page.
//!
//! A search is a file in the directory that [`Options`](crate::Options) names. The
//! server works on one at a time: its jobs are done by threads of the server or, if
//! it is connected to a grid, by workers on other machines. A search that another
//! process works on is watched and steered through its file.

mod certificate;
pub(crate) mod documents;
mod list;
mod run;
mod tree_view;

use crate::{Nats, problem::Problem};
use documents::{NewJobs, SteerRequest, WorkerDoc};
use lambda6_api::{ApiError, Code};
use lambda6_jobs::{
    NodeId, OrderError, PolicyName, Settings, SqliteStore, Steer, SteerParseError, Store, StoreError,
};
use lambda6_rules::{Game, SideParseError};
use lambda6_search::Limits;
use list::{FileSummary, Stamp};
use run::Running;
use std::{
    collections::HashMap,
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
    time::Duration,
};
use tree_view::TreeView;

pub(crate) use documents::TreeNews;

/// The extension of the files of searches.
const EXTENSION: &str = "l6";
/// The time for another process to carry out an order.
const ORDER_TIME: Duration = Duration::from_secs(20);

/// The searches of one directory.
pub(crate) struct Jobs {
    directory: PathBuf,
    threads: usize,
    table_bytes: usize,
    /// The name and version of the program, which jobs are done with.
    build: String,
    /// Access to workers on other machines.
    nats: Option<Nats>,
    /// The search that this server works on, or worked on last.
    current: Mutex<Option<Arc<Running>>>,
    /// What the files hold, as long as they do not change.
    summaries: Mutex<HashMap<String, (Stamp, FileSummary)>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn store_problem(error: StoreError) -> Problem {
    let code = match error {
        StoreError::Locked { .. } => Code::Busy,
        _ => Code::Internal,
    };
    Problem(ApiError::new(code, error.to_string()))
}

impl Jobs {
    pub(crate) fn new(directory: PathBuf, options: &crate::Options) -> Jobs {
        Jobs {
            directory,
            threads: options.searches.max(1),
            table_bytes: options.ceiling.memory.min(64 << 20),
            build: options.build.clone(),
            nats: options.nats.clone(),
            current: Mutex::new(None),
            summaries: Mutex::new(HashMap::new()),
        }
    }

    /// The file of a search. The name is checked, so that no path leads out of the
    /// directory.
    fn file(&self, name: &str) -> Result<PathBuf, Problem> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if name.is_empty() || name.len() > 60 || !name.bytes().all(plain) {
            return Err(Problem(ApiError::field(
                "name",
                "expected small letters, digits and hyphens, 60 at most",
            )));
        }
        Ok(self.directory.join(format!("{name}.{EXTENSION}")))
    }

    fn existing(&self, name: &str) -> Result<PathBuf, Problem> {
        let file = self.file(name)?;
        if file.is_file() {
            Ok(file)
        } else {
            Err(Problem::new(Code::NotFound, "there is no search of this name"))
        }
    }

    /// The search of this name, if this server works on it or worked on it last.
    fn running(&self, name: &str) -> Option<Arc<Running>> {
        locked(&self.current).clone().filter(|running| running.name == name)
    }

    /// Creates the file of a new search and starts work on it.
    pub(crate) fn create(self: &Arc<Jobs>, request: &NewJobs) -> Result<(), Problem> {
        let file = self.file(&request.name)?;
        let (root, _) = request.position.position()?;
        let attacker = match &request.attacker {
            Some(text) => Some(text.parse().map_err(|e: SideParseError| ApiError::field("attacker", e))?),
            None => None,
        };
        let policy: PolicyName = match &request.policy {
            Some(text) => text.parse().map_err(|e| ApiError::field("policy", e))?,
            None => PolicyName::default(),
        };
        let workers = self.worker_kind(request.workers.as_deref(), request.threads)?;
        let nodes = request.job_nodes.unwrap_or(200_000).max(1);
        let settings =
            Settings::new(root, attacker, self.build.clone()).map_err(|e| ApiError::field("position", e))?;
        let settings =
            Settings { policy, limits: Limits { nodes: Some(nodes), ..Limits::default() }, ..settings };
        fs::create_dir_all(&self.directory).map_err(ApiError::internal)?;
        if file.exists() {
            return Err(Problem(ApiError::field("name", "there is a search of this name already")));
        }
        self.is_free()?;
        SqliteStore::create(&file, &settings).map_err(store_problem)?;
        // A search that cannot be started leaves no file behind.
        self.go(&request.name, workers).inspect_err(|_| {
            for end in ["", "-wal", "-shm", ".lock"] {
                let mut path = file.clone().into_os_string();
                path.push(end);
                let _ = fs::remove_file(path);
            }
        })
    }

    /// Stops work on a search, in this process or another.
    pub(crate) fn stop(&self, name: &str) -> Result<(), Problem> {
        let file = self.existing(name)?;
        let ours = self.running(name).filter(|running| !running.over.load(Ordering::Relaxed));
        if let Some(running) = ours {
            running.stop.store(true, Ordering::Relaxed);
        } else if self.state(name, &file) == "elsewhere" {
            SqliteStore::visit(&file).and_then(|store| store.leave_stop()).map_err(store_problem)?;
        }
        Ok(())
    }

    /// Stops the search of this server, which is about to end.
    pub(crate) fn stop_all(&self) {
        if let Some(running) = locked(&self.current).as_ref() {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Carries out an order, or leaves it to the process that works on the search.
    pub(crate) fn steer(&self, name: &str, request: &SteerRequest) -> Result<(), Problem> {
        let file = self.existing(name)?;
        let game = SqliteStore::visit(&file).map_err(store_problem)?.settings().root.game();
        let order = order_of(request, game)?;
        SqliteStore::give_order(&file, &order, ORDER_TIME).map_err(|error| match error {
            OrderError::Store(error) => store_problem(error),
            OrderError::Steer(error) => Problem(ApiError::field("order", error)),
            OrderError::Refused(why) => Problem(ApiError::field("order", why)),
            OrderError::NoAnswer { .. } => {
                Problem::new(Code::Busy, "the process that works on the search does not answer")
            }
        })
    }

    /// What has changed since a client last looked, which `seen` records.
    pub(crate) fn news(&self, name: &str, seen: &mut Seen) -> Result<Option<TreeNews>, Problem> {
        let file = self.existing(name)?;
        let running = self.running(name);
        if let Some(running) = running.as_ref().filter(|running| !running.over.load(Ordering::Relaxed)) {
            seen.look_at(Arc::as_ptr(running) as usize);
            let news = locked(&running.view).news(seen.version);
            return Ok(news.map(|(version, news)| {
                seen.version = version;
                news
            }));
        }
        seen.look_at(FILE);
        // The file is read again when it has changed.
        let now = (Stamp::of(&file), self.state(name, &file));
        if seen.visited.as_ref().is_some_and(|(_, last)| *last == now) {
            return Ok(None);
        }
        let store = SqliteStore::visit(&file).map_err(store_problem)?;
        let search = store.load().map_err(store_problem)?;
        let (view, last) = seen.visited.get_or_insert_with(|| (TreeView::default(), now.clone()));
        let workers = match now.1.as_str() {
            "elsewhere" => store.done_by_worker().map_err(store_problem)?,
            _ => Vec::new(),
        };
        let trouble = running.and_then(|running| locked(&running.view).trouble());
        view.update(&search, &store, &now.1, trouble.as_deref());
        view.set_workers(workers.into_iter().map(WorkerDoc::elsewhere).collect());
        *last = now;
        let news = view.news(seen.version);
        Ok(news.map(|(version, news)| {
            seen.version = version;
            news
        }))
    }
}

/// The state of a search at the last look of a client.
#[derive(Default)]
pub(crate) struct Seen {
    /// The source: a search of this server by its address, or [`FILE`].
    from: usize,
    version: u64,
    /// For the file: its view, stamp and state when it was last read.
    visited: Option<(TreeView, (Stamp, String))>,
}

/// The source of a search that this server does not work on. No object has this
/// address.
const FILE: usize = 1;

impl Seen {
    /// Starts over when the source is another.
    fn look_at(&mut self, from: usize) {
        if self.from != from {
            *self = Seen { from, ..Seen::default() };
        }
    }
}

fn order_of(request: &SteerRequest, game: Game) -> Result<Steer, ApiError> {
    let mv = request.r#move.as_deref().map(|text| game.parse_move(text)).transpose();
    let mv = mv.map_err(|e| ApiError::field("move", e))?;
    Steer::new(&request.order, NodeId(request.node), mv).map_err(|error| {
        let field = if matches!(error, SteerParseError::Unknown(_)) { "order" } else { "move" };
        ApiError::field(field, error)
    })
}
