//! Statistics of results: strength and significance.
//!
//! Games come in pairs, the same opening with both colours. An opening that
//! favours one colour makes the two results of a pair dependent, so the five
//! results of a pair are counted (pentanomial), not the three of a game; without
//! whole pairs the three of a game (trinomial).
//!
//! All statistics use the maximum likelihood distribution of results with a given
//! mean. The log-likelihood ratio of two means is the statistic of the generalised
//! sequential probability ratio test; the confidence interval has the means whose
//! likelihood is not much below that of the observed mean.

use serde::Serialize;
use std::str::FromStr;

/// Results of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs of games by their points: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Counts a game: 2 half points for a win, 1 for a draw.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// Counts a pair of games that have been counted singly.
    pub fn add_pair(&mut self, half_points: [u8; 2]) {
        let points = usize::from(half_points[0]) + usize::from(half_points[1]);
        self.pairs[points.min(4)] += 1;
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points won, of [`Tally::games`].
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of the points won; a half before the first game.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// The results that the statistics use: pairs if there are any (a game waits
    /// for its partner), else games.
    fn results(&self) -> Results {
        if self.pairs.iter().any(|&pairs| pairs > 0) {
            Results::new(&self.pairs)
        } else {
            Results::new(&[self.losses, self.draws, self.wins])
        }
    }

    /// The 95 % confidence interval of the score.
    pub fn interval(&self) -> (f64, f64) {
        if self.games() == 0 {
            return (0.0, 1.0);
        }
        let (low, high) = self.results().interval(CHI_95);
        // Unseen results have a small weight, which must not move these ends.
        let (all, none) = (self.score() >= 1.0, self.score() <= 0.0);
        (if none { 0.0 } else { low }, if all { 1.0 } else { high })
    }

    /// The difference in Elo with the ends of its interval; infinite for a score
    /// of 0 or 1.
    pub fn elo(&self) -> Elo {
        let (low, high) = self.interval();
        Elo { difference: elo_of(self.score()), low: elo_of(low), high: elo_of(high) }
    }

    /// The likelihood of superiority, from wins and losses.
    pub fn los(&self) -> f64 {
        let (wins, losses) = (self.wins as f64, self.losses as f64);
        if wins + losses == 0.0 {
            return 0.5;
        }
        0.5 * (1.0 + libm::erf((wins - losses) / (2.0 * (wins + losses)).sqrt()))
    }
}

/// A difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The observed difference.
    pub difference: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The expected score of a difference in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo of a score.
pub fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The 95 % quantile of the chi-squared distribution with one degree of freedom.
const CHI_95: f64 = 3.841_458_820_694_124;
/// The count of results that have not happened, so that they are not impossible.
const UNSEEN: f64 = 1e-3;

/// How often each result happened, the worst first, in equal steps from 0 to 1.
struct Results {
    count: f64,
    /// Scores with their shares of the results.
    parts: Vec<(f64, f64)>,
}

impl Results {
    fn new(counts: &[u64]) -> Results {
        let weights: Vec<f64> = counts.iter().map(|&n| if n == 0 { UNSEEN } else { n as f64 }).collect();
        let count: f64 = weights.iter().sum();
        let step = 1.0 / (counts.len() - 1) as f64;
        let parts = weights.iter().enumerate().map(|(i, w)| (i as f64 * step, w / count)).collect();
        Results { count, parts }
    }

    fn mean(&self) -> f64 {
        self.parts.iter().map(|(score, part)| score * part).sum()
    }

    /// The log-likelihood of the results under the maximum likelihood distribution
    /// with this mean, relative to the observed distribution: 0 at the observed
    /// mean, below 0 elsewhere.
    fn likelihood(&self, mean: f64) -> f64 {
        // The distribution is part / (1 + t (score - mean)), where t is the root
        // of the sum below, which falls between its poles.
        let sum = |t: f64| -> f64 {
            self.parts.iter().map(|(score, part)| part * (score - mean) / (1.0 + t * (score - mean))).sum()
        };
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if sum(middle) > 0.0 { low = middle } else { high = middle }
        }
        let t = (low + high) / 2.0;
        let log = |(score, part): &(f64, f64)| -part * (1.0 + t * (score - mean)).ln();
        self.count * self.parts.iter().map(log).sum::<f64>()
    }

    /// The interval of means whose likelihood ratio is within `chi`.
    fn interval(&self, chi: f64) -> (f64, f64) {
        let likely = |mean: f64| -2.0 * self.likelihood(mean) <= chi;
        let end = |mut outside: f64, mut inside: f64| {
            for _ in 0..60 {
                let middle = (outside + inside) / 2.0;
                if likely(middle) { inside = middle } else { outside = middle }
            }
            inside
        };
        (end(0.0, self.mean()), end(1.0, self.mean()))
    }
}

