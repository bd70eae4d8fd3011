//! Errors: why a certificate cannot be read, or does not prove its claim.

use crate::board::Square;
use std::{error::Error, fmt, io};

/// Why a certificate was not accepted.
#[derive(Debug)]
pub enum CheckError {
    /// The header does not follow the format.
    Unreadable(HeaderError),
    /// The replies do not prove the claim.
    Rejected(Rejection),
    /// The input failed.
    Io(io::Error),
    /// The caller's `progress` asked to stop.
    Stopped,
}

/// Which line of a header does not follow the format, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderError {
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub fault: HeaderFault,
}

/// What can be wrong with a line of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderFault {
    /// The first line is neither `connect-proof 1` nor `connect-proof 2`.
    Version,
    /// The text ends, or is longer than a header may be, before an empty line.
    Endless,
    /// The line is not UTF-8.
    NotUtf8,
    /// The line contains a carriage return.
    CarriageReturn,
    /// The line is not a key, a colon and, after a space, a value.
    NotKeyValue,
    /// The format has no such key.
    UnknownKey(String),
    /// The key has been given before.
    RepeatedKey(&'static str),
    /// The header ends without this key.
    MissingKey(&'static str),
    /// The value of `game` is not five numbers.
    NotGame,
    /// The game is beyond the limits of this crate.
    Game(GameError),
    /// A word in a list of stones is not a square.
    NotSquare(String),
    /// A square in a list of stones is off the board.
    OffBoard(String),
    /// The stones do not make a position.
    Position(PositionError),
    /// The value is neither `black` nor `white`.
    NotSide,
    /// The value of `method` is not a method.
    NotMethod,
    /// The value of `replies` is not a number.
    NotNumber,
    /// A word in the list of excepted moves is not a set of at most p empty squares.
    NotExcepted(String),
    /// The list of excepted moves is empty.
    NoneExcepted,
    /// Moves are excepted, but the attacker is to move.
    ExceptsOfAttacker,
}

/// A number of a game is beyond the limits of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameError {
    /// The number's letter in Connect(m,n,k,p,q).
    pub letter: char,
    /// Its value.
    pub value: u64,
    /// The largest value supported; the smallest is 1.
    pub most: u8,
}

/// The stones of a header do not make a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// There are two stones on this square.
    Taken(String),
    /// The board has no square with this index.
    OffBoard(Square),
}

/// Why a text is not a list of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadSquare {
    /// It is not letters and a number by turns.
    Malformed,
    /// The board has no such square.
    OffBoard,
}

/// The walk failed: the claim is not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The reply at which it failed, counted from 1; 0 if before the first.
    pub reply: u64,
    /// What was wrong.
    pub reason: Reason,
}

/// What can be wrong with a position, with a reply, or with the list of replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The header's stones do not make a position.
    Position(PositionError),
    /// The defender has k in a row before the first move: the game is over.
    AlreadyLost,
    /// The attacker has k in a row before the first move: the game is over.
    AlreadyWon,
    /// The reply is not squares run together.
    Malformed,
    /// The board has no such square.
    OffBoard,
    /// There is a stone on this square already.
    Occupied(String),
    /// The reply has a square twice.
    Repeated,
    /// The reply has more than p squares.
    TooMany,
    /// The reply has fewer than p squares and does not win.
    TooFew,
    /// The defender can connect in one move.
    DefenderConnects,
    /// Fewer than p squares are empty, so the defender can no longer be beaten.
    BoardFull,
    /// The walk asks for a reply and there is none.
    RunOut,
    /// The walk is over and there is another reply.
    LeftOver,
    /// The number of replies is not this one, which the header gives.
    Count(u64),
}

impl From<HeaderError> for CheckError {
    fn from(error: HeaderError) -> CheckError {
        CheckError::Unreadable(error)
    }
}

impl From<io::Error> for CheckError {
    fn from(error: io::Error) -> CheckError {
        CheckError::Io(error)
    }
}

