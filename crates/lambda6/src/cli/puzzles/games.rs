//! `lambda6 puzzles games`: how often a solver finds a forced win of the winner in the
//! last positions of real games.

use crate::{
    cli::Exit,
    input::Input,
    interrupt, output,
    puzzles::run,
    search_args::{SearchArgs, parse_mib, parse_seconds},
    table::{Line, Row, Table},
};
use anyhow::{Context, Result};
use lambda6_proof::Class;
use lambda6_rules::{Game, Side};
use lambda6_search::Random;
use serde::Serialize;
use std::{ffi::OsString, sync::atomic::AtomicBool, time::Duration};

const AFTER_HELP: &str = "\
The file is a table with a line a game, cells apart by tabs. Its first line names the
columns, of which `result` (BWin or WWin; other games are skipped) and `moves` are needed. The positions are those of the last moves in which the winner is to move. Each
is searched once with each class, for the longest of the times; the table tells how many
were solved within each time.

Examples:
  lambda6 puzzles games games.tsv --last 12 --time 0.1,1
  lambda6 puzzles games games.tsv --sample 1000 --seed 7 --class vcdt --time 0.1";

/// Count the positions before the end of games that are solved in time
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Games {
    /// The games: a file or `-`
    #[arg(value_name = "FILE")]
    games: OsString,

    /// The game: connect6, go-moku, tic-tac-toe or "m n k p q"
    #[arg(long, value_name = "GAME", default_value_t = Game::CONNECT6)]
    game: Game,

    /// Take positions of the last N moves
    #[arg(long, value_name = "N", default_value_t = 12)]
    last: usize,

    /// The time limits, in seconds
    #[arg(long, value_name = "SECONDS", value_delimiter = ',', default_value = "0.1,1",
          value_parser = parse_seconds)]
    time: Vec<Duration>,

    /// The moves that the attacker may use; both classes if not given
    #[arg(long, value_name = "CLASS", value_delimiter = ',')]
    class: Vec<Class>,

    /// Search only N positions, chosen at random
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    /// Seed of the choice
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    search: SearchArgs,

    /// Memory for tables in every thread, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = parse_mib())]
    memory: u64,

    /// Positions searched at the same time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,

    /// Print one line of JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// A game with a winner.
struct Won<'a> {
    row: &'a Row,
    line: Line,
}

/// The result of one search.
struct Tried {
    solved: bool,
    nodes: u64,
    elapsed: Duration,
}

impl Games {
    pub(crate) fn run(&self) -> Result<Exit> {
        let table = Table::read(Input::from_argument(&self.games)?)?;
        let mut games = Vec::new();
        let mut positions = Vec::new();
        for row in table.rows() {
            if let Some((game, winner)) = self.won(&table, row)? {
                let plies = game.line.moves.len();
                let of_winner = (plies.saturating_sub(self.last)..plies)
                    .filter(|&ply| ply > 0 && side_after(ply) == winner);
                positions.extend(of_winner.map(|ply| (games.len(), ply)));
                games.push(game);
            }
        }
        let found = positions.len();
        if let Some(sample) = self.sample {
            Random::new(self.seed).shuffle(&mut positions);
            positions.truncate(sample);
            positions.sort_unstable();
        }
        let classes: Vec<Class> = match &self.class[..] {
            [] => vec![Class::Vcdt, Class::Vcst],
            some => some.to_vec(),
        };
        let stop = interrupt::stop_flag()?;
        let results = run::in_parallel(positions.len(), usize::from(self.jobs), &stop, |i| {
            let (game, ply) = positions[i];
            let what = || format!("{}: line {}, after {ply} moves", table.name(), games[game].row.line);
            self.search(&games[game].line, ply, &classes, &stop).with_context(what)
        })?;
        let results: Vec<Vec<Tried>> = results.into_iter().flatten().collect();
        let report = self.report(&results, &classes, games.len(), found);
        output::either(self.json, "puzzles-games", &report, || report.text())?;
        Ok(if results.len() == positions.len() { Exit::Yes } else { Exit::No })
    }

    fn won<'a>(&self, table: &Table, row: &'a Row) -> Result<Option<(Won<'a>, Side)>> {
        let winner = match table.required(row, "result")? {
            "BWin" => Side::Black,
            "WWin" => Side::White,
            _ => return Ok(None),
        };
        Ok(Some((Won { row, line: table.line(row, self.game)? }, winner)))
    }

    fn search(&self, line: &Line, ply: usize, classes: &[Class], stop: &AtomicBool) -> Result<Vec<Tried>> {
        let position = line.position(ply)?;
        let limits = self.search.limits(self.time.iter().max().copied());
        let search = |&class: &Class| {
            let solver = self.search.solver(Some(class), 1, self.memory)?;
            let outcome = run::solve(&position, position.to_move(), solver, limits, stop)?;
            Ok(Tried { solved: outcome.is_solved(), nodes: outcome.nodes, elapsed: outcome.elapsed })
        };
        classes.iter().map(search).collect()
    }

    fn report(&self, results: &[Vec<Tried>], classes: &[Class], games: usize, found: usize) -> Report {
        let class_report = |(i, class): (usize, &Class)| {
            let tried = || results.iter().map(|tried| &tried[i]);
            let within = |&time: &Duration| Within {
                seconds: time.as_secs_f64(),
                solved: tried().filter(|tried| tried.solved && tried.elapsed <= time).count(),
            };
            ClassReport {
                class: class.name_in(self.game),
                within: self.time.iter().map(within).collect(),
                nodes: tried().map(|tried| tried.nodes).sum(),
                seconds: tried().map(|tried| tried.elapsed.as_secs_f64()).sum(),
            }
        };
        let classes = classes.iter().enumerate().map(class_report).collect();
        Report { games, found, positions: results.len(), classes }
    }
}

/// The side to move after this many moves.
fn side_after(moves: usize) -> Side {
    if moves.is_multiple_of(2) { Side::Black } else { Side::White }
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct Report {
    games: usize,
    /// Positions of winners in the file.
    found: usize,
    /// Positions searched.
    positions: usize,
    classes: Vec<ClassReport>,
}

#[derive(Serialize)]
struct ClassReport {
    class: &'static str,
    within: Vec<Within>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Within {
    seconds: f64,
    solved: usize,
}

impl Report {
    fn text(&self) -> String {
        let Report { games, found, positions, classes } = self;
        let mut text = format!(
            "games with a winner: {games}\npositions of the winner to move: {found}\nsearched: {positions}\n\n"
        );
        for class in classes {
            for Within { seconds, solved } in &class.within {
                let percent = 100.0 * *solved as f64 / (*positions).max(1) as f64;
                text += &format!(
                    "class={} seconds={seconds} solved={solved} total={positions} percent={percent:.1}\n",
                    class.class
                );
            }
        }
        for ClassReport { class, nodes, seconds, .. } in classes {
            text += &format!("class={class} nodes={nodes} search_seconds={seconds:.3}\n");
        }
        text
    }
}
