//! `lambda6 search pause`: stops the process that works on a search.

use crate::{cli::Exit, files, output};
use anyhow::Result;
use lambda6_jobs::SqliteStore;
use serde::Serialize;
use std::{path::PathBuf, time::Duration};

const AFTER_HELP: &str = "\
Asks the process that works on the search to stop, and waits for its answer.
`lambda6 search start FILE` resumes the search. To pause only a part of the tree, use
`lambda6 search steer FILE pause NODE`.

Examples:
  lambda6 search pause opening.l6
  lambda6 search pause opening.l6 --json";

/// Stop the process that works on a search
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Pause {
    /// The search's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct PauseJson {
    /// Whether a process worked on the search.
    stopped: bool,
}

/// How long to wait for the process that works on a search.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

impl Pause {
    pub(crate) fn run(&self) -> Result<Exit> {
        files::check_readable(&self.file)?;
        let stopped = SqliteStore::give_stop(&self.file, PATIENCE)?;
        output::either(self.json, "search-pause", PauseJson { stopped }, || {
            let text = if stopped { "the search is stopping\n" } else { "no process works on the search\n" };
            text.to_string()
        })?;
        Ok(Exit::Yes)
    }
}
