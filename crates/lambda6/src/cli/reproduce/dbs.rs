//! `lambda6 reproduce dbs`: compares dependency-based search with the plain search, as
//! in the paper's table 1 and figures 7 and 8.

use crate::{
    cli::Exit,
    figure::{Figure, Series},
    interrupt, output, progress,
    search_args::parse_seconds,
    table::Table,
};
use anyhow::Result;
use lambda6_literature::dbs::{DbsOptions, DbsSearch, DbsStats, Filter};
use lambda6_rules::{Game, Position};
use lambda6_search::{Budget, Limits, Silent, SystemClock, Why, WinSearch};
use lambda6_threats::Board;
use serde::Serialize;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

const AFTER_HELP: &str = "\
Every position is searched by the plain search, by the plain search that also keeps the
graph (which tells what the graph costs), and with the filters F1 to F4 of the paper and
our F5; conservative defences, no table of positions, as in the paper. If F4 or F5 find no
win, they continue with fewer restrictions, in the end with none; positions that they solve
before that are counted as solved alone. Without SET the 72 embedded positions are used, from
random games, chosen by the time of the plain search. A second table has the harder half of what the plain search solves, by
the moves it takes. --svg draws the time of each position for plain and F4 (figure 7) and
the size of the graph against the tree (figure 8).

Examples:
  lambda6 reproduce dbs
  lambda6 reproduce dbs set.tsv --time 5 --svg figures
  lambda6 reproduce dbs set.tsv --limit 72 --json";

