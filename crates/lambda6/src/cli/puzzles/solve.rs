//! `lambda6 puzzles solve`: a solver over a set of positions.

use crate::{
    cli::Exit,
    input::Input,
    interrupt, output,
    puzzles::run::{self, Outcome},
    search_args::{SearchArgs, parse_mib, parse_seconds},
    table::{Row, Table},
};
use anyhow::{Context, Result};
use lambda6_proof::Class;
use lambda6_rules::{Game, Position};
use serde::Serialize;
use std::{cmp::Reverse, ffi::OsString, path::PathBuf, time::Duration};

const AFTER_HELP: &str = "\
The set is a table: a line a position, cells apart by tabs. The first line may name
the columns: `moves` (if there is none, the moves are in the last column), `id`, `game`
(before --game), `class` (vcdt or vcst, in go-moku vcf or vct, where --class is not given)
and `depth`, the moves of the shortest known win. The attacker is the side to move.

Every position is searched with empty tables. The last line printed is
  solved=N total=N nodes=N seconds=S
where seconds add up the times of all positions. Exit code 0: all are solved. 1: not
all are. 2: an error.

Examples:
  lambda6 puzzles solve set.tsv
  lambda6 puzzles solve set.tsv --class vcdt --time 1 --jobs 4
  lambda6 puzzles solve set.tsv --nodes 100000 --verify --json
  lambda6 puzzles solve set.tsv --limit 20 --proofs proofs";

/// Solve the positions of a set; print the number solved, nodes, time and the slowest
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Solve {
    /// The set: a file or `-`
    #[arg(value_name = "SET")]
    set: OsString,

    /// The game: connect6, go-moku, tic-tac-toe or "m n k p q"
    #[arg(long, value_name = "GAME", default_value_t = Game::CONNECT6)]
    game: Game,

    /// The moves that the attacker may use; if neither this nor the set gives a class,
    /// vcst
    #[arg(long, value_name = "CLASS")]
    class: Option<Class>,

    #[command(flatten)]
    search: SearchArgs,

    /// Give up on a position after this many seconds; 10 if neither this nor --nodes
    /// is given
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,

    /// Memory for tables in every thread, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = parse_mib())]
    memory: u64,

    /// Take the first N positions only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// The number of slowest positions to list
    #[arg(long, value_name = "N", default_value_t = 5)]
    slowest: usize,

    /// Positions searched at the same time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,

    /// Read every certificate back and check it
    #[arg(long)]
    verify: bool,

    /// Write the certificates into this directory, named by the line of the set
    #[arg(long, value_name = "DIR")]
    proofs: Option<PathBuf>,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The time limit if neither nodes nor time are limited.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// One position of the set.
struct Puzzle<'a> {
    row: &'a Row,
    id: Option<&'a str>,
    class: Class,
    /// Of the shortest known win.
    depth: Option<usize>,
    position: Position,
}