/// A sequential probability ratio test between the differences `elo0` and `elo1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative hypothesis.
    pub elo1: f64,
    /// The probability of accepting the alternative if the null hypothesis holds.
    pub alpha: f64,
    /// The probability of accepting the null hypothesis if the alternative holds.
    pub beta: f64,
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// More games are needed.
    Open,
    /// The null hypothesis is accepted.
    H0,
    /// The alternative hypothesis is accepted.
    H1,
}

/// A text or numbers that are not those of a test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// The numbers make no test.
    #[error("no test: expected elo0 below elo1, and alpha and beta above 0 and below 1 together, found {0}")]
    Numbers(String),
    /// The text is no list of numbers.
    #[error("expected elo0,elo1 or elo0,elo1,alpha,beta such as 0,30,0.05,0.05, found {0:?}")]
    Syntax(String),
}

/// Reads `elo0,elo1` or `elo0,elo1,alpha,beta`; alpha and beta are 0.05 if they are not
/// given.
impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|word| word.trim().parse()).collect();
        match numbers.as_deref() {
            Ok(&[elo0, elo1]) => Sprt::new(elo0, elo1, 0.05, 0.05),
            Ok(&[elo0, elo1, alpha, beta]) => Sprt::new(elo0, elo1, alpha, beta),
            _ => Err(SprtError::Syntax(text.to_string())),
        }
    }
}

impl Sprt {
    /// A test with these numbers.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let finite = elo0.is_finite() && elo1.is_finite();
        let errors = alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0;
        if finite && errors && elo0 < elo1 {
            Ok(Sprt { elo0, elo1, alpha, beta })
        } else {
            Err(SprtError::Numbers(format!("{elo0},{elo1},{alpha},{beta}")))
        }
    }

    /// The bounds of the log-likelihood ratio: up to the first H0 is accepted, from
    /// the second on H1.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the two hypotheses.
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.games() == 0 {
            return 0.0;
        }
        let results = tally.results();
        results.likelihood(expected_score(self.elo1)) - results.likelihood(expected_score(self.elo0))
    }

    /// The decision after these results.
    pub fn decide(&self, tally: &Tally) -> Decision {
        let (low, high) = self.bounds();
        match self.llr(tally) {
            llr if llr <= low => Decision::H0,
            llr if llr >= high => Decision::H1,
            _ => Decision::Open,
        }
    }
}

/// Ratings by the Bradley-Terry model from the points and games of each against
/// each. The mean rating is 0. A drawn game against an average player is added for
/// each, so that no rating is infinite.
pub fn ratings(points: &[Vec<f64>], games: &[Vec<f64>]) -> Vec<Rating> {
    let n = points.len();
    let mut strength = vec![1.0; n];
    for _ in 0..2000 {
        let next: Vec<f64> = (0..n)
            .map(|i| {
                let won: f64 = 0.5 + points[i].iter().sum::<f64>();
                let met = |j: usize| games[i][j] / (strength[i] + strength[j]);
                let divisor = 1.0 / (strength[i] + 1.0) + (0..n).filter(|&j| j != i).map(met).sum::<f64>();
                won / divisor
            })
            .collect();
        let scale = (next.iter().map(|s| s.ln()).sum::<f64>() / n.max(1) as f64).exp();
        strength = next.into_iter().map(|s| s / scale).collect();
    }
    let rate = |i: usize| {
        let spread = |j: usize| {
            let chance = strength[i] / (strength[i] + strength[j]);
            games[i][j] * chance * (1.0 - chance)
        };
        let own = strength[i] / (strength[i] + 1.0);
        let information = own * (1.0 - own) + (0..n).filter(|&j| j != i).map(spread).sum::<f64>();
        let per_elo = 400.0 / std::f64::consts::LN_10;
        Rating { elo: strength[i].log10() * 400.0, error: 1.96 * per_elo / information.sqrt() }
    };
    (0..n).map(rate).collect()
}

