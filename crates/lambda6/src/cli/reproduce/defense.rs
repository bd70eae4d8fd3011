//! `lambda6 reproduce defense`: the tables of games of the thesis, with levels of this
//! program as opponents.

use crate::{
    cli::Exit,
    contest_args::{load_openings, run},
    interrupt, output,
    player_args::PlayerArgs,
};
use anyhow::Result;
use lambda6_contest::{Contest, Entrant, Played, Time, Who, referee::Terms};
use lambda6_player::{Level, TimeControl};
use lambda6_rules::Game;
use serde::Serialize;
use std::{path::PathBuf, sync::atomic::Ordering, time::Duration};

const AFTER_HELP: &str = "\
The thesis played ten games per table, five with each colour, and ended them as draws around
move 120. Its opponents are not available; here they are levels of this program. The defensive
strategy (level defense) stands for tables 3.1 and 3.2, the strategy that threat-space search
verifies (level kagami) for tables 4.1 and 4.2. D, W and L are draws, wins and losses of the
strategy. Below each table are the results of the thesis. Games begin with openings of the
built-in set, since all games from the empty board would be equal. How often kagami searched
again is not counted.

Examples:
  lambda6 reproduce defense
  lambda6 reproduce defense --opponents club,kagami,strong --time 5s --out defense
  lambda6 reproduce defense --games 2 --time 500n --json";

/// The defensive strategy against other levels, as in the thesis on Kagami
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Defense {
    /// The opponents: levels, separated by commas
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', default_value = "club,strong")]
    opponents: Vec<Level>,

    /// Games a table
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1000))]
    games: u64,

    /// The time control
    #[arg(long, value_name = "TIME", default_value_t = TimeControl::PerMove(Duration::from_secs(1)))]
    time: TimeControl,

    /// End a game as a draw after N moves
    #[arg(long, value_name = "N", default_value_t = 120)]
    max_moves: usize,

    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    parallel: u64,

    /// Keep the games here, a directory for each table
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    player: PlayerArgs,

    /// Do not report every game on standard error
    #[arg(long)]
    quiet: bool,

    /// Print one line of JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// The tables of the thesis: number, strategy, opponent, results, lengths.
const THESIS: [(&str, Level, &str, &str, [u32; 10]); 4] = [
    (
        "3.1",
        Level::Defense,
        "NCTU6 (level 3)",
        "DDDDDDDDDD",
        [121, 120, 119, 124, 120, 120, 123, 121, 120, 123],
    ),
    ("3.2", Level::Defense, "X6", "LDDDLLDDDL", [31, 121, 123, 131, 47, 18, 118, 128, 120, 34]),
    ("4.1", Level::Kagami, "X6", "DDDDDDDDDD", [121, 119, 123, 121, 119, 123, 124, 126, 124, 120]),
    ("4.2", Level::Kagami, "MeinStein", "WLWLLWWWLW", [52, 14, 51, 58, 16, 63, 81, 54, 16, 54]),
];

/// A table of games.
#[derive(Serialize)]
struct Table {
    strategy: &'static str,
    opponent: &'static str,
    wins: usize,
    draws: usize,
    losses: usize,
    games: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    colour: &'static str,
    opening: String,
    result: char,
    length: usize,
    ended_by: &'static str,
}

/// The document that `--json` prints; docs/MATCHES.md describes it.
#[derive(Serialize)]
struct DefenseJson {
    tables: Vec<Table>,
}

impl Defense {
    pub(crate) fn run(&self) -> Result<Exit> {
        let stop = interrupt::stop_flag()?;
        let mut tables = Vec::new();
        for strategy in [Level::Defense, Level::Kagami] {
            for &opponent in &self.opponents {
                let contest = self.contest(strategy, opponent)?;
                let standing = run(&contest, &stop, self.quiet)?;
                if stop.load(Ordering::Relaxed) {
                    anyhow::bail!("stopped");
                }
                tables.push(table(strategy, opponent, standing.played()));
            }
        }
        let text = self.text(&tables);
        output::either(self.json, "reproduce-defense", DefenseJson { tables }, || text)?;
        Ok(Exit::Yes)
    }

    fn contest(&self, strategy: Level, opponent: Level) -> Result<Contest> {
        let time = Time::Control(self.time);
        let mut entrants =
            vec![Entrant::new(Who::Level(strategy), time), Entrant::new(Who::Level(opponent), time)];
        lambda6_contest::distinguish(&mut entrants);
        Ok(Contest {
            game: Game::CONNECT6,
            entrants,
            openings: load_openings("dif", Game::CONNECT6)?,
            games: self.games as usize,
            parallel: self.parallel as usize,
            terms: Terms {
                max_moves: Some(self.max_moves),
                player: self.player.options(strategy),
                ..Terms::default()
            },
            sprt: None,
            seed: self.player.seed,
            directory: self.out.as_ref().map(|out| out.join(format!("{strategy}-{opponent}"))),
        })
    }

    fn text(&self, tables: &[Table]) -> String {
        let mut text = String::new();
        for strategy in [Level::Defense, Level::Kagami] {
            for table in tables.iter().filter(|table| table.strategy == strategy.name()) {
                let Table { opponent, wins, draws, losses, .. } = table;
                text +=
                    &format!("{strategy} against {opponent}, {}: +{wins} ={draws} -{losses}\n", self.time);
                let results: Vec<String> = table.games.iter().map(|row| row.result.to_string()).collect();
                let lengths: Vec<String> = table.games.iter().map(|row| row.length.to_string()).collect();
                let colours: Vec<String> =
                    table.games.iter().map(|row| row.colour[..1].to_string()).collect();
                text += &rows(&[("colour", colours), ("result", results), ("length", lengths)]);
            }
            for (number, _, opponent, results, lengths) in THESIS.iter().filter(|row| row.1 == strategy) {
                text += &format!("the thesis, table {number}, against {opponent}\n");
                let results = results.chars().map(|c| c.to_string()).collect();
                let lengths = lengths.iter().map(u32::to_string).collect();
                text += &rows(&[("result", results), ("length", lengths)]);
            }
        }
        text
    }
}

fn rows(rows: &[(&str, Vec<String>)]) -> String {
    let count = rows.first().map_or(0, |(_, cells)| cells.len());
    let line = |(name, cells): &(&str, Vec<String>)| {
        let cells: String = cells.iter().map(|cell| format!(" {cell:>4}")).collect();
        format!("{name:<7}{cells}\n")
    };
    let numbers = ("game", (1..=count).map(|n| n.to_string()).collect());
    line(&numbers) + &rows.iter().map(line).collect::<String>() + "\n"
}

/// The games of a table: first those with Black, as in the thesis.
fn table(strategy: Level, opponent: Level, played: &[Played]) -> Table {
    let mut played: Vec<&Played> = played.iter().collect();
    played.sort_by_key(|game| (game.black, game.number));
    let row = |game: &&Played| Row {
        colour: if game.black == 0 { "black" } else { "white" },
        opening: game.opening.clone(),
        result: ['L', 'D', 'W'][usize::from(game.half_points())],
        length: game.moves.len(),
        ended_by: game.reason.name(),
    };
    let games: Vec<Row> = played.iter().map(row).collect();
    let count = |result| games.iter().filter(|row| row.result == result).count();
    let (wins, draws, losses) = (count('W'), count('D'), count('L'));
    Table { strategy: strategy.name(), opponent: opponent.name(), wins, draws, losses, games }
}
