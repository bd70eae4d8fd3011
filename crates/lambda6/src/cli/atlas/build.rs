//! `lambda6 atlas build`: fills an atlas.

use super::{AtlasArgs, find};
use crate::{
    cli::Exit,
    interrupt, output, progress,
    search_args::{available, classes_help, parse_mib},
};
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use lambda6_atlas::{
    Atlas, Log,
    build::{BuildOptions, BuildReport, Control, build},
    entry::{Proved, Record},
};
use lambda6_proof::Class;
use lambda6_rules::Game;
use lambda6_search::SystemClock;
use serde::Serialize;
use std::{
    num::NonZeroUsize,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

const BEFORE_CLASSES: &str = "\
Openings are searched in order, the easiest first. What wins an opening is played in its
neighbours first. An opening that is not proved is set aside, and comes again with as many
moves as it has had, until each has had --most at once. Every result is on the disk before
it is told: Ctrl-C ends the work, and the same command goes on with it. With one thread the
atlas is the same on every machine.

";

const AFTER_CLASSES: &str = "
Exit code 0: every opening is proved, or every one named. 1: some are open.

Examples:
  lambda6 atlas build --dir my-atlas
  lambda6 atlas build --dir my-atlas --only TX-H9 --most 1000000000 --memory 4096
  lambda6 atlas build --game go-moku --dir gm --class lambda4 --first 64000000 --third i9";

fn after_help() -> String {
    format!("{BEFORE_CLASSES}{}{AFTER_CLASSES}", classes_help())
}

/// Prove as many openings as possible
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Build {
    #[command(flatten)]
    atlas: AtlasArgs,

    /// The moves that Black may use: a class of the list below
    #[arg(long, value_name = "CLASS", default_value = "lambda3")]
    class: Class,

    /// Openings that are searched at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// Memory for the tables of each search, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = parse_mib())]
    memory: u64,

    /// Moves tried for an opening at first
    #[arg(long, value_name = "N", default_value_t = 4_000_000)]
    first: u64,

    /// The most moves tried for an opening at once
    #[arg(long, value_name = "N", default_value_t = 64_000_000)]
    most: u64,

    /// A third move to be tried in every opening, turned in every way; may be repeated
    #[arg(long, value_name = "MOVE")]
    third: Vec<String>,

    /// Only this opening; may be repeated
    #[arg(long, value_name = "OPENING")]
    only: Vec<String>,

    /// Print a line of JSON for each result
    #[arg(long)]
    json: bool,
}

/// What `--json` prints for each result; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct BuiltJson<'a> {
    opening: &'a str,
    /// `proved` or `open`.
    verdict: &'static str,
    third: Option<String>,
    replies: Option<u64>,
    longest: Option<u64>,
    /// Moves tried in this attempt.
    nodes: u64,
    /// Moves tried in all attempts.
    spent: u64,
    proved: usize,
    openings: usize,
}

impl Build {
    pub(crate) fn run(&self) -> Result<Exit> {
        let game = self.atlas.game;
        let directory = self.atlas.directory();
        if self.first == 0 {
            bail!("--first 0: expected at least one move");
        }
        let mut atlas = Atlas::new(game)?;
        let thirds = self.third.iter().map(|text| {
            game.parse_move(text).with_context(|| format!("--third {text}: is no move of {game}"))
        });
        let options = BuildOptions {
            class: self.class,
            threads: self.threads.into(),
            table_bytes: available(self.memory)?,
            first: self.first,
            most: self.most,
            thirds: thirds.collect::<Result<_>>()?,
            only: self.only.iter().map(|name| find(&atlas, name)).collect::<Result<_>>()?,
        };
        let stop = interrupt::stop_flag()?;
        let (log, records) = Log::open(&directory, game)?;
        for record in records {
            atlas.enter(record)?;
        }
        let teller = Teller::new(&atlas, self.json);
        let clock = SystemClock::start();
        let report = |report: &BuildReport<'_>| teller.tell(report);
        let atlas = build(atlas, log, &options, Control { stop: &stop, clock: &clock, report: &report })?;
        teller.finish()?;
        let asked = |number: usize| options.only.is_empty() || options.only.contains(&number);
        let open = atlas.rows().any(|row| row.proved.is_none() && asked(row.number));
        Ok(if open { Exit::No } else { Exit::Yes })
    }
}

/// Prints results, and a bar on a terminal.
struct Teller {
    bar: ProgressBar,
    json: bool,
    game: Game,
    begun: Instant,
    /// Results so far, for an estimate of the time left.
    results: AtomicU64,
    failed: Mutex<Result<()>>,
}

impl Teller {
    fn new(atlas: &Atlas, json: bool) -> Teller {
        let bar = progress::bar(atlas.openings().all().len(), "{msg}");
        bar.set_position(atlas.proofs().count() as u64);
        Teller {
            bar,
            json,
            game: atlas.game(),
            begun: Instant::now(),
            results: AtomicU64::new(0),
            failed: Mutex::new(Ok(())),
        }
    }

    fn tell(&self, report: &BuildReport<'_>) {
        match report {
            BuildReport::Searching { name, nodes, budget, progress } => {
                let left = progress.left.map_or(String::new(), |left| format!(", {left} defences left"));
                self.bar.set_message(format!("{name}: {nodes} of {budget} moves{left}{}", self.time_left()));
            }
            BuildReport::Ended { record, nodes, atlas } => {
                self.results.fetch_add(1, Ordering::Relaxed);
                let proved = atlas.proofs().count();
                self.bar.set_position(proved as u64);
                let told = self.bar.suspend(|| self.print(record, *nodes, proved, atlas));
                if let Err(error) = told {
                    *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
                }
            }
        }
    }

    /// The time that the openings which have not been tried take if they take as long as those
    /// of this run.
    fn time_left(&self) -> String {
        let results = self.results.load(Ordering::Relaxed);
        let left = self.bar.length().unwrap_or(0).saturating_sub(self.bar.position());
        if results == 0 || left == 0 {
            return String::new();
        }
        let seconds = self.begun.elapsed().as_secs_f64() / results as f64 * left as f64;
        let minutes = (seconds / 60.0).ceil() as u64;
        format!(", about {}:{:02} h left if the others are as hard", minutes / 60, minutes % 60)
    }

    fn print(&self, record: &Record, nodes: u64, proved: usize, atlas: &Atlas) -> Result<()> {
        let openings = atlas.openings().all().len();
        let (proof, spent) = match record {
            Record::Proved(proof) => (Some(&**proof), proof.spent),
            Record::Open { spent, .. } => (None, *spent),
        };
        if self.json {
            let document = BuiltJson {
                opening: record.name(),
                verdict: if proof.is_some() { "proved" } else { "open" },
                third: proof.map(|proof| self.game.move_name(&proof.third)),
                replies: proof.map(|proof| proof.replies),
                longest: proof.map(|proof| proof.longest),
                nodes,
                spent,
                proved,
                openings,
            };
            return output::json("atlas-build", document);
        }
        let what = match proof {
            Some(Proved { third, replies, longest, .. }) => {
                let third = self.game.move_name(third);
                format!("proved by {third}, {replies} replies, longest line {longest}")
            }
            None => "open".to_string(),
        };
        output::text(&format!("{}: {what}, {nodes} moves tried ({proved} of {openings})\n", record.name()))
    }

    fn finish(self) -> Result<()> {
        self.bar.finish_and_clear();
        self.failed.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
