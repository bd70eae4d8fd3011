//! `lambda6 atlas check`: checks the certificates of an atlas.

use super::{AtlasArgs, find};
use crate::{cli::Exit, interrupt, output, progress};
use anyhow::{Result, bail};
use lambda6_atlas::check::{Fault, check};
use serde::Serialize;
use std::num::NonZeroUsize;

const AFTER_HELP: &str = "\
Each certificate is put together and its text read by the checker; the position, the third
move, the counts and the digest must be those of the table.
Exit code 0: all are valid. 1: one is not.

Examples:
  lambda6 atlas check
  lambda6 atlas check --sample 100
  lambda6 atlas check TX-H9 T-K12 --json";

/// Check the certificates
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Check {
    #[command(flatten)]
    atlas: AtlasArgs,

    /// The openings, all by default
    #[arg(value_name = "OPENING")]
    openings: Vec<String>,

    /// Only N of them, spread evenly
    #[arg(long, value_name = "N")]
    sample: Option<NonZeroUsize>,

    /// Certificates that are checked at the same time [default: the number of cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct CheckJson {
    checked: usize,
    open: usize,
    faults: Vec<FaultJson>,
}

#[derive(Serialize)]
struct FaultJson {
    opening: String,
    problem: String,
}

impl Check {
    pub(crate) fn run(&self) -> Result<Exit> {
        let atlas = self.atlas.load()?;
        let asked: Vec<usize> = match &self.openings[..] {
            [] => (0..atlas.openings().all().len()).collect(),
            names => names.iter().map(|name| find(&atlas, name)).collect::<Result<_>>()?,
        };
        let proved: Vec<usize> =
            asked.iter().copied().filter(|&number| atlas.row(number).proved.is_some()).collect();
        let numbers: Vec<usize> = match self.sample {
            Some(sample) if sample.get() < proved.len() => {
                (0..sample.get()).map(|i| proved[i * proved.len() / sample]).collect()
            }
            _ => proved.clone(),
        };
        let threads = self
            .threads
            .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), NonZeroUsize::get);
        let stop = interrupt::stop_flag()?;
        let bar = progress::bar(numbers.len(), "certificates, {eta} left");
        let Some(faults) = check(&atlas, &numbers, threads, &stop, || bar.inc(1))? else {
            bail!("stopped");
        };
        bar.finish_and_clear();
        let faults: Vec<FaultJson> =
            faults.into_iter().map(|Fault { name, problem }| FaultJson { opening: name, problem }).collect();
        let sound = faults.is_empty();
        let document = CheckJson { checked: numbers.len(), open: asked.len() - proved.len(), faults };
        output::either(self.json, "atlas-check", &document, || {
            let CheckJson { checked, open, faults } = &document;
            let mut text: String =
                faults.iter().map(|fault| format!("{}: {}\n", fault.opening, fault.problem)).collect();
            let bad = faults.len();
            text += &format!(
                "{} certificates are valid, {bad} are not; {open} openings are open\n",
                checked - bad
            );
            text
        })?;
        Ok(if sound { Exit::Yes } else { Exit::No })
    }
}
