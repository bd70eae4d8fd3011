//! `lambda6 reproduce jobs`: the policies of job-level search on positions that
//! are solved for real, in virtual time, as in the paper's figures 14 and 16.

use crate::{
    cli::{Answer, simulate::policies},
    efficiency::{Efficiency, EfficiencyJson, Times},
    input::{Input, Origin},
    output,
    puzzles::table::Table,
};
use anyhow::{Context, Result, anyhow, bail};
use jobs::{
    JobLimits, PolicyName, Settings, Worker, WorkerOptions,
    simulate::{Recorded, Simulation, Trouble, WorldOptions},
};
use player::Level;
use rules::{Game, Position, Side};
use search::Method;
use serde::Serialize;
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

const AFTER_HELP: &str = "\
Every job that any of the searches asks for is done once, for real, and its proof is checked;
then the searches run in virtual time, in which a job takes a millisecond for every move that
it tried. The jobs are short and their player is of the level `club`, so that positions of a
moderate size take hundreds of jobs. The jobs of the positions that come with the program
are recorded in it, so that only what is new is done. SET is a table with the columns
`moves`, `attacker` (B or W) and, if wanted, `id`; --record keeps its jobs for the next time.

Examples:
  lambda6 reproduce jobs
  lambda6 reproduce jobs --workers 1,2,4,8,16,64 --policy fg,mf-ve --svg figures
  lambda6 reproduce jobs set.tsv --job-nodes 5000 --record set.jobs.zst --json";

/// The policies of job-level search, on positions that are solved for real
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Jobs {
    /// The positions
    #[arg(value_name = "SET")]
    set: Option<OsString>,

    /// Numbers of workers, with commas between
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,4,8,16",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    workers: Vec<u32>,

    /// Policies with commas between, or all
    #[arg(long, value_name = "POLICY,...", value_delimiter = ',', default_value = "all")]
    policy: Vec<String>,

    /// Moves that a job may try
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    job_nodes: u64,

    /// Ask for one defence after the other, not for all at once
    #[arg(long)]
    one_by_one: bool,

    /// Give up on a position after so many events
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    events: u64,

    /// Take the first N positions only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Read the jobs of this file first, and write them and all new ones back
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

/// The positions that come with the program.
const SET: &str = include_str!("../../../data/jobs_positions.tsv");
/// Their jobs.
const RECORD: &[u8] = include_bytes!("../../../data/jobs_record.tsv.zst");
/// What the answers of the record depend on.
const BUILD: &str = "record-1";

/// The jobs that are recorded in the program, as text.
pub(crate) fn record() -> Result<String> {
    let text = zstd::decode_all(RECORD).context("the record of the program: cannot be read")?;
    String::from_utf8(text).context("the record of the program: is not UTF-8")
}

impl Jobs {
    pub(crate) fn run(&self) -> Result<Answer> {
        let policies = policies(&self.policy)?;
        let positions = self.positions()?;
        if let Some(directory) = &self.svg {
            fs::create_dir_all(directory)
                .with_context(|| format!("{}: cannot be made", directory.display()))?;
        }
        let mut program = Worker::new(WorkerOptions { table_bytes: 2 << 20, level: Level::Club });
        let recorded = Recorded::new(Game::CONNECT6, BUILD, &mut program);
        let read = |name: &str, bytes: &[u8]| {
            let text = zstd::decode_all(bytes).with_context(|| format!("{name}: cannot be read"))?;
            let text = String::from_utf8(text).with_context(|| format!("{name}: is not UTF-8"))?;
            recorded.read(&text).map_err(|error| anyhow!("{name}: {error}"))
        };
        recorded.read(&record()?).map_err(|error| anyhow!("the record of the program: {error}"))?;
        if let Some(path) = self.record.as_ref().filter(|path| path.exists()) {
            let bytes = fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
            read(&path.display().to_string(), &bytes)?;
        }
        let efficiency = self.measure(&policies, &positions, &recorded);
        if let Some(path) = &self.record {
            write_record(path, &recorded)?;
        }
        let efficiency = efficiency?;
        if let Some(directory) = &self.svg {
            efficiency.draw(directory, "jobs")?;
        }
        if let Some(trouble) = recorded.trouble() {
            output::note(&format!("note: a job failed: {trouble}"));
        }
        if self.json {
            let rows = efficiency.rows();
            output::json(
                "reproduce-jobs",
                JobsJson { positions: positions.len(), asked: recorded.asked(), rows },
            )?;
        } else {
            let head = format!("{} positions, {} new jobs done\n\n", positions.len(), recorded.asked());
            output::text(&(head + &efficiency.text()))?;
        }
        Ok(Answer::Yes)
    }

    fn positions(&self) -> Result<Vec<(Position, Side)>> {
        let input = match &self.set {
            Some(set) => Input::from_argument(set)?,
            None => Input {
                name: "the positions that come with the program".to_string(),
                bytes: SET.as_bytes().to_vec(),
                origin: Origin::File,
            },
        };
        let table = Table::read(input)?;
        let mut positions = Vec::new();
        for row in table.rows().iter().take(self.limit.unwrap_or(usize::MAX)) {
            let line = table.line(row, Game::CONNECT6)?;
            let position = line.position(line.moves.len())?;
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
        for &policy in policies {
            let mut times = Times::new(policy, workers.len());
            for (at, &workers) in workers.iter().enumerate() {
                for (number, (position, attacker)) in positions.iter().enumerate() {
                    let settings = Settings {
                        root: position.clone(),
                        attacker: *attacker,
                        policy,
                        limits: JobLimits { nodes: Some(self.job_nodes), millis: None },
                        verify: !self.one_by_one,
                        method: Method::Mutual,
                        build: BUILD.to_string(),
                    };
                    let options =
                        WorldOptions { workers, latency: 1, events: self.events, ..WorldOptions::default() };
                    match Simulation::new(recorded, settings, options, 0).run() {
                        Ok(run) => {
                            times.millis[at].push(run.millis);
                            times.done[at] += run.done;
                            times.aborted[at] += run.aborted;
                        }
                        Err(Trouble::TooLong { millis, .. }) => {
                            times.millis[at].push(millis);
                            times.unsolved[at] += 1;
                        }
                        Err(trouble) => {
                            let position = number + 1;
                            bail!("position {position}, {policy}, {workers} workers: {trouble}");
                        }
                    }
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
