//! `lambda6 check`: checks certificates with the checker crate and nothing else.

use super::Exit;
use crate::{files, interrupt, output, progress, search_args::parse_seconds};
use anyhow::{Result, bail};
use lambda6_checker::{CheckError, Checked};
use serde::Serialize;
use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

const AFTER_HELP: &str = "\
A certificate is read as it is checked, so that its size does not matter; one that is
compressed with zstd is recognised. docs/PROOF-FORMAT.md describes the format.
Exit code 0: all are valid. 1: one was rejected. 2: one cannot be read, or the check was stopped.

Examples:
  lambda6 check win.proof
  lambda6 check proofs/*.zst --json";

/// Check certificates of wins
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Check {
    /// The certificates
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,

    /// Print a line of JSON for each file instead of text
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct CheckJson {
    file: String,
    /// `valid`, `rejected` or `unreadable`.
    verdict: &'static str,
    /// Why it is not valid.
    reason: Option<String>,
    /// The reply at which a certificate was rejected.
    at_reply: Option<u64>,
    attacker: Option<&'static str>,
    method: Option<&'static str>,
    replies: Option<u64>,
    /// The attacker's moves in the longest line.
    longest: Option<u64>,
    /// Sets of the defender's stones: nothing is claimed about moves that contain one.
    except: Option<Vec<String>>,
}

impl Check {
    pub(crate) fn run(&self) -> Result<Exit> {
        let stop = interrupt::stop_flag()?;
        let started = Instant::now();
        let (mut rejected, mut unreadable) = (false, 0);
        for file in &self.files {
            let out_of_time = || self.time.is_some_and(|time| started.elapsed() >= time);
            let spinner = progress::spinner();
            let go_on = |replies: u64| {
                spinner.set_message(format!("{}: {replies} replies", file.display()));
                match stop.load(Ordering::Relaxed) || out_of_time() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            };
            let checked = lambda6_checker::check_file(file, go_on);
            drop(spinner);
            match &checked {
                Err(CheckError::Rejected(_)) => rejected = true,
                Err(CheckError::Stopped) => bail!("{}: stopped", file.display()),
                Err(_) => unreadable += 1,
                Ok(_) => {}
            }
            if self.json {
                output::json("check", json(file, &checked))?;
            } else {
                self.tell(file, &checked)?;
            }
        }
        match (unreadable, rejected) {
            (0, false) => Ok(Exit::Yes),
            (0, true) => Ok(Exit::No),
            (1, _) => bail!("a file is not a certificate that can be read"),
            (files, _) => bail!("{files} files are not certificates that can be read"),
        }
    }

    fn tell(&self, file: &Path, checked: &Result<Checked, CheckError>) -> Result<()> {
        let name = file.display();
        match checked {
            Ok(Checked { header, summary }) => {
                let stones = header.black.len() + header.white.len();
                let except = match header.except.len() {
                    0 => String::new(),
                    sets => format!(", except after moves with one of {sets} sets of stones"),
                };
                output::text(&format!(
                    "{name}: valid: {} wins with {} to move and {stones} stones on the board{except} \
                     ({}, replies: {}, longest line: {})\n",
                    header.attacker, header.to_move, header.method, summary.replies, summary.longest
                ))
            }
            Err(CheckError::Rejected(rejection)) => output::text(&format!(
                "{name}: rejected at reply {}: {}\n",
                rejection.reply, rejection.reason
            )),
            Err(CheckError::Io(error)) => {
                output::note(&format!("error: {}", files::unreadable(file, error)));
                Ok(())
            }
            Err(error) => {
                output::note(&format!("error: {name}: {error}"));
                Ok(())
            }
        }
    }
}

fn json(file: &Path, checked: &Result<Checked, CheckError>) -> CheckJson {
    let nothing = CheckJson {
        file: file.display().to_string(),
        verdict: "unreadable",
        reason: None,
        at_reply: None,
        attacker: None,
        method: None,
        replies: None,
        longest: None,
        except: None,
    };
    match checked {
        Ok(Checked { header, summary }) => CheckJson {
            verdict: "valid",
            attacker: Some(header.attacker.name()),
            method: Some(header.method.name()),
            replies: Some(summary.replies),
            longest: Some(summary.longest),
            except: Some(header.except.iter().map(|set| set_name(header.game, set)).collect()),
            ..nothing
        },
        Err(CheckError::Rejected(rejection)) => CheckJson {
            verdict: "rejected",
            reason: Some(rejection.reason.to_string()),
            at_reply: Some(rejection.reply),
            ..nothing
        },
        Err(error) => CheckJson { reason: Some(error.to_string()), ..nothing },
    }
}

fn set_name(game: lambda6_checker::Game, set: &lambda6_checker::Move) -> String {
    set.squares().iter().map(|&square| game.name(square)).collect()
}
