//! `lambda6 reproduce bitboard`: compares the proof-number searches with each other and
//! with other searches, as in the paper's tables 5, 7 and 8.

use crate::{
    cli::Exit,
    figure::{Figure, Series},
    interrupt, output, progress,
    search_args::parse_mib,
    table::Table,
};
use anyhow::{Context, Result, bail};
use cpu_time::ThreadTime;
use lambda6_literature::{
    Compared, ComparisonOptions, ComparisonSolver, ComparisonStrategy,
    staged::{TreeKind, TreeOptions},
};
use lambda6_proof::{Class, Verdict};
use lambda6_rules::{Game, Position};
use lambda6_search::{Budget, Limits, Silent, SystemClock, Why, runner};
use serde::Serialize;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

const AFTER_HELP: &str = "\
Every position is searched by every search, each time with empty tables. All of them
share the moves, the evaluation and the answers to the defender; a win counts if the checker
accepts its certificate. A cell has seconds of processor time and, in brackets, the moves tried,
including those of the evaluation; X is a position that was not solved within --nodes nodes of
the tree (df-pn: within --memory) and --moves moves tried. Except for times, the output is the
same on every machine.

Table 7 has the positions that double threats win, table 8 the others, by the class that
the set gives them; dfs and bfs know the class. Table 5 searches what type II has solved
once more, on a board that recounts its lines after every stone. Without SET the 200 puzzles are
used that come with the program. --svg draws the positions that each search has solved
within so many seconds, and within so many moves tried.

Examples:
  lambda6 reproduce bitboard --limit 20
  lambda6 reproduce bitboard set.tsv --moves 10000000 --svg figures
  lambda6 reproduce bitboard --search pns-2b --search dfpn --json";

