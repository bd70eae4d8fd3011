//! The POSITION argument, which every command that takes a position shares.

use crate::input::{Input, Origin};
use anyhow::{Context, Error, Result, anyhow, bail};
use rules::{Game, Move, Position, Setup, opening};
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

/// The argument and the options that say how to read it.
#[derive(clap::Args)]
pub(crate) struct PositionArgs {
    /// File, `-`, list of moves, name of an opening, or setup (see below)
    #[arg(value_name = "POSITION")]
    argument: OsString,

    /// Take the position after N moves instead of the last one
    #[arg(long, value_name = "N")]
    at: Option<usize>,

    /// The game, where the text does not say it: connect6, go-moku, tic-tac-toe
    /// or "m n k p q"; connect6 if not given
    #[arg(long, value_name = "GAME")]
    game: Option<Game>,
}

/// A position, and how it came about if that is known.
pub(crate) struct Loaded {
    pub(crate) position: Position,
    /// The moves from the beginning of the game. A setup has none.
    pub(crate) moves: Option<Vec<Move>>,
}

impl PositionArgs {
    /// Finds and reads the position. An error names the place and what was
    /// expected there.
    pub(crate) fn load(&self) -> Result<Loaded> {
        let input = Input::from_argument(&self.argument)?;
        if input.is_blank() {
            bail!("{}: is empty, expected a list of moves, a game record or a setup", input.name);
        }
        self.parse(&input.bytes).map_err(|error| located(error, &input))
    }

    fn parse(&self, bytes: &[u8]) -> Result<Loaded> {
        match str::from_utf8(bytes) {
            Ok(text) if is_setup(text) => self.parse_setup(text),
            Ok(text) if is_opening(text) => self.parse_opening(text.trim()),
            _ => self.parse_record(bytes),
        }
    }

    fn parse_setup(&self, text: &str) -> Result<Loaded> {
        let setup = Setup::parse(text)?;
        if self.at.is_some() {
            bail!("--at counts the moves of a game, but a setup has none");
        }
        if let Some(game) = self.game.filter(|&game| game != setup.game) {
            bail!("the setup is of the game {}, not {game} as --game says", setup.game);
        }
        Ok(Loaded { position: setup.position()?, moves: None })
    }

    fn parse_opening(&self, name: &str) -> Result<Loaded> {
        let game = Game::CONNECT6;
        if self.game.is_some_and(|other| other != game) {
            bail!("opening names belong to connect6, not to the game that --game says");
        }
        let [a, b] = opening::squares(name)?;
        self.play(game, &[Move::single(game.square(9, 9)), Move::pair(a, b)])
    }
}

impl PositionArgs {
    fn parse_record(&self, bytes: &[u8]) -> Result<Loaded> {
        let game = self.game.unwrap_or(Game::CONNECT6);
        let text = str::from_utf8(bytes).context("not text: expected a list of moves such as j10 i8h9")?;
        let moves =
            text.split_whitespace().map(|word| game.parse_move(word)).collect::<Result<Vec<_>, _>>()?;
        self.play(game, &moves)
    }

    fn play(&self, game: Game, moves: &[Move]) -> Result<Loaded> {
        let mut position = Position::new(game);
        let count = self.at.unwrap_or(moves.len());
        if count > moves.len() {
            bail!("--at {count} is too far: the game has {} moves", moves.len());
        }
        for (number, mv) in (1..).zip(&moves[..count]) {
            position.play(mv).with_context(|| format!("move {number}"))?;
        }
        Ok(Loaded { position, moves: Some(moves[..count].to_vec()) })
    }
}

/// Whether a text has the header lines of a setup or certificate rather than
/// moves: the first line says so.
fn is_setup(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let first = text.lines().next().unwrap_or("");
    let key = first.split_once(':').map(|(key, _)| key.trim());
    first.starts_with("connect-proof") || matches!(key, Some("game" | "black" | "white" | "to-move"))
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

    fn parse(text: &str) -> Result<Loaded> {
        PositionArgs { argument: OsString::new(), at: None, game: None }.parse(text.as_bytes())
    }

    #[test]
    fn a_setup_is_told_from_a_list_of_moves() {
        for text in ["game: 3 3 3 1 1", "\u{feff}connect-proof 1\n", "\n to-move: black\n", "black : j10"] {
            assert!(is_setup(text), "{text}");
        }
        for text in ["j10 i8h9", "(;GM[511])", "", "C: something", "1.j10 2.i9l10"] {
            assert!(!is_setup(text), "{text}");
        }
    }

    #[test]
    fn one_position_in_all_its_spellings() {
        let expected = parse("j10 i8h9").unwrap().position;
        for text in ["TX-H9", " tx-h9\n", "game: 19 19 6 2 1\nblack: j10\nwhite: i8 h9\nto-move: black\n"] {
            assert_eq!(parse(text).unwrap().position, expected, "{text}");
        }
    }
}
