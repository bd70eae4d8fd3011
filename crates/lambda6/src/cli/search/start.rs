//! `lambda6 search start`: begins a search or goes on with one.

use super::status::{Picture, worker_line};
use crate::{
    cli::Answer,
    interrupt,
    nats_args::NatsArgs,
    output,
    position_arg::{PositionArgs, position_help},
    search_args::{MAX_MEMORY_MIB, parse_seconds},
    version,
};
use anyhow::{Result, bail};
use grid::{Local, nats::NatsClient};
use jobs::{
    Checked, Client, JobLimits, Left, Patience, PolicyName, Settings, SqliteStore, Transport, Until, Worker,
    WorkerOptions, drive,
};
use rules::{Game, Side};
use std::{
    ffi::OsString,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

const AFTER_HELP: &str = concat!(
    position_help!(),
    "
With a POSITION a new search begins, and FILE must not exist; without one the search
in FILE goes on. Jobs are done by threads of this process or, with --nats, by workers
(`lambda6 worker`) on any number of machines. A job finds the best move of a position
but for those that are known, proves a win, or proves that all other moves lose; every
proof is checked before it is believed. Ctrl-C stops; everything that was found is safe.
Exit code 0: the attacker's win is proved. 1: it is not, or not yet. 2: an error.

Examples:
  lambda6 search start opening.l6 'j10 k10k11' --attacker black
  lambda6 search start opening.l6 --threads 4
  lambda6 search start opening.l6 --nats nats://server:4222
  lambda6 search start opening.l6 TX-H9 --attacker black --policy fg --job-nodes 1000000 --json"
);

/// Begin a search, or go on with one
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Start {
    /// The search's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The position of a new search
    #[arg(value_name = "POSITION")]
    position: Option<OsString>,

    /// The game, where the position does not say it
    #[arg(long, value_name = "GAME", requires = "position")]
    game: Option<Game>,

    /// Whose win is to be proved: black or white; the side to move if not given
    #[arg(long, value_name = "SIDE", requires = "position")]
    attacker: Option<Side>,

    /// How nodes are chosen while jobs are under way: native, vw, vl, gd, fg, mf,
    /// fg-ve or mf-ve
    #[arg(long, value_name = "POLICY", default_value_t, requires = "position")]
    policy: PolicyName,

    /// Moves that a job may try: more make fewer, longer jobs
    #[arg(long, value_name = "N", default_value_t = 200_000, requires = "position",
          value_parser = clap::value_parser!(u64).range(1..))]
    job_nodes: u64,

    /// Ask for one defence after the other, not for all at once
    #[arg(long, requires = "position")]
    one_by_one: bool,

    /// Threads that do jobs; as many as the machine has cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Memory for the tables of each thread, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MEMORY_MIB))]
    memory: u64,

    /// Have the jobs done over this NATS server instead
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    nats: Option<String>,

    #[command(flatten)]
    access: NatsArgs,

    /// With --nats: give a job to another worker when it stands still so long
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "30")]
    lease: Duration,

    /// Stop after N jobs
    #[arg(long, value_name = "N")]
    jobs: Option<u64>,

    /// Wait for orders when nothing is left to do
    #[arg(long)]
    wait: bool,

    /// Say nothing on the way
    #[arg(long, short)]
    quiet: bool,

    /// Print one line of JSON in the end instead of text
    #[arg(long)]
    json: bool,
}

/// How often progress is shown.
const SHOW_EVERY: Duration = Duration::from_secs(2);
/// A job is delivered so often before it is given up.
const DELIVERIES: i64 = 8;

impl Start {
    pub(crate) fn run(&self) -> Result<Answer> {
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
        // The server's leases come first; the client's own are for what the
        // server cannot see, such as a lost queue.
        let lease = if self.nats.is_some() { 20 * self.lease } else { Duration::from_secs(600) };
        let mut client = Client::open(store, Checked, Patience { lease, ..Patience::default() })?;
        let mut transport = self.transport(&client)?;
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
                Left::Stopped => "stopped; `lambda6 search start` without a position goes on",
                Left::Stuck => "nothing is left to be done (see what is paused, forbidden or set aside)",
                Left::Enough => "stopped after as many jobs as were asked for",
            };
            output::text(&format!("{text}\n{}", picture.text(client.search())))?;
        }
        if let Some(trouble) = client.last_trouble().filter(|_| !quiet) {
            output::note(&format!("last trouble: {trouble}"));
        }
        Ok(if picture.attacker_wins() { Answer::Yes } else { Answer::No })
    }

    fn create(&self) -> Result<()> {
        let Some(position) = &self.position else { return Ok(()) };
        if self.file.exists() {
            bail!("{}: exists already; leave the position out to go on with it", self.file.display());
        }
        let root = PositionArgs::of(position.clone(), self.game).load()?.position;
        if root.empty_count() == root.game().area() && root.game().p() != root.game().q() {
            bail!("the board is empty: play a first move");
        }
        let settings = Settings {
            attacker: self.attacker.unwrap_or(root.to_move()),
            root,
            policy: self.policy,
            limits: JobLimits { nodes: Some(self.job_nodes), millis: None },
            verify: !self.one_by_one,
            method: search::Method::default(),
            build: version::build(),
        };
        Ok(SqliteStore::create(&self.file, &settings)?)
    }

    fn transport(&self, client: &Client<SqliteStore, Checked>) -> Result<Box<dyn Transport>> {
        if let Some(url) = &self.nats {
            let settings = client.search().settings();
            let access = self.access.access(url)?;
            return Ok(Box::new(NatsClient::start(
                &access,
                self.access.grid(),
                client.store().name()?,
                version::build(),
                settings.root.game(),
                self.lease,
                DELIVERIES,
            )?));
        }
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or_else(cores, usize::from);
        let options = WorkerOptions { table_bytes: (self.memory << 20) as usize, ..WorkerOptions::default() };
        Ok(Box::new(Local::start(threads, move || Worker::new(options))?))
    }
}