/// Compare dependency-based search with the plain search for VCDT
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Dbs {
    /// The positions: a table as for `puzzles solve`
    #[arg(value_name = "SET")]
    set: Option<OsString>,

    /// Give up on a position after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "10")]
    time: Duration,

    /// The longest line, in moves of the attacker
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    /// The most moves tried in one position
    #[arg(long, value_name = "N", default_value_t = 50)]
    branching: usize,

    /// Take the first N positions only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Search every position N times and take the shortest time
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,

    /// Search depth after depth; the paper searches the last depth at once
    #[arg(long)]
    deepen: bool,

    /// Draw the figures into this directory
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Print one line of JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// The embedded positions, made by the example `dbs_positions` of `literature`.
const EMBEDDED_SET: &str = include_str!("../../../data/dbs_positions.tsv");

/// The measurements of one program on one position.
#[derive(Clone, Copy)]
struct Measure {
    solved: bool,
    stats: DbsStats,
    time: Duration,
}

/// A row of the table.
#[derive(Serialize)]
struct Row {
    program: &'static str,
    moves: u64,
    seconds: f64,
    solved: usize,
    /// Positions that the filter solves without its fallback.
    alone: usize,
    /// Solved positions that the plain search solves too.
    of_plain: usize,
    hyperedges: u64,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct DbsJson {
    positions: usize,
    depth: u32,
    branching: usize,
    deepen: bool,
    programs: Vec<Row>,
    /// Of the positions that the plain search solves, the half that takes it
    /// most moves.
    harder_half: Vec<Row>,
    graph_overhead: f64,
}

/// The programs: a name, a filter, and whether the graph is kept.
const PROGRAMS: [(&str, Filter, bool); 7] = [
    ("plain", Filter::Plain, false),
    ("plain with graph", Filter::Plain, true),
    ("F1", Filter::F1, true),
    ("F2", Filter::F2, true),
    ("F3", Filter::F3, true),
    ("F4", Filter::F4, true),
    ("F5", Filter::F5, true),
];
const PLAIN: usize = 0;
const PLAIN_WITH_GRAPH: usize = 1;
const F4: usize = 5;
const F5: usize = 6;

impl Dbs {
    pub(crate) fn run(&self) -> Result<Exit> {
        let positions = self.positions()?;
        let stop = interrupt::stop_flag()?;
        output::directory(self.svg.as_ref())?;
        let mut searches = Vec::new();
        for (_, filter, graph) in PROGRAMS {
            let (depth, branching, deepen) = (self.depth, self.branching, self.deepen);
            let options = DbsOptions { filter, graph, depth, branching, deepen, ..DbsOptions::default() };
            searches.push(DbsSearch::new(Game::CONNECT6, options, 1 << 20)?);
        }
        // All programs on one position before the next, so that other load on the
        // machine affects them alike.
        let mut measures: Vec<Vec<Measure>> = vec![Vec::new(); PROGRAMS.len()];
        let bar = progress::bar(positions.len() * searches.len(), "searches, {eta} left");
        for position in &positions {
            for (search, measures) in searches.iter_mut().zip(&mut measures) {
                let mut best = self.measure(search, position, &stop)?;
                for _ in 1..self.repeat {
                    let again = self.measure(search, position, &stop)?;
                    best.time = best.time.min(again.time);
                }
                measures.push(best);
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        let all: Vec<usize> = (0..positions.len()).collect();
        let rows = rows_of(&measures, &all);
        let hard = rows_of(&measures, &harder_half(&measures[PLAIN]));
        let overhead = per_move(&rows[PLAIN_WITH_GRAPH]) / per_move(&rows[PLAIN]) - 1.0;
        if let Some(directory) = &self.svg {
            draw(directory, &measures)?;
        }
        let text = self.text(positions.len(), &rows, &hard, overhead);
        let document = DbsJson {
            positions: positions.len(),
            depth: self.depth,
            branching: self.branching,
            deepen: self.deepen,
            programs: rows,
            harder_half: hard,
            graph_overhead: overhead,
        };
        output::either(self.json, "reproduce-dbs", document, || text)?;
        Ok(Exit::Yes)
    }

    fn positions(&self) -> Result<Vec<Position>> {
        let name = "the positions that come with the program";
        let table = Table::of(self.set.as_ref(), name, EMBEDDED_SET)?;
        let vcdt = |row: &&_| table.cell(row, "class").is_none_or(|class| class == "vcdt");
        let position = |row| table.position(row, Game::CONNECT6);
        table.rows().iter().filter(vcdt).take(self.limit.unwrap_or(usize::MAX)).map(position).collect()
    }

    fn measure(&self, search: &mut DbsSearch, position: &Position, stop: &AtomicBool) -> Result<Measure> {
        let clock = SystemClock::start();
        let limits = Limits { time: Some(self.time), ..Limits::default() };
        let mut budget = Budget::new(limits, &clock, stop);
        let mut board = Board::from_position(position);
        let start = Instant::now();
        let side = position.to_move();
        let found = search.search(&mut board, side, side, &mut budget, &mut Silent);
        let time = start.elapsed();
        if found == Err(Why::Stopped) {
            anyhow::bail!("stopped");
        }
        Ok(Measure { solved: found.is_ok(), stats: search.stats(), time })
    }

    fn text(&self, positions: usize, rows: &[Row], hard: &[Row], overhead: f64) -> String {
        let mut text = format!(
            "{positions} positions, depth {}, branching {}, {} s a position at most\n\n",
            self.depth,
            self.branching,
            self.time.as_secs_f64()
        );
        print_rows(&mut text, rows);
        text += &format!("the graph costs {:.1} % of the time of a move\n", overhead * 100.0);
        text += "\nThe harder half of what plain solves\n\n";
        print_rows(&mut text, hard);
        text
    }
}

/// A table, and how the filters compare with the plain search.
fn print_rows(text: &mut String, rows: &[Row]) {
    *text += &format!(
        "{:<18} {:>12} {:>10} {:>7} {:>7} {:>9} {:>11} {:>9}\n",
        "program", "moves", "seconds", "solved", "alone", "of plain", "µs a move", "graph"
    );
    for row in rows {
        *text += &format!(
            "{:<18} {:>12} {:>10.3} {:>7} {:>7} {:>9} {:>11.2} {:>8.1}%\n",
            row.program,
            row.moves,
            row.seconds,
            row.solved,
            row.alone,
            row.of_plain,
            per_move(row) * 1e6,
            100.0 * row.hyperedges as f64 / row.moves.max(1) as f64
        );
    }
    text.push('\n');
    for row in [&rows[F4], &rows[F5]] {
        *text += &format!(
            "{} against plain: {:.1} times fewer moves, {:.1} times faster\n",
            row.program,
            rows[PLAIN].moves as f64 / row.moves.max(1) as f64,
            rows[PLAIN].seconds / row.seconds.max(1e-9)
        );
    }
}

fn per_move(row: &Row) -> f64 {
    row.seconds / row.moves.max(1) as f64
}

fn row(program: &'static str, measures: &[Measure], plain: &[Measure]) -> Row {
    Row {
        program,
        moves: measures.iter().map(|m| m.stats.moves).sum(),
        seconds: measures.iter().map(|m| m.time.as_secs_f64()).sum(),
        solved: measures.iter().filter(|m| m.solved).count(),
        alone: measures.iter().filter(|m| m.solved && !m.stats.fell_back).count(),
        of_plain: measures.iter().zip(plain).filter(|(m, plain)| m.solved && plain.solved).count(),
        hyperedges: measures.iter().map(|m| m.stats.hyperedges).sum(),
    }
}

/// A row for each program, over some of the positions.
fn rows_of(measures: &[Vec<Measure>], which: &[usize]) -> Vec<Row> {
    let some = |all: &Vec<Measure>| which.iter().map(|&i| all[i]).collect::<Vec<_>>();
    let plain = some(&measures[PLAIN]);
    PROGRAMS.iter().zip(measures).map(|((name, ..), all)| row(name, &some(all), &plain)).collect()
}

/// Of the positions that the plain search solves, the half that takes it most
/// moves.
fn harder_half(plain: &[Measure]) -> Vec<usize> {
    let mut solved: Vec<usize> = (0..plain.len()).filter(|&i| plain[i].solved).collect();
    solved.sort_by_key(|&i| plain[i].stats.moves);
    solved.split_off(solved.len() / 2)
}

/// Positions in the order of the plain search's time, as in the paper.
fn draw(directory: &Path, measures: &[Vec<Measure>]) -> Result<()> {
    let mut order: Vec<usize> = (0..measures[PLAIN].len()).collect();
    order.sort_by_key(|&i| measures[PLAIN][i].time);
    let series = |name, program: usize, value: &dyn Fn(&Measure) -> f64| Series {
        name,
        values: order.iter().map(|&i| value(&measures[program][i])).collect(),
    };
    let milliseconds = |m: &Measure| (m.time.as_secs_f64() * 1e3).max(1e-3);
    Figure {
        title: "Time of each position",
        x: "position, by the time of the plain search",
        y: "milliseconds",
        logarithmic: true,
        series: vec![series("plain", PLAIN, &milliseconds), series("F4", F4, &milliseconds)],
    }
    .write(&directory.join("dbs-figure-7.svg"))?;
    let share = |m: &Measure| 100.0 * m.stats.hyperedges as f64 / m.stats.moves.max(1) as f64;
    Figure {
        title: "Size of the graph against the tree (F4)",
        x: "position, by the time of the plain search",
        y: "hyperedges in % of moves searched",
        logarithmic: false,
        series: vec![series("F4", F4, &share)],
    }
    .write(&directory.join("dbs-figure-8.svg"))
}
