//! `lambda6 simulate`: job-level search in virtual time.

use super::{Answer, reproduce::record};
use crate::{
    efficiency::{Efficiency, EfficiencyJson, Times},
    output,
};
use anyhow::{Context, Result, anyhow, bail};
use jobs::{
    JobLimits, PolicyName, Settings,
    simulate::{Faults, JobTimes, Shape, Simulation, Synthetic, WorldOptions, recorded_times},
};
use rules::{Game, Side};
use search::Method;
use serde::Serialize;
use std::{fs, path::PathBuf};

const AFTER_HELP: &str = "\
The client that works for real is run with a clock, workers and messages that exist only
as numbers, on game trees drawn from seeds; how long a job takes is drawn from recorded
jobs, stretched to the paper's mean of 37.45 s. The same seed gives the same run. --faults adds crashes, hangs, lies, slow workers, lost,
doubled and late messages and restarts of the client, and checks after every event that
everything is as it must be. Exit code 1: a run with faults went wrong; the seed is told.

Examples:
  lambda6 simulate
  lambda6 simulate --workers 1,2,4,8,16,64,256,1024 --policy all --svg figures
  lambda6 simulate --faults --first 17 --games 1 --json";

/// Simulate a search with many workers
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Simulate {
    /// Numbers of workers, with commas between
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,4,8,16",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    workers: Vec<u32>,

    /// Policies with commas between, or all
    #[arg(long, value_name = "POLICY,...", value_delimiter = ',', default_value = "all")]
    policy: Vec<String>,

    /// How many games
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u64,

    /// The seed of the first game
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    first: u64,

    /// How long a message takes, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 5)]
    latency: u64,

    /// Let everything go wrong, and check that nothing comes of it
    #[arg(long)]
    faults: bool,

    /// Draw the figures into this directory
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Print one line of JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct SimulateJson {
    games: u64,
    first: u64,
    rows: Vec<EfficiencyJson>,
    trouble: Option<String>,
}

/// Reads the names of policies; `all` is all of them.
pub(crate) fn policies(names: &[String]) -> Result<Vec<PolicyName>> {
    if names.iter().any(|name| name == "all") {
        return Ok(PolicyName::ALL.to_vec());
    }
    Ok(names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?)
}

/// The paper's mean, in milliseconds.
const MEAN: u64 = 37_450;

/// How long jobs take: as those recorded with the program do, but longer.
fn job_times() -> Result<JobTimes> {
    let times = recorded_times(Game::CONNECT6, &record()?).map_err(|error| anyhow!("the record: {error}"))?;
    let none = times.searched.is_empty() || times.proved.is_empty();
    Ok(if none { JobTimes::default() } else { times.with_mean(MEAN) })
}

impl Simulate {
    pub(crate) fn run(&self) -> Result<Answer> {
        let policies = policies(&self.policy)?;
        if let Some(directory) = &self.svg {
            fs::create_dir_all(directory)
                .with_context(|| format!("{}: cannot be made", directory.display()))?;
        }
        let workers: Vec<usize> = self.workers.iter().map(|&workers| workers as usize).collect();
        let mut times: Vec<Times> =
            policies.iter().map(|&policy| Times::new(policy, workers.len())).collect();
        let mut trouble = None;
        let job_times = job_times()?;
        let end = self.first.checked_add(self.games).context("--first and --games: too large together")?;
        'games: for seed in self.first..end {
            let shape = if self.faults { Shape::SMALL } else { Shape::LARGE };
            let game = Synthetic::new(seed, shape).with_times(job_times.clone());
            for times in &mut times {
                for (at, &workers) in workers.iter().enumerate() {
                    match self.simulate(&game, times.policy, workers, seed) {
                        Ok(run) => {
                            times.millis[at].push(run.millis);
                            times.done[at] += run.done;
                            times.aborted[at] += run.aborted;
                        }
                        Err(error) => {
                            let policy = times.policy;
                            trouble = Some(format!("seed {seed}, {policy}, {workers} workers: {error:#}"));
                            break 'games;
                        }
                    }
                }
            }
        }
        let efficiency = Efficiency { workers, times };
        if let (Some(directory), None) = (&self.svg, &trouble) {
            efficiency.draw(directory, "simulate")?;
        }
        let answer = if trouble.is_none() { Answer::Yes } else { Answer::No };
        if self.json {
            let rows = if trouble.is_none() { efficiency.rows() } else { Vec::new() };
            output::json("simulate", SimulateJson { games: self.games, first: self.first, rows, trouble })?;
        } else if let Some(trouble) = trouble {
            output::text(&format!("{trouble}\n"))?;
        } else {
            let games = format!("{} games from seed {} on\n\n", self.games, self.first);
            output::text(&(games + &efficiency.text()))?;
        }
        Ok(answer)
    }

    fn simulate(
        &self,
        game: &Synthetic,
        policy: PolicyName,
        workers: usize,
        seed: u64,
    ) -> Result<jobs::simulate::Run> {
        let winner = game.winner(&game.root());
        let settings = Settings {
            root: game.root(),
            // What is searched for is there.
            attacker: if self.faults { Side::Black } else { winner },
            policy,
            limits: JobLimits::default(),
            verify: false,
            method: Method::Mutual,
            build: "simulation".to_string(),
        };
        let faults = if self.faults { Faults::ALL } else { Faults::default() };
        let options = WorldOptions {
            workers,
            faults,
            latency: self.latency,
            check: self.faults,
            ..WorldOptions::default()
        };
        let run = Simulation::new(game, settings, options, seed).run()?;
        if run.value != jobs::Value::Win(winner) {
            bail!("the result is {:?}, but {winner} wins", run.value);
        }
        Ok(run)
    }
}
