//! `lambda6 value`: the value of a small game.

use super::Exit;
use crate::{interrupt, json::GameJson, output, progress, search_args::parse_seconds};
use anyhow::Result;
use lambda6_literature::small_games::{GameValue, value};
use lambda6_rules::Game;
use lambda6_search::{Budget, Clock, Limits, SystemClock};
use serde::Serialize;
use std::time::Duration;

const AFTER_HELP: &str = "\
Prints B, W or D: Black wins, White wins, a draw. The answer is exact, by exhaustive
search: boards of up to some 30 squares take seconds, larger ones may take years.
Exit code 0: the value is known. 1: the time was up.

Examples:
  lambda6 value 3 3 3 1 1
  lambda6 value 5 5 4 2 1 --time 60 --json";

/// Find who wins a small game from the empty board
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ValueOf {
    /// Columns
    m: u32,
    /// Rows
    n: u32,
    /// Stones in a row that win
    k: u32,
    /// Stones a move
    p: u32,
    /// Stones of the first move
    q: u32,

    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,

    /// Print one line of JSON instead of a letter
    #[arg(long)]
    json: bool,
}

/// Memory for the table of positions.
const TABLE_BYTES: usize = 256 << 20;

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct ValueJson {
    game: GameJson,
    value: &'static str,
    positions: u64,
    seconds: f64,
}

impl ValueOf {
    pub(crate) fn run(&self) -> Result<Exit> {
        let game = Game::new(self.m, self.n, self.k, self.p, self.q)?;
        let stop = interrupt::stop_flag()?;
        let clock = SystemClock::start();
        let mut budget = Budget::new(Limits { time: self.time, ..Limits::default() }, &clock, &stop);
        let spinner = progress::spinner();
        let found = value(game, TABLE_BYTES, &mut budget)?;
        drop(spinner);
        let (positions, seconds) = (budget.nodes(), clock.elapsed().as_secs_f64());
        let document = ValueJson { game: game.into(), value: found.name(), positions, seconds };
        output::either(self.json, "value", document, || match found {
            GameValue::Black => "B\n".to_string(),
            GameValue::White => "W\n".to_string(),
            GameValue::Draw => "D\n".to_string(),
            GameValue::Unknown(why) => format!("unknown: {why}\n"),
        })?;
        Ok(if matches!(found, GameValue::Unknown(_)) { Exit::No } else { Exit::Yes })
    }
}