/// Compare proof-number searches with each other and with other searches
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Bitboard {
    /// The positions: a table as for `puzzles solve`
    #[arg(value_name = "SET")]
    set: Option<OsString>,

    /// The searches; all of them if not given
    #[arg(long, value_name = "SEARCH")]
    search: Vec<TreeKind>,

    /// The most nodes of a tree
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    nodes: usize,

    /// Moves that the evaluation of one position may try
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    effort: u64,

    /// Give up on a position after N moves tried
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    moves: u64,

    /// Memory for tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = parse_mib())]
    memory: u64,

    /// Take the first N positions only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Leave table 5 out
    #[arg(long)]
    no_naive: bool,

    /// Draw the figures into this directory
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Print one line of JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// A position of the set.
struct Puzzle {
    id: String,
    class: Class,
    position: Position,
}

/// The measurements of one search on one position.
#[derive(Clone, Serialize)]
struct Measure {
    puzzle: String,
    class: &'static str,
    solved: bool,
    why: Option<&'static str>,
    seconds: f64,
    /// Moves tried, including those of the evaluation.
    moves: u64,
    /// Nodes of the tree; for df-pn positions searched.
    nodes: usize,
    /// How often the certificate needed replies outside the tree.
    widened: usize,
}

/// One search over all positions.
#[derive(Serialize)]
struct Column {
    search: &'static str,
    solved: usize,
    seconds: f64,
    moves: u64,
    positions: Vec<Measure>,
}

/// Table 5.
#[derive(Serialize)]
struct Knowledge {
    positions: usize,
    seconds: f64,
    naive_seconds: f64,
    times_faster: f64,
    /// Whether both boards led to the same moves.
    same: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct BitboardJson {
    positions: usize,
    nodes: usize,
    searches: Vec<Column>,
    knowledge: Option<Knowledge>,
}

impl Bitboard {
    pub(crate) fn run(&self) -> Result<Exit> {
        let puzzles = self.puzzles()?;
        let stop = interrupt::stop_flag()?;
        output::directory(self.svg.as_ref())?;
        let kinds = if self.search.is_empty() { TreeKind::ALL.to_vec() } else { self.search.clone() };
        // Lines can be long: the searches need a large stack.
        let (columns, knowledge) = runner::run("reproduce", || -> Result<_> {
            let columns = self.columns(&puzzles, &kinds, &stop)?;
            let knowledge = if self.no_naive { None } else { self.knowledge(&puzzles, &stop)? };
            Ok((columns, knowledge))
        })??;
        if let Some(directory) = &self.svg {
            draw(directory, &columns)?;
        }
        let text = self.text(&puzzles, &columns, knowledge.as_ref());
        let (positions, nodes) = (puzzles.len(), self.nodes);
        let document = BitboardJson { positions, nodes, searches: columns, knowledge };
        output::either(self.json, "reproduce-bitboard", document, || text)?;
        Ok(Exit::Yes)
    }

    fn puzzles(&self) -> Result<Vec<Puzzle>> {
        let name = "the puzzles that come with the program";
        let table = Table::of(self.set.as_ref(), name, include_str!("../../../data/puzzles.tsv"))?;
        let puzzle = |(number, row)| {
            let class = match table.cell(row, "class") {
                Some(text) => text.parse().map_err(|_| table.error(row, "class", "expected vcdt or vcst"))?,
                None => Class::default(),
            };
            let id = table.cell(row, "id").map_or_else(|| format!("{number}"), str::to_string);
            Ok(Puzzle { id, class, position: table.position(row, Game::CONNECT6)? })
        };
        (1..).zip(table.rows()).take(self.limit.unwrap_or(usize::MAX)).map(puzzle).collect()
    }

    fn columns(&self, puzzles: &[Puzzle], kinds: &[TreeKind], stop: &AtomicBool) -> Result<Vec<Column>> {
        let mut measures: Vec<Vec<Measure>> = kinds.iter().map(|_| Vec::new()).collect();
        // All searches on one position before the next, so that other load on the
        // machine affects them alike.
        let bar = progress::bar(puzzles.len() * kinds.len(), "searches, {eta} left");
        for puzzle in puzzles {
            for (&kind, measures) in kinds.iter().zip(&mut measures) {
                measures.push(self.measure(puzzle, kind, false, stop)?);
                bar.inc(1);
            }
        }
        let column = |(kind, positions): (&TreeKind, Vec<Measure>)| Column {
            search: kind.name(),
            solved: positions.iter().filter(|m| m.solved).count(),
            seconds: positions.iter().map(|m| m.seconds).sum(),
            moves: positions.iter().map(|m| m.moves).sum(),
            positions,
        };
        Ok(kinds.iter().zip(measures).map(column).collect())
    }

    /// Type II with and without the knowledge base, on the positions that it solves.
    fn knowledge(&self, puzzles: &[Puzzle], stop: &AtomicBool) -> Result<Option<Knowledge>> {
        let mut table =
            Knowledge { positions: 0, seconds: 0.0, naive_seconds: 0.0, times_faster: 0.0, same: true };
        let bar = progress::bar(puzzles.len(), "puzzles with and without the knowledge base, {eta} left");
        for puzzle in puzzles {
            bar.inc(1);
            let with = self.measure(puzzle, TreeKind::Pns2b, false, stop)?;
            if !with.solved {
                continue;
            }
            let without = self.measure(puzzle, TreeKind::Pns2b, true, stop)?;
            table.positions += 1;
            table.seconds += with.seconds;
            table.naive_seconds += without.seconds;
            table.same &= (with.moves, with.nodes) == (without.moves, without.nodes);
        }
        table.times_faster = table.naive_seconds / table.seconds.max(1e-9);
        Ok(Some(table).filter(|table| table.positions > 0))
    }

    fn measure(&self, puzzle: &Puzzle, kind: TreeKind, naive: bool, stop: &AtomicBool) -> Result<Measure> {
        let class = matches!(kind, TreeKind::Dfs | TreeKind::Bfs).then_some(puzzle.class);
        let table_bytes = if kind == TreeKind::Dfpn { (self.memory as usize) << 20 } else { 16 << 20 };
        let (nodes, effort) = (self.nodes, self.effort);
        let tree = TreeOptions { class, nodes, effort, naive, ..TreeOptions::new(kind) };
        let strategy = ComparisonStrategy::Tree(tree);
        let options = ComparisonOptions { table_bytes, ..ComparisonOptions::new(strategy) };
        let mut solver = ComparisonSolver::new(puzzle.position.game(), options);
        let limits = Limits { nodes: Some(self.moves), ..Limits::default() };
        // Processor time, which other programs on the machine do not affect.
        let (clock, start) = (SystemClock::start(), ThreadTime::now());
        let attacker = puzzle.position.to_move();
        let mut budget = Budget::new(limits, &clock, stop);
        let Compared { report, searched } = solver
            .solve(&puzzle.position, attacker, &mut budget, &mut Silent)
            .with_context(|| puzzle.id.clone())?;
        let seconds = start.elapsed();
        let why = match &report.verdict {
            Verdict::Win(_) => None,
            Verdict::Unknown(Why::Stopped) => bail!("stopped"),
            Verdict::Unknown(why) => Some(why.name()),
        };
        let searched = searched.unwrap_or_default();
        Ok(Measure {
            puzzle: puzzle.id.clone(),
            class: puzzle.class.name(),
            solved: why.is_none(),
            why,
            seconds: seconds.as_secs_f64(),
            moves: report.nodes,
            nodes: searched.nodes,
            widened: searched.widened,
        })
    }

    fn text(&self, puzzles: &[Puzzle], columns: &[Column], knowledge: Option<&Knowledge>) -> String {
        let mut text = format!(
            "{} positions, {} nodes and {} moves a position at most\n",
            puzzles.len(),
            self.nodes,
            self.moves
        );
        if let Some(Knowledge { positions, seconds, naive_seconds, times_faster, same }) = knowledge {
            text += &format!(
                "\nTable 5: pns-2b on the {positions} positions it solves\n\nwith the knowledge base     {seconds:>10.3} s\n\
                 without                     {naive_seconds:>10.3} s\n{times_faster:.1} times faster{}\n",
                if *same { ", the same moves" } else { ", but other moves" }
            );
        }
        for (number, class) in [(7, Class::Vcdt), (8, Class::Vcst)] {
            let rows: Vec<usize> = (0..puzzles.len()).filter(|&i| puzzles[i].class == class).collect();
            if rows.is_empty() {
                continue;
            }
            text += &format!("\nTable {number}: positions of class {}\n\n{:<8}", class.name(), "puzzle");
            columns.iter().for_each(|column| text += &format!(" {:>17}", column.search));
            text.push('\n');
            for &row in &rows {
                text += &format!("{:<8}", puzzles[row].id);
                for column in columns {
                    let Measure { solved, seconds, moves, .. } = &column.positions[row];
                    let cell = if *solved { format!("{seconds:.3} ({moves})") } else { "X".to_string() };
                    text += &format!(" {cell:>17}");
                }
                text.push('\n');
            }
            text += &format!("{:<8}", "solved");
            for column in columns {
                let solved = rows.iter().filter(|&&row| column.positions[row].solved).count();
                text += &format!(" {:>17}", format!("{solved} of {}", rows.len()));
            }
            text.push('\n');
        }
        text += &format!("\n{:<8} {:>7} {:>12} {:>11}\n", "search", "solved", "moves", "seconds");
        for Column { search, solved, seconds, moves, .. } in columns {
            text += &format!("{search:<8} {solved:>7} {moves:>12} {seconds:>11.3}\n");
        }
        text
    }
}

/// Draws the positions that each search has solved, by time and by moves: the nth value
/// belongs to its nth fastest position.
fn draw(directory: &Path, columns: &[Column]) -> Result<()> {
    let series = |value: fn(&Measure) -> f64| -> Vec<Series<'_>> {
        let sorted = |column: &Column| {
            let mut values: Vec<f64> = column.positions.iter().filter(|m| m.solved).map(value).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        columns.iter().map(|column| Series { name: column.search, values: sorted(column) }).collect()
    };
    Figure {
        title: "Positions solved, by time",
        x: "positions solved",
        y: "seconds",
        logarithmic: true,
        series: series(|m| m.seconds.max(1e-5)),
    }
    .write(&directory.join("bitboard-time.svg"))?;
    Figure {
        title: "Positions solved, by moves tried",
        x: "positions solved",
        y: "moves",
        logarithmic: true,
        series: series(|m| m.moves.max(1) as f64),
    }
    .write(&directory.join("bitboard-moves.svg"))
}
