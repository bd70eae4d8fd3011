//! `lambda6 reproduce`: tables and figures of the literature, measured with this
//! program.

mod bitboard;
mod dbs;
mod defense;
mod jobs;
mod rzop;

pub(crate) use self::jobs::record;

use super::{Exit, run_command};
use anyhow::Result;
use clap::Subcommand;

const AFTER_HELP: &str = "\
Examples:
  lambda6 reproduce dbs
  lambda6 reproduce dbs set.tsv --svg figures
  lambda6 reproduce defense
  lambda6 reproduce rzop --time 5
  lambda6 reproduce bitboard --limit 20
  lambda6 reproduce jobs --svg figures";

/// Measure tables and figures of the literature with this program
#[derive(Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(crate) enum Reproduce {
    Dbs(dbs::Dbs),
    Defense(defense::Defense),
    Rzop(rzop::Rzop),
    Bitboard(bitboard::Bitboard),
    Jobs(jobs::Jobs),
}

impl Reproduce {
    pub(crate) fn run(&self) -> Result<Exit> {
        run_command!(self, Reproduce { Dbs, Defense, Rzop, Bitboard, Jobs })
    }
}
