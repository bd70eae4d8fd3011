//! Efficiency by policy and number of workers, as in the figures 14 and 16 of the
//! paper on job-level search: tables and curves.

use crate::curves::{Curve, Curves};
use anyhow::Result;
use lambda6_jobs::{PolicyName, simulate::Run};
use serde::Serialize;
use std::path::Path;

/// The times of one policy: the milliseconds of each game and the jobs, by number of
/// workers.
pub(crate) struct Times {
    pub(crate) policy: PolicyName,
    pub(crate) millis: Vec<Vec<u64>>,
    pub(crate) done: Vec<u64>,
    pub(crate) aborted: Vec<u64>,
    /// Games that were not solved; their times are those of the whole run.
    pub(crate) unsolved: Vec<u64>,
}

impl Times {
    /// Without games, for this many numbers of workers.
    pub(crate) fn new(policy: PolicyName, numbers: usize) -> Times {
        let zeros = || vec![0; numbers];
        let (done, aborted, unsolved) = (zeros(), zeros(), zeros());
        Times { policy, millis: vec![Vec::new(); numbers], done, aborted, unsolved }
    }

    /// Adds a game with the number of workers at this index.
    pub(crate) fn add(&mut self, at: usize, run: &Run) {
        self.millis[at].push(run.millis);
        self.done[at] += run.done;
        self.aborted[at] += run.aborted;
    }
}

/// All policies over all numbers of workers. The first number should be 1.
pub(crate) struct Efficiency {
    pub(crate) workers: Vec<usize>,
    pub(crate) times: Vec<Times>,
}

/// A row for `--json`.
#[derive(Serialize)]
pub(crate) struct EfficiencyJson {
    policy: &'static str,
    workers: usize,
    /// Virtual seconds of all games together.
    seconds: f64,
    efficiency: f64,
    /// The mean of the efficiencies of the games.
    mean_efficiency: f64,
    done: u64,
    aborted: u64,
    unsolved: u64,
}

impl Efficiency {
    /// The time of one worker divided by the number of workers and their time: 1 is
    /// ideal. Over the sums of all games, so that long games weigh more.
    fn total(&self, times: &Times, at: usize) -> f64 {
        let sum = |at: usize| times.millis[at].iter().sum::<u64>() as f64;
        let ratio = self.workers[0] as f64 / self.workers[at] as f64;
        sum(0) / sum(at).max(1.0) * ratio
    }

    fn mean(&self, times: &Times, at: usize) -> f64 {
        let ratio = self.workers[0] as f64 / self.workers[at] as f64;
        let each = times.millis[0].iter().zip(&times.millis[at]);
        let each = each.map(|(&one, &many)| one as f64 / many.max(1) as f64 * ratio);
        each.sum::<f64>() / times.millis[0].len().max(1) as f64
    }

    /// The speed relative to the flag policy.
    fn against_flag(&self, times: &Times, at: usize) -> f64 {
        let flag = self.times.iter().find(|times| times.policy == PolicyName::Flag).unwrap_or(times);
        let sum = |times: &Times| times.millis[at].iter().sum::<u64>() as f64;
        sum(flag) / sum(times).max(1.0)
    }

    pub(crate) fn rows(&self) -> Vec<EfficiencyJson> {
        let mut rows = Vec::new();
        for times in &self.times {
            for (at, &workers) in self.workers.iter().enumerate() {
                rows.push(EfficiencyJson {
                    policy: times.policy.name(),
                    workers,
                    seconds: times.millis[at].iter().sum::<u64>() as f64 / 1e3,
                    efficiency: self.total(times, at),
                    mean_efficiency: self.mean(times, at),
                    done: times.done[at],
                    aborted: times.aborted[at],
                    unsolved: times.unsolved[at],
                });
            }
        }
        rows
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        type Cell<'a> = (&'a str, &'a dyn Fn(&Times, usize) -> String);
        let tables: [Cell; 5] = [
            ("Efficiency, all games together (figure 14)", &|t, at| format!("{:.2}", self.total(t, at))),
            ("Efficiency, mean over the games", &|t, at| format!("{:.2}", self.mean(t, at))),
            ("Speed against FG (figure 16)", &|t, at| format!("{:.2}", self.against_flag(t, at))),
            ("Jobs done, in brackets aborted", &|t, at| format!("{} ({})", t.done[at], t.aborted[at])),
            ("Not solved: the efficiency is lower than shown", &|t, at| t.unsolved[at].to_string()),
        ];
        let all_solved = self.times.iter().all(|times| times.unsolved.iter().all(|&games| games == 0));
        let tables = &tables[..if all_solved { 4 } else { 5 }];
        for (title, cell) in tables {
            text += &format!("{title}\n{:<8}", "workers");
            self.workers.iter().for_each(|workers| text += &format!(" {workers:>12}"));
            text.push('\n');
            for times in &self.times {
                text += &format!("{:<8}", times.policy.name());
                (0..self.workers.len()).for_each(|at| text += &format!(" {:>12}", cell(times, at)));
                text.push('\n');
            }
            text.push('\n');
        }
        text
    }

    /// Draws the two figures.
    pub(crate) fn draw(&self, directory: &Path, prefix: &str) -> Result<()> {
        let labels: Vec<String> = self.workers.iter().map(usize::to_string).collect();
        let curves = |value: &dyn Fn(&Times, usize) -> f64| -> Vec<Curve> {
            let values = |times: &Times| (0..self.workers.len()).map(|at| value(times, at)).collect();
            let curve = |times: &Times| Curve { name: times.policy.to_string(), values: values(times) };
            self.times.iter().map(curve).collect()
        };
        Curves {
            title: "Efficiency by policy",
            x: "workers",
            y: "efficiency",
            labels: labels.clone(),
            curves: curves(&|times, at| self.total(times, at)),
        }
        .write(&directory.join(format!("{prefix}-figure-14.svg")))?;
        Curves {
            title: "Speed against the flag policy",
            x: "workers",
            y: "times as fast as FG",
            labels,
            curves: curves(&|times, at| self.against_flag(times, at)),
        }
        .write(&directory.join(format!("{prefix}-figure-16.svg")))
    }
}
