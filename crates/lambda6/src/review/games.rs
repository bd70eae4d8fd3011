//! The games of a file that are reviewed.

use crate::input::Input;
use anyhow::{Result, anyhow, bail};
use lambda6_review::{PlayedGame, Review};
use lambda6_rules::{
    Side,
    record::{self, ReadOptions, Record},
};

/// A game of the file with its review.
pub(crate) struct ReviewedGame {
    /// Its number in the file, from 1.
    pub(crate) number: usize,
    pub(crate) record: Record,
    pub(crate) review: Review,
}

impl ReviewedGame {
    /// The names of the players; empty where the record does not say.
    pub(crate) fn names(&self) -> [&str; 2] {
        [&self.record.info.black, &self.record.info.white]
    }

    /// The name of a side's player, or of the side.
    pub(crate) fn name(&self, side: Side) -> &str {
        let name = self.names()[side.index()].trim();
        if name.is_empty() { side.name() } else { name }
    }
}

/// Reads the games of a text: all, or the one with this number. A game that cannot be read is an
/// error, unless there are others: then it is told and left out.
pub(crate) fn read(
    input: &Input,
    options: &ReadOptions,
    number: Option<usize>,
    winner: Option<Side>,
    mut warn: impl FnMut(String),
) -> Result<Vec<ReviewedGame>> {
    if input.is_blank() {
        bail!("{}: is empty, expected a list of moves or game records", input.name);
    }
    let texts = record::games(&input.bytes);
    if let Some(number) = number.filter(|&number| number == 0 || number > texts.len()) {
        bail!("--number {number}: {} has {} games", input.name, texts.len());
    }
    let is_asked = |at: &usize| number.is_none_or(|number| number == at + 1);
    let mut games = Vec::new();
    for at in (0..texts.len()).filter(is_asked) {
        let read = || -> Result<ReviewedGame> {
            let record = texts[at].read(options)?;
            let mut game = PlayedGame::of(&record)?;
            if let Some(winner) = winner {
                game = PlayedGame::new(record.start().clone(), record.main_line(), Some(winner))?;
            }
            Ok(ReviewedGame { number: at + 1, record, review: Review::new(game) })
        };
        match read() {
            Ok(game) => games.push(game),
            Err(error) if texts.len() == 1 || number.is_some() => {
                return Err(anyhow!("{}: {error:#}", input.name));
            }
            Err(error) => warn(format!("warning: {}: game {} is left out: {error:#}", input.name, at + 1)),
        }
    }
    if games.is_empty() {
        bail!("{}: there is no game to review", input.name);
    }
    Ok(games)
}
