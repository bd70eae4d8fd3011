//! Searches over many positions, in several threads.

use crate::{progress, solver_choice::SolverChoice};
use anyhow::{Context, Result};
use lambda6_proof::{Certificate, Verdict};
use lambda6_rules::{Position, Side};
use lambda6_search::{Budget, Limits, Silent, SystemClock, Why, runner};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

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
    let report = solver.solve(position, attacker, None, &mut budget, &mut Silent)?.report;
    let proof = match report.verdict {
        Verdict::Win(win) => Ok(win.into_certificate()),
        Verdict::Unknown(why) => Err(why),
    };
    Ok(Outcome { proof, nodes: report.nodes, elapsed: report.elapsed })
}

/// Calls `work` with every number below `count` in `jobs` threads, and returns the
/// results in order. When `stop` is set, the remaining numbers have no result; the
/// first error ends the work.
pub(crate) fn in_parallel<T: Send>(
    count: usize,
    jobs: usize,
    stop: &AtomicBool,
    work: impl Fn(usize) -> Result<T> + Sync,
) -> Result<Vec<Option<T>>> {
    let bar = progress::bar(count, "{eta} left");
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let results: Mutex<Vec<Option<Result<T>>>> = Mutex::new((0..count).map(|_| None).collect());
    let worker = || {
        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                break;
            }
            let result = work(index);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            if let Ok(mut results) = results.lock() {
                results[index] = Some(result);
            }
            bar.inc(1);
        }
    };
    thread::scope(|scope| -> Result<()> {
        let mut threads = Vec::new();
        for _ in 0..jobs.clamp(1, count.max(1)) {
            threads.push(runner::spawn_scoped(scope, "puzzles", worker)?);
        }
        for thread in threads {
            runner::join(thread)?;
        }
        Ok(())
    })?;
    let results = results.into_inner().ok().context("a search broke down")?;
    results.into_iter().map(Option::transpose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_threads_do() {
        let stop = AtomicBool::new(false);
        for jobs in [0, 1, 3, 200] {
            let results = in_parallel(100, jobs, &stop, |i| Ok(i * i)).unwrap();
            assert!(results.into_iter().enumerate().all(|(i, result)| result == Some(i * i)));
        }
    }

    #[test]
    fn an_error_or_a_stop_ends_the_work() {
        let stop = AtomicBool::new(false);
        let failing = |i| if i == 7 { anyhow::bail!("seven") } else { Ok(i) };
        assert_eq!(in_parallel(100, 2, &stop, failing).unwrap_err().to_string(), "seven");
        let stopping = |i| {
            stop.store(i >= 7, Ordering::Relaxed);
            Ok(i)
        };
        let results = in_parallel(100, 1, &stop, stopping).unwrap();
        assert_eq!(results.iter().flatten().count(), 8);
        assert!(in_parallel(0, 1, &stop, Ok).unwrap().is_empty());
    }
}
