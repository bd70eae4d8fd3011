//! `lambda6 simulate`: job-level search in virtual time.

use super::{Exit, reproduce::record};
use crate::{
    efficiency::{self, EfficiencyJson},
    output, progress,
};
use anyhow::{Context, Result, bail};
use lambda6_jobs::{
    PolicyName, Settings,
    simulate::{
        Efficiency, Faults, JobTimes, PolicyTimes, Simulation, SimulationOptions, Synthetic, TreeShape,
        recorded_times,
    },
};
use lambda6_rules::{Game, Side};
use serde::Serialize;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
The client of real searches is run with a simulated clock, workers and messages, on game
trees drawn from seeds; the times of jobs are drawn from recorded jobs, scaled to the paper's
mean of 37.45 s. The same seed gives the same run. --faults adds crashes, hangs, wrong answers,
slow workers, lost, doubled and late messages and restarts of the client, and checks
invariants after every event. Exit code 1: a run failed; its seed is printed.

Examples:
  lambda6 simulate
  lambda6 simulate --workers 1,2,4,8,16,64,256,1024 --policy all --svg figures
  lambda6 simulate --faults --first 17 --games 1 --json";

/// Simulate a search with many workers
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Simulate {
    /// Numbers of workers, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,4,8,16",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    workers: Vec<u32>,

    /// Policies, separated by commas, or all
    #[arg(long, value_name = "POLICY,...", value_delimiter = ',', default_value = "all")]
    policy: Vec<String>,

    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u64,

    /// The seed of the first game
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    first: u64,

    /// The time of a message, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 5)]
    latency: u64,

    /// Simulate faults, and check invariants after every event
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

/// Times of jobs: those recorded with the program, scaled to the paper's mean.
fn job_times() -> Result<JobTimes> {
    let times = recorded_times(Game::CONNECT6, &record()?).context("the record of the program")?;
    let none = times.searched.is_empty() || times.proved.is_empty();
    Ok(if none { JobTimes::default() } else { times.with_mean(MEAN) })
}

impl Simulate {
    pub(crate) fn run(&self) -> Result<Exit> {
        let policies = policies(&self.policy)?;
        output::directory(self.svg.as_ref())?;
        let workers: Vec<usize> = self.workers.iter().map(|&workers| workers as usize).collect();
        let mut times: Vec<PolicyTimes> =
            policies.iter().map(|&policy| PolicyTimes::new(policy, workers.len())).collect();
        let mut trouble = None;
        let job_times = job_times()?;
        let end = self.first.checked_add(self.games).context("--first and --games: too large together")?;
        let runs = self.games.saturating_mul((policies.len() * workers.len()) as u64);
        let bar = progress::bar(runs.try_into().unwrap_or(usize::MAX), "searches, {eta} left");
        'games: for seed in self.first..end {
            let shape = if self.faults { TreeShape::SMALL } else { TreeShape::LARGE };
            let game = Synthetic::new(seed, shape).with_times(job_times.clone());
            for times in &mut times {
                for (at, &workers) in workers.iter().enumerate() {
                    match self.simulate(&game, times.policy, workers, seed) {
                        Ok(run) => {
                            times.add(at, &run);
                            bar.inc(1);
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
        bar.finish_and_clear();
        let measured = Efficiency { workers, times };
        if let (Some(directory), None) = (&self.svg, &trouble) {
            efficiency::draw(&measured, directory, "simulate")?;
        }
        let answer = if trouble.is_none() { Exit::Yes } else { Exit::No };
        let rows = if trouble.is_none() { efficiency::rows(&measured) } else { Vec::new() };
        let text = match &trouble {
            Some(trouble) => format!("{trouble}\n"),
            None => {
                format!("{} games from seed {} on\n\n{}", self.games, self.first, efficiency::text(&measured))
            }
        };
        let document = SimulateJson { games: self.games, first: self.first, rows, trouble };
        output::either(self.json, "simulate", document, || text)?;
        Ok(answer)
    }

    fn simulate(
        &self,
        game: &Synthetic,
        policy: PolicyName,
        workers: usize,
        seed: u64,
    ) -> Result<lambda6_jobs::simulate::Run> {
        let winner = game.winner(&game.root());
        // Without faults the attacker is the side that wins.
        let attacker = if self.faults { Side::Black } else { winner };
        let settings = Settings::new(game.root(), Some(attacker), "simulation".to_string())?;
        let settings = Settings { policy, verify: false, ..settings };
        let faults = if self.faults { Faults::ALL } else { Faults::default() };
        let options = SimulationOptions {
            workers,
            faults,
            latency: self.latency,
            check: self.faults,
            ..SimulationOptions::default()
        };
        let run = Simulation::new(game, settings, options, seed).run()?;
        if run.value != lambda6_jobs::Value::Win(winner) {
            bail!("the result is {:?}, but {winner} wins", run.value);
        }
        Ok(run)
    }
}
