//! `lambda6 search pause`: stops the process that works on a search.

use crate::{cli::Answer, output};
use anyhow::{Result, bail};
use jobs::{OrderState, SqliteStore, StoreError};
use serde::Serialize;
use std::{
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

const AFTER_HELP: &str = "\
Asks the process that works on the search to stop, and waits until it has heard.
`lambda6 search start FILE` goes on. To leave only a part of the tree alone, use
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
    /// Whether a process was at work.
    stopped: bool,
}

/// How long an order may take to be heard.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

impl Pause {
    pub(crate) fn run(&self) -> Result<Answer> {
        let stopped = match SqliteStore::open(&self.file) {
            Ok(_) => false,
            Err(StoreError::Locked { .. }) => {
                let store = SqliteStore::visit(&self.file)?;
                let id = store.leave_stop()?;
                if wait(&store, id)?.is_none() {
                    bail!("{}: the process that works on it does not answer", self.file.display());
                }
                true
            }
            Err(error) => return Err(error.into()),
        };
        if self.json {
            output::json("search-pause", PauseJson { stopped })?;
        } else {
            let text = if stopped { "the search is stopping\n" } else { "nobody works on the search\n" };
            output::text(text)?;
        }
        Ok(Answer::Yes)
    }
}

/// Waits until an order is dealt with; `None` if nobody does.
pub(super) fn wait(store: &SqliteStore, id: i64) -> Result<Option<OrderState>> {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        match store.order(id)?.map(|order| order.state) {
            Some(OrderState::Waiting) => thread::sleep(Duration::from_millis(20)),
            state => return Ok(state),
        }
    }
    Ok(None)
}
