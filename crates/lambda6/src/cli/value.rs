//! `lambda6 value`: who wins a small game.

use super::Answer;
use crate::{interrupt, json::GameJson, output, search_args::parse_seconds};
use anyhow::Result;
use rules::Game;
use search::{
    Budget, Clock, Limits, SystemClock,
    value::{Value, value},
};
use serde::Serialize;
use std::time::Duration;

const AFTER_HELP: &str = "\
Prints B, W or D: Black wins, White wins, a draw. The answer is exact, and found by
trying everything that matters: boards of up to some 30 squares take seconds, larger
ones may take for ever. Exit code 0: the value is known. 1: the time was up.

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
    /// How many in a row win
    k: u32,
    /// Stones a move
    p: u32,
    /// Stones of the first move
    q: u32,

    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,

    /// Print one line of JSON instead of a letter
    #[arg(long)]
    json: bool,
}

/// Memory for the positions seen.
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
    pub(crate) fn run(&self) -> Result<Answer> {
        let game = Game::new(self.m, self.n, self.k, self.p, self.q)?;
        let stop = interrupt::stop_flag()?;
        let clock = SystemClock::start();
        let mut budget = Budget::new(Limits { time: self.time, ..Limits::default() }, &clock, &stop);
        let found = value(game, TABLE_BYTES, &mut budget)?;
        if self.json {
            let (positions, seconds) = (budget.nodes(), clock.elapsed().as_secs_f64());
            output::json("value", ValueJson { game: game.into(), value: found.name(), positions, seconds })?;
        } else {
            let text = match found {
                Value::Black => "B".to_string(),
                Value::White => "W".to_string(),
                Value::Draw => "D".to_string(),
                Value::Unknown(why) => format!("unknown: {why}"),
            };
            output::text(&(text + "\n"))?;
        }
        Ok(if matches!(found, Value::Unknown(_)) { Answer::No } else { Answer::Yes })
    }
}
