//! `lambda6 reproduce dbs`: dependency-based search against the plain search,
//! as in the paper's table 1 and figures 7 and 8.

use crate::{
    cli::Answer,
    figure::{Figure, Series},
    input::{Input, Origin},
    interrupt, output,
    puzzles::table::Table,
    search_args::parse_seconds,
};
use anyhow::{Context, Result};
use rules::{Game, Position};
use search::{
    Budget, Limits, Silent, SystemClock, Verdict, Why,
    dbs::{DbsOptions, DbsSearch, DbsStats, Filter},
};
use serde::Serialize;
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};
use threats::Board;

const AFTER_HELP: &str = "\
Every position is searched by the plain search, by the plain search that also keeps the
graph (which tells what the graph costs), and with the filters F1 to F4 of the paper and
our F5; conservative defences, no table of positions, as in the paper. Where F4 or F5 come
to their end without a win they go on with fewer restrictions, in the end with none: what
they solve before that is counted as solved alone. Without SET 72
positions are used that come with the program: of random games, picked by what they take
the plain search. A second table has the harder half of what the plain search solves, by
the moves it takes. --svg draws the time of each position for plain and F4 (figure 7) and
the size of the graph against the tree (figure 8).

Examples:
  lambda6 reproduce dbs
  lambda6 reproduce dbs set.tsv --time 5 --svg figures
  lambda6 reproduce dbs set.tsv --limit 72 --json";

/// Dependency-based search against the plain search for VCDT
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Dbs {
    /// The positions: a table as for `puzzles solve`
    #[arg(value_name = "SET")]
    set: Option<OsString>,

    /// Give up on a position after so many seconds
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

/// The positions that come with the program, made by the example
/// `dbs_positions` of the search.
fn embedded_set() -> &'static str {
    include_str!("../../../data/dbs_positions.tsv")
}

/// What one program took for one position.
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
    /// Those that the filter solves alone, without what it falls back on.
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
    pub(crate) fn run(&self) -> Result<Answer> {
        let positions = self.positions()?;
        let stop = interrupt::stop_flag()?;
        if let Some(directory) = &self.svg {
            fs::create_dir_all(directory)
                .with_context(|| format!("{}: cannot be made", directory.display()))?;
        }
        let mut searches = Vec::new();
        for _ in PROGRAMS {
            searches.push(DbsSearch::new(Game::CONNECT6, 1 << 20)?);
        }
        // All programs on one position before the next, so that what else the
        // machine does disturbs them alike.
        let mut measures: Vec<Vec<Measure>> = vec![Vec::new(); PROGRAMS.len()];
        for position in &positions {
            for (program, (_, filter, graph)) in PROGRAMS.into_iter().enumerate() {
                let (depth, branching) = (self.depth, self.branching);
                let deepen = self.deepen;
                let options = DbsOptions { filter, graph, depth, branching, deepen, ..DbsOptions::default() };
                let search = &mut searches[program];
                let mut best = self.measure(search, options, position, &stop)?;
                for _ in 1..self.repeat {
                    let again = self.measure(search, options, position, &stop)?;
                    best.time = best.time.min(again.time);
                }
                measures[program].push(best);
            }
        }
        let rows = rows(&measures);
        let hard = rows_of(&measures, &harder_half(&measures[PLAIN]));
        let overhead = per_move(&rows[PLAIN_WITH_GRAPH]) / per_move(&rows[PLAIN]) - 1.0;
        if let Some(directory) = &self.svg {
            draw(directory, &measures)?;
        }
        if self.json {
            let (depth, branching) = (self.depth, self.branching);
            let body = DbsJson {
                positions: positions.len(),
                depth,
                branching,
                deepen: self.deepen,
                programs: rows,
                harder_half: hard,
                graph_overhead: overhead,
            };
            output::json("reproduce-dbs", body)?;
        } else {
            self.print(positions.len(), &rows, &hard, overhead)?;
        }
        Ok(Answer::Yes)
    }

    fn positions(&self) -> Result<Vec<Position>> {
        let input = match &self.set {
            Some(set) => Input::from_argument(set)?,
            None => Input {
                name: "the positions that come with the program".to_string(),
                bytes: embedded_set().as_bytes().to_vec(),
                origin: Origin::File,
            },
        };
        let table = Table::read(input)?;
        let vcdt = |row: &&_| table.cell(row, "class").is_none_or(|class| class == "vcdt");
        let position = |row| {
            let line = table.line(row, Game::CONNECT6)?;
            line.position(line.moves.len())
        };
        table.rows().iter().filter(vcdt).take(self.limit.unwrap_or(usize::MAX)).map(position).collect()
    }

    fn measure(
        &self,
        search: &mut DbsSearch,
        options: DbsOptions,
        position: &Position,
        stop: &AtomicBool,
    ) -> Result<Measure> {
        let clock = SystemClock::start();
        let limits = Limits { time: Some(self.time), ..Limits::default() };
        let mut budget = Budget::new(limits, &clock, stop);
        let mut board = Board::from_position(position);
        let start = Instant::now();
        let verdict = search.solve(&mut board, position.to_move(), options, &mut budget, &mut Silent);
        let time = start.elapsed();
        if matches!(verdict, Verdict::Unknown(Why::Stopped)) {
            anyhow::bail!("stopped");
        }
        Ok(Measure { solved: verdict.win().is_some(), stats: search.stats(), time })
    }

    fn print(&self, positions: usize, rows: &[Row], hard: &[Row], overhead: f64) -> Result<()> {
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
        output::text(&text)
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

/// A row for each program, over all positions.
fn rows(measures: &[Vec<Measure>]) -> Vec<Row> {
    let all: Vec<usize> = (0..measures[PLAIN].len()).collect();
    rows_of(measures, &all)
}

/// The same over some of the positions.
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
