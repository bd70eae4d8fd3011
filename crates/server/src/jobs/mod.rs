//! Job-level searches: started, watched, steered and stopped from the page.
//!
//! A search lives in a file of the directory that [`Options`](crate::Options)
//! names. One at a time is worked on by threads of this server. A search that
//! another process works on (`lambda6 search start FILE --nats URL`, with workers
//! on other machines) is watched and steered in the same way: through its file.

pub(crate) mod docs;
mod picture;

use crate::problem::Problem;
use api::{ApiError, Code, Stones};
use docs::{JobsDoc, JobsList, NewJobs, SteerRequest};
use grid::Local;
use jobs::{
    Checked, Client, JobLimits, NodeId, OrderState, Patience, PolicyName, Settings, SqliteStore, Steer,
    Store, StoreError, Transport, Until, Worker, WorkerOptions, drive,
};
use picture::Picture;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

pub(crate) use docs::TreeNews;

/// The files of searches end in this.
const EXTENSION: &str = "l6";
/// How often the picture of a search is painted.
const PAINT_EVERY: Duration = Duration::from_millis(300);
/// How long a worker's job may stand still.
const LEASE: Duration = Duration::from_secs(600);
/// How long an order may take to be heard.
const PATIENCE: Duration = Duration::from_secs(20);

/// The searches of one directory.
pub(crate) struct Jobs {
    directory: PathBuf,
    threads: usize,
    table_bytes: usize,
    /// The name and version of the program: answers of another are not the same.
    build: String,
    /// The one that this server works on, or has worked on last.
    current: Mutex<Option<Arc<Running>>>,
}

