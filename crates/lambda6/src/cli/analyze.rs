//! `lambda6 analyze`: positions in, analyses out, a line of JSON each.

use super::Exit;
use crate::{
    interrupt,
    player_args::{PlayerArgs, levels_help},
};
use anyhow::{Context, Result};
use lambda6_engine::{
    PlayerThinker, Thinker,
    analysis::{self, AnalysisOptions, ThinkerFactory},
};
use lambda6_player::{Level, TimeControl};
use lambda6_rules::{Game, Position};
use std::{
    io::{self, BufReader},
    sync::Arc,
    time::Duration,
};

const AFTER_HELP: &str = concat!(
    "\
One query a line on standard input, an object of JSON:
  id             a string, repeated in the answers
  moves          a list of moves; or setup, an object; or record, any game record
  game           connect6 if not given
  at             the number of moves to play
  limits         an object: time (seconds), nodes, depth
  level          the level that searches
  maxCandidates  the number of moves to compare
  priority       higher goes first
  reportEvery    seconds between progress reports
  includeProof   true for the certificate of a proved win
  action         terminate (with terminateId), terminateAll, queryVersion
Every query gets exactly one answer with \"isDuringSearch\":false, in the order in which they
are finished. Queries that are unfinished at the end of the input are answered too.
docs/ENGINE.md has all fields.

",
    levels_help!(),
    "
Examples:
  lambda6 analyze < queries.jsonl > answers.jsonl
  echo '{\"id\":\"a\",\"moves\":[\"j10\",\"i8h9\"],\"limits\":{\"nodes\":1000}}' | lambda6 analyze
  lambda6 analyze --analysis-threads 2 --time 1s"
);

/// Analyse positions: JSON lines in, JSON lines out
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Analyze {
    /// The level for queries without one
    #[arg(long, value_name = "LEVEL", default_value_t)]
    level: Level,

    /// The limit for queries without one: 1s or 5000n
    #[arg(long, value_name = "TIME", default_value_t = TimeControl::PerMove(Duration::from_secs(1)))]
    time: TimeControl,

    /// Queries analysed at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    analysis_threads: u64,

    #[command(flatten)]
    player: PlayerArgs,

    /// Cancel unfinished queries at the end of the input
    #[arg(long)]
    quit_without_waiting: bool,

    /// No effect: the answers are always JSON
    #[arg(long)]
    json: bool,
}

impl Analyze {
    pub(crate) fn run(&self) -> Result<Exit> {
        let stop = interrupt::stop_flag()?;
        let (player, default) = (self.player.clone(), self.level);
        let thinkers: ThinkerFactory = Arc::new(move |level: Option<Level>| -> Box<dyn Thinker> {
            Box::new(PlayerThinker::new(player.options(level.unwrap_or(default))))
        });
        let limits = self.time.allot(self.time.start(), &Position::new(Game::CONNECT6));
        let options = AnalysisOptions {
            threads: self.analysis_threads as usize,
            limits,
            quit_without_waiting: self.quit_without_waiting,
        };
        analysis::run(&options, &thinkers, BufReader::new(io::stdin()), io::stdout(), &stop)
            .context("standard output: cannot be written")?;
        Ok(Exit::Yes)
    }
}
