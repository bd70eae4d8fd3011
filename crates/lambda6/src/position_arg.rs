//! The POSITION argument, which every command that takes a position shares.

use crate::input::{Input, Origin};
use anyhow::{Error, Result, anyhow, bail};
use rules::{
    Game, Move, Position, Setup, opening,
    record::{self, ReadOptions, Record, Rows},
};
use std::{ffi::OsString, str};

/// A paragraph for the help of every command with a POSITION. A macro, so that
/// `concat!` can take it.
macro_rules! position_help {
    () => {
        "\
A POSITION is one of
  FILE          a game record or a setup: its last position, or the one after N
                moves with --at N
  -             the same, from standard input
  'j10 i8h9'    a list of moves, the stones of one move run together
  TX-H9         an opening of Connect6 by its name
  'game: ...'   a setup: the lines game:, black:, white: and to-move:
"
    };
}
pub(crate) use position_help;

/// A game, and the options that say how to read it.
#[derive(clap::Args)]
pub(crate) struct RecordArgs {
    /// File, `-`, list of moves, name of an opening, or setup
    #[arg(value_name = "POSITION")]
    argument: OsString,

    /// The game, where the text does not say it: connect6, go-moku, tic-tac-toe
    /// or "m n k p q"
    #[arg(long, value_name = "GAME")]
    game: Option<Game>,

    /// The row that the letter `a` means in SGF with letter pairs, where the file
    /// does not say it
    #[arg(long, value_name = "ROW", value_parser = parse_rows)]
    rows: Option<Rows>,
}

/// A position of a game.
#[derive(clap::Args)]
pub(crate) struct PositionArgs {
    #[command(flatten)]
    record: RecordArgs,

    /// Take the position after N moves instead of the last one
    #[arg(long, value_name = "N")]
    at: Option<usize>,
}

/// A position and how it came about.
pub(crate) struct Loaded {
    pub(crate) position: Position,
    /// The position before the first move: the empty board, unless stones were
    /// set up.
    pub(crate) start: Position,
    /// The moves that lead from `start` to `position`.
    pub(crate) moves: Vec<Move>,
    /// The stones of a move that the record breaks off in. They are not part of
    /// the position.
    pub(crate) left_out: Option<Move>,
}

impl Loaded {
    /// Whether the game began with the empty board.
    pub(crate) fn starts_empty(&self) -> bool {
        self.start == Position::new(self.start.game())
    }
}

impl PositionArgs {
    /// The last position of what an argument means, for commands where the
    /// argument may be missing.
    pub(crate) fn of(argument: OsString, game: Option<Game>) -> PositionArgs {
        PositionArgs { record: RecordArgs { argument, game, rows: None }, at: None }
    }

    /// Finds and reads the position. An error names the place and what was
    /// expected there.
    pub(crate) fn load(&self) -> Result<Loaded> {
        let (record, input) = self.record.load()?;
        let position = record.position_at(self.at).map_err(|error| located(error.into(), &input))?;
        let mut moves = record.main_line();
        let ends_here = self.at.is_none_or(|at| at == moves.len());
        moves.truncate(self.at.unwrap_or(moves.len()));
        let left_out = record.half_move().filter(|_| ends_here).map(|(_, mv)| mv);
        Ok(Loaded { position, start: record.start().clone(), moves, left_out })
    }
}

impl RecordArgs {
    /// Finds and reads the game, and says where it was found.
    pub(crate) fn load(&self) -> Result<(Record, Input)> {
        let input = Input::from_argument(&self.argument)?;
        if input.is_blank() {
            bail!("{}: is empty, expected a list of moves, a game record or a setup", input.name);
        }
        match self.parse(&input.bytes) {
            Ok(record) => Ok((record, input)),
            Err(error) => Err(located(error, &input)),
        }
    }

    fn parse(&self, bytes: &[u8]) -> Result<Record> {
        match str::from_utf8(bytes) {
            Ok(text) if is_setup(text) => self.parse_setup(text),
            Ok(text) if is_opening(text) => self.parse_opening(text.trim()),
            _ => Ok(record::read(bytes, &ReadOptions { game: self.game, rows: self.rows })?),
        }
    }

