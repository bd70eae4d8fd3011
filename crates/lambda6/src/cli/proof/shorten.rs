//! `lambda6 proof shorten`: a smaller certificate of the same win.

use super::load;
use crate::{
    cli::{Answer, solve::write_proof},
    interrupt, output,
    search_args::{MethodArg, parse_seconds},
    search_thread::STACK_BYTES,
};
use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use search::{Certificate, Limits, Method, SystemClock, proof};
use serde::Serialize;
use std::{path::PathBuf, sync::atomic::AtomicBool, thread, time::Duration};

const AFTER_HELP: &str = "\
The certificate is checked, its replies are derived anew where that takes fewer, and
what comes out is checked again. Nothing is written that is not smaller: exit code 1.
Where the defender has two stones to spare, as in Connect(6,2,3), proofs that have
nothing to do with it are looked for too, for minutes, and most is gained in the first
seconds. Ctrl-C and --time keep the best so far. The proof is held in memory, about 400
bytes a reply for Connect6; looking for others can take 3 GB.

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

    /// Where the smaller one goes, compressed if its name ends in .zst
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Stop after so many seconds
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
    pub(crate) fn run(&self) -> Result<Answer> {
        if self.output.exists() && !self.force {
            bail!("{}: exists already (--force replaces it)", self.output.display());
        }
        let stop = interrupt::stop_flag()?;
        let seen = match load::read(&self.file, true, &stop)? {
            Ok(seen) => seen,
            Err(rejected) => {
                output::note(&rejected);
                return Ok(Answer::No);
            }
        };
        let done = shorten(self.method.into(), self.time, &stop, || seen.certificate());
        let (before, short) = done.with_context(|| self.file.display().to_string())?;
        let after = short.replies().len();
        let smaller = after < before;
        if smaller {
            write_proof(&self.output, &short, self.force)?;
        }
        if self.json {
            output::json(
                "proof-shorten",
                ShortenJson {
                    file: self.file.display().to_string(),
                    output: smaller.then(|| self.output.display().to_string()),
                    before,
                    after,
                    method: short.method().name(),
                },
            )?;
        } else if smaller {
            output::text(&format!("{}: {before} replies, now {after}\n", self.output.display()))?;
        } else {
            output::text(&format!("{}: {before} replies, nothing smaller was found\n", self.file.display()))?;
        }
        Ok(if smaller { Answer::Yes } else { Answer::No })
    }
}

/// Makes a certificate smaller for as long as this, in a thread with a stack for long lines, and
/// shows how that goes. How many replies it had, and the smallest that was found, which may be itself.
pub(crate) fn shorten(
    method: Method,
    time: Option<Duration>,
    stop: &AtomicBool,
    certificate: impl FnOnce() -> Result<Certificate> + Send,
) -> Result<(usize, Certificate)> {
    let spinner = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        spinner.set_style(style);
    }
    spinner.enable_steady_tick(Duration::from_millis(100));
    let work = || -> Result<(usize, Certificate)> {
        let certificate = certificate()?;
        let shorten = proof::Shorten { method, table_bytes: 512 << 20 };
        let clock = SystemClock::start();
        let mut show = |progress: proof::ShortenProgress| {
            spinner.set_message(format!(
                "{} replies, {} at first, {} defences settled",
                progress.replies, progress.before, progress.settled
            ));
        };
        let limits = Limits { time, ..Limits::default() };
        let short = shorten.run(&certificate, limits, &clock, stop, &mut show);
        Ok((certificate.replies().len(), short.map_err(|error| anyhow!("{error}"))?))
    };
    let done = thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        thread.join().map_err(|_| anyhow!("the work broke down"))?
    });
    spinner.finish_and_clear();
    done
}
