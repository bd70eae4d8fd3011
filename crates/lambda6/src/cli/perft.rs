//! `lambda6 perft`: counts positions and threat moves by depth.

use super::Exit;
use crate::{
    json::GameJson,
    output,
    position_arg::{PositionArgs, position_help},
    progress,
};
use anyhow::Result;
use lambda6_threats::perft::{MoveCounter, MoveCounts};
use serde::Serialize;

const AFTER_HELP: &str = concat!(
    position_help!(),
    "
Each row is about the last of that many moves from POSITION. `positions` counts the
move sequences: a move is a set of stones without order, and a game that is over has
no moves. `winning`, `full` and `partial` count threat moves:
the sets of stones that complete a row; or else the least sets that make p threats
or more (double threats in Connect6), and those that make fewer (single threats);
they also meet the threats of the other side.

Examples:
  lambda6 perft 'j10' --depth 1
  lambda6 perft 'j10' --depth 2 --positions
  lambda6 perft --game tic-tac-toe 'b2' --depth 8
  lambda6 perft game.sgf --at 4 --depth 1 --json"
);

/// Count positions and threat moves by depth
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Perft {
    #[command(flatten)]
    position: PositionArgs,

    /// The greatest depth, in moves
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    depth: u32,

    /// Count positions only, which is faster
    #[arg(long)]
    positions: bool,

    /// Print one line of JSON instead of a table
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub(crate) fn run(&self) -> Result<Exit> {
        let position = self.position.load()?.position;
        let mut counter = MoveCounter::new(&position, !self.positions);
        let spinner = progress::spinner();
        let levels = (1..=self.depth).map(|depth| {
            spinner.set_message(format!("depth {depth}"));
            (depth, counter.count(depth))
        });
        if self.json {
            let levels = levels.map(|(depth, counts)| self.level_json(depth, counts)).collect();
            output::json("perft", PerftJson { game: position.game().into(), levels })?;
            return Ok(Exit::Yes);
        }
        let names = ["depth", "positions", "winning", "full", "partial"];
        output::text(&self.row(names.map(str::to_string)))?;
        for (depth, counts) in levels {
            // Printed as soon as it is known: the next row may take hours.
            let MoveCounts { positions, winning, full, partial } = counts;
            let numbers = [u128::from(depth), positions, winning, full, partial];
            let row = self.row(numbers.map(|number| number.to_string()));
            spinner.suspend(|| output::text(&row))?;
        }
        Ok(Exit::Yes)
    }

    fn row(&self, cells: [String; 5]) -> String {
        let columns = if self.positions { 2 } else { 5 };
        let widths = [5, 20, 12, 12, 12];
        let cells: Vec<String> =
            cells.iter().zip(widths).take(columns).map(|(cell, width)| format!("{cell:>width$}")).collect();
        cells.join(" ") + "\n"
    }

    fn level_json(&self, depth: u32, counts: MoveCounts) -> LevelJson {
        let MoveCounts { positions, winning, full, partial } = counts;
        let threat_moves = (!self.positions).then_some(ThreatMovesJson { winning, full, partial });
        LevelJson { depth, positions, threat_moves }
    }
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct PerftJson {
    game: GameJson,
    levels: Vec<LevelJson>,
}

#[derive(Serialize)]
struct LevelJson {
    depth: u32,
    positions: u128,
    threat_moves: Option<ThreatMovesJson>,
}

#[derive(Serialize)]
struct ThreatMovesJson {
    winning: u128,
    full: u128,
    partial: u128,
}
