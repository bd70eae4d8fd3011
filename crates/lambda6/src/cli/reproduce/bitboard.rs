//! `lambda6 reproduce bitboard`: the proof-number searches against each other and
//! against what they are compared with, as in the paper's tables 5, 7 and 8.

use crate::{
    cli::Answer,
    figure::{Figure, Series},
    input::{Input, Origin},
    interrupt, output,
    puzzles::table::Table,
    search_args::MAX_MEMORY_MIB,
    search_thread::STACK_BYTES,
};
use anyhow::{Context, Result, anyhow, bail};
use cpu_time::ThreadTime;
use rules::{Game, Position};
use search::{
    Class, Limits, Silent, Solver, SolverOptions, SystemClock, Verdict, Why,
    pns::{TreeKind, TreeOptions},
};
use serde::Serialize;
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    thread,
};

const AFTER_HELP: &str = "\
Every position is searched by every search, each time with empty tables. All of them
share the moves, the evaluation and the answers to the defender; a win counts when its
certificate has been accepted. A cell has seconds of processor time and, in brackets, the moves tried, those
of the evaluation among them; X is a position that was not solved within --nodes nodes of
the tree (df-pn: within --memory) and --moves moves tried. Times are the machine's, all else
is the same everywhere.

Table 7 has the positions that double threats win, table 8 the others, by the class that
the set gives them; dfs and bfs know the class. Table 5 searches what type II has solved
once more, on a board that keeps no knowledge of its lines. Without SET the 200 puzzles are
used that come with the program. --svg draws the positions that each search has solved
within so many seconds, and within so many moves tried.

Examples:
  lambda6 reproduce bitboard --limit 20
  lambda6 reproduce bitboard set.tsv --moves 10000000 --svg figures
  lambda6 reproduce bitboard --search pns-2b --search dfpn --json";

/// The proof-number searches and what they are compared with
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

    /// Give up on a position after so many moves tried
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    moves: u64,

    /// Memory for tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MEMORY_MIB))]
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

/// What one search took for one position.
#[derive(Clone, Serialize)]
struct Measure {
    puzzle: String,
    class: &'static str,
    solved: bool,
    why: Option<&'static str>,
    seconds: f64,
    /// Moves tried, those of the evaluation among them.
    moves: u64,
    /// Nodes of the tree; positions looked into by df-pn.
    nodes: usize,
    /// How often the certificate asked for more.
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
    pub(crate) fn run(&self) -> Result<Answer> {
        let puzzles = self.puzzles()?;
        let stop = interrupt::stop_flag()?;
        if let Some(directory) = &self.svg {
            fs::create_dir_all(directory)
                .with_context(|| format!("{}: cannot be made", directory.display()))?;
        }
        let kinds = if self.search.is_empty() { TreeKind::ALL.to_vec() } else { self.search.clone() };
        // Lines can be long: the stack of the searches is large.
        let (columns, knowledge) = thread::scope(|scope| {
            let work = || -> Result<_> {
                let columns = self.columns(&puzzles, &kinds, &stop)?;
                let knowledge = if self.no_naive { None } else { self.knowledge(&puzzles, &stop)? };
                Ok((columns, knowledge))
            };
            let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
            thread.join().map_err(|_| anyhow!("a search broke down"))?
        })?;
        if let Some(directory) = &self.svg {
            draw(directory, &columns)?;
        }
        if self.json {
            let body =
                BitboardJson { positions: puzzles.len(), nodes: self.nodes, searches: columns, knowledge };
            output::json("reproduce-bitboard", body)?;
        } else {
            output::text(&self.text(&puzzles, &columns, knowledge.as_ref()))?;
        }
        Ok(Answer::Yes)
    }

    fn puzzles(&self) -> Result<Vec<Puzzle>> {
        let input = match &self.set {
            Some(set) => Input::from_argument(set)?,
            None => Input {
                name: "the puzzles that come with the program".to_string(),
                bytes: include_bytes!("../../../data/puzzles.tsv").to_vec(),
                origin: Origin::File,
            },
        };
        let table = Table::read(input)?;
        let puzzle = |(number, row)| {
            let line = table.line(row, Game::CONNECT6)?;
            let class = match table.cell(row, "class") {
                Some(text) => text.parse().map_err(|_| table.error(row, "class", "expected vcdt or vcst"))?,
                None => Class::default(),
            };
            let id = table.cell(row, "id").map_or_else(|| format!("{number}"), str::to_string);
            Ok(Puzzle { id, class, position: line.position(line.moves.len())? })
        };
        (1..).zip(table.rows()).take(self.limit.unwrap_or(usize::MAX)).map(puzzle).collect()
    }

    fn columns(&self, puzzles: &[Puzzle], kinds: &[TreeKind], stop: &AtomicBool) -> Result<Vec<Column>> {
        let mut measures: Vec<Vec<Measure>> = kinds.iter().map(|_| Vec::new()).collect();
        // All searches on one position before the next, so that what else the
        // machine does disturbs them alike.
        for puzzle in puzzles {
            for (&kind, measures) in kinds.iter().zip(&mut measures) {
                measures.push(self.measure(puzzle, kind, false, stop)?);
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

    /// Type II with and without the knowledge base, on what it solves.
    fn knowledge(&self, puzzles: &[Puzzle], stop: &AtomicBool) -> Result<Option<Knowledge>> {
        let mut table =
            Knowledge { positions: 0, seconds: 0.0, naive_seconds: 0.0, times_faster: 0.0, same: true };
        for puzzle in puzzles {
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
        let tree = TreeOptions { class, nodes, effort, naive, table_bytes, ..TreeOptions::new(kind) };
        let options = SolverOptions { tree: Some(tree), ..SolverOptions::default() };
        let mut solver = Solver::new(puzzle.position.game(), options);
        let limits = Limits { nodes: Some(self.moves), ..Limits::default() };
        // Other programs on the machine take time, but not processor time of ours.
        let (clock, start) = (SystemClock::start(), ThreadTime::now());
        let attacker = puzzle.position.to_move();
        let report = solver
            .solve(&puzzle.position, attacker, limits, &clock, stop, &mut Silent)
            .with_context(|| puzzle.id.clone())?;
        let seconds = start.elapsed();
        let why = match &report.verdict {
            Verdict::Win(_) => None,
            Verdict::Unknown(Why::Stopped) => bail!("stopped"),
            Verdict::Unknown(why) => Some(why.name()),
        };
        let searched = report.searched.unwrap_or_default();
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

/// What each search has solved, by time and by moves: the nth value is what its
/// nth position took.
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
