//! Searches over many positions, in several threads.

use crate::{progress, solver_choice::SolverChoice};
use anyhow::Result;
use lambda6_proof::{Certificate, Verdict};
use lambda6_rules::{Position, Side};
use lambda6_search::{Budget, Limits, Silent, SystemClock, Why, runner};
use std::{sync::atomic::AtomicBool, time::Duration};

/// The result of one position.
pub(crate) struct Outcome {
    /// The proof, or why there is none.
    pub(crate) proof: Result<Certificate, Why>,
    pub(crate) nodes: u64,
    pub(crate) elapsed: Duration,
}

impl Outcome {
    pub(crate) fn is_solved(&self) -> bool {
        self.proof.is_ok()
    }

    /// The attacker's moves in the longest line.
    pub(crate) fn depth(&self) -> Option<usize> {
        self.proof.as_ref().ok().map(Certificate::depth)
    }
}

/// Searches one position with a new solver, so that nodes depend neither on the order
/// of the positions nor on the number of threads.
pub(crate) fn solve(
    position: &Position,
    attacker: Side,
    solver: SolverChoice,
    limits: Limits,
    stop: &AtomicBool,
) -> Result<Outcome> {
    let clock = SystemClock::start();
    let mut budget = Budget::new(limits, &clock, stop);
    let report = solver.solve(position, attacker, (None, &[]), &mut budget, &mut Silent)?.report;
    let proof = match report.verdict {
        Verdict::Win(win) => Ok(win.into_certificate()),
        Verdict::Unknown(why) => Err(why),
    };
    Ok(Outcome { proof, nodes: report.nodes, elapsed: report.elapsed })
}

/// Calls `work` with every number below `count`, `jobs` at a time, and shows how many
/// are left; see [`runner::run_all`].
pub(crate) fn in_parallel<T: Send>(
    count: usize,
    jobs: usize,
    stop: &AtomicBool,
    work: impl Fn(usize) -> Result<T> + Sync,
) -> Result<Vec<Option<T>>> {
    let bar = progress::bar(count, "{eta} left");
    runner::run_all(count, jobs, stop, || bar.inc(1), work)
}
