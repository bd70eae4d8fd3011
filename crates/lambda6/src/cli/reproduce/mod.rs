//! `lambda6 reproduce`: the tables and figures of the papers, on our positions.

mod bitboard;
mod dbs;
mod defense;
mod jobs;
mod rzop;

pub(crate) use self::jobs::record;

use super::Answer;
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

/// Print the tables of the papers, measured here
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Reproduce {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Dbs(dbs::Dbs),
    Defense(defense::Defense),
    Rzop(rzop::Rzop),
    Bitboard(bitboard::Bitboard),
    Jobs(jobs::Jobs),
}

impl Reproduce {
    pub(crate) fn run(&self) -> Result<Answer> {
        match &self.command {
            Command::Dbs(command) => command.run(),
            Command::Defense(command) => command.run(),
            Command::Rzop(command) => command.run(),
            Command::Bitboard(command) => command.run(),
            Command::Jobs(command) => command.run(),
        }
    }
}
