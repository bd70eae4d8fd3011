//! `lambda6 bench`: a fixed workload with a signature, which changes if the searches
//! behave differently.

use super::Exit;
use crate::output;
use anyhow::{Context, Result};
use lambda6_proof::{Class, Solver, SolverOptions, Verdict};
use lambda6_rules::{Position, Setup, Side};
use lambda6_search::{Budget, Limits, Silent};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
The workload is limited by moves tried, not by time, and runs in one thread: nodes,
verdicts and the signature of both are the same on every machine. A change of the
program that alters the signature has changed the search; one that does not has
changed at most its speed.

Examples:
  lambda6 bench
  lambda6 bench --json";

/// Run a fixed workload and print nodes, time and a signature
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Bench {
    /// Print one line of JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// The workload.
const WORKLOAD: &str = include_str!("../../data/bench.toml");

#[derive(Deserialize)]
struct Workload {
    search: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    name: String,
    class: String,
    attacker: String,
    nodes: u64,
    position: String,
}

/// The result of one search of the workload.
#[derive(Serialize)]
struct Row {
    name: String,
    nodes: u64,
    /// `win` or why there is none.
    verdict: String,
    line: Vec<String>,
    /// Replies of the certificate.
    replies: usize,
    seconds: f64,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct BenchJson {
    searches: Vec<Row>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    signature: String,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<Exit> {
        let workload: Workload = toml::from_str(WORKLOAD).context("the embedded workload")?;
        let mut rows = Vec::new();
        for item in &workload.search {
            let row = item.run().with_context(|| format!("the embedded workload, {:?}", item.name))?;
            if !self.json {
                output::text(&format!(
                    "{:<36} {:>8} nodes {:>9.3} s  {}\n",
                    row.name, row.nodes, row.seconds, row.verdict
                ))?;
            }
            rows.push(row);
        }
        let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
        let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
        let signature = format!("{:016x}", signature(&rows));
        let nodes_per_second = (nodes as f64 / seconds.max(1e-9)) as u64;
        let text = format!(
            "\nnodes: {nodes}\nseconds: {seconds:.3}\nnodes per second: {nodes_per_second}\n\
             signature: {signature}\n"
        );
        let document = BenchJson { searches: rows, nodes, seconds, nodes_per_second, signature };
        output::either(self.json, "bench", document, || text)?;
        Ok(Exit::Yes)
    }
}

impl Item {
    fn run(&self) -> Result<Row> {
        let position: Position = Setup::parse(self.position.trim_start())?.position()?;
        let attacker: Side = self.attacker.parse()?;
        let class: Class = self.class.parse()?;
        let options = SolverOptions { table_bytes: 16 << 20, ..SolverOptions::for_class(class) };
        let mut solver = Solver::new(position.game(), options);
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let start = Instant::now();
        let report = solver.solve(&position, attacker, &mut Budget::within(limits), &mut Silent)?;
        let elapsed: Duration = start.elapsed();
        let game = position.game();
        let (verdict, line, replies) = match &report.verdict {
            Verdict::Win(win) => (
                "win",
                win.line().iter().map(|mv| game.move_name(mv)).collect(),
                win.certificate().replies().len(),
            ),
            Verdict::Unknown(why) => (why.name(), Vec::new(), 0),
        };
        Ok(Row {
            name: self.name.clone(),
            nodes: report.nodes,
            verdict: verdict.to_string(),
            line,
            replies,
            seconds: elapsed.as_secs_f64(),
        })
    }
}

/// FNV-1a over the results of the searches without their times.
fn signature(rows: &[Row]) -> u64 {
    let text: String = rows
        .iter()
        .map(|row| {
            format!("{}|{}|{}|{}|{}\n", row.name, row.nodes, row.verdict, row.line.join(" "), row.replies)
        })
        .collect();
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
