//! Reads a position or a game given as a setup, an opening's name or a record.

use super::{ReadOptions, Record, RecordError, read};
use crate::{Game, Move, Setup, SetupError, opening};
use std::str;

/// Why a text is neither a setup, nor an opening, nor a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnyError {
    /// An error in a setup.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// An error in the name of an opening.
    #[error(transparent)]
    Opening(#[from] opening::OpeningError),
    /// An error in a record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A setup of another game than the one asked for.
    #[error("this is a setup of the game {found:?}, expected {expected:?}")]
    OtherGame {
        /// The game asked for.
        expected: Game,
        /// The setup's.
        found: Game,
    },
    /// The name of an opening, but the game asked for is not Connect6.
    #[error("opening names are for {only:?} only, not for {0:?}", only = Game::CONNECT6)]
    NoOpenings(Game),
}

/// Reads a setup, the name of an opening, or a record in any format.
///
/// ```
/// use lambda6_rules::record::{self, ReadOptions};
///
/// let moves = record::read_any(b"j10 i8h9", &ReadOptions::default())?;
/// let opening = record::read_any(b"TX-H9", &ReadOptions::default())?;
/// assert_eq!(moves.position_at(None)?, opening.position_at(None)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_any(bytes: &[u8], options: &ReadOptions) -> Result<Record, AnyError> {
    match str::from_utf8(bytes) {
        Ok(text) if is_setup(text) => {
            let setup = Setup::parse(text)?;
            if let Some(expected) = options.game.filter(|&game| game != setup.game) {
                return Err(AnyError::OtherGame { expected, found: setup.game });
            }
            Ok(Record::from_setup(&setup)?)
        }
        Ok(text) if is_opening(text) => {
            let game = Game::CONNECT6;
            if let Some(other) = options.game.filter(|&other| other != game) {
                return Err(AnyError::NoOpenings(other));
            }
            let [a, b] = opening::squares(text.trim())?;
            Ok(Record::from_moves(game, &[Move::single(game.square(9, 9)), Move::pair(a, b)])?)
        }
        _ => Ok(read(bytes, options)?),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    fn parse(text: &str) -> Result<Position, AnyError> {
        Ok(read_any(text.as_bytes(), &ReadOptions::default())?.position_at(None)?)
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
