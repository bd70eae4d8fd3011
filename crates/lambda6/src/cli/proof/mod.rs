//! `lambda6 proof`: work on certificates.

mod load;
mod shorten;
mod show;
mod walk;

pub(crate) use shorten::shorten;

use super::Answer;
use anyhow::Result;
use clap::Subcommand;

const AFTER_HELP: &str = "\
Examples:
  lambda6 proof show win.proof
  lambda6 proof show win.proof.zst --defend k9l9 --defend h8
  lambda6 proof shorten win.proof --output short.proof --time 60";

/// Look into certificates and make them smaller
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Proof {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Show(show::Show),
    Shorten(shorten::Shorten),
}

impl Proof {
    pub(crate) fn run(&self) -> Result<Answer> {
        match &self.command {
            Command::Show(command) => command.run(),
            Command::Shorten(command) => command.run(),
        }
    }
}