/// A search under way.
struct Running {
    name: String,
    stop: AtomicBool,
    over: AtomicBool,
    picture: Mutex<Picture>,
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
    pub(crate) fn new(directory: PathBuf, threads: usize, table_bytes: usize, build: String) -> Jobs {
        Jobs { directory, threads: threads.max(1), table_bytes, build, current: Mutex::new(None) }
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

    pub(crate) fn list(&self) -> JobsList {
        let entries = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_string()))
            .filter(|name| self.file(name).is_ok())
            .collect();
        names.sort_unstable();
        JobsList { searches: names.iter().map(|name| self.doc(name)).collect(), threads: self.threads }
    }

    fn doc(&self, name: &str) -> JobsDoc {
        let path = self.directory.join(format!("{name}.{EXTENSION}"));
        let nothing = JobsDoc {
            name: name.to_string(),
            game: String::new(),
            start: Stones { black: vec![], white: vec![], to_move: "black".to_string() },
            attacker: String::new(),
            policy: String::new(),
            state: self.state(name, &path),
            trouble: None,
        };
        match SqliteStore::visit(&path) {
            Ok(store) => {
                let settings = store.settings();
                let spec = api::PositionSpec::of(&settings.root);
                JobsDoc {
                    game: settings.root.game().to_string(),
                    start: spec.start.unwrap_or(nothing.start.clone()),
                    attacker: settings.attacker.name().to_string(),
                    policy: settings.policy.to_string(),
                    ..nothing
                }
            }
            Err(error) => JobsDoc { trouble: Some(error.to_string()), ..nothing },
        }
    }

    fn state(&self, name: &str, path: &Path) -> String {
        let ours = self.running(name).is_some_and(|running| !running.over.load(Ordering::Relaxed));
        if ours {
            return "running".to_string();
        }
        // Whoever works on a search holds its lock.
        let state = match SqliteStore::open(path) {
            Err(StoreError::Locked { .. }) => "elsewhere",
            _ => "stopped",
        };
        state.to_string()
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
        let threads = request.threads.unwrap_or(self.threads);
        if !(1..=self.threads).contains(&threads) {
            return Err(Problem(ApiError::field("threads", format!("expected 1 to {}", self.threads))));
        }
        let nodes = request.job_nodes.unwrap_or(200_000).max(1);
        let settings = Settings {
            root,
            attacker,
            policy,
            limits: JobLimits { nodes: Some(nodes), millis: None },
            verify: false,
            method: search::Method::default(),
            build: self.build.clone(),
        };
        fs::create_dir_all(&self.directory).map_err(ApiError::internal)?;
        if file.exists() {
            return Err(Problem(ApiError::field("name", "there is a search of this name already")));
        }
        SqliteStore::create(&file, &settings).map_err(refused)?;
        self.go(&request.name, Some(threads))
    }

    /// Goes on with a search.
    pub(crate) fn go(self: &Arc<Jobs>, name: &str, threads: Option<usize>) -> Result<(), Problem> {
        let file = self.existing(name)?;
        let mut current = locked(&self.current);
        if let Some(other) = current.as_ref().filter(|running| !running.over.load(Ordering::Relaxed)) {
            let message = format!("the search {:?} is under way: stop it first", other.name);
            return Err(Problem(ApiError::new(Code::Busy, message)));
        }
        let store = SqliteStore::open(&file).map_err(refused)?;
        let patience = Patience { lease: LEASE, ..Patience::default() };
        let mut client = Client::open(store, Checked, patience).map_err(refused)?;
        let options = WorkerOptions { table_bytes: self.table_bytes, ..WorkerOptions::default() };
        let threads = threads.unwrap_or(self.threads).clamp(1, self.threads);
        let mut workers = Local::start(threads, move || Worker::new(options)).map_err(ApiError::internal)?;
        let running = Arc::new(Running {
            name: name.to_string(),
            stop: AtomicBool::new(false),
            over: AtomicBool::new(false),
            picture: Mutex::new(Picture::default()),
        });
        *current = Some(Arc::clone(&running));
        let body = move || {
            let begin = Instant::now();
            let mut painted: Option<Instant> = None;
            let mut look = |client: &Client<SqliteStore, Checked>, transport: &dyn Transport| {
                let solved = client.search().value().is_some();
                if !solved && painted.is_some_and(|painted| painted.elapsed() < PAINT_EVERY) {
                    return;
                }
                painted = Some(Instant::now());
                let trouble = client.last_trouble();
                let mut picture = locked(&running.picture);
                let (now, infos) = (begin.elapsed(), transport.workers());
                picture.paint(client.search(), client.store(), infos, now, "running", trouble);
            };
            // A search with nothing to do waits for orders.
            let until = Until { jobs: None, wait: true };
            let now = || begin.elapsed();
            let left = drive(&mut client, &mut workers, until, &now, &running.stop, &mut look);
            let trouble = left.err().map(|error| error.to_string());
            {
                let last = client.last_trouble().map(str::to_string);
                let mut picture = locked(&running.picture);
                picture.paint(client.search(), client.store(), Vec::new(), begin.elapsed(), "stopped", None);
                picture.stopped(trouble.or(last));
            }
            drop(workers);
            drop(client);
            running.over.store(true, Ordering::Relaxed);
        };
        thread::Builder::new().name("jobs".to_string()).spawn(body).map_err(ApiError::internal)?;
        Ok(())
    }

    /// Asks whoever works on a search to stop.
    pub(crate) fn stop(&self, name: &str) -> Result<(), Problem> {
        let file = self.existing(name)?;
        if let Some(running) = self.running(name) {
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
        if let Some(running) = self.running(name) {
            let news = locked(&running.picture).news(seen.version);
            return Ok(news.map(|(version, news)| {
                seen.version = version;
                news
            }));
        }
        // Read again while somebody may be writing.
        let state = self.state(name, &file);
        if state == "stopped" && seen.visited.as_ref().is_some_and(|(_, old)| *old == state) {
            return Ok(None);
        }
        let store = SqliteStore::visit(&file).map_err(refused)?;
        let search = store.load().map_err(refused)?;
        let (picture, last) = seen.visited.get_or_insert_with(|| (Picture::default(), String::new()));
        picture.paint(&search, &store, Vec::new(), Duration::ZERO, &state, None);
        last.clone_from(&state);
        let news = picture.news(seen.version);
        Ok(news.map(|(version, news)| {
            seen.version = version;
            news
        }))
    }

    /// One certificate for a solved search.
    pub(crate) fn certificate(&self, name: &str, stop: &AtomicBool) -> Result<Vec<u8>, ApiError> {
        let file = self.existing(name).map_err(|problem| problem.0)?;
        let store = SqliteStore::visit(&file).map_err(ApiError::internal)?;
        let search = store.load().map_err(ApiError::internal)?;
        let method = search.settings().method;
        let mut solver = None;
        let mut solve = |position: &rules::Position, side| {
            let options = search::SolverOptions { method, ..search::SolverOptions::default() };
            let solver = solver.get_or_insert_with(|| search::Solver::new(position.game(), options));
            let limits = search::Limits { nodes: Some(1_000_000), ..search::Limits::default() };
            let report =
                solver.solve(position, side, limits, &search::NoClock, stop, &mut search::Silent).ok()?;
            match report.verdict {
                search::Verdict::Win(win) => win.certificate.map(|found| found.replies().to_vec()),
                search::Verdict::Unknown(_) => None,
            }
        };
        let certificate = jobs::certify(search.tree(), &store, method, &mut solve)
            .map_err(|e| ApiError::new(Code::BadRequest, format!("no certificate: {e}")))?;
        let mut text = Vec::new();
        certificate.write(&mut text).map_err(ApiError::internal)?;
        Ok(text)
    }
}

/// What one client has seen of a search.
#[derive(Default)]
pub(crate) struct Seen {
    version: u64,
    visited: Option<(Picture, String)>,
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
