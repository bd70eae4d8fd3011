//! The results of a contest so far.

use crate::{
    log::Played,
    referee::Reason,
    stats::{Decision, Rating, Sprt, Tally, ratings},
};
use std::{collections::BTreeMap, time::Duration};

/// An entrant in the order of their ratings.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// Its index among the entrants.
    pub entrant: usize,
    /// Points in all its games.
    pub points: f64,
    /// The number of its games.
    pub games: u64,
    /// Its rating.
    pub rating: Rating,
}

/// The results so far.
#[derive(Clone, Debug)]
pub struct Standing {
    names: Vec<String>,
    sprt: Option<Sprt>,
    played: Vec<Played>,
}

impl Standing {
    pub(crate) fn new(names: Vec<String>, sprt: Option<Sprt>) -> Standing {
        Standing { names, sprt, played: Vec::new() }
    }

    pub(crate) fn extend(&mut self, played: impl IntoIterator<Item = Played>) {
        self.played.extend(played);
    }

    /// The entrants' names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The games.
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    /// The results of one entrant against another.
    pub fn tally(&self, one: usize, other: usize) -> Tally {
        self.tally_of(one, other, None)
    }

    /// The results of only the games in which `one` had Black (0) or White (1).
    pub fn tally_with(&self, one: usize, other: usize, colour: usize) -> Tally {
        self.tally_of(one, other, Some(colour))
    }

    fn tally_of(&self, one: usize, other: usize, colour: Option<usize>) -> Tally {
        let mut tally = Tally::default();
        let mut halves: BTreeMap<usize, u8> = BTreeMap::new();
        for game in &self.played {
            let points = match (game.first, game.second) {
                pairing if pairing == (one, other) => game.half_points(),
                pairing if pairing == (other, one) => 2 - game.half_points(),
                _ => continue,
            };
            // The colour of `one`.
            let own = if game.first == one { game.black } else { 1 - game.black };
            if colour.is_some_and(|colour| colour != own) {
                continue;
            }
            tally.add(points);
            if colour.is_none()
                && let Some(before) = halves.insert(game.number / 2, points)
            {
                tally.add_pair([before, points]);
            }
        }
        tally
    }

    /// The decision of the match's test, if there is one.
    pub fn decision(&self) -> Option<Decision> {
        Some(self.sprt?.decide(&self.tally(0, 1)))
    }

    /// The test of a match.
    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt
    }

    /// The entrants' ratings.
    pub fn ratings(&self) -> Vec<Rating> {
        let n = self.names.len();
        let table = |of: &dyn Fn(&Tally) -> f64| -> Vec<Vec<f64>> {
            (0..n)
                .map(|i| (0..n).map(|j| if i == j { 0.0 } else { of(&self.tally(i, j)) }).collect())
                .collect()
        };
        ratings(&table(&|tally| tally.points()), &table(&|tally| tally.games() as f64))
    }

    /// The entrants, the best first.
    pub fn ranking(&self) -> Vec<Ranked> {
        let n = self.names.len();
        let ratings = self.ratings();
        let ranked = |entrant| {
            let tallies = (0..n).filter(|&other| other != entrant).map(|other| self.tally(entrant, other));
            let (points, games) = tallies.fold((0.0, 0), |(p, g), t| (p + t.points(), g + t.games()));
            Ranked { entrant, points, games, rating: ratings[entrant] }
        };
        let mut ranking: Vec<Ranked> = (0..n).map(ranked).collect();
        ranking.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        ranking
    }

    /// The number of games by the reason of their end.
    pub fn reasons(&self) -> BTreeMap<&'static str, usize> {
        let mut reasons = BTreeMap::new();
        for game in &self.played {
            *reasons.entry(game.reason.name()).or_default() += 1;
        }
        reasons
    }

    /// The games that were lost by a failure, with the entrant that failed.
    pub fn failures(&self) -> impl Iterator<Item = (&Played, usize)> {
        self.played.iter().filter(|game| matches!(game.reason, Reason::Failed(_))).map(|game| {
            let loser = if game.half_points() == 0 { game.first } else { game.second };
            (game, loser)
        })
    }

    /// The moves of an entrant, their time in seconds and the time of the slowest.
    pub fn time(&self, one: usize) -> (u32, f64, f64) {
        let mut sum = (0, 0.0, 0.0f64);
        for game in &self.played {
            for (i, entrant) in [game.first, game.second].into_iter().enumerate() {
                if entrant == one {
                    sum = (sum.0 + game.turns[i], sum.1 + game.seconds[i], sum.2.max(game.longest[i]));
                }
            }
        }
        sum
    }

    /// Time and moves by entrant.
    pub(crate) fn time_by_entrant(&self) -> Vec<(Duration, u32)> {
        let of = |one| {
            let (moves, seconds, _) = self.time(one);
            (Duration::try_from_secs_f64(seconds).unwrap_or_default(), moves)
        };
        (0..self.names.len()).map(of).collect()
    }
}
