//! `lambda6 review`: who stood better where, mistakes and missed wins of one game or many.

use super::Exit;
use crate::{
    input::Input,
    interrupt, output,
    position_arg::parse_rows,
    review::{
        games::{self, ReviewedGame},
        report::{self, ReviewJson, is_complete},
        state, work,
    },
    search_args::{available, parse_mib, parse_seconds},
};
use anyhow::{Context, Result, bail};
use lambda6_api::Page;
use lambda6_proof::Class;
use lambda6_review::{Effort, ReviewOptions, annotate};
use lambda6_rules::{
    Game, Side,
    record::{Format, ReadOptions, Rows, WriteOptions},
};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

const AFTER_HELP: &str = "\
GAME is a file, `-` for standard input, or a list of moves. A file of SGF may hold many games,
such as those that Little Golem gives for a player; the report then has a line for each game and
sums for each player.

Each position is searched for a forced win of either side, which counts as proved only with a
certificate, and else judged by the strongest level of play. \"(search)\" means that a search has
seen the end and that nothing proves it; all other figures are estimates of Black's chance. What a
move loses is the difference of the mover's chance before and after it: an inaccuracy loses 10 %
or more, a mistake 20 %, a blunder 30 %. A missed win is a move after which a proved win is gone,
as far as known. The turning point is the last move at which the loser could have held.

Ctrl-C ends the review: what was reviewed is reported and kept in a file, and --resume goes on
from there. With --nodes (10000 if neither it nor --time is given) a review is the same every time.
Exit code 0: everything was reviewed. 1: it was stopped. 2: an error.

Examples:
  lambda6 review game.sgf
  lambda6 review game.sgf --time 2 --threads 4 --sgf reviewed.sgf --html reviewed.html
  lambda6 review 'j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13' --winner white
  lambda6 review player.sgf --resume player.review --json
  lambda6 review player.sgf --number 12 --class lambda3 --time 30 --proofs proofs";

