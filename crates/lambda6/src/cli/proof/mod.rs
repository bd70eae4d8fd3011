//! `lambda6 proof`: shows and shortens certificates.

mod load;
mod shorten;
mod show;
mod walk;

pub(crate) use load::certificate;
pub(crate) use shorten::shorten;

use super::{Exit, run_command};
use anyhow::Result;
use clap::Subcommand;

const AFTER_HELP: &str = "\
Examples:
  lambda6 proof show win.proof
  lambda6 proof show win.proof.zst --defend k9l9 --defend h8
  lambda6 proof shorten win.proof --output short.proof --time 60";

/// Show certificates and make them smaller
#[derive(Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(crate) enum ProofCommand {
    Show(show::Show),
    Shorten(shorten::Shorten),
}

impl ProofCommand {
    pub(crate) fn run(&self) -> Result<Exit> {
        run_command!(self, ProofCommand { Show, Shorten })
    }
}
