//! The levels of play.

use std::{fmt, str::FromStr};

/// A level of play. The order is by strength in games of the levels against each
/// other (docs/PERFORMANCE.md), the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Level {
    /// The defensive strategy alone: blocks where the opponent's last stones
    /// count most, without search.
    Defense,
    /// Sees rows and threats, and little else.
    Novice,
    /// Plays the move with the best evaluation, most of the time.
    Casual,
    /// The defensive strategy, checked by threat-space search.
    Kagami,
    /// Searches two moves deep and finds short attacks.
    Club,
    /// The game-tree search.
    #[default]
    Strong,
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 6] =
        [Level::Defense, Level::Novice, Level::Casual, Level::Kagami, Level::Club, Level::Strong];

    /// The name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Novice => "novice",
            Level::Casual => "casual",
            Level::Club => "club",
            Level::Defense => "defense",
            Level::Kagami => "kagami",
            Level::Strong => "strong",
        }
    }

    /// A description in one line.
    pub const fn description(self) -> &'static str {
        match self {
            Level::Novice => "sees rows and threats, and little else",
            Level::Casual => "plays what looks best at a glance, most of the time",
            Level::Club => "looks a few moves ahead and finds short attacks",
            Level::Defense => "blocks where the opponent's last stones count most, without looking ahead",
            Level::Kagami => "the defence checked by threat-space search, and attacks that win",
            Level::Strong => "searches the game tree with the threat solvers at its leaves",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a level: expected novice, casual, club, defense, kagami or strong")]
pub struct LevelParseError(String);

impl FromStr for Level {
    type Err = LevelParseError;

    /// Accepts the names in either case, and `defence`.
    fn from_str(text: &str) -> Result<Level, LevelParseError> {
        let lower = text.to_ascii_lowercase();
        let name = if lower == "defence" { "defense" } else { &lower };
        Level::ALL
            .into_iter()
            .find(|level| level.name() == name)
            .ok_or_else(|| LevelParseError(text.chars().take(20).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(level.to_string().to_uppercase().parse(), Ok(level));
        }
        assert_eq!("defence".parse(), Ok(Level::Defense));
        assert!("grandmaster".parse::<Level>().is_err());
    }
}
