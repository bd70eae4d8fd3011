//! The state machine in worlds where everything goes wrong. A failing seed is
//! named and replays: `SIMULATE_FIRST=N SIMULATE_SEEDS=1 cargo test -p lambda6-jobs --test simulate`.

// clippy.toml allows it in functions that are tests, but not in their helpers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use lambda6_jobs::{
    JOB_LIMITS, PolicyName, Settings, Value,
    simulate::{Faults, Run, Simulation, SimulationError, SimulationOptions, Synthetic, TreeShape},
};
use lambda6_rules::Side;
use lambda6_search::Method;

fn settings(game: &Synthetic, policy: PolicyName, verify: bool) -> Settings {
    Settings {
        root: game.root(),
        attacker: Side::Black,
        policy,
        limits: JOB_LIMITS,
        verify,
        method: Method::Mutual,
        build: "simulation".to_string(),
    }
}

/// A number from the environment: `make soak` asks for more seeds.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn run(seed: u64) -> (Side, Result<Run, SimulationError>) {
    let game = Synthetic::new(seed, TreeShape::SMALL);
    let policy = PolicyName::ALL[(seed % PolicyName::ALL.len() as u64) as usize];
    let workers = [1, 2, 3, 5, 8, 16, 64][(seed / 8 % 7) as usize];
    // Every fourth world is one in which nothing goes wrong.
    let faults = if seed.is_multiple_of(4) { Faults::default() } else { Faults::ALL };
    let options =
        SimulationOptions { workers, faults, check: true, events: 300_000, ..SimulationOptions::default() };
    let winner = game.winner(&game.root());
    let verify = seed.is_multiple_of(3);
    (winner, Simulation::new(&game, settings(&game, policy, verify), options, seed).run())
}

#[test]
fn every_world_ends_with_the_right_answer_and_no_invariant_breaks() {
    let first = number("SIMULATE_FIRST", 0);
    for seed in first..first + number("SIMULATE_SEEDS", 300) {
        let (winner, outcome) = run(seed);
        match outcome {
            Ok(run) => assert_eq!(run.value, Value::Win(winner), "seed {seed}: {run:?}"),
            Err(trouble) => panic!("seed {seed}: {trouble}"),
        }
    }
}

#[test]
fn a_seed_replays_exactly() {
    for seed in [1, 2, 3, 7] {
        assert_eq!(run(seed), run(seed));
    }
}

/// With one worker there is never a node to be chosen while another is worked
/// on, so that the policies cannot differ, but for the one without a second
/// node to choose.
#[test]
fn one_worker_does_the_same_jobs_under_every_policy() {
    for seed in 0..10 {
        let game = Synthetic::new(seed, TreeShape::SMALL);
        let runs: Vec<Run> = PolicyName::ALL
            .map(|policy| {
                let options = SimulationOptions { workers: 1, latency: 0, ..SimulationOptions::default() };
                Simulation::new(&game, settings(&game, policy, false), options, seed).run().unwrap()
            })
            .to_vec();
        for run in &runs {
            assert_eq!((run.done, run.nodes, run.millis), (runs[0].done, runs[0].nodes, runs[0].millis));
        }
    }
}
