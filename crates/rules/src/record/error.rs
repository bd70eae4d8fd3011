//! Errors of reading and writing records, with their place in the text.

use super::Format;
use crate::{Game, GameError, PlayError, SetupError, Side, SquareParseError};
use std::fmt;

/// A place in a record's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

impl Place {
    /// The place of a byte offset. Linear in the text, so it is worked out only
    /// once there is an error to report.
    pub(super) fn of(text: &str, offset: usize) -> Place {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        // CR LF is one line break; LF and CR alone are one each.
        let bytes = before.as_bytes();
        let breaks = bytes
            .iter()
            .enumerate()
            .filter(|&(at, &b)| b == b'\n' || (b == b'\r' && bytes.get(at + 1) != Some(&b'\n')))
            .count();
        Place { line: breaks + 1, column: before[line_start..].chars().count() + 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why bytes are not a record, or why a move cannot be added to one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{fault}", .place.map(|place| format!("{place}: ")).unwrap_or_default())]
pub struct RecordError {
    /// The place. Every error of [`read`](super::read) has a place; errors about
    /// moves that came from no text have none.
    pub place: Option<Place>,
    /// What is wrong there.
    pub fault: Fault,
}

impl From<Fault> for RecordError {
    fn from(fault: Fault) -> RecordError {
        RecordError { place: None, fault }
    }
}

/// What is wrong at one place of a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// There is nothing to read.
    #[error("the record is empty")]
    Empty,
    /// More bytes than are read.
    #[error("the record has {bytes} bytes, more than the {max} that are read")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The greatest length that is read.
        max: usize,
    },
    /// More nodes, properties and marks than are kept.
    #[error("the record has more than {max} nodes, properties and marks")]
    TooLarge {
        /// How many are kept.
        max: usize,
    },
    /// The content looks like no known format.
    #[error(
        "not a record: expected SGF that begins with \"(;\", a move list such as \"1.j10 2.i9l10\", \
         or a contest record that begins with \"{{[C6]\""
    )]
    UnknownFormat,
    /// Bytes that are not text.
    #[error("the bytes here are not {encoding} text")]
    Encoding {
        /// The encoding that was tried.
        encoding: String,
    },
    /// Something else should stand here.
    #[error("expected {expected}, found {}", Found(.found))]
    Expected {
        /// What should stand here.
        expected: &'static str,
        /// The beginning of what does; empty at the end of the text.
        found: String,
    },
    /// A square that is misspelt or off the board.
    #[error(transparent)]
    Square(SquareParseError),
    /// The board is too large for letter pairs.
    #[error("letter pairs cannot name the squares of a {cols}x{rows} board: at most 52x52")]
    LetterBoard {
        /// Columns of the board.
        cols: u8,
        /// Rows of the board.
        rows: u8,
    },
    /// The record's parameters make no game.
    #[error(transparent)]
    Game(GameError),
    /// The record is of another game than the one that was asked for.
    #[error("this is a record of the game {found}, expected {expected:?}")]
    OtherGame {
        /// What was asked for.
        expected: Game,
        /// What the record says.
        found: String,
    },
    /// An SGF file of another game altogether.
    #[error("GM[{0}] is not a game of this family: expected GM[511]")]
    OtherKind(String),
    /// The stones before the first move are no position.
    #[error(transparent)]
    Setup(SetupError),
    /// A line of the header of a move list cannot be read.
    #[error(transparent)]
    SetupText(crate::SetupFault),
    /// Stones are set up, or taken off, after the first node.
    #[error("found {0}, but a record sets up stones in its first node only, with AB and AW")]
    SetupInside(String),
    /// A node has moves of both sides.
    #[error("the node has both a black and a white move")]
    BothSides,
    /// A move's number is not the one that is due.
    #[error("the move number is {found}, expected {expected}")]
    Number {
        /// The number that is due.
        expected: usize,
        /// The number as written.
        found: String,
    },
    /// More than one game in a file.
    #[error("a second game begins here: a file holds one record")]
    SecondGame,
    /// A move breaks the rules.
    #[error("move {number}: {why}")]
    Illegal {
        /// The move's number, from 1, along its own line of play.
        number: usize,
        /// Which rule.
        why: Illegal,
    },
    /// A line of play has fewer moves than asked for.
    #[error("move {asked} was asked for, but the main line has {moves}")]
    NoSuchMove {
        /// The number of moves asked for.
        asked: usize,
        /// The number of moves there are.
        moves: usize,
    },
}