impl Solve {
    pub(crate) fn run(&self) -> Result<Exit> {
        let table = Table::read(Input::from_argument(&self.set)?)?;
        let rows = table.rows().iter().take(self.limit.unwrap_or(usize::MAX));
        let puzzles: Vec<Puzzle<'_>> = rows.map(|row| self.puzzle(&table, row)).collect::<Result<_>>()?;
        output::directory(self.proofs.as_ref())?;
        let stop = interrupt::stop_flag()?;
        let jobs = usize::from(self.jobs);
        let outcomes = run::in_parallel(puzzles.len(), jobs, &stop, |i| {
            let puzzle = &puzzles[i];
            let what = || format!("{}: line {}", table.name(), puzzle.row.line);
            self.solve(puzzle, &stop).with_context(what)
        })?;
        let done: Vec<(&Puzzle<'_>, &Outcome)> =
            puzzles.iter().zip(&outcomes).filter_map(|(p, o)| Some((p, o.as_ref()?))).collect();
        let summary = Summary::of(&done, puzzles.len());
        let positions = done.iter().map(|(puzzle, outcome)| PuzzleJson::of(puzzle, outcome)).collect();
        let document = SolveJson { positions, summary: &summary };
        output::either(self.json, "puzzles-solve", document, || self.report(&done, &summary))?;
        Ok(if summary.solved == summary.total { Exit::Yes } else { Exit::No })
    }

    fn puzzle<'a>(&self, table: &Table, row: &'a Row) -> Result<Puzzle<'a>> {
        let game = match table.cell(row, "game") {
            Some(text) => text.parse().map_err(|error| table.error(row, "game", error))?,
            None => self.game,
        };
        let position = table.position(row, game)?;
        if position.outcome().is_some() {
            return Err(table.error_in_moves(row, "the game is over, expected a position to solve"));
        }
        let in_set = match table.cell(row, "class") {
            Some(class) if self.class.is_none() => {
                let parsed = Class::parse_in(&class.to_lowercase(), game);
                Some(parsed.map_err(|error| table.error(row, "class", error))?)
            }
            _ => None,
        };
        let depth = match table.cell(row, "depth") {
            Some(depth) => {
                let expected = "expected the number of moves of the shortest known win";
                Some(depth.parse().map_err(|_| table.error(row, "depth", expected))?)
            }
            None => None,
        };
        let class = self.class.or(in_set).unwrap_or_default();
        Ok(Puzzle { row, id: table.cell(row, "id"), class, depth, position })
    }

    fn solve(&self, puzzle: &Puzzle<'_>, stop: &std::sync::atomic::AtomicBool) -> Result<Outcome> {
        // The class of a set is that of its win; tree searches use all moves.
        let class = match self.search.tree() {
            Some(_) => self.class,
            None => Some(puzzle.class),
        };
        let solver = self.search.solver(class, 1, self.memory)?;
        let mut limits = self.search.limits(self.time);
        if limits.time.is_none() && limits.nodes.is_none() {
            limits.time = Some(DEFAULT_TIME);
        }
        let attacker = puzzle.position.to_move();
        let outcome = run::solve(&puzzle.position, attacker, solver, limits, stop)?;
        if let Ok(certificate) = &outcome.proof {
            if self.verify {
                let mut text = Vec::new();
                certificate.write(&mut text)?;
                lambda6_checker::check(&text[..]).context("the certificate does not hold")?;
            }
            if let Some(directory) = &self.proofs {
                let path = directory.join(format!("{:06}.proof", puzzle.row.line));
                output::certificate(&path, certificate, true)?;
            }
        }
        Ok(outcome)
    }

    fn report(&self, done: &[(&Puzzle<'_>, &Outcome)], summary: &Summary) -> String {
        let mut text = String::new();
        let mut list = |title: &str, chosen: &[&(&Puzzle<'_>, &Outcome)]| {
            if chosen.is_empty() {
                return;
            }
            text += &format!("{title}:\n   line  class  length       nodes    seconds  id\n");
            for (puzzle, outcome) in chosen {
                let length = match (&outcome.proof, outcome.depth()) {
                    (Ok(_), Some(depth)) => depth.to_string(),
                    (Err(why), _) => why.name().to_string(),
                    _ => String::new(),
                };
                let class = puzzle.class.name_in(puzzle.position.game());
                let (line, nodes) = (puzzle.row.line, outcome.nodes);
                let (seconds, id) = (outcome.elapsed.as_secs_f64(), puzzle.id.unwrap_or("-"));
                text += &format!("{line:>7}  {class:<5}  {length:>6}  {nodes:>10}  {seconds:>9.3}  {id}\n");
            }
            text += "\n";
        };
        let mut slowest: Vec<_> = done.iter().filter(|(_, outcome)| outcome.is_solved()).collect();
        slowest.sort_by_key(|(puzzle, outcome)| (Reverse(outcome.elapsed), puzzle.row.line));
        slowest.truncate(self.slowest);
        list("slowest", &slowest);
        let mut unsolved: Vec<_> = done.iter().filter(|(_, outcome)| !outcome.is_solved()).collect();
        unsolved.truncate(self.slowest);
        list("not solved", &unsolved);
        let Summary { solved, total, nodes, seconds, longer, .. } = summary;
        if summary.tried < *total {
            text += &format!("stopped after {} of {total} positions\n", summary.tried);
        }
        if *longer > 0 {
            text += &format!("longer than the shortest known win: {longer}\n");
        }
        text + &format!("solved={solved} total={total} nodes={nodes} seconds={seconds:.3}\n")
    }
}

/// Sums over all positions.
#[derive(Serialize)]
struct Summary {
    solved: usize,
    total: usize,
    /// The positions that were searched: fewer than all if the work was stopped.
    tried: usize,
    /// Wins with more moves than the shortest known one.
    longer: usize,
    nodes: u64,
    seconds: f64,
}

impl Summary {
    fn of(done: &[(&Puzzle<'_>, &Outcome)], total: usize) -> Summary {
        let is_longer = |puzzle: &Puzzle<'_>, outcome: &Outcome| {
            outcome.depth().zip(puzzle.depth).is_some_and(|(found, known)| found > known)
        };
        Summary {
            solved: done.iter().filter(|(_, outcome)| outcome.is_solved()).count(),
            total,
            tried: done.len(),
            longer: done.iter().filter(|(puzzle, outcome)| is_longer(puzzle, outcome)).count(),
            nodes: done.iter().map(|(_, outcome)| outcome.nodes).sum(),
            seconds: done.iter().map(|(_, outcome)| outcome.elapsed.as_secs_f64()).sum(),
        }
    }
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct SolveJson<'a> {
    positions: Vec<PuzzleJson<'a>>,
    #[serde(flatten)]
    summary: &'a Summary,
}

#[derive(Serialize)]
struct PuzzleJson<'a> {
    /// The line of the file.
    row: usize,
    id: Option<&'a str>,
    class: &'static str,
    solved: bool,
    why: Option<&'static str>,
    line: Vec<String>,
    length: Option<usize>,
    known_length: Option<usize>,
    nodes: u64,
    seconds: f64,
    replies: Option<usize>,
}

impl<'a> PuzzleJson<'a> {
    fn of(puzzle: &Puzzle<'a>, outcome: &Outcome) -> PuzzleJson<'a> {
        let proof = outcome.proof.as_ref();
        let game = puzzle.position.game();
        PuzzleJson {
            row: puzzle.row.line,
            id: puzzle.id,
            class: puzzle.class.name_in(game),
            solved: outcome.is_solved(),
            why: proof.err().map(|why| why.name()),
            line: proof.map_or_else(|_| Vec::new(), |proof| output::line_names(game, proof.line())),
            length: outcome.depth(),
            known_length: puzzle.depth,
            nodes: outcome.nodes,
            seconds: outcome.elapsed.as_secs_f64(),
            replies: proof.ok().map(|proof| proof.replies().len()),
        }
    }
}
