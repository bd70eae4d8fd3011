//! `lambda6 analyze`: positions in, analyses out, a line of JSON each.

use super::Answer;
use crate::{
    interrupt,
    player_args::{PlayerArgs, levels_help},
};
use anyhow::{Context, Result};
use engine::{
    Mind, PlayerMind,
    analysis::{self, Minds, Options},
};
use player::{Level, TimeControl};
use rules::{Game, Position};
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
  level          who searches
  maxCandidates  how many moves to compare
  priority       higher goes first
  reportEvery    seconds between answers on the way
  includeProof   true for the certificate of a proved win
  action         terminate (with terminateId), terminateAll, queryVersion
Every query gets exactly one answer with \"isDuringSearch\":false, in whatever order they
are done. At the end of the input the rest is still answered. docs/ENGINE.md has all fields.

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
    /// Who searches, where a query does not say it
    #[arg(long, value_name = "LEVEL", default_value_t)]
    level: Level,

    /// How far to search where a query has no limits: 1s or 5000n
    #[arg(long, value_name = "TIME", default_value_t = TimeControl::PerMove(Duration::from_secs(1)))]
    time: TimeControl,

    /// Queries worked on at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    analysis_threads: u64,

    #[command(flatten)]
    player: PlayerArgs,

    /// At the end of the input end the queries that are not done
    #[arg(long)]
    quit_without_waiting: bool,

    /// Changes nothing: the answers are JSON in any case
    #[arg(long)]
    json: bool,
}

impl Analyze {
    pub(crate) fn run(&self) -> Result<Answer> {
        let stop = interrupt::stop_flag()?;
        let (player, default) = (self.player.clone(), self.level);
        let minds: Minds = Arc::new(move |level: Option<Level>| -> Box<dyn Mind> {
            Box::new(PlayerMind::new(player.options(level.unwrap_or(default))))
        });
        let limits = self.time.allot(self.time.start(), &Position::new(Game::CONNECT6));
        let options = Options {
            threads: self.analysis_threads as usize,
            limits,
            quit_without_waiting: self.quit_without_waiting,
        };
        analysis::run(&options, &minds, BufReader::new(io::stdin()), io::stdout(), &stop)
            .context("standard output: cannot be written")?;
        Ok(Answer::Yes)
    }
}
