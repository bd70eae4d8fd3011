//! Which win is used against which stone.
//!
//! As in [`choose`](super::super::choose), a pair of stones is asked about where each lies in the zone
//! of the win against the other. Here the wins are all there from the beginning, and there
//! are many: so what one costs is counted for all stones of its zone at once.

use crate::{Budget, Why, puzzle::Random};

/// Stones by their numbers: at most 64 times this.
pub(super) const WORDS: usize = 4;
pub(super) type Stones = [u64; WORDS];

/// Different prices of pairs that are told apart; higher ones count as the highest.
const LEVELS: usize = 6;

/// A win that can be used against a stone: which one.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    pub(super) win: u32,
    /// Its replies, and those to the pairs with squares of its zone that are no stones.
    pub(super) base: u32,
    /// The stones in its zone.
    pub(super) zone: Stones,
}

pub(super) struct Duel {
    offers: Vec<Vec<Offer>>,
    used: Vec<u32>,
    /// By two stones: how many levels the price of the pair has.
    level: Vec<u8>,
    /// What each level adds to the one before.
    steps: Vec<u32>,
    /// For each stone and level the stones that have it in the zone of the win that is used
    /// against them, and with which it makes a pair of that level or a higher one.
    asked: Vec<[Stones; LEVELS]>,
}

impl Duel {
    /// With the prices of all pairs, by two stones. The first offer is used.
    pub(super) fn new(offers: Vec<Vec<Offer>>, prices: &[u32]) -> Duel {
        let n = offers.len();
        let mut levels = prices.to_vec();
        levels.sort_unstable();
        levels.dedup();
        levels.retain(|&price| price > 0);
        levels.truncate(LEVELS);
        let level = prices.iter().map(|price| levels.partition_point(|level| level <= price) as u8).collect();
        let steps =
            levels.iter().scan(0, |last, &level| Some(level - std::mem::replace(last, level))).collect();
        let mut duel = Duel { used: vec![0; n], level, steps, asked: vec![[[0; WORDS]; LEVELS]; n], offers };
        for stone in 0..n {
            let zone = duel.now(stone).zone;
            duel.ask(stone, &zone, true);
        }
        duel
    }

    fn len(&self) -> usize {
        self.offers.len()
    }

    /// Uses a win against a stone, if it is offered.
    pub(super) fn choose_win(&mut self, stone: usize, win: usize) {
        if let Some(at) = self.offers[stone].iter().position(|offer| offer.win as usize == win) {
            self.choose(stone, at);
        }
    }

    /// What is used against a stone.
    pub(super) fn now(&self, stone: usize) -> &Offer {
        &self.offers[stone][self.used[stone] as usize]
    }

    fn ask(&mut self, stone: usize, zone: &Stones, asked: bool) {
        let n = self.offers.len();
        let (word, bit) = (stone / 64, 1u64 << (stone % 64));
        for (i, mut left) in zone.iter().copied().enumerate() {
            while left != 0 {
                let other = i * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let levels = usize::from(self.level[other * n + stone]);
                for of_level in &mut self.asked[other][..levels] {
                    if asked {
                        of_level[word] |= bit;
                    } else {
                        of_level[word] &= !bit;
                    }
                }
            }
        }
    }

    fn choose(&mut self, stone: usize, offer: usize) {
        let before = self.now(stone).zone;
        self.used[stone] = offer as u32;
        let after = self.now(stone).zone;
        let (mut gone, mut new) = (before, after);
        for i in 0..WORDS {
            gone[i] &= !after[i];
            new[i] &= !before[i];
        }
        self.ask(stone, &gone, false);
        self.ask(stone, &new, true);
    }

    #[inline]
    fn pairs(&self, stone: usize, zone: &Stones) -> u32 {
        let mut cost = 0;
        for (step, asked) in self.steps.iter().zip(&self.asked[stone]) {
            let met: u32 = (0..WORDS).map(|i| (zone[i] & asked[i]).count_ones()).sum();
            cost += step * met;
        }
        cost
    }

    /// What an offer costs with what is used against the others.
    #[inline]
    fn cost(&self, stone: usize, offer: &Offer) -> u32 {
        offer.base + self.pairs(stone, &offer.zone)
    }

    pub(super) fn cost_now(&self, stone: usize) -> u32 {
        self.cost(stone, self.now(stone))
    }

    /// What all of it costs.
    pub(super) fn total(&self) -> u32 {
        let (mut bases, mut pairs) = (0, 0);
        for stone in 0..self.len() {
            let now = self.now(stone);
            bases += now.base;
            pairs += self.pairs(stone, &now.zone);
        }
        // Each pair is counted from both sides.
        bases + pairs / 2
    }

    /// Changes for the better only, one stone after the other, until there is none.
    pub(super) fn settle(&mut self) {
        loop {
            let mut changed = false;
            for stone in 0..self.len() {
                let least =
                    self.offers[stone].iter().enumerate().min_by_key(|(_, offer)| self.cost(stone, offer));
                if let Some((at, offer)) = least
                    && self.cost(stone, offer) < self.cost_now(stone)
                {
                    self.choose(stone, at);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// The offers against a stone that cost least.
    fn cheapest(&self, stone: usize, most: usize, memory: &mut Vec<(u32, u32)>) -> Vec<u32> {
        memory.clear();
        memory.extend(self.offers[stone].iter().zip(0..).map(|(offer, at)| (self.cost(stone, offer), at)));
        if memory.len() > most {
            memory.select_nth_unstable(most);
            memory.truncate(most);
        }
        memory.sort_unstable();
        memory.iter().map(|&(_, at)| at).collect()
    }

    /// Simulated annealing; those that cost least are found again in every epoch.
    pub(super) fn anneal(
        &mut self,
        how: &Annealing,
        random: &mut Random,
        budget: &Budget<'_>,
    ) -> Result<(), Why> {
        let n = self.len() as u64;
        let (mut now, mut best) = (self.total(), self.used.clone());
        let mut least = now;
        let mut memory = Vec::new();
        let changes = u64::from(how.epochs) * u64::from(how.changes);
        let mut left = changes;
        for _ in 0..how.epochs {
            budget.interrupted()?;
            let tried: Vec<Vec<u32>> =
                (0..self.len()).map(|stone| self.cheapest(stone, how.tried, &mut memory)).collect();
            for _ in 0..how.changes {
                left -= 1;
                let heat = u64::from(how.heat) * left / changes;
                let stone = random.below(n) as usize;
                let at = tried[stone][random.below(tried[stone].len() as u64) as usize];
                if at == self.used[stone] {
                    continue;
                }
                let (before, after) =
                    (self.cost_now(stone), self.cost(stone, &self.offers[stone][at as usize]));
                if u64::from(after) <= u64::from(before) + random.below(heat + 1) {
                    self.choose(stone, at as usize);
                    now = now + after - before;
                    if now < least {
                        least = now;
                        best.clone_from(&self.used);
                    }
                }
            }
        }
        best.into_iter().enumerate().for_each(|(stone, offer)| self.choose(stone, offer as usize));
        Ok(())
    }
}

/// How to anneal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Annealing {
    pub(super) epochs: u32,
    /// Changes that are tried in an epoch, and of how many offers against each stone.
    pub(super) changes: u32,
    pub(super) tried: usize,
    /// What a change for the worse may cost in the beginning.
    pub(super) heat: u32,
}
