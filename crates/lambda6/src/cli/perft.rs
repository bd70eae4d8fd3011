//! `lambda6 perft`: counts the positions that a number of moves leads to.

use super::Answer;
use crate::{
    json::GameJson,
    output,
    perft::{Tally, count},
    position_arg::{PositionArgs, position_help},
};
use anyhow::Result;
use serde::Serialize;

const AFTER_HELP: &str = concat!(
    position_help!(),
    "
A row's number of positions counts every way of N moves from POSITION. A move is
a set of stones: their order does not matter. A game that is over has no moves.

Examples:
  lambda6 perft 'j10' --depth 2
  lambda6 perft --game tic-tac-toe 'b2' --depth 8
  lambda6 perft game.sgf --at 4 --depth 1 --json"
);

/// Count the positions after each number of moves
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Perft {
    #[command(flatten)]
    position: PositionArgs,

    /// The most moves to look ahead
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    depth: u32,

    /// Print one line of JSON instead of a table
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub(crate) fn run(&self) -> Result<Answer> {
        let position = self.position.load()?.position;
        if self.json {
            let levels =
                (1..=self.depth).map(|depth| LevelJson::of(depth, count(&position, depth))).collect();
            output::json("perft", PerftJson { game: position.game().into(), levels })?;
            return Ok(Answer::Yes);
        }
        output::text(&format!("{:>5} {:>24}\n", "depth", "positions"))?;
        for depth in 1..=self.depth {
            // A row as soon as it is known: the next may take hours.
            output::text(&format!("{depth:>5} {:>24}\n", count(&position, depth).positions))?;
        }
        Ok(Answer::Yes)
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
}

impl LevelJson {
    fn of(depth: u32, tally: Tally) -> LevelJson {
        LevelJson { depth, positions: tally.positions }
    }
}
