//! Tables and figures of the efficiency of policies.

use crate::figure::{Curves, Series};
use anyhow::Result;
use lambda6_jobs::simulate::{Efficiency, PolicyTimes};
use serde::Serialize;
use std::path::Path;

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

/// The rows of `--json`.
pub(crate) fn rows(efficiency: &Efficiency) -> Vec<EfficiencyJson> {
    let row = |times: &PolicyTimes, at: usize| EfficiencyJson {
        policy: times.policy.name(),
        workers: efficiency.workers[at],
        seconds: times.sum(at) as f64 / 1e3,
        efficiency: efficiency.total(times, at),
        mean_efficiency: efficiency.mean(times, at),
        done: times.done[at],
        aborted: times.aborted[at],
        unsolved: times.unsolved[at],
    };
    let numbers = efficiency.workers.len();
    efficiency.times.iter().flat_map(|times| (0..numbers).map(move |at| row(times, at))).collect()
}

/// The tables.
pub(crate) fn text(efficiency: &Efficiency) -> String {
    let mut text = String::new();
    type Cell<'a> = (&'a str, &'a dyn Fn(&PolicyTimes, usize) -> String);
    let tables: [Cell; 5] = [
        ("Efficiency, all games together (figure 14)", &|t, at| format!("{:.2}", efficiency.total(t, at))),
        ("Efficiency, mean over the games", &|t, at| format!("{:.2}", efficiency.mean(t, at))),
        ("Speed against FG (figure 16)", &|t, at| format!("{:.2}", efficiency.against_flag(t, at))),
        ("Jobs done, in brackets aborted", &|t, at| format!("{} ({})", t.done[at], t.aborted[at])),
        ("Not solved: the efficiency is lower than shown", &|t, at| t.unsolved[at].to_string()),
    ];
    let all_solved = efficiency.times.iter().all(|times| times.unsolved.iter().all(|&games| games == 0));
    let tables = &tables[..if all_solved { 4 } else { 5 }];
    for (title, cell) in tables {
        text += &format!("{title}\n{:<8}", "workers");
        efficiency.workers.iter().for_each(|workers| text += &format!(" {workers:>12}"));
        text.push('\n');
        for times in &efficiency.times {
            text += &format!("{:<8}", times.policy.name());
            (0..efficiency.workers.len()).for_each(|at| text += &format!(" {:>12}", cell(times, at)));
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

/// Draws the two figures.
pub(crate) fn draw(efficiency: &Efficiency, directory: &Path, prefix: &str) -> Result<()> {
    let numbers = efficiency.workers.len();
    let figure = |title, y, value: &dyn Fn(&PolicyTimes, usize) -> f64| Curves {
        title,
        x: "workers",
        y,
        labels: efficiency.workers.iter().map(usize::to_string).collect(),
        series: (efficiency.times.iter())
            .map(|times| Series {
                name: times.policy.name(),
                values: (0..numbers).map(|at| value(times, at)).collect(),
            })
            .collect(),
    };
    figure("Efficiency by policy", "efficiency", &|times, at| efficiency.total(times, at))
        .write(&directory.join(format!("{prefix}-figure-14.svg")))?;
    let flag = |times: &PolicyTimes, at| efficiency.against_flag(times, at);
    figure("Speed against the flag policy", "times as fast as FG", &flag)
        .write(&directory.join(format!("{prefix}-figure-16.svg")))
}
