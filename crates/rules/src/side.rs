//! The two players.

use std::{fmt, ops::Not, str::FromStr};

/// A player, and the colour of that player's stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Moves first.
    Black = 0,
    /// Moves second.
    White = 1,
}

impl Side {
    /// Both sides, Black first.
    pub const ALL: [Side; 2] = [Side::Black, Side::White];

    /// 0 for Black, 1 for White: for arrays with one entry a side.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other player.
    pub const fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    /// `black` or `white`, as certificates and setups spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Black => "black",
            Side::White => "white",
        }
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        self.other()
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a side: expected black or white")]
pub struct SideParseError(pub String);

impl FromStr for Side {
    type Err = SideParseError;

    /// Accepts `black`, `white`, `b` and `w` in either case.
    fn from_str(text: &str) -> Result<Side, SideParseError> {
        match text.to_ascii_lowercase().as_str() {
            "black" | "b" => Ok(Side::Black),
            "white" | "w" => Ok(Side::White),
            _ => Err(SideParseError(text.chars().take(20).collect())),
        }
    }
}
