//! `lambda6 puzzles`: sets of positions with forced wins.

mod games;
mod make;
mod solve;

use super::{Exit, run_command};
use anyhow::Result;
use clap::Subcommand;

const AFTER_HELP: &str = "\
A set is a table: a line a position, cells apart by tabs, the moves that lead to the
position in the column `moves` or in the last one. The side to move is to win.

Examples:
  lambda6 puzzles make --count 50 --seed 7 --output set.tsv
  lambda6 puzzles solve set.tsv
  lambda6 puzzles games games.tsv --last 12 --time 0.1,1";

/// Make and solve sets of positions, and measure the solvers on them
#[derive(Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(crate) enum Puzzles {
    Make(make::Make),
    Solve(solve::Solve),
    Games(games::Games),
}

impl Puzzles {
    pub(crate) fn run(&self) -> Result<Exit> {
        run_command!(self, Puzzles { Make, Solve, Games })
    }
}
