//! `lambda6 search watch`: the progress of a search in another process.

use super::{status::Picture, visited};
use crate::{cli::Exit, interrupt, output, search_args::parse_seconds};
use anyhow::Result;
use lambda6_jobs::Store;
use std::{
    path::PathBuf,
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

const AFTER_HELP: &str = "\
Ends when the root is solved, or with Ctrl-C. On a terminal the status is redrawn; into a
pipe or with --json a line is written after every change.
Exit code 0: the attacker's win is proved. 1: it is not, or not yet. 2: an error.

Examples:
  lambda6 search watch opening.l6
  lambda6 search watch opening.l6 --every 10 --json";

/// Watch a search that another process works on
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Watch {
    /// The search's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The time between two looks
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "1")]
    every: Duration,

    /// Print a line of JSON for every change instead of text
    #[arg(long)]
    json: bool,
}

impl Watch {
    pub(crate) fn run(&self) -> Result<Exit> {
        use std::io::IsTerminal;
        let stop = interrupt::stop_flag()?;
        let draws = std::io::stdout().is_terminal() && !self.json;
        let store = visited(&self.file)?;
        let mut last = String::new();
        loop {
            let search = store.load()?;
            let picture = Picture::of(&search, &store)?;
            let line = picture.line(None);
            if line != last {
                if self.json {
                    output::json("search-watch", picture.json())?;
                } else if draws {
                    output::text(&format!("\x1b[2J\x1b[H{}", picture.text(&search)))?;
                } else {
                    output::text(&format!("{line}\n"))?;
                }
                last = line;
            }
            if picture.is_solved() || stop.load(Ordering::Relaxed) {
                return Ok(if picture.attacker_wins() { Exit::Yes } else { Exit::No });
            }
            let begin = Instant::now();
            while begin.elapsed() < self.every && !stop.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(20).min(self.every));
            }
        }
    }
}
