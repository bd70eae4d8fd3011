//! `lambda6 search start`: starts or resumes a search.

use super::status::{Picture, worker_line};
use crate::{
    cli::Exit,
    interrupt,
    nats_args::NatsArgs,
    output,
    position_arg::{PositionArgs, position_help},
    search_args::{parse_mib, parse_seconds},
    version,
};
use anyhow::{Result, bail};
use lambda6_grid::{Session, Workers, nats::GridError};
use lambda6_jobs::{
    Checked, Client, Left, PolicyName, Settings, SqliteStore, Transport, Until, WorkerOptions, drive,
};
use lambda6_rules::{Game, Side};
use lambda6_search::Limits;
use std::{
    ffi::OsString,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

const AFTER_HELP: &str = concat!(
    position_help!(),
    "
With a POSITION a new search starts, and FILE must not exist; without one the search in FILE
is resumed. Jobs are done by threads of this process or, with --nats, by workers
(`lambda6 worker`) on any number of machines. A job finds the best move of a position other
than the known ones, proves a win, or proves that all other moves lose; every proof is checked
before it is used. Ctrl-C stops; all results are in FILE.
Exit code 0: the attacker's win is proved. 1: it is not, or not yet. 2: an error.

Examples:
  lambda6 search start opening.l6 'j10 k10k11' --attacker black
  lambda6 search start opening.l6 --threads 4
  lambda6 search start opening.l6 --nats nats://server:4222
  lambda6 search start opening.l6 TX-H9 --attacker black --policy fg --job-nodes 1000000 --json"
);

/// Start a search, or resume one
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Start {
    /// The search's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The position of a new search
    #[arg(value_name = "POSITION")]
    position: Option<OsString>,

    /// The game, if the position does not name it
    #[arg(long, value_name = "GAME", requires = "position")]
    game: Option<Game>,

    /// The side whose win is to be proved: black or white; the side to move if not given
    #[arg(long, value_name = "SIDE", requires = "position")]
    attacker: Option<Side>,

    /// The policy that chooses nodes: native, vw, vl, gd, fg, mf, fg-ve or mf-ve
    #[arg(long, value_name = "POLICY", default_value_t, requires = "position")]
    policy: PolicyName,

    /// Moves that a job may try: more make fewer, longer jobs
    #[arg(long, value_name = "N", default_value_t = 200_000, requires = "position",
          value_parser = clap::value_parser!(u64).range(1..))]
    job_nodes: u64,

    /// Search one defence after the other, instead of listing all at once
    #[arg(long, requires = "position")]
    one_by_one: bool,

    /// Threads that do jobs; the number of cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Memory for the tables of each thread, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = parse_mib())]
    memory: u64,

    /// Let workers of this NATS server do the jobs
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    nats: Option<String>,

    #[command(flatten)]
    access: NatsArgs,

    /// With --nats: give a job to another worker after this time without progress
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "30")]
    lease: Duration,

    /// Stop after N jobs
    #[arg(long, value_name = "N")]
    jobs: Option<u64>,

    /// Wait for orders when nothing is left to search
    #[arg(long)]
    wait: bool,

    /// Print no progress
    #[arg(long, short)]
    quiet: bool,

    /// Print one line of JSON at the end instead of text
    #[arg(long)]
    json: bool,
}

/// How often progress is shown.
const SHOW_EVERY: Duration = Duration::from_secs(2);

impl Start {
    pub(crate) fn run(&self) -> Result<Exit> {
        self.create()?;
        let stop = interrupt::stop_flag()?;
        let store = SqliteStore::open(&self.file)?;
        let build = store.settings().build.clone();
        if build != version::build() {
            output::note(&format!(
                "note: the search was begun by lambda6 {build}, this is {}; its answers count for both",
                version::build()
            ));
        }
        let Session { mut client, mut transport } = self.open(store, &stop)?;
        let begin = Instant::now();
        let mut shown: Option<Instant> = None;
        let quiet = self.quiet;
        let mut look = |client: &Client<SqliteStore, Checked>, transport: &dyn Transport| {
            if quiet || shown.is_some_and(|shown| shown.elapsed() < SHOW_EVERY) {
                return;
            }
            shown = Some(Instant::now());
            if let Ok(picture) = Picture::of(client.search(), client.store()) {
                let workers = transport.workers();
                output::note(&picture.line(Some(workers.len())));
                for worker in workers.iter().filter(|worker| worker.trouble.is_some()) {
                    output::note(&worker_line(worker));
                }
            }
        };
        let until = Until { jobs: self.jobs, wait: self.wait };
        let now = || begin.elapsed();
        let left = drive(&mut client, &mut *transport, until, &now, &stop, &mut look)?;
        drop(transport);
        let picture = Picture::of(client.search(), client.store())?;
        if self.json {
            output::json("search-start", picture.json())?;
        } else {
            let text = match left {
                Left::Solved => "solved",
                Left::Stopped => "stopped; `lambda6 search start` without a position resumes it",
                Left::Stuck => "nothing is left to search (the rest is paused, forbidden or set aside)",
                Left::Enough => "stopped after the number of jobs given",
            };
            output::text(&format!("{text}\n{}", picture.text(client.search())))?;
        }
        if let Some(trouble) = client.last_trouble().filter(|_| !quiet) {
            output::note(&format!("last trouble: {trouble}"));
        }
        Ok(if picture.attacker_wins() { Exit::Yes } else { Exit::No })
    }

    fn create(&self) -> Result<()> {
        let Some(position) = &self.position else { return Ok(()) };
        if self.file.exists() {
            bail!("{}: exists already; leave the position out to resume it", self.file.display());
        }
        let root = PositionArgs::of(position.clone(), self.game).load()?.position;
        let settings = Settings {
            policy: self.policy,
            limits: Limits { nodes: Some(self.job_nodes), ..Limits::default() },
            verify: !self.one_by_one,
            ..Settings::new(root, self.attacker, version::build())?
        };
        Ok(SqliteStore::create(&self.file, &settings)?)
    }

    fn open(&self, store: SqliteStore, stop: &AtomicBool) -> Result<Session> {
        let workers = match &self.nats {
            Some(url) => Workers::Grid {
                access: Box::new(self.access.access(url)?),
                grid: self.access.grid(),
                lease: self.lease,
            },
            None => {
                let cores = || thread::available_parallelism().map_or(1, usize::from);
                let table_bytes = (self.memory << 20) as usize;
                Workers::Threads {
                    count: self.threads.map_or_else(cores, usize::from),
                    options: WorkerOptions { table_bytes, ..WorkerOptions::default() },
                }
            }
        };
        let mut noted = false;
        let mut waiting = |error: &GridError| {
            if !std::mem::replace(&mut noted, true) {
                output::note(&format!("waiting for the server: {error}"));
            }
            !stop.load(Ordering::Relaxed)
        };
        Ok(Session::open(store, workers, version::build(), &mut waiting)?)
    }
}
