//! `lambda6 atlas certify`: one certificate for all openings.

use super::AtlasArgs;
use crate::{
    cli::Exit,
    interrupt, output, progress,
    search_args::{available, parse_mib},
};
use anyhow::{Result, bail};
use lambda6_atlas::{
    build::Control,
    whole::{self, Whole, WholeOptions, WholeReport},
};
use lambda6_proof::Class;
use lambda6_search::SystemClock;
use serde::Serialize;
use std::{path::PathBuf, time::Instant};

const AFTER_HELP: &str = "\
The certificate claims that every second move loses but those that it lists. Where a stone of
White's does not matter it is not asked about, so one proof can answer hundreds of openings.
Openings that are not proved are excepted, if they are asked about. lambda6 check and
connect-check check the certificate; docs/PROOF-FORMAT.md describes it.
Exit code 0: every second move loses. 1: some are excepted.

Examples:
  lambda6 atlas certify connect6.proof.zst
  lambda6 atlas certify --game go-moku --class lambda4 go-moku.proof.zst";

/// Write one certificate for all openings
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Certify {
    #[command(flatten)]
    atlas: AtlasArgs,

    /// Where to write it, compressed with zstd
    #[arg(value_name = "FILE.zst")]
    file: PathBuf,

    /// The moves that Black may use where White has placed less than a move
    #[arg(long, value_name = "CLASS", default_value = "lambda3")]
    class: Class,

    /// Memory for the tables of a search, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = parse_mib())]
    memory: u64,

    /// The most moves tried for a win against less than a move
    #[arg(long, value_name = "N", default_value_t = 64_000_000)]
    nodes: u64,

    /// Replace FILE if it exists
    #[arg(long)]
    force: bool,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct CertifiedJson {
    file: String,
    except: Vec<String>,
    answered: u64,
    replies: u64,
    longest: u64,
    bytes: u64,
    seconds: f64,
}

impl Certify {
    pub(crate) fn run(&self) -> Result<Exit> {
        if self.file.extension().is_none_or(|extension| extension != "zst") {
            bail!("{}: expected a name that ends in .zst", self.file.display());
        }
        output::check_writable(&self.file, self.force)?;
        let atlas = self.atlas.load()?;
        let game = atlas.game();
        let options =
            WholeOptions { class: self.class, table_bytes: available(self.memory)?, nodes: self.nodes };
        let stop = interrupt::stop_flag()?;
        let (clock, begun) = (SystemClock::start(), Instant::now());
        let spinner = progress::spinner();
        let mut tell = |report: WholeReport<'_>| match report {
            WholeReport::Written(replies) => spinner.set_message(format!("{replies} replies")),
            WholeReport::Searching(stones) if stones.is_empty() => {
                spinner.set_message("searching for a win against a pass");
            }
            WholeReport::Searching(stones) => {
                spinner.set_message(format!("searching for a win against {}", game.move_name(stones)));
            }
        };
        let control = Control { stop: &stop, clock: &clock, report: &|_| () };
        let written = whole::write(&atlas, &options, control, &self.file, &mut tell);
        spinner.finish_and_clear();
        let Whole { except, answered, replies, longest } = written?;
        let document = CertifiedJson {
            file: self.file.display().to_string(),
            except: except.iter().map(|set| game.move_name(set)).collect(),
            answered,
            replies,
            longest,
            bytes: std::fs::metadata(&self.file)?.len(),
            seconds: begun.elapsed().as_secs_f64(),
        };
        output::either(self.json, "atlas-certify", &document, || {
            let claim = match except.len() {
                0 => "every second move loses".to_string(),
                1 => format!("every second move but {} loses", document.except[0]),
                sets => format!("every second move loses that has none of {sets} sets of stones"),
            };
            format!(
                "{}: {claim}\nanswered: {answered} second moves and parts of them\n\
                 replies: {replies}, longest line: {longest} moves of Black\nbytes: {}\n",
                document.file, document.bytes
            )
        })?;
        Ok(if except.is_empty() { Exit::Yes } else { Exit::No })
    }
}