/// Review games: who stood better where, mistakes, missed forced wins
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Review {
    /// File of games, `-`, or a list of moves
    #[arg(value_name = "GAME")]
    argument: OsString,

    /// The game, if the text does not name it: connect6, go-moku, tic-tac-toe or
    /// "m n k p q"
    #[arg(long, value_name = "GAME")]
    game: Option<Game>,

    /// The row that the letter `a` means in SGF with letter pairs, if the file does
    /// not say it: top or bottom
    #[arg(long, value_name = "ROW", value_parser = parse_rows)]
    rows: Option<Rows>,

    /// Of a file of many games, review this one, counted from 1
    #[arg(long, value_name = "N")]
    number: Option<usize>,

    /// The side that won, where neither the moves nor the record say it: black or white
    #[arg(long, value_name = "SIDE")]
    winner: Option<Side>,

    /// Seconds for each position
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,

    /// Positions that the player searches for each position of the game
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// The moves that forced wins are searched with: vcdt, vcst, lambda3 ...
    /// [default: vcst, vct]
    #[arg(long, value_name = "CLASS")]
    class: Option<Class>,

    /// Positions looked at at the same time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Memory for the tables of each thread, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = parse_mib())]
    memory: u64,

    /// Write the games with the review as SGF: comments, marks, better lines as variations
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,

    /// The SGF to write: little-golem, gm511 or gm511-pairs; that of the game if it is SGF
    #[arg(long, value_name = "FORMAT", requires = "sgf")]
    to: Option<Format>,

    /// Write the review of one game as a page that needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write the certificates of all wins into this directory
    #[arg(long, value_name = "DIR")]
    proofs: Option<PathBuf>,

    /// Keep the review in this file, and go on from it if it exists
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Replace the files of --sgf and --html if they exist
    #[arg(long)]
    force: bool,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

impl Review {
    pub(crate) fn run(&self) -> Result<Exit> {
        let input = Input::from_argument(&self.argument)?;
        let options = ReadOptions { game: self.game, rows: self.rows };
        let mut games =
            games::read(&input, &options, self.number, self.winner, |warning| output::note(&warning))?;
        self.check(&games)?;
        if let Some(path) = &self.resume {
            output::check_writable(path, true)?;
            if let Some(found) = state::load(path, &mut games)? {
                output::note(&format!(
                    "{}: loaded {} positions of {} games, {} are left",
                    path.display(),
                    found.positions,
                    found.games,
                    left(&games)
                ));
            }
        }
        let options = self.options()?;
        let threads =
            self.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
        let stop = interrupt::stop_flag()?;
        let games = work::review(games, options, threads, &stop, self.resume.as_deref())?;
        let complete = is_complete(&games);
        let kept = if complete { None } else { self.keep(&input, &games) };
        let written = self.write(&games);
        let state = self.resume.as_deref().or(kept.as_deref());
        if self.json {
            output::json("review", ReviewJson::of(&games, self.proofs.as_deref(), state)?)?;
        } else {
            let text = if let [game] = &games[..] { report::one(game) } else { report::many(&games) };
            output::text(&text)?;
        }
        if let Some(path) = state.filter(|_| !complete) {
            output::note(&format!(
                "stopped with {} positions left; to go on: the same command with --resume {}",
                left(&games),
                path.display()
            ));
        }
        written?;
        Ok(if complete { Exit::Yes } else { Exit::No })
    }

    /// Refuses what cannot be written before any work is done.
    fn check(&self, games: &[ReviewedGame]) -> Result<()> {
        for path in [&self.sgf, &self.html].into_iter().flatten() {
            output::check_writable(path, self.force)?;
        }
        if self.force && self.sgf.is_none() && self.html.is_none() {
            bail!("--force: there is no file to replace, expected --sgf or --html");
        }
        if self.html.is_some() && games.len() > 1 {
            bail!("--html: there are {} games, expected one (--number N takes one)", games.len());
        }
        if let Some(format @ (Format::MoveList | Format::Contest)) = self.to {
            bail!("--to {format}: expected little-golem, gm511 or gm511-pairs");
        }
        output::directory(self.proofs.as_ref())
    }

    fn options(&self) -> Result<ReviewOptions> {
        let effort = match (self.time, self.nodes) {
            (None, None) => Effort::default(),
            (time, nodes) => Effort { time, nodes },
        };
        Ok(ReviewOptions {
            effort,
            class: self.class.unwrap_or_default(),
            table_bytes: available(self.memory)?,
            ..ReviewOptions::default()
        })
    }

    /// Keeps a review that was stopped; the file.
    fn keep(&self, input: &Input, games: &[ReviewedGame]) -> Option<PathBuf> {
        if self.resume.is_some() {
            return None;
        }
        let stem = Path::new(&input.name).file_stem().filter(|_| Path::new(&input.name).is_file());
        let name = Path::new(stem.unwrap_or("game".as_ref())).with_extension("review");
        let bytes =
            state::text(games).inspect_err(|error| output::note(&format!("error: {error:#}"))).ok()?;
        match output::file(&name, &bytes, false) {
            Ok(()) => Some(name),
            Err(_) => output::rescue(&name, &bytes).ok(),
        }
    }

    fn write(&self, games: &[ReviewedGame]) -> Result<()> {
        if let Some(path) = &self.sgf {
            let mut bytes = Vec::new();
            for game in games {
                let record = annotate(&game.record, &game.review)?;
                let format = match (self.to, game.record.format()) {
                    (Some(format), _) => format,
                    (None, Format::MoveList | Format::Contest) => Format::LittleGolem,
                    (None, format) => format,
                };
                let options = WriteOptions { rows: self.rows, lossy: false };
                bytes.extend(record.write(format, &options).with_context(|| path.display().to_string())?);
            }
            output::file(path, &bytes, self.force)?;
        }
        if let (Some(path), [game]) = (&self.html, games) {
            let page = Page::of(&game.review, &game.record.info)?;
            output::file(path, page.html().as_bytes(), self.force)?;
        }
        let Some(directory) = &self.proofs else { return Ok(()) };
        for game in games {
            state::document(&game.review, |after, text| {
                let path = report::proof_file(directory, game.number, after);
                output::certificate_text(&path, text.to_vec(), true)
            })?;
        }
        Ok(())
    }
}

/// Positions that have not been looked at.
fn left(games: &[ReviewedGame]) -> usize {
    games.iter().map(|game| game.review.progress()).map(|(total, done)| total - done).sum()
}
