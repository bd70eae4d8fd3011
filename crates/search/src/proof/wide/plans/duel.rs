//! Which win is used against which stone.
//!
//! As in [`choose`](super::super::choose), a pair of stones is asked about where each lies in the zone
//! of the win against the other. Here many wins are there from the beginning: so what one
//! costs is counted for all squares of its zone at once.

use super::numbers::Numbers;
use crate::{Budget, Why, puzzle::Random};

/// Different prices of pairs that are told apart.
pub(super) const LEVELS: usize = 4;

/// Offers against a stone that are looked at in every epoch of annealing beside those that have been
/// the cheapest so far.
const SAMPLE: usize = 100;

/// A win with its zone against a stone, or against several for which it is the same.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    pub(super) win: u32,
    pub(super) replies: u32,
    pub(super) zone: Numbers,
}

pub(super) struct Duel {
    offers: Vec<Offer>,
    /// By stone: those that are there for it, and the one that is used.
    open: Vec<Vec<u32>>,
    used: Vec<u32>,
    squares: usize,
    /// The prices that are told apart, and what each adds to the one before.
    levels: [u32; LEVELS],
    steps: [u32; LEVELS],
    /// By stone and square: how many levels the price of the pair has.
    level: Vec<u8>,
    /// For each stone and level the squares with which it makes a pair of that level or a higher
    /// one, if the zone of the win against it has them: those that are no stones, and the stones
    /// that have it in the zone of the win that is used against them.
    asked: Vec<[Numbers; LEVELS]>,
    stones: Numbers,
}

impl Duel {
    /// For so many stones, with the prices of all pairs, by stone and square; there are so many
    /// squares. Nothing is on offer yet.
    pub(super) fn new(stones: usize, squares: usize, prices: &[u32], levels: [u32; LEVELS]) -> Duel {
        let mut steps = levels;
        (1..LEVELS).for_each(|i| steps[i] = levels[i] - levels[i - 1]);
        let mut duel = Duel {
            offers: Vec::new(),
            open: vec![Vec::new(); stones],
            used: vec![0; stones],
            squares,
            levels,
            steps,
            level: vec![0; stones * squares],
            asked: vec![[Numbers::EMPTY; LEVELS]; stones],
            stones: Numbers::EMPTY,
        };
        for stone in 0..stones {
            duel.stones.insert(stone);
            for square in 0..squares {
                let level = duel.level_of(prices[stone * squares + square]);
                duel.level[stone * squares + square] = level;
                if square >= stones {
                    duel.mark(stone, square, true);
                }
            }
        }
        duel
    }

    /// How many levels a price has: it counts as the nearest.
    fn level_of(&self, price: u32) -> u8 {
        let nearest = self.levels.iter().zip(1..).min_by_key(|(level, _)| level.abs_diff(price));
        nearest.map_or(0, |(_, levels)| if price == 0 { 0 } else { levels })
    }

    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// A square makes pairs with a stone, or no longer does.
    #[inline]
    fn mark(&mut self, stone: usize, square: usize, asked: bool) {
        let levels = usize::from(self.level[stone * self.squares + square]);
        for of_level in &mut self.asked[stone][..levels] {
            if asked {
                of_level.insert(square);
            } else {
                of_level.remove(square);
            }
        }
    }

    /// A pair takes another number of replies than was thought.
    pub(super) fn set_price(&mut self, stone: usize, square: usize, price: u32) {
        let level = self.level_of(price);
        let mut sides = vec![(stone, square)];
        if square < self.len() {
            sides.push((square, stone));
        }
        for (stone, square) in sides {
            let asked = self.is_asked(stone, square);
            self.mark(stone, square, false);
            self.level[stone * self.squares + square] = level;
            self.mark(stone, square, asked);
        }
    }

    /// Adds a win for somebody to use. Returns its number.
    pub(super) fn add(&mut self, offer: Offer) -> u32 {
        self.offers.push(offer);
        self.offers.len() as u32 - 1
    }

