//! How long an entrant may think that has the same time as its opponent.

use std::time::Duration;

/// The time use of an entrant and its opponent in the contest so far.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The opponent's mean time for a move.
    pub mean: Duration,
    /// The entrant's own moves.
    pub moves: u32,
    /// The time for them.
    pub total: Duration,
}

/// The first moves of a game, which decide most games.
const EARLY: u32 = 6;

/// The most time that an entrant may be ahead of its budget, in means of the
/// opponent.
const ADVANCE: f64 = 6.0;

impl Pace {
    /// The time for the next move of a game after `made` own moves, such that the
    /// mean of the contest becomes the opponent's. The first moves get more than
    /// the others: most games are decided there, and long games end with moves
    /// that take no time. Every share is between a quarter of the mean and three
    /// times the mean.
    pub(crate) fn share(self, made: u32) -> Duration {
        let mean = self.mean.as_secs_f64();
        let saved = mean * f64::from(self.moves + 1) - self.total.as_secs_f64();
        let wanted = if made < EARLY { 2.0 * mean + saved / 4.0 } else { 0.7 * mean + saved / 16.0 };
        let share = wanted.min(saved + ADVANCE * mean).clamp(mean / 4.0, 3.0 * mean);
        Duration::try_from_secs_f64(share).unwrap_or(self.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_bring_the_average_to_the_opponents() {
        let seconds = Duration::from_secs;
        let share = |total, moves, made| Pace { mean: seconds(8), moves, total: seconds(total) }.share(made);
        // More for the first moves of a game than for the others.
        assert!(share(800, 100, 0) > seconds(8) && share(800, 100, EARLY) < seconds(8));
        // The bounds hold however much was saved or overspent.
        assert_eq!(share(1, 100, 0), seconds(24));
        assert_eq!(share(9_999, 100, 0), seconds(2));
        // An entrant that uses all of it ends at the opponent's mean.
        for length in [4, 9, 25] {
            let mut pace = Pace { mean: seconds(8), moves: 0, total: Duration::ZERO };
            for i in 0..400 {
                pace.total += pace.share(i % length);
                pace.moves += 1;
            }
            let average = pace.total.as_secs_f64() / f64::from(pace.moves);
            assert!((7.5..=8.3).contains(&average), "{average} s in games of {length} moves");
        }
    }
}
