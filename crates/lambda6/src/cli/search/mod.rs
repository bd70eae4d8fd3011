//! `lambda6 search`: job-level search, kept in a file.

mod certify;
mod export;
mod pause;
mod start;
mod status;
mod steer;
mod watch;

use super::Answer;
use anyhow::Result;
use clap::Subcommand;

const AFTER_HELP: &str = "\
A search lives in a file, an SQLite database that can be looked into with `sqlite3`. It
can be stopped and killed at any time and goes on where it was. docs/GRID.md tells how
workers on other machines help.

Examples:
  lambda6 search start opening.l6 'j10 k10k11' --attacker black
  lambda6 search status opening.l6
  lambda6 search certify opening.l6 opening.proof.zst";

/// Solve a position with many workers, for hours or days
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Search {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Start(Box<start::Start>),
    Status(status::Status),
    Watch(watch::Watch),
    Pause(pause::Pause),
    Steer(steer::Steer),
    Export(export::Export),
    Certify(certify::Certify),
}

impl Search {
    pub(crate) fn run(&self) -> Result<Answer> {
        match &self.command {
            Command::Start(command) => command.run(),
            Command::Status(command) => command.run(),
            Command::Watch(command) => command.run(),
            Command::Pause(command) => command.run(),
            Command::Steer(command) => command.run(),
            Command::Export(command) => command.run(),
            Command::Certify(command) => command.run(),
        }
    }
}
