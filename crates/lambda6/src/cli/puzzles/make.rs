//! `lambda6 puzzles make`: positions with forced wins, from self-play.

use crate::{cli::Exit, interrupt, output, progress};
use anyhow::Result;
use lambda6_literature::puzzle::{MakeOptions, Making, Puzzle, Theme, ThemedPuzzle, make, make_theme};
use lambda6_rules::Game;
use serde::Serialize;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Two simple players play until one has a forced win. The set is spread over classes,
depths, wins in one area and in several, with inversions (a defence that makes a threat)
and without. No position is there twice, however the board is turned; with one stone a
move at most three first moves win. Nothing depends on time: a version of the program
makes the same set from a seed on every machine.

The set is a table, its columns apart by tabs: `id`, `game`, `grade` (1 to 5, by the moves
that a search tried), `class` (vcdt or vcst, in go-moku vcf or vct), `depth` (the
attacker's moves of the shortest known win, up to the one that makes more threats
than can be met), `areas` (groups of threats without a common square), `inversions` (yes
or no), `nodes` (moves tried to find it) and `moves`.

With --theme there are also `theme` and `solution`, the first move of the win that was found. Of a
defence `solution` is the only move that holds: against every other move a win by threats is
proved, of which `depth` is the longest; against this one none was found with many times the
moves tried, which proves nothing.

Examples:
  lambda6 puzzles make
  lambda6 puzzles make --count 200 --seed 1 --output set.tsv
  lambda6 puzzles make --theme defence --game go-moku --count 20
  lambda6 puzzles make --game go-moku,'20 20 5 1 1' --count 40";

/// Make positions with forced wins by self-play
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Make {
    /// The number of positions
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,

    /// The game: connect6, go-moku, tic-tac-toe or "m n k p q"; several take turns
    #[arg(long, value_name = "GAME", value_delimiter = ',', default_values_t = [Game::CONNECT6])]
    game: Vec<Game>,

    /// Only positions of one theme: double-threat (fours in go-moku), inversion, quiet (a first move
    /// without a threat), or defence (find the only move that holds)
    #[arg(long, value_name = "THEME")]
    theme: Option<Theme>,

    /// Seed of the games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Write the set to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the output file if it exists
    #[arg(long, requires = "output")]
    force: bool,

    /// Print the set as one line of JSON
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

impl Make {
    pub(crate) fn run(&self) -> Result<Exit> {
        if let Some(path) = &self.output {
            output::check_writable(path, self.force)?;
        }
        let stop = interrupt::stop_flag()?;
        let count = self.count as usize;
        let bar = progress::bar(count, "{msg}");
        let options = MakeOptions { games: self.game.clone(), seed: self.seed, count };
        let mut show = |making: Making| {
            bar.set_position(making.kept as u64);
            bar.set_message(format!("{} games", making.games));
        };
        let made: Option<Vec<Entry>> = match self.theme {
            None => make(&options, &stop, &mut show)?.map(|set| set.into_iter().map(Entry::Any).collect()),
            Some(theme) => make_theme(&options, theme, &stop, &mut show)?
                .map(|set| set.into_iter().map(Entry::Themed).collect()),
        };
        drop(bar);
        let Some(puzzles) = made else {
            output::note("stopped: no set was made");
            return Ok(Exit::No);
        };
        let digits = count.to_string().len().max(3);
        let rows: Vec<PuzzleRow> =
            puzzles.iter().enumerate().map(|(i, puzzle)| PuzzleRow::of(i + 1, digits, puzzle)).collect();
        if self.json {
            output::json("puzzles-make", MakeJson { seed: self.seed, puzzles: rows })?;
        } else if let Some(path) = &self.output {
            output::file(path, self.table(&rows).as_bytes(), self.force)?;
        } else {
            output::text(&self.table(&rows))?;
        }
        Ok(Exit::Yes)
    }

    /// The set as a table. One with a theme begins with the command that made it.
    fn table(&self, rows: &[PuzzleRow]) -> String {
        let mut text = String::new();
        if let Some(theme) = self.theme {
            let games: Vec<String> = self.game.iter().map(|game| format!("'{game}'")).collect();
            let (games, count, seed) = (games.join(","), self.count, self.seed);
            text += &format!(
                "# lambda6 puzzles make --theme {theme} --game {games} --count {count} --seed {seed}\n"
            );
        }
        let [theme, solution] = if self.theme.is_some() { ["theme\t", "solution\t"] } else { [""; 2] };
        text += &format!("id\tgame\t{theme}grade\tclass\tdepth\tareas\tinversions\tnodes\t{solution}moves\n");
        for row in rows {
            let PuzzleRow { id, game, theme, grade, class, depth, areas, inversions, nodes, solution, moves } =
                row;
            let [theme, solution] = [theme.unwrap_or_default(), solution.as_deref().unwrap_or_default()]
                .map(|cell| if cell.is_empty() { String::new() } else { format!("{cell}\t") });
            let inversions = if *inversions { "yes" } else { "no" };
            let moves = moves.join(" ");
            text += &format!(
                "{id}\t{game}\t{theme}{grade}\t{class}\t{depth}\t{areas}\t{inversions}\t{nodes}\t{solution}{moves}\n"
            );
        }
        text
    }
}

/// A position of the set.
enum Entry {
    Any(Puzzle),
    Themed(ThemedPuzzle),
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct MakeJson {
    seed: u64,
    puzzles: Vec<PuzzleRow>,
}

#[derive(Serialize)]
struct PuzzleRow {
    id: String,
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<&'static str>,
    grade: u8,
    class: &'static str,
    depth: usize,
    areas: usize,
    inversions: bool,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
    moves: Vec<String>,
}

impl PuzzleRow {
    fn of(number: usize, digits: usize, entry: &Entry) -> PuzzleRow {
        let (puzzle, themed) = match entry {
            Entry::Any(puzzle) => (puzzle, None),
            Entry::Themed(themed) => (&themed.puzzle, Some(themed)),
        };
        PuzzleRow {
            theme: themed.map(|themed| themed.theme.name()),
            solution: themed.map(|themed| puzzle.game.move_name(&themed.solution)),
            id: format!("p{number:0digits$}"),
            game: puzzle.game.to_string(),
            grade: puzzle.grade(),
            class: puzzle.class.name_in(puzzle.game),
            depth: puzzle.depth,
            areas: puzzle.traits.areas,
            inversions: puzzle.traits.inversions,
            nodes: puzzle.nodes,
            moves: puzzle.moves.iter().map(|mv| puzzle.game.move_name(mv)).collect(),
        }
    }
}
