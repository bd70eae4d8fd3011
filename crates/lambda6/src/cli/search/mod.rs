//! `lambda6 search`: job-level search, kept in a file.

mod certify;
mod export;
mod pause;
mod start;
mod status;
mod steer;
mod watch;

use super::{Exit, run_command};
use crate::files;
use anyhow::Result;
use clap::Subcommand;
use lambda6_jobs::SqliteStore;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
A search is kept in a file, an SQLite database that `sqlite3` can read. It can be stopped or
killed at any time and resumes where it was. docs/GRID.md describes workers on other machines.

Examples:
  lambda6 search start opening.l6 'j10 k10k11' --attacker black
  lambda6 search status opening.l6
  lambda6 search certify opening.l6 opening.proof.zst";

/// Solve a position with many workers, for hours or days
#[derive(Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(crate) enum Search {
    Start(Box<start::Start>),
    Status(status::Status),
    Watch(watch::Watch),
    Pause(pause::Pause),
    Steer(steer::Steer),
    Export(export::Export),
    Certify(certify::Certify),
}

impl Search {
    pub(crate) fn run(&self) -> Result<Exit> {
        run_command!(self, Search { Start, Status, Watch, Pause, Steer, Export, Certify })
    }
}

/// The store of a search, to look at.
fn visited(file: &Path) -> Result<SqliteStore> {
    files::check_readable(file)?;
    Ok(SqliteStore::visit(file)?)
}

/// Options of commands that write a file from a search.
#[derive(clap::Args)]
struct OutputArgs {
    /// The search's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The file to write
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// Replace OUT if it exists
    #[arg(long)]
    force: bool,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}
