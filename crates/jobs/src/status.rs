//! What a job thinks of a position, and the numbers that a new node gets for it.

use crate::Numbers;
use rules::Side;
use std::{fmt, str::FromStr};

/// How a position looks to the program that does the jobs. Only a status that
/// comes with a proof is more than an opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// A sure win.
    Win(Side),
    /// The side has the better chances, from 1 (a little) to 4 (much).
    Ahead(Side, u8),
    /// Nobody is ahead, and nothing happens soon.
    Stable,
    /// Nobody is ahead, and somebody soon will be; 2 is more so than 1.
    Unstable(u8),
}

impl Status {
    /// Every status, Black's first.
    pub const ALL: [Status; 13] = [
        Status::Win(Side::Black),
        Status::Ahead(Side::Black, 4),
        Status::Ahead(Side::Black, 3),
        Status::Ahead(Side::Black, 2),
        Status::Ahead(Side::Black, 1),
        Status::Stable,
        Status::Unstable(1),
        Status::Unstable(2),
        Status::Ahead(Side::White, 1),
        Status::Ahead(Side::White, 2),
        Status::Ahead(Side::White, 3),
        Status::Ahead(Side::White, 4),
        Status::Win(Side::White),
    ];

    /// The numbers of a new node with this status, where it is to be proved that
    /// `attacker` wins: the paper's table I. A win that nobody has checked
    /// counts as the best chance there is.
    pub fn numbers(self, attacker: Side) -> Numbers {
        let of_black = match self {
            Status::Win(Side::Black) | Status::Ahead(Side::Black, 4..) => Numbers::new(1, 18),
            Status::Ahead(Side::Black, 3) => Numbers::new(2, 12),
            Status::Ahead(Side::Black, 2) => Numbers::new(3, 10),
            Status::Ahead(Side::Black, _) => Numbers::new(4, 8),
            Status::Stable => Numbers::new(6, 6),
            Status::Unstable(1) => Numbers::new(5, 5),
            Status::Unstable(_) => Numbers::new(4, 4),
            Status::Ahead(Side::White, 0..=1) => Numbers::new(8, 4),
            Status::Ahead(Side::White, 2) => Numbers::new(10, 3),
            Status::Ahead(Side::White, 3) => Numbers::new(12, 2),
            Status::Ahead(Side::White, _) | Status::Win(Side::White) => Numbers::new(18, 1),
        };
        if attacker == Side::Black { of_black } else { of_black.swapped() }
    }

    /// The place on the scale from 0 (Black wins) to 10 (White wins) by which the
    /// paper's figure 15 measures how far apart two statuses are; unstable ones
    /// have none.
    pub fn scale(self) -> Option<i32> {
        match self {
            Status::Win(Side::Black) => Some(0),
            Status::Ahead(Side::Black, level) => Some(5 - i32::from(level.clamp(1, 4))),
            Status::Stable => Some(5),
            Status::Ahead(Side::White, level) => Some(5 + i32::from(level.clamp(1, 4))),
            Status::Win(Side::White) => Some(10),
            Status::Unstable(_) => None,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |side: &Side| if *side == Side::Black { 'B' } else { 'W' };
        match self {
            Status::Win(side) => f.pad(&format!("{}:w", letter(side))),
            Status::Ahead(side, level) => f.pad(&format!("{}{level}", letter(side))),
            Status::Stable => f.pad("stable"),
            Status::Unstable(level) => f.pad(&format!("unstable{level}")),
        }
    }
}

/// The text is no status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a status: expected B:w, B4 to B1, stable, unstable1, unstable2, W1 to W4 or W:w")]
pub struct StatusParseError(String);

impl FromStr for Status {
    type Err = StatusParseError;

    fn from_str(text: &str) -> Result<Status, StatusParseError> {
        let found = Status::ALL.into_iter().find(|status| status.to_string() == text);
        found.ok_or_else(|| StatusParseError(text.chars().take(20).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_numbers_are_mirrored() {
        for status in Status::ALL {
            assert_eq!(status.to_string().parse(), Ok(status));
            assert_eq!(status.numbers(Side::Black).swapped(), status.numbers(Side::White));
        }
        assert_eq!(Status::Ahead(Side::Black, 3).numbers(Side::Black), Numbers::new(2, 12));
        assert_eq!(Status::Ahead(Side::White, 2).numbers(Side::Black), Numbers::new(10, 3));
        assert!("B5".parse::<Status>().is_err());
    }

    /// A claim alone proves nothing, whatever it says.
    #[test]
    fn no_status_has_numbers_of_a_solved_node() {
        for status in Status::ALL {
            let numbers = status.numbers(Side::Black);
            assert!(numbers.proof.finite().is_some_and(|n| n > 0));
            assert!(numbers.disproof.finite().is_some_and(|n| n > 0));
        }
    }
}