impl From<Rejection> for CheckError {
    fn from(rejection: Rejection) -> CheckError {
        CheckError::Rejected(rejection)
    }
}

impl Error for CheckError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            CheckError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl Error for HeaderError {}
impl Error for HeaderFault {}
impl Error for GameError {}
impl Error for PositionError {}
impl Error for BadSquare {}
impl Error for Rejection {}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Unreadable(error) => error.fmt(f),
            CheckError::Rejected(rejection) => rejection.fmt(f),
            CheckError::Io(error) => error.fmt(f),
            CheckError::Stopped => f.write_str("stopped"),
        }
    }
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.fault)
    }
}

impl fmt::Display for HeaderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HeaderFault::UnknownKey(key) => return write!(f, "unknown key `{}`", excerpt(key)),
            HeaderFault::RepeatedKey(key) => return write!(f, "a second `{key}`"),
            HeaderFault::MissingKey(key) => return write!(f, "no `{key}` in the header"),
            HeaderFault::NotSquare(word) => return write!(f, "`{}` is not a square", excerpt(word)),
            HeaderFault::NotExcepted(word) => {
                return write!(f, "`{}` is not a move, or a part of one, on empty squares", excerpt(word));
            }
            HeaderFault::OffBoard(word) => return write!(f, "`{}` is off the board", excerpt(word)),
            HeaderFault::Game(error) => return error.fmt(f),
            HeaderFault::Position(error) => return error.fmt(f),
            HeaderFault::Version => "the first line must be `connect-proof 1` or `connect-proof 2`",
            HeaderFault::Endless => "the header must end with an empty line",
            HeaderFault::NotUtf8 => "not UTF-8",
            HeaderFault::CarriageReturn => "a carriage return: lines end with LF alone",
            HeaderFault::NotKeyValue => "expected `key: value`",
            HeaderFault::NotGame => "expected five numbers: m n k p q",
            HeaderFault::NotSide => "expected `black` or `white`",
            HeaderFault::NotMethod => "expected `rzop`, `srzop1`, `srzop2` or `mutual`",
            HeaderFault::NotNumber => "expected a number",
            HeaderFault::NoneExcepted => "expected moves: without any, the version is 1",
            HeaderFault::ExceptsOfAttacker => "moves are excepted, but the attacker is to move",
        })
    }
}

/// The beginning of a word of the input, with control characters escaped.
fn excerpt(word: &str) -> String {
    const MOST: usize = 32;
    let start: String = word.chars().take(MOST).flat_map(char::escape_debug).collect();
    let dots = if word.chars().nth(MOST).is_some() { "..." } else { "" };
    start + dots
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}: only 1 to {} are supported", self.letter, self.value, self.most)
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Taken(square) => write!(f, "two stones on {square}"),
            PositionError::OffBoard(index) => write!(f, "there is no square {index}"),
        }
    }
}

impl fmt::Display for BadSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadSquare::Malformed => "not squares run together, as in k11l10",
            BadSquare::OffBoard => "a square off the board",
        })
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reply {}: {}", self.reply, self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Position(error) => return write!(f, "not a position: {error}"),
            Reason::Occupied(square) => return write!(f, "there is a stone on {square} already"),
            Reason::Count(number) => return write!(f, "the header says that there are {number} replies"),
            Reason::Malformed => return BadSquare::Malformed.fmt(f),
            Reason::OffBoard => return BadSquare::OffBoard.fmt(f),
            Reason::AlreadyLost => "the defender has connected already",
            Reason::AlreadyWon => "the attacker has connected already",
            Reason::Repeated => "a square twice",
            Reason::TooMany => "more squares than a move has",
            Reason::TooFew => "fewer squares than a move has, and they do not win",
            Reason::DefenderConnects => "the defender can connect in one move",
            Reason::BoardFull => "the defender fills the board",
            Reason::RunOut => "the walk asks for it and there is none",
            Reason::LeftOver => "the walk is over and does not ask for it",
        })
    }
}
