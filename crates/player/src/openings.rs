//! What the strongest level knows about openings: the replies that did best when
//! it played them against itself, and those that are proved to win.
//!
//! The lines are made by the example `openings`, which says how. A position is
//! known whichever way the board is turned, and by whatever order of moves it was
//! reached.

use rules::{Game, Move, Position};
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

/// The lines, made for [`Game::CONNECT6`].
const LINES: &str = include_str!("../data/openings.tsv");

/// A reply that is known to be good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The reply.
    pub reply: Move,
    /// The part of the games that it won, a draw counted half.
    pub points: f32,
}

/// Known replies by position.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    /// By the key of the canonical position, in which the replies are.
    known: HashMap<u64, Known>,
}

/// A line that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct OpeningsError {
    line: usize,
    problem: String,
}

impl Openings {
    /// What is built in for a game.
    pub fn of(game: Game) -> Arc<Openings> {
        static BUILT_IN: OnceLock<Arc<Openings>> = OnceLock::new();
        if game != Game::CONNECT6 {
            return Arc::default();
        }
        // A test reads the lines, so that nothing is lost here in silence.
        let read = || Arc::new(Openings::read(game, LINES).unwrap_or_default());
        Arc::clone(BUILT_IN.get_or_init(read))
    }

    /// Reads lines of four fields with tabs between them: the moves so far, the
    /// reply, the games played (or `proved`), and the part of them won.
    pub fn read(game: Game, text: &str) -> Result<Openings, OpeningsError> {
        let mut openings = Openings::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let known = read_line(game, line);
            let (position, known) = known.map_err(|problem| OpeningsError { line: number + 1, problem })?;
            let (canonical, symmetry) = position.canonical();
            let reply = symmetry.apply_to_move(game, &known.reply);
            openings.known.insert(canonical.key(), Known { reply, ..known });
        }
        Ok(openings)
    }

    /// The reply to this position, if one is known.
    pub fn reply(&self, position: &Position) -> Option<Known> {
        if self.known.is_empty() {
            return None;
        }
        let (canonical, symmetry) = position.canonical();
        let known = self.known.get(&canonical.key())?;
        let reply = symmetry.inverse().apply_to_move(position.game(), &known.reply);
        // Two positions can have the same key, though nobody has seen any.
        let fits =
            reply.len() == position.stones_to_place() && reply.iter().all(|s| position.at(s).is_none());
        fits.then_some(Known { reply, ..*known })
    }
}

fn read_line(game: Game, line: &str) -> Result<(Position, Known), String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [moves, reply, games, points] = fields[..] else {
        return Err(format!("expected 4 fields with tabs between them, found {}", fields.len()));
    };
    let read = |text: &str| game.parse_move(text).map_err(|error| error.to_string());
    let mut position = Position::new(game);
    for mv in moves.split(' ') {
        position.play(&read(mv)?).map_err(|error| error.to_string())?;
    }
    let reply = read(reply)?;
    position.clone().play(&reply).map_err(|error| error.to_string())?;
    if games != "proved" && games.parse::<u32>().is_err() {
        return Err(format!("expected a number of games or `proved`, found {games:?}"));
    }
    let points = points.parse().ok().filter(|points| (0.0..=1.0).contains(points));
    let points = points.ok_or("expected a number from 0 to 1 at the end".to_string())?;
    Ok((position, Known { reply, points }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Symmetry;

    const GAME: Game = Game::CONNECT6;

    #[test]
    fn the_lines_that_are_built_in_can_be_read() {
        let openings = Openings::read(GAME, LINES).unwrap();
        let lines = LINES.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(openings.known.len(), lines, "two lines are about the same position");
        assert!(lines > 0);
    }

    #[test]
    fn a_position_is_known_whichever_way_it_is_turned() {
        let openings = Openings::read(GAME, "# moves\nj10 i8h12\tl10k11\tproved\t1").unwrap();
        let mut position = Position::new(GAME);
        for mv in ["j10", "h12i8"] {
            position.play(&GAME.parse_move(mv).unwrap()).unwrap();
        }
        for symmetry in Symmetry::of(GAME) {
            let known = openings.reply(&position.transformed(symmetry)).unwrap();
            let back = symmetry.inverse().apply_to_move(GAME, &known.reply);
            assert_eq!(GAME.move_name(&back), "k11l10");
        }
        position.play(&GAME.parse_move("l10k11").unwrap()).unwrap();
        assert_eq!(openings.reply(&position), None);
    }

    #[test]
    fn a_bad_line_is_named() {
        for (text, expected) in [
            ("j10\ti9i11\t5", "line 1: expected 4 fields with tabs between them, found 3"),
            ("# x\nj10\ti9i11\tmany\t1", "line 2: expected a number of games or `proved`, found \"many\""),
            ("j10\ti9i11\t5\t2", "line 1: expected a number from 0 to 1 at the end"),
            ("j10\tj10i11\t5\t1", "line 1: j10"),
            ("j10\ti9\t5\t1", "line 1: "),
        ] {
            let error = Openings::read(GAME, text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
