//! `lambda6 proof shorten`: a smaller certificate of the same win.

use super::load;
use crate::{
    cli::Exit,
    interrupt, output, progress,
    search_args::{MethodArg, parse_seconds},
};
use anyhow::{Context, Result};
use lambda6_proof::{Certificate, Shorten as Shortener, ShortenProgress};
use lambda6_search::{Limits, Method, SystemClock, runner};
use serde::Serialize;
use std::{path::PathBuf, sync::atomic::AtomicBool, time::Duration};

const AFTER_HELP: &str = "\
The certificate is checked, replies are replaced where that makes the proof smaller, and the
result is checked again. Nothing is written that is not smaller: exit code 1. If the defender
has two stones to spare, as in Connect(6,2,3), unrelated proofs are searched too. That takes
minutes, but most is gained in the first seconds. Ctrl-C and --time keep the best so far.
The proof is held in memory, about 400 bytes per reply for Connect6; the search for
unrelated proofs can take 3 GB.

Examples:
  lambda6 proof shorten win.proof --output short.proof
  lambda6 proof shorten win.proof -o short.proof.zst --time 60 --method mutual --json";

/// Make a certificate smaller
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Shorten {
    /// The certificate
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The file of the smaller certificate, compressed if its name ends in .zst
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,

    /// The method of the result
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    method: MethodArg,

    /// Replace the file if it exists
    #[arg(long)]
    force: bool,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct ShortenJson {
    file: String,
    output: Option<String>,
    before: usize,
    after: usize,
    method: &'static str,
}

impl Shorten {
    pub(crate) fn run(&self) -> Result<Exit> {
        output::check_writable(&self.output, self.force)?;
        let stop = interrupt::stop_flag()?;
        let Some(seen) = load::read(&self.file, true, &stop)? else { return Ok(Exit::No) };
        let done = shorten(self.method.into(), self.time, &stop, || seen.certificate());
        let (before, short) = done.with_context(|| self.file.display().to_string())?;
        let after = short.replies().len();
        let smaller = after < before;
        if smaller {
            output::certificate(&self.output, &short, self.force)?;
        }
        let (file, output) = (self.file.display(), self.output.display());
        let document = ShortenJson {
            file: file.to_string(),
            output: smaller.then(|| output.to_string()),
            before,
            after,
            method: short.method().name(),
        };
        output::either(self.json, "proof-shorten", document, || match smaller {
            true => format!("{output}: {before} replies, now {after}\n"),
            false => format!("{file}: {before} replies, nothing smaller was found\n"),
        })?;
        Ok(if smaller { Exit::Yes } else { Exit::No })
    }
}

/// Makes a certificate smaller within a time limit, in a thread with a large stack, and
/// shows the progress. Returns the number of its replies and the smallest certificate
/// found, which may be itself.
pub(crate) fn shorten(
    method: Method,
    time: Option<Duration>,
    stop: &AtomicBool,
    certificate: impl FnOnce() -> Result<Certificate> + Send,
) -> Result<(usize, Certificate)> {
    let spinner = progress::spinner();
    runner::run("shorten", || {
        let certificate = certificate()?;
        let shorten = Shortener { method, table_bytes: 512 << 20 };
        let clock = SystemClock::start();
        let mut show = |progress: ShortenProgress| {
            spinner.set_message(format!(
                "{} replies, {} at first, {} defences settled",
                progress.replies, progress.before, progress.settled
            ));
        };
        let limits = Limits { time, ..Limits::default() };
        let short = shorten.run(&certificate, limits, &clock, stop, &mut show)?;
        Ok((certificate.replies().len(), short))
    })?
}
