//! Chooses the wins against single stones.

use super::super::{bits::Squares, lines::Win};
use super::{
    Plans,
    duel::{Annealing, Duel, Offer, WORDS},
};
use crate::Why;
use rules::{Move, Square};

/// How to choose at first, and when most has been chosen before.
const HOT: Annealing = Annealing { epochs: 20, changes: 4_000, tried: 30, heat: 500 };
const WARM: Annealing = Annealing { heat: 300, ..HOT };

/// The replies to a pair that no plan does without.
const DEAR: u32 = 364;

/// What was chosen.
#[derive(Clone)]
pub(super) struct Singles {
    /// The stones: the first zone of the win against no stone.
    pub(super) stones: Vec<Square>,
    /// The win against each, by its number.
    pub(super) wins: Vec<usize>,
    /// The replies of it all, with those to pairs, as far as they are foreseen.
    pub(super) cost: u32,
    /// By square: what it costs to have it among the stones rather than not.
    pub(super) worth: Vec<i32>,
}

impl<const W: usize> Plans<'_, '_, W> {
    /// Chooses wins against the stones in the first zone of the win against none, beginning
    /// with those that were used before. None where a stone has no answer, or there are
    /// too many.
    pub(super) fn singles(
        &mut self,
        null: &Win<W>,
        before: Option<&Singles>,
    ) -> Result<Option<Singles>, Why> {
        let stones: Vec<Square> = null.first.iter().collect();
        if stones.len() > 64 * WORDS {
            return Ok(None);
        }
        for &s in &stones {
            // Of those that are offered: there must be one.
            if self.wins().all(|win| self.zones_of(win).0.contains(s)) {
                let Some(answer) = self.search(&Move::single(s))? else { return Ok(None) };
                self.extra.push(answer);
            }
        }
        let area = self.board().game().area();
        let prices = self.prices(&stones);
        let mut pairs = Vec::with_capacity(stones.len() * stones.len());
        for row in prices.chunks(area) {
            pairs.extend(stones.iter().map(|s| row[s.index()]));
        }
        let mut duel = Duel::new(self.offers(&stones, &prices), &pairs);
        if let Some(before) = before {
            for (s, &win) in before.stones.iter().zip(&before.wins) {
                if let Ok(i) = stones.binary_search(s) {
                    duel.choose_win(i, win);
                }
            }
        }
        duel.settle();
        let how = if before.is_none() { HOT } else { WARM };
        duel.anneal(&how, &mut self.random, &self.lines.graph.budget)?;
        duel.settle();
        let wins: Vec<usize> = (0..stones.len()).map(|i| duel.now(i).win as usize).collect();
        let worth = self.worth(&stones, &wins, &duel, &prices);
        Ok(Some(Singles { wins, cost: duel.total(), worth, stones }))
    }

    /// What a pair takes, by stone and square.
    fn prices(&self, stones: &[Square]) -> Vec<u32> {
        let board = self.board();
        let price =
            |s, t| self.library.against(board, s, t).map_or(DEAR, |plan| self.library.plans[plan].replies);
        let mut prices = Vec::with_capacity(stones.len() * board.game().area());
        for &s in stones {
            prices.extend(board.game().squares().map(|t| price(s, t)));
        }
        prices
    }

    /// By stone: the wins that do without it.
    fn offers(&self, stones: &[Square], prices: &[u32]) -> Vec<Vec<Offer>> {
        let area = self.board().game().area();
        let mut number = vec![None; area];
        stones.iter().enumerate().for_each(|(i, s)| number[s.index()] = Some(i));
        // The stones in a zone, and its other squares.
        let split = |zone: &Squares<W>, outside: &mut Vec<usize>| {
            let mut inside = [0; WORDS];
            outside.clear();
            for t in zone.iter() {
                match number[t.index()] {
                    Some(other) => inside[other / 64] |= 1 << (other % 64),
                    None => outside.push(t.index()),
                }
            }
            inside
        };
        let mut offers = vec![Vec::with_capacity(self.library.best.len()); stones.len()];
        let (mut outside, mut more) = (Vec::new(), Vec::new());
        for win in self.wins() {
            let (first, second) = self.zones_of(win);
            let inside = split(first, &mut outside);
            let without = |i: usize| inside[i / 64] >> (i % 64) & 1 == 0;
            for (i, &s) in stones.iter().enumerate().filter(|(i, _)| without(*i)) {
                let price = |t: &usize| prices[i * area + t];
                // Few stones lie where they strengthen something.
                let (zone, pairs) = if second.contains(s) {
                    (split(&self.zone_against(win, s), &mut more), more.iter().map(price).sum::<u32>())
                } else {
                    (inside, outside.iter().map(price).sum())
                };
                offers[i].push(Offer { win: win as u32, base: self.replies_of(win) + pairs, zone });
            }
        }
        offers
    }

    /// What it costs to have each square among the stones, beyond what it costs not to. The
    /// best win is used against a square that is none of them.
    fn worth(&self, stones: &[Square], wins: &[usize], duel: &Duel, prices: &[u32]) -> Vec<i32> {
        let board = self.board();
        let area = board.game().area();
        let zones: Vec<Squares<W>> =
            stones.iter().zip(wins).map(|(&s, &win)| self.zone_against(win, s)).collect();
        let worth = |t: Square| {
            let price = |i: usize| i64::from(prices[i * area + t.index()]);
            let asked: Vec<usize> =
                (0..stones.len()).filter(|&i| stones[i] != t && zones[i].contains(t)).collect();
            let out: i64 = asked.iter().map(|&i| price(i)).sum();
            let inside = match stones.binary_search(&t) {
                Ok(i) => duel.cost_now(i).into(),
                Err(_) => {
                    let cost = |win| {
                        let met = asked.iter().filter(|&&i| self.zones_of(win).0.contains(stones[i]));
                        i64::from(self.replies_of(win)) + met.map(|&i| price(i)).sum::<i64>()
                    };
                    let without = self.wins().filter(|&win| !self.zones_of(win).0.contains(t));
                    without.map(cost).min().unwrap_or(i16::MAX.into())
                }
            };
            (inside - out) as i32
        };
        board.game().squares().map(worth).collect()
    }
}