    fn parse_setup(&self, text: &str) -> Result<Record> {
        let setup = Setup::parse(text)?;
        if let Some(game) = self.game.filter(|&game| game != setup.game) {
            bail!("this is a setup of the game {:?}, expected {game:?}", setup.game);
        }
        Ok(Record::from_setup(&setup)?)
    }

    fn parse_opening(&self, name: &str) -> Result<Record> {
        let game = Game::CONNECT6;
        if let Some(other) = self.game.filter(|&other| other != game) {
            bail!("opening names are for {game:?} only, not for {other:?}");
        }
        let [a, b] = opening::squares(name)?;
        Ok(Record::from_moves(game, &[Move::single(game.square(9, 9)), Move::pair(a, b)])?)
    }
}

/// Reads `top` or `bottom`.
pub(crate) fn parse_rows(text: &str) -> Result<Rows, String> {
    match text {
        "top" => Ok(Rows::FromTop),
        "bottom" => Ok(Rows::FromBottom),
        _ => Err("expected top or bottom".to_string()),
    }
}

/// Whether a text is the head of a certificate or a setup, and no moves follow
/// that would make it a record. Setups may have keys that records do not know.
fn is_setup(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with("connect-proof") {
        return true;
    }
    let key = |line: &str| {
        let (key, _) = line.split_once(':')?;
        let key = key.trim().to_string();
        let is_key = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        is_key.then_some(key)
    };
    let Some(keys) = text.lines().map(key).collect::<Option<Vec<String>>>() else { return false };
    // The game alone, perhaps with the players' names, is the empty board.
    keys.iter().any(|key| matches!(key.as_str(), "black" | "white" | "to-move"))
}

/// Whether a text is one word with a hyphen between what may be two squares.
fn is_opening(text: &str) -> bool {
    let word = text.trim();
    let part = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
    word.len() <= 12 && word.split_once('-').is_some_and(|(a, b)| part(a) && part(b))
}

/// Adds where the text came from. One word may also be the misspelt name of a
/// file.
fn located(error: Error, input: &Input) -> Error {
    let one_word = !input.bytes.iter().any(u8::is_ascii_whitespace);
    let also = match input.origin {
        Origin::Argument if one_word => " (and there is no file of that name)",
        _ => "",
    };
    anyhow!("{}: {error:#}{also}", input.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Position> {
        let args = RecordArgs { argument: OsString::new(), game: None, rows: None };
        Ok(args.parse(text.as_bytes())?.position_at(None)?)
    }

    #[test]
    fn a_setup_is_told_from_a_record() {
        for text in [
            "\u{feff}connect-proof 1\n",
            "\n to-move: black\n",
            "black : j10",
            "game: 3 3 3 1 1\r\nblack: a1\r\nto-move: white\r\nattacker: black",
        ] {
            assert!(is_setup(text), "{text}");
        }
        for text in [
            "j10 i8h9",
            "(;GM[511]C[black: j10])",
            "",
            "C: something",
            "1.j10 2.i9l10",
            "game: 3 3 3 1 1",
            "game: 3 3 3 1 1\nto-move: black\n\n1.b2",
            "game: 3 3 3 1 1\nto-move: black\n# a comment: or two",
        ] {
            assert!(!is_setup(text), "{text}");
        }
    }

    #[test]
    fn one_position_in_all_its_spellings() {
        let expected = parse("j10 i8h9").unwrap();
        for text in [
            "TX-H9",
            " tx-h9\n",
            "1.j10 2.h9i8",
            "game: 19 19 6 2 1\nblack: j10\nwhite: i8 h9\nto-move: black\n",
            "game: 19 19 6 2 1\nblack: j10\nto-move: white\n\ni8h9\n",
            "connect-proof 1\ngame: connect6\nblack: j10\nwhite: i8 h9\nto-move: black\n\nk11l10 a1a2\n",
            "(;GM[511];B[JJ];W[IL];W[HK])",
        ] {
            assert_eq!(parse(text).unwrap(), expected, "{text}");
        }
    }
}
