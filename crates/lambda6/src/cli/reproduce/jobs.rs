//! `lambda6 reproduce jobs`: compares the policies of job-level search on real jobs in
//! virtual time, as in the paper's figures 14 and 16.

use crate::{
    cli::{Exit, simulate::policies},
    efficiency::{self, EfficiencyJson},
    files, output, progress,
    table::Table,
};
use anyhow::{Context, Result, bail};
use lambda6_jobs::{
    PolicyName, Settings, Worker, WorkerOptions,
    simulate::{Efficiency, PolicyTimes, Recorded, Simulation, SimulationError, SimulationOptions},
};
use lambda6_player::Level;
use lambda6_rules::{Game, Position, Side};
use lambda6_search::Limits;
use serde::Serialize;
use std::{
    ffi::OsString,
    fmt::Display,
    fs,
    path::{Path, PathBuf},
};

const AFTER_HELP: &str = "\
Every job that a search needs is done once, and its proof is checked; the searches run in
virtual time, in which a job takes a millisecond for every move tried. The jobs are short and
their player is of the level `club`, so that positions of moderate difficulty take hundreds
of jobs. The jobs of the embedded positions are recorded in the program, so that only new
jobs are done. SET is a table with the columns `moves`, `attacker` (B or W) and optionally
`id`; --record keeps its jobs for the next run.

Examples:
  lambda6 reproduce jobs
  lambda6 reproduce jobs --workers 1,2,4,8,16,64 --policy fg,mf-ve --svg figures
  lambda6 reproduce jobs set.tsv --job-nodes 5000 --record set.jobs.zst --json";

/// Compare the policies of job-level search on real jobs
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Jobs {
    /// The positions
    #[arg(value_name = "SET")]
    set: Option<OsString>,

    /// Numbers of workers, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,4,8,16",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    workers: Vec<u32>,

    /// Policies, separated by commas, or all
    #[arg(long, value_name = "POLICY,...", value_delimiter = ',', default_value = "all")]
    policy: Vec<String>,

    /// Moves that a job may try
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    job_nodes: u64,

    /// Search one defence after the other, instead of listing all at once
    #[arg(long)]
    one_by_one: bool,

    /// Give up on a position after N events
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    events: u64,

    /// Take the first N positions only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Read recorded jobs from this file first, and write them and all new ones back
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Draw the figures into this directory
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Print one line of JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct JobsJson {
    positions: usize,
    asked: u64,
    rows: Vec<EfficiencyJson>,
}

/// The embedded positions.
const SET: &str = include_str!("../../../data/jobs_positions.tsv");
/// Their jobs.
const RECORD: &[u8] = include_bytes!("../../../data/jobs_record.tsv.zst");
/// The build of the record, on which answers depend.
const BUILD: &str = "record-1";

/// The jobs that are recorded in the program, as text.
pub(crate) fn record() -> Result<String> {
    unpacked(&"the record of the program", RECORD)
}

fn unpacked(name: &dyn Display, bytes: &[u8]) -> Result<String> {
    let text = zstd::decode_all(bytes).with_context(|| format!("{name}: cannot be read"))?;
    String::from_utf8(text).with_context(|| format!("{name}: is not UTF-8"))
}

impl Jobs {
    pub(crate) fn run(&self) -> Result<Exit> {
        let policies = policies(&self.policy)?;
        let positions = self.positions()?;
        output::directory(self.svg.as_ref())?;
        let mut program = Worker::new(WorkerOptions { table_bytes: 2 << 20, level: Level::Club });
        let recorded = Recorded::new(Game::CONNECT6, BUILD, &mut program);
        recorded.read(&record()?).context("the record of the program")?;
        if let Some(path) = self.record.as_ref().filter(|path| path.exists()) {
            let name = path.display();
            let bytes = fs::read(path).map_err(|error| files::unreadable(path, &error))?;
            recorded.read(&unpacked(&name, &bytes)?).with_context(|| name.to_string())?;
        }
        let measured = self.measure(&policies, &positions, &recorded);
        if let Some(path) = &self.record {
            write_record(path, &recorded)?;
        }
        let measured = measured?;
        if let Some(directory) = &self.svg {
            efficiency::draw(&measured, directory, "jobs")?;
        }
        if let Some(trouble) = recorded.trouble() {
            output::note(&format!("note: a job failed: {trouble}"));
        }
        let (positions, asked) = (positions.len(), recorded.asked());
        let document = JobsJson { positions, asked, rows: efficiency::rows(&measured) };
        output::either(self.json, "reproduce-jobs", document, || {
            format!("{positions} positions, {asked} new jobs done\n\n{}", efficiency::text(&measured))
        })?;
        Ok(Exit::Yes)
    }

    fn positions(&self) -> Result<Vec<(Position, Side)>> {
        let table = Table::of(self.set.as_ref(), "the positions that come with the program", SET)?;
        let mut positions = Vec::new();
        for row in table.rows().iter().take(self.limit.unwrap_or(usize::MAX)) {
            let position = table.position(row, Game::CONNECT6)?;
            let attacker = match table.cell(row, "attacker") {
                Some(side) => side.parse()?,
                None => position.to_move(),
            };
            positions.push((position, attacker));
        }
        if positions.is_empty() {
            bail!("there are no positions");
        }
        Ok(positions)
    }

    fn measure(
        &self,
        policies: &[PolicyName],
        positions: &[(Position, Side)],
        recorded: &Recorded<'_>,
    ) -> Result<Efficiency> {
        let workers: Vec<usize> = self.workers.iter().map(|&workers| workers as usize).collect();
        let mut all = Vec::new();
        let runs = policies.len() * workers.len() * positions.len();
        let bar = progress::bar(runs, "searches, {msg}, {eta} left");
        for &policy in policies {
            let mut times = PolicyTimes::new(policy, workers.len());
            for (at, &workers) in workers.iter().enumerate() {
                for (number, (position, attacker)) in positions.iter().enumerate() {
                    bar.set_message(format!("{policy} with {workers} workers"));
                    let settings = Settings {
                        policy,
                        limits: Limits { nodes: Some(self.job_nodes), ..Limits::default() },
                        verify: !self.one_by_one,
                        ..Settings::new(position.clone(), Some(*attacker), BUILD.to_string())?
                    };
                    let options = SimulationOptions {
                        workers,
                        latency: 1,
                        events: self.events,
                        ..SimulationOptions::default()
                    };
                    match Simulation::new(recorded, settings, options, 0).run() {
                        Ok(run) => times.add(at, &run),
                        Err(SimulationError::TooLong { millis, .. }) => {
                            times.add_unsolved(at, millis);
                        }
                        Err(trouble) => {
                            let position = number + 1;
                            bail!("position {position}, {policy}, {workers} workers: {trouble}");
                        }
                    }
                    bar.inc(1);
                }
            }
            all.push(times);
        }
        Ok(Efficiency { workers, times: all })
    }
}

fn write_record(path: &Path, recorded: &Recorded<'_>) -> Result<()> {
    let bytes = zstd::encode_all(recorded.text().as_bytes(), 19)
        .with_context(|| format!("{}: cannot be compressed", path.display()))?;
    output::file(path, &bytes, true)
}
