//! Job-level searches: started, watched, steered and stopped from the page.
//!
//! A search lives in a file of the directory that [`Options`](crate::Options)
//! names. One at a time is worked on by this server: its jobs are done by threads
//! of its own or, if it knows a grid, by workers on other machines. A search that
//! another process works on is watched and steered in the same way: through its
//! file.

mod certificate;
pub(crate) mod docs;
mod list;
mod picture;
mod run;

use crate::{Nats, problem::Problem};
use api::{ApiError, Code};
use docs::{NewJobs, SteerRequest, WorkerDoc};
use jobs::{JobLimits, NodeId, OrderState, PolicyName, Settings, SqliteStore, Steer, Store, StoreError};
use list::{Known, Stamp};
use picture::Picture;
use run::Running;
use std::{
    collections::HashMap,
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

pub(crate) use docs::TreeNews;

/// The files of searches end in this.
const EXTENSION: &str = "l6";
/// How long an order may take to be heard.
const PATIENCE: Duration = Duration::from_secs(20);

/// The searches of one directory.
pub(crate) struct Jobs {
    directory: PathBuf,
    threads: usize,
    table_bytes: usize,
    /// The name and version of the program: answers of another are not the same.
    build: String,
    /// The way to workers on other machines.
    nats: Option<Nats>,
    /// The one that this server works on, or has worked on last.
    current: Mutex<Option<Arc<Running>>>,
    /// What the files were found to hold, for as long as they do not change.
    known: Mutex<HashMap<String, (Stamp, Known)>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn refused(error: StoreError) -> Problem {
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
            known: Mutex::new(HashMap::new()),
        }
    }

    /// The file of a search. Names are checked, so that there is no way out of the
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

    /// The search of this name, if this server works on it or did so last.
    fn running(&self, name: &str) -> Option<Arc<Running>> {
        locked(&self.current).clone().filter(|running| running.name == name)
    }

    /// Makes the file of a new search and begins to work on it.
    pub(crate) fn create(self: &Arc<Jobs>, request: &NewJobs) -> Result<(), Problem> {
        let file = self.file(&request.name)?;
        let (root, _) = request.position.position()?;
        if root.outcome().is_some() {
            return Err(Problem(ApiError::field("position", "the game is over")));
        }
        if root.empty_count() == root.game().area() && root.game().p() != root.game().q() {
            return Err(Problem(ApiError::field("position", "the board is empty: play a first move")));
        }
        let attacker = match &request.attacker {
            Some(text) => text.parse().map_err(|e: rules::SideParseError| ApiError::field("attacker", e))?,
            None => root.to_move(),
        };
        let policy: PolicyName = match &request.policy {
            Some(text) => text.parse().map_err(|e| ApiError::field("policy", e))?,
            None => PolicyName::default(),
        };
        let hands = self.hands(request.workers.as_deref(), request.threads)?;
        let nodes = request.job_nodes.unwrap_or(200_000).max(1);
        let settings = Settings {
            root,
            attacker,
            policy,
            limits: JobLimits { nodes: Some(nodes), millis: None },
            verify: true,
            method: search::Method::default(),
            build: self.build.clone(),
        };
        fs::create_dir_all(&self.directory).map_err(ApiError::internal)?;
        if file.exists() {
            return Err(Problem(ApiError::field("name", "there is a search of this name already")));
        }
        self.is_free()?;
        SqliteStore::create(&file, &settings).map_err(refused)?;
        // One that cannot be begun leaves nothing behind.
        self.go(&request.name, hands).inspect_err(|_| {
            for end in ["", "-wal", "-shm", ".lock"] {
                let mut path = file.clone().into_os_string();
                path.push(end);
                let _ = fs::remove_file(path);
            }
        })
    }

    /// Asks whoever works on a search to stop.
    pub(crate) fn stop(&self, name: &str) -> Result<(), Problem> {
        let file = self.existing(name)?;
        let ours = self.running(name).filter(|running| !running.over.load(Ordering::Relaxed));
        if let Some(running) = ours {
            running.stop.store(true, Ordering::Relaxed);
        } else if self.state(name, &file) == "elsewhere" {
            SqliteStore::visit(&file).and_then(|store| store.leave_stop()).map_err(refused)?;
        }
        Ok(())
    }

    /// Stops what this server works on: it is about to end.
    pub(crate) fn stop_all(&self) {
        if let Some(running) = locked(&self.current).as_ref() {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Carries an order out, or has it carried out by whoever works on the search.
    pub(crate) fn steer(&self, name: &str, request: &SteerRequest) -> Result<(), Problem> {
        let file = self.existing(name)?;
        let store = SqliteStore::visit(&file).map_err(refused)?;
        let order = order_of(request, store.settings().root.game())?;
        match SqliteStore::open(&file) {
            Ok(mut store) => {
                let mut search = store.load().map_err(refused)?;
                search.steer(&order).map_err(|e| ApiError::field("order", e))?;
                store.commit(&search.take_changes()).map_err(refused)?;
                if matches!(order, Steer::Force(_) | Steer::Verify(_)) {
                    store.leave_order(&order).map_err(refused)?;
                }
                Ok(())
            }
            Err(StoreError::Locked { .. }) => {
                let id = store.leave_order(&order).map_err(refused)?;
                let begin = Instant::now();
                while begin.elapsed() < PATIENCE {
                    match store.order(id).map_err(refused)?.map(|order| order.state) {
                        Some(OrderState::Waiting) => thread::sleep(Duration::from_millis(20)),
                        Some(OrderState::Refused(why)) => return Err(Problem(ApiError::field("order", why))),
                        _ => return Ok(()),
                    }
                }
                Err(Problem::new(Code::Busy, "whoever works on the search does not answer"))
            }
            Err(error) => Err(refused(error)),
        }
    }

    /// What has changed since a client last looked. `seen` is what it saw: the
    /// picture's number, and for searches that others work on the state.
    pub(crate) fn news(&self, name: &str, seen: &mut Seen) -> Result<Option<TreeNews>, Problem> {
        let file = self.existing(name)?;
        let running = self.running(name);
        if let Some(running) = running.as_ref().filter(|running| !running.over.load(Ordering::Relaxed)) {
            seen.look_at(Arc::as_ptr(running) as usize);
            let news = locked(&running.picture).news(seen.version);
            return Ok(news.map(|(version, news)| {
                seen.version = version;
                news
            }));
        }
        seen.look_at(FILE);
        // Read again whenever somebody has written.
        let now = (Stamp::of(&file), self.state(name, &file));
        if seen.visited.as_ref().is_some_and(|(_, last)| *last == now) {
            return Ok(None);
        }
        let store = SqliteStore::visit(&file).map_err(refused)?;
        let search = store.load().map_err(refused)?;
        let (picture, last) = seen.visited.get_or_insert_with(|| (Picture::default(), now.clone()));
        let workers = match now.1.as_str() {
            "elsewhere" => store.done_by_worker().map_err(refused)?,
            _ => Vec::new(),
        };
        let trouble = running.and_then(|running| locked(&running.picture).trouble());
        picture.paint(&search, &store, &now.1, trouble.as_deref());
        picture.workers(workers.into_iter().map(WorkerDoc::elsewhere).collect());
        *last = now;
        let news = picture.news(seen.version);
        Ok(news.map(|(version, news)| {
            seen.version = version;
            news
        }))
    }
}

/// What one client has seen of a search.
#[derive(Default)]
pub(crate) struct Seen {
    /// Where: a search of this server's by its address, or the file.
    from: usize,
    version: u64,
    /// For the file: how it was when it was last read.
    visited: Option<(Picture, (Stamp, String))>,
}

/// No search of this server's has this address.
const FILE: usize = 1;

impl Seen {
    /// What is looked at in another place is seen anew.
    fn look_at(&mut self, from: usize) {
        if self.from != from {
            *self = Seen { from, ..Seen::default() };
        }
    }
}

fn order_of(request: &SteerRequest, game: rules::Game) -> Result<Steer, ApiError> {
    let node = NodeId(request.node);
    let mv = || {
        let text = request.r#move.as_deref().ok_or_else(|| ApiError::field("move", "a move is missing"))?;
        game.parse_move(text).map_err(|e| ApiError::field("move", e))
    };
    Ok(match request.order.as_str() {
        "suggest" => Steer::Suggest(node, mv()?),
        "forbid" => Steer::Forbid(node, mv()?),
        "allow" => Steer::Allow(node, mv()?),
        "force" => Steer::Force(node),
        "verify" => Steer::Verify(node),
        "pause" => Steer::Pause(node),
        "resume" => Steer::Resume(node),
        other => {
            let message = format!(
                "{other:?} is no order: expected suggest, forbid, allow, force, verify, pause or resume"
            );
            return Err(ApiError::field("order", message));
        }
    })
}