/// The rule that a move breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// A rule about the stones.
    #[error(transparent)]
    Play(PlayError),
    /// It is the other side's turn.
    #[error("it is {expected}'s turn, not {}'s", .expected.other())]
    Turn {
        /// Whose turn it is.
        expected: Side,
    },
    /// A move of a move list has too few stones and the rest seems to follow
    /// behind a space.
    #[error("the move has {found} of {expected} stones: write its squares together, such as i9l10")]
    Apart {
        /// What the rules ask for.
        expected: usize,
        /// What the move has.
        found: usize,
    },
}

/// Quotes what was found, or says that the text ended.
struct Found<'a>(&'a str);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => f.write_str("the end"),
            text => write!(f, "{text:?}"),
        }
    }
}

/// The first characters of a text that may be long, for an error to quote.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(20).collect()
}

/// A fault and the byte offset where it was met: what readers hand to
/// [`read`](super::read), which turns the offset into a place.
#[derive(Debug)]
pub(super) struct At {
    pub(super) offset: usize,
    pub(super) fault: Fault,
}

impl At {
    pub(super) fn new(offset: usize, fault: Fault) -> At {
        At { offset, fault }
    }

    /// Something else should stand at `offset` of `text`.
    pub(super) fn expected(expected: &'static str, text: &str, offset: usize) -> At {
        let found = text.get(offset..).map(excerpt).unwrap_or_default();
        At::new(offset, Fault::Expected { expected, found })
    }

    /// The same fault in a text that begins `by` bytes earlier.
    pub(super) fn moved(self, by: usize) -> At {
        At { offset: self.offset + by, ..self }
    }
}

/// What a format cannot carry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A board whose squares the format cannot name.
    #[error("the {format} format cannot name the squares of a {cols}x{rows} board")]
    Board {
        /// The format.
        format: Format,
        /// Columns of the board.
        cols: u8,
        /// Rows of the board.
        rows: u8,
    },
    /// A game that the format does not know.
    #[error("the {format} format has no way to say that the game is {game:?}")]
    Game {
        /// The format.
        format: Format,
        /// The game.
        game: Game,
    },
    /// Stones that stand before the first move.
    #[error("the {0} format begins with the empty board, this record does not")]
    Setup(Format),
    /// More than one line of play.
    #[error("the {0} format has no variations, this record does")]
    Variations(Format),
    /// A line of play that ends within a move.
    #[error("the {0} format has whole moves only, this record ends within one")]
    HalfMove(Format),
    /// Comments.
    #[error("the {0} format has no comments, this record does")]
    Comments(Format),
    /// Marks on squares.
    #[error("the {0} format has no marks on squares, this record does")]
    Markup(Format),
    /// An SGF property that has no counterpart.
    #[error("the {format} format has no place for the property {ident}")]
    Property {
        /// The format.
        format: Format,
        /// The property's name.
        ident: String,
    },
    /// A text that the format cannot spell.
    #[error("the {format} format cannot spell {what} {text:?}")]
    Text {
        /// The format.
        format: Format,
        /// Which text.
        what: &'static str,
        /// The beginning of the text.
        text: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let text = "ab\r\ncé\rd\n\n漢字x";
        let place = |needle: char| Place::of(text, text.find(needle).unwrap());
        assert_eq!(place('a'), Place { line: 1, column: 1 });
        assert_eq!(place('é'), Place { line: 2, column: 2 });
        assert_eq!(place('d'), Place { line: 3, column: 1 });
        assert_eq!(place('x'), Place { line: 5, column: 3 });
        assert_eq!(Place::of(text, text.len()), Place { line: 5, column: 4 });
        assert_eq!(Place::of("", 0), Place { line: 1, column: 1 });
    }
}
