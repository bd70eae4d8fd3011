//! The status of a position, in the terms of job-level search.

use crate::chance;
use lambda6_rules::Side;
use lambda6_search::evaluation::Evaluation;
use std::{fmt, str::FromStr};

/// The status of a position: who is ahead and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Proved: `B:w` or `W:w`. There is a certificate.
    Win(Side),
    /// This side is ahead, from 1 (a little) to 4 (nearly winning): `B1` to
    /// `B4`, `W1` to `W4`.
    Ahead(Side, u8),
    /// Even, and quiet.
    Stable,
    /// Even, but sharp: 1, or 2 for sharper still.
    Unstable(u8),
}

/// The chances of winning from which a side is ahead by 1 to 4.
const CHANCES: [f64; 4] = [0.60, 0.72, 0.84, 0.94];

impl Status {
    /// The status of a position that is not proved: from Black's chance of
    /// winning, and from how sharp it is (0 to 2).
    pub fn of_chance(black: f64, sharpness: u8) -> Status {
        let (side, chance) = if black >= 0.5 { (Side::Black, black) } else { (Side::White, 1.0 - black) };
        match CHANCES.iter().filter(|&&least| chance >= least).count() {
            0 if sharpness == 0 => Status::Stable,
            0 => Status::Unstable(sharpness.min(2)),
            degree => Status::Ahead(side, degree as u8),
        }
    }

    /// The side that is proved to win, if there is one.
    pub fn winner(self) -> Option<Side> {
        match self {
            Status::Win(side) => Some(side),
            _ => None,
        }
    }
}

/// The status of a score for `mover`. A search that sees the end has not proved
/// it: that is degree 4, not a win.
pub(crate) fn status_of(score: i32, mover: Side, evaluation: &Evaluation) -> Status {
    let for_mover = chance(score);
    let black = if mover == Side::Black { for_mover } else { 1.0 - for_mover };
    // Squares where one stone makes a threat.
    let sharp = Side::ALL.map(|side| {
        let empty = evaluation.game().squares().filter(|&square| evaluation.is_empty(square));
        empty.filter(|&square| evaluation.codes(side, square).iter().any(|&code| code >= SHARP)).count() >= 8
    });
    Status::of_chance(black, sharp.iter().map(|&sharp| u8::from(sharp)).sum())
}

/// From this code on, a stone makes a threat.
const SHARP: u8 = 7;

fn letter(side: Side) -> char {
    match side {
        Side::Black => 'B',
        Side::White => 'W',
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Status::Win(side) => write!(f, "{}:w", letter(side)),
            Status::Ahead(side, degree) => write!(f, "{}{degree}", letter(side)),
            Status::Stable => f.write_str("stable"),
            Status::Unstable(degree) => write!(f, "unstable{degree}"),
        }
    }
}

/// The text is not a status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a status: expected B:w, B4 to B1, stable, unstable1, unstable2, W1 to W4 or W:w")]
pub struct StatusParseError(String);

impl FromStr for Status {
    type Err = StatusParseError;

    fn from_str(text: &str) -> Result<Status, StatusParseError> {
        let mut all = vec![Status::Stable, Status::Unstable(1), Status::Unstable(2)];
        for side in Side::ALL {
            all.push(Status::Win(side));
            all.extend((1..=4).map(|degree| Status::Ahead(side, degree)));
        }
        all.into_iter()
            .find(|status| status.to_string() == text)
            .ok_or_else(|| StatusParseError(text.chars().take(20).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_round_trip_through_text() {
        for text in ["B:w", "B4", "B3", "B2", "B1", "stable", "unstable1", "unstable2", "W1", "W4", "W:w"] {
            assert_eq!(text.parse::<Status>().unwrap().to_string(), text);
        }
        for text in ["", "B5", "B0", "b:w", "unstable3", "unstable"] {
            assert!(text.parse::<Status>().is_err(), "{text}");
        }
    }

    #[test]
    fn chances_become_degrees() {
        assert_eq!(Status::of_chance(0.5, 0), Status::Stable);
        assert_eq!(Status::of_chance(0.45, 2), Status::Unstable(2));
        assert_eq!(Status::of_chance(0.65, 2), Status::Ahead(Side::Black, 1));
        assert_eq!(Status::of_chance(0.01, 0), Status::Ahead(Side::White, 4));
    }
}
