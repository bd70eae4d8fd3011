//! The opening book of the strongest level: the replies that won most games of
//! self-play, and replies that are proved to win.
//!
//! The example `openings` makes the lines and describes how. Positions are looked
//! up by their canonical form, so symmetry and the order of moves do not matter.

use lambda6_rules::{Game, Move, MoveParseError, PlayError, Position};
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

/// The lines, for [`Game::CONNECT6`].
const LINES: &str = include_str!("../data/openings.tsv");

/// A reply of the book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookReply {
    /// The move.
    pub mv: Move,
    /// The share of the games that it won, a draw counted half.
    pub points: f32,
}

/// Replies by position.
#[derive(Clone, Debug, Default)]
pub struct OpeningBook {
    /// By the key of the canonical position; the replies are to that position.
    replies: HashMap<u64, BookReply>,
}

/// A line of the book that cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct BookError {
    line: usize,
    problem: LineError,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum LineError {
    #[error("expected 4 fields with tabs between them, found {0}")]
    Fields(usize),
    #[error(transparent)]
    Move(#[from] MoveParseError),
    #[error(transparent)]
    Illegal(#[from] PlayError),
    #[error("expected a number of games or `proved`, found {0:?}")]
    Games(String),
    #[error("expected a number from 0 to 1 at the end")]
    Points,
}

impl OpeningBook {
    /// The built-in book of a game; empty for games without one.
    pub fn built_in(game: Game) -> Arc<OpeningBook> {
        static BUILT_IN: OnceLock<Arc<OpeningBook>> = OnceLock::new();
        if game != Game::CONNECT6 {
            return Arc::default();
        }
        // A test reads the lines, so an error cannot go unnoticed here.
        let read = || Arc::new(OpeningBook::read(game, LINES).unwrap_or_default());
        Arc::clone(BUILT_IN.get_or_init(read))
    }

    /// Reads lines of four fields with tabs between them: the moves so far, the
    /// reply, the number of games (or `proved`), and the share of them won.
    pub fn read(game: Game, text: &str) -> Result<OpeningBook, BookError> {
        let mut book = OpeningBook::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let (position, reply) =
                read_line(game, line).map_err(|problem| BookError { line: number + 1, problem })?;
            let (canonical, symmetry) = position.canonical();
            let mv = symmetry.apply_to_move(game, &reply.mv);
            book.replies.insert(canonical.key(), BookReply { mv, ..reply });
        }
        Ok(book)
    }

    /// The reply to a position, if the book has one.
    pub fn reply(&self, position: &Position) -> Option<BookReply> {
        if self.replies.is_empty() {
            return None;
        }
        let (canonical, symmetry) = position.canonical();
        let reply = self.replies.get(&canonical.key())?;
        let mv = symmetry.inverse().apply_to_move(position.game(), &reply.mv);
        // Two positions can have the same key: an illegal reply is not given.
        let legal = mv.len() == position.stones_to_place() && mv.iter().all(|s| position.at(s).is_none());
        legal.then_some(BookReply { mv, ..*reply })
    }
}

fn read_line(game: Game, line: &str) -> Result<(Position, BookReply), LineError> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [moves, reply, games, points] = fields[..] else { return Err(LineError::Fields(fields.len())) };
    let mut position = Position::new(game);
    for mv in moves.split(' ') {
        position.play(&game.parse_move(mv)?)?;
    }
    let mv = game.parse_move(reply)?;
    position.clone().play(&mv)?;
    if games != "proved" && games.parse::<u32>().is_err() {
        return Err(LineError::Games(games.to_string()));
    }
    let points = points.parse().ok().filter(|points| (0.0..=1.0).contains(points));
    Ok((position, BookReply { mv, points: points.ok_or(LineError::Points)? }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_rules::Symmetry;

    const GAME: Game = Game::CONNECT6;

    #[test]
    fn the_built_in_lines_can_be_read() {
        let book = OpeningBook::read(GAME, LINES).unwrap();
        let lines = LINES.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(book.replies.len(), lines, "two lines are about the same position");
        assert!(lines > 0);
    }

    #[test]
    fn a_position_is_found_in_every_symmetric_form() {
        let book = OpeningBook::read(GAME, "# moves\nj10 i8h12\tl10k11\tproved\t1").unwrap();
        let mut position = Position::new(GAME);
        for mv in ["j10", "h12i8"] {
            position.play(&GAME.parse_move(mv).unwrap()).unwrap();
        }
        for symmetry in Symmetry::of(GAME) {
            let reply = book.reply(&position.transformed(symmetry)).unwrap();
            let back = symmetry.inverse().apply_to_move(GAME, &reply.mv);
            assert_eq!(GAME.move_name(&back), "k11l10");
        }
        position.play(&GAME.parse_move("l10k11").unwrap()).unwrap();
        assert_eq!(book.reply(&position), None);
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
            let error = OpeningBook::read(GAME, text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