/// A rating with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The rating; the mean of all is 0.
    pub elo: f64,
    /// Half of the interval's width.
    pub error: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses, pairs: [0; 5] }
    }

    /// Pairs by points, with the same number of games.
    fn pairs(pairs: [u64; 5]) -> Tally {
        let total: u64 = pairs.iter().sum();
        Tally { draws: 2 * total, pairs, ..Tally::default() }
    }

    #[track_caller]
    fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found}, expected {expected}");
    }

    #[test]
    fn elo_and_scores_are_the_well_known_ones() {
        for (elo, score) in [(0.0, 0.5), (100.0, 0.640_065), (200.0, 0.759_747), (400.0, 0.909_091)] {
            near(expected_score(elo), score, 1e-6);
            near(expected_score(-elo), 1.0 - score, 1e-6);
            near(elo_of(score), elo, 1e-3);
        }
        near(elo_of(0.75), 190.848_5, 1e-4);
        assert_eq!((elo_of(1.0), elo_of(0.0)), (f64::INFINITY, f64::NEG_INFINITY));
    }

    /// Values from the tests of fastchess, of games played for Stockfish.
    #[test]
    fn the_ratio_is_that_of_other_programs() {
        let sprt = |elo0, elo1| Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
        near(sprt(0.5, 2.5).llr(&games(21404, 40708, 21184)), -1.57, 0.016);
        near(sprt(0.0, 2.0).llr(&games(57433, 106_593, 57030)), -2.59, 0.026);
        near(sprt(0.5, 2.5).llr(&pairs([223, 9863, 20279 + 1000, 10037, 246])), -3.07, 0.031);
        near(sprt(0.0, 2.0).llr(&pairs([871, 26175, 55003 + 980, 26678, 821])), -4.98, 0.05);
    }

    /// Without draws the ratio is that of two coins.
    #[test]
    fn without_draws_the_ratio_is_exact() {
        let sprt = Sprt::new(-20.0, 50.0, 0.05, 0.05).unwrap();
        let (s0, s1) = (expected_score(-20.0), expected_score(50.0));
        for (wins, losses) in [(60, 40), (1, 1), (300, 310)] {
            let exact = wins as f64 * (s1 / s0).ln() + losses as f64 * ((1.0 - s1) / (1.0 - s0)).ln();
            near(sprt.llr(&games(wins, 0, losses)), exact, 0.02 * exact.abs().max(0.5));
        }
    }

    #[test]
    fn the_bounds_are_walds_and_decide() {
        let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05).unwrap();
        near(sprt.bounds().0, -2.944_44, 1e-5);
        near(sprt.bounds().1, 2.944_44, 1e-5);
        assert_eq!(sprt.decide(&Tally::default()), Decision::Open);
        assert_eq!(sprt.decide(&games(5, 0, 5)), Decision::Open);
        assert_eq!(sprt.decide(&games(100, 0, 20)), Decision::H1);
        assert_eq!(sprt.decide(&games(20, 0, 100)), Decision::H0);
        for (elo0, elo1, alpha, beta) in
            [(5.0, 5.0, 0.05, 0.05), (0.0, f64::NAN, 0.05, 0.05), (0.0, 5.0, 0.0, 0.05), (0.0, 5.0, 0.6, 0.4)]
        {
            assert!(Sprt::new(elo0, elo1, alpha, beta).is_err());
        }
    }

    #[test]
    fn the_likelihood_of_superiority_is_the_well_known_one() {
        near(games(10, 100, 10).los(), 0.5, 1e-12);
        near(games(20, 0, 10).los(), 0.966_06, 1e-4);
        near(games(10, 5, 20).los(), 1.0 - 0.966_06, 1e-4);
        assert_eq!(Tally::default().los(), 0.5);
    }

    /// For many games the interval is the normal one, and for a clean score it is
    /// that of the likelihood of n wins in a row.
    #[test]
    fn intervals_are_the_well_known_ones() {
        let (low, high) = games(500, 0, 500).interval();
        near(low, 0.5 - 1.96 * (0.25f64 / 1000.0).sqrt(), 1e-3);
        near(high, 0.5 + 1.96 * (0.25f64 / 1000.0).sqrt(), 1e-3);
        let (low, high) = games(40, 0, 0).interval();
        near(low, (-CHI_95 / 2.0 / 40.0).exp(), 2e-3);
        near(high, 1.0, 1e-3);
        // Drawn games say more than won and lost ones.
        let spread = |tally: &Tally| tally.interval().1 - tally.interval().0;
        assert!(spread(&games(0, 100, 0)) < spread(&games(25, 50, 25)));
        // One win of each in every pair: the openings decide, and the strength is equal.
        let split = Tally { wins: 100, losses: 100, pairs: [0, 0, 100, 0, 0], draws: 0 };
        assert!(spread(&split) < spread(&games(100, 0, 100)) / 4.0);
        assert_eq!(Tally::default().interval(), (0.0, 1.0));
    }

    #[test]
    fn ratings_give_back_the_difference_that_scores_have() {
        let score = expected_score(120.0);
        let n = 10_000.0;
        let points = vec![vec![0.0, n * score], vec![n * (1.0 - score), 0.0]];
        let met = vec![vec![0.0, n], vec![n, 0.0]];
        let rated = ratings(&points, &met);
        near(rated[0].elo - rated[1].elo, 120.0, 0.5);
        near(rated[0].elo + rated[1].elo, 0.0, 1e-6);
        assert!(rated[0].error > 0.0 && rated[0].error < 10.0);
        // A clean sweep is finite.
        let swept = ratings(&[vec![0.0, 10.0], vec![0.0, 0.0]], &[vec![0.0, 10.0], vec![10.0, 0.0]]);
        assert!(swept[0].elo.is_finite() && swept[0].elo > swept[1].elo + 300.0);
    }
}