    /// It can be used against a stone. The first one is.
    pub(super) fn open(&mut self, stone: usize, offer: u32) {
        self.open[stone].push(offer);
        if self.open[stone].len() == 1 {
            self.used[stone] = offer;
            let zone = self.now(stone).zone;
            self.ask(stone, &zone, true);
        }
    }

    /// What is used against a stone.
    pub(super) fn now(&self, stone: usize) -> &Offer {
        &self.offers[self.used[stone] as usize]
    }

    /// The pairs of a stone and a square that are asked about, each once.
    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for stone in 0..self.len() {
            let met = self.now(stone).zone.and(&self.asked[stone][0]);
            pairs.extend(met.iter().filter(|&square| square > stone).map(|square| (stone, square)));
        }
        pairs
    }

    /// Whether a stone and a square make a pair if the zone of the win against the stone has it.
    pub(super) fn is_asked(&self, stone: usize, square: usize) -> bool {
        self.asked[stone][0].contains(square)
    }

    /// Calls `found` with the squares that cost something in the zone of the win against a stone, and
    /// with what they do.
    pub(super) fn for_each_asked(&self, stone: usize, mut found: impl FnMut(usize, u32)) {
        for square in self.asked[stone][0].iter() {
            let level = usize::from(self.level[stone * self.squares + square]);
            found(square, self.levels[level - 1]);
        }
    }

    fn ask(&mut self, stone: usize, zone: &Numbers, asked: bool) {
        for other in zone.and(&self.stones).iter() {
            self.mark(other, stone, asked);
        }
    }

    /// Uses a win against a stone.
    pub(super) fn choose(&mut self, stone: usize, offer: u32) {
        let before = self.now(stone).zone;
        self.used[stone] = offer;
        let after = self.now(stone).zone;
        self.ask(stone, &before.minus(&after), false);
        self.ask(stone, &after.minus(&before), true);
    }

    /// What an offer costs with what is used against the others.
    #[inline]
    fn cost(&self, stone: usize, offer: u32) -> u32 {
        let offer = &self.offers[offer as usize];
        let asked = &self.asked[stone];
        (0..LEVELS).fold(offer.replies, |cost, i| cost + self.steps[i] * offer.zone.common(&asked[i]))
    }

    pub(super) fn cost_now(&self, stone: usize) -> u32 {
        self.cost(stone, self.used[stone])
    }

    /// What an offer costs if all pairs are of the first level.
    #[inline]
    fn at_least(&self, stone: usize, offer: u32) -> u32 {
        let offer = &self.offers[offer as usize];
        offer.replies + self.steps[0] * offer.zone.common(&self.asked[stone][0])
    }

    /// Uses the win that was offered last against a stone if it is cheaper.
    pub(super) fn prefer_last(&mut self, stone: usize) {
        if let Some(&offer) = self.open[stone].last()
            && self.cost(stone, offer) < self.cost_now(stone)
        {
            self.choose(stone, offer);
        }
    }

    /// The stones, those that cost most first.
    pub(super) fn dearest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_cached_key(|&stone| std::cmp::Reverse(self.cost_now(stone)));
        order
    }

    /// What all of it costs.
    pub(super) fn total(&self) -> u32 {
        let mut total = 0;
        let mut twice = 0;
        for stone in 0..self.len() {
            let zone = self.now(stone).zone.and(&self.stones);
            total += self.cost_now(stone);
            twice += (0..LEVELS).map(|i| self.steps[i] * zone.common(&self.asked[stone][i])).sum::<u32>();
        }
        // Each pair of two stones is counted from both sides.
        total - twice / 2
    }

    /// Uses the best against one stone after the other. Whether something changed.
    pub(super) fn respond(&mut self) -> bool {
        let mut changed = false;
        for stone in 0..self.len() {
            let least = self.open[stone].iter().copied().min_by_key(|&offer| self.cost(stone, offer));
            if let Some(offer) = least
                && self.cost(stone, offer) < self.cost_now(stone)
            {
                self.choose(stone, offer);
                changed = true;
            }
        }
        changed
    }

    /// The offers against a stone that cost least.
    fn cheapest(&self, stone: usize, most: usize, memory: &mut Vec<(u32, u32)>) -> Vec<u32> {
        memory.clear();
        memory.extend(self.open[stone].iter().map(|&offer| (self.cost(stone, offer), offer)));
        if memory.len() > most {
            memory.select_nth_unstable(most);
            memory.truncate(most);
        }
        memory.sort_unstable();
        memory.iter().map(|&(_, offer)| offer).collect()
    }

    /// Looks at some others by chance, and keeps as many that cost least as there were.
    fn look_again(
        &self,
        stone: usize,
        tried: &mut Vec<u32>,
        random: &mut Random,
        memory: &mut Vec<(u32, u32)>,
    ) {
        let (open, most) = (&self.open[stone], tried.len());
        if open.len() > most {
            tried.extend((0..SAMPLE).map(|_| open[random.below(open.len() as u64) as usize]));
            tried.sort_unstable();
            tried.dedup();
        }
        memory.clear();
        memory.extend(tried.iter().map(|&offer| (self.cost(stone, offer), offer)));
        if memory.len() > most {
            memory.select_nth_unstable(most);
            memory.truncate(most);
        }
        memory.sort_unstable();
        tried.clear();
        tried.extend(memory.iter().map(|&(_, offer)| offer));
    }

    /// Simulated annealing, with those that cost least. In every epoch others are looked at too.
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
        let (mut left, mut heat) = (changes, 0);
        let mut tried: Vec<Vec<u32>> =
            (0..self.len()).map(|stone| self.cheapest(stone, how.tried, &mut memory)).collect();
        for _ in 0..how.epochs {
            budget.interrupted()?;
            for (stone, tried) in tried.iter_mut().enumerate() {
                self.look_again(stone, tried, random, &mut memory);
            }
            for _ in 0..how.changes {
                // Now and then: a division takes as long as looking at an offer.
                if left % 64 == 0 || left == changes {
                    heat = u64::from(how.heat) * left / changes;
                }
                left -= 1;
                let stone = random.below(n) as usize;
                let offer = tried[stone][random.below(tried[stone].len() as u64) as usize];
                if offer == self.used[stone] {
                    continue;
                }
                let before = self.cost_now(stone);
                let most = before + worse(random, heat);
                if self.at_least(stone, offer) > most {
                    continue;
                }
                let after = self.cost(stone, offer);
                if after <= most {
                    self.choose(stone, offer);
                    now = now + after - before;
                    if now < least {
                        least = now;
                        best.clone_from(&self.used);
                    }
                }
            }
        }
        best.into_iter().enumerate().for_each(|(stone, offer)| self.choose(stone, offer));
        Ok(())
    }
}

/// What a change for the worse may cost now: so much on average, the more the rarer. That is the
/// logarithm of a chance, by the place of its first bit and between powers of two by a straight
/// line: whole numbers are the same everywhere.
fn worse(random: &mut Random, mean: u64) -> u32 {
    let number = random.number() | 1;
    let zeros = number.leading_zeros();
    let rest = (number << zeros << 1) >> 54;
    // 710 parts of 1,024 are the logarithm of two.
    ((mean * ((u64::from(zeros) + 1) * 1024 - rest) * 710) >> 20) as u32
}

/// How to anneal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Annealing {
    pub(super) epochs: u32,
    /// Changes that are tried in an epoch, and of how many offers against each stone.
    pub(super) changes: u32,
    pub(super) tried: usize,
    /// What a change for the worse may cost in the beginning, on average.
    pub(super) heat: u32,
}
