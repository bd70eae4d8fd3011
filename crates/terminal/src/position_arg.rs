//! The POSITION argument, which every command that takes a position shares.

use crate::input::{Input, Origin};
use anyhow::{Error, Result, anyhow, bail};
use lambda6_rules::{
    Game, Move, Position,
    record::{self, ReadOptions, Record, Rows},
};
use std::ffi::OsString;

/// A paragraph for the help of every command with a POSITION. A macro, so that
/// `concat!` can take it.
#[macro_export]
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
pub use crate::position_help;

/// A game, and the options that say how to read it.
#[derive(clap::Args)]
pub struct RecordArgs {
    /// File, `-`, list of moves, name of an opening, or setup
    #[arg(value_name = "POSITION")]
    argument: OsString,

    /// The game, if the text does not name it: connect6, go-moku, tic-tac-toe or
    /// "m n k p q"
    #[arg(long, value_name = "GAME")]
    game: Option<Game>,

    /// The row that the letter `a` means in SGF with letter pairs, if the file does
    /// not say it: top or bottom
    #[arg(long, value_name = "ROW", value_parser = parse_rows)]
    rows: Option<Rows>,
}

/// A position of a game.
#[derive(clap::Args)]
pub struct PositionArgs {
    #[command(flatten)]
    record: RecordArgs,

    /// Take the position after N moves instead of the last one
    #[arg(long, value_name = "N")]
    at: Option<usize>,
}

/// A position and the moves that led to it.
pub struct Loaded {
    /// The position that is meant.
    pub position: Position,
    /// The position before the first move: the empty board, unless stones were
    /// set up.
    pub start: Position,
    /// The moves that lead from `start` to `position`.
    pub moves: Vec<Move>,
    /// The stones of an incomplete last move of the record. They are not part of the
    /// position.
    pub left_out: Option<Move>,
}

impl Loaded {
    /// Whether the game began with the empty board.
    pub fn starts_empty(&self) -> bool {
        self.start == Position::new(self.start.game())
    }
}

impl PositionArgs {
    /// The last position of an argument, for commands in which the argument is
    /// optional.
    pub fn of(argument: OsString, game: Option<Game>) -> PositionArgs {
        PositionArgs { record: RecordArgs { argument, game, rows: None }, at: None }
    }

    /// Finds and reads the position. An error names the place and what was
    /// expected there.
    pub fn load(&self) -> Result<Loaded> {
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
    /// Reads the game, and returns it with its input.
    pub fn load(&self) -> Result<(Record, Input)> {
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
        Ok(record::read_any(bytes, &ReadOptions { game: self.game, rows: self.rows })?)
    }
}

/// Reads `top` or `bottom`.
pub fn parse_rows(text: &str) -> Result<Rows> {
    match text {
        "top" => Ok(Rows::FromTop),
        "bottom" => Ok(Rows::FromBottom),
        _ => bail!("expected top or bottom"),
    }
}

/// Adds the name of the input to an error. A single word may also be a misspelt name
/// of a file.
fn located(error: Error, input: &Input) -> Error {
    let one_word = !input.bytes.iter().any(u8::is_ascii_whitespace);
    let also = match input.origin {
        Origin::Argument if one_word => " (and there is no file of that name)",
        _ => "",
    };
    anyhow!("{}: {error:#}{also}", input.name)
}
