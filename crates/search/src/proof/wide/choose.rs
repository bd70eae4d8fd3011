//! Which win is used against which single stone.
//!
//! A pair of stones is asked about where each of the two lies in the first zone
//! of the win against the other. So what a win costs against one stone depends
//! on the wins that are used against the others.

use super::bits::Squares;
use crate::{Budget, Why, puzzle::Random};
use rules::Square;

/// A win that can be used against a stone.
pub(super) struct Choice<const W: usize> {
    /// Which one it is.
    pub(super) win: usize,
    /// Its replies.
    pub(super) replies: u32,
    /// The first zone with the stone on the board.
    pub(super) zone: Squares<W>,
}

/// What there is to choose from, and what is chosen.
pub(super) struct Choices<'a, const W: usize> {
    pub(super) stones: &'a [Square],
    /// Where a square is among the stones.
    place: Vec<Option<usize>>,
    /// For each stone the wins that can be used against it, and which one is.
    pub(super) open: Vec<Vec<Choice<W>>>,
    used: Vec<usize>,
    /// For each stone the squares with which it makes a pair that is asked about, if
    /// the win against it lets it through: those that are no stones, and the stones
    /// the win against which has it in its zone. Kept up to date.
    asked: Vec<Squares<W>>,
    /// What the answer to a pair takes, by stone and square.
    pair: Vec<u32>,
    area: usize,
}

/// The replies that a change for the worse may cost in the beginning: if it is to
/// get far from what is chosen now, and if it is to stay near.
pub(super) const HOT: u64 = 800;
pub(super) const WARM: u64 = 300;
/// The same where it begins with what has been the best so far.
pub(super) const AGAIN: u64 = 400;

/// Wins against one stone that are tried.
const MOST_TRIED: usize = 200;

/// Changes between two looks at the clock: some tenths of a millisecond's work.
const LOOK_EVERY: u32 = 1024;

impl<'a, const W: usize> Choices<'a, W> {
    /// Nothing to choose from yet. `dear` is what a pair takes that no win bears.
    pub(super) fn new(stones: &'a [Square], area: usize, dear: u32) -> Choices<'a, W> {
        let mut place = vec![None; area];
        stones.iter().enumerate().for_each(|(i, s)| place[s.index()] = Some(i));
        let others: Squares<W> = (0..area).map(Square::new).filter(|s| place[s.index()].is_none()).collect();
        Choices {
            stones,
            place,
            open: stones.iter().map(|_| Vec::new()).collect(),
            used: vec![0; stones.len()],
            asked: vec![others; stones.len()],
            pair: vec![dear; stones.len() * area],
            area,
        }
    }

    /// Adds a win that can be used against a stone. The first one is.
    pub(super) fn offer(&mut self, stone: usize, choice: Choice<W>) {
        self.open[stone].push(choice);
        if self.open[stone].len() == 1 {
            let zone = self.used(stone).zone;
            self.ask(stone, &zone, true);
        }
    }

    /// Pairs of two of these squares can be answered with so many replies.
    pub(super) fn bear(&mut self, squares: &Squares<W>, replies: u32) {
        // Compared with whole rows, many squares at a time.
        let mut price = vec![u32::MAX; self.area];
        squares.iter().for_each(|t| price[t.index()] = replies);
        for (i, _) in self.stones.iter().enumerate().filter(|(_, s)| squares.contains(**s)) {
            let row = &mut self.pair[i * self.area..(i + 1) * self.area];
            row.iter_mut().zip(&price).for_each(|(known, &price)| *known = price.min(*known));
        }
    }

    /// A pair can be answered with so many replies.
    pub(super) fn bear_pair(&mut self, s: Square, t: Square, replies: u32) {
        for (s, t) in [(s, t), (t, s)] {
            if let Some(i) = self.place[s.index()] {
                let known = &mut self.pair[i * self.area + t.index()];
                *known = replies.min(*known);
            }
        }
    }

    /// The stones among these squares make pairs with this one, or no longer do.
    fn ask(&mut self, stone: usize, squares: &Squares<W>, asked: bool) {
        let s = self.stones[stone];
        squares.iter().for_each(|t| {
            if let Some(at) = self.place[t.index()] {
                if asked {
                    self.asked[at].insert(s);
                } else {
                    self.asked[at].remove(s);
                }
            }
        });
    }

    /// Which win is used against a stone.
    pub(super) fn used(&self, stone: usize) -> &Choice<W> {
        &self.open[stone][self.used[stone]]
    }

    pub(super) fn use_choice(&mut self, stone: usize, choice: usize) {
        let before = self.used(stone).zone;
        self.used[stone] = choice;
        let after = self.used(stone).zone;
        self.ask(stone, &before.minus(&after), false);
        self.ask(stone, &after.minus(&before), true);
    }

    /// Uses the win that was offered last against a stone if it is cheaper.
    pub(super) fn prefer_last(&mut self, stone: usize) {
        let last = self.open[stone].len() - 1;
        if self.cost(stone, last) < self.cost_now(stone) {
            self.use_choice(stone, last);
        }
    }

    /// The stones, those that cost most first.
    pub(super) fn dearest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.stones.len()).collect();
        order.sort_by_cached_key(|&i| std::cmp::Reverse(self.cost_now(i)));
        order
    }

    /// The squares that cost something in the zone of the win against this stone.
    pub(super) fn priced(&self, stone: usize) -> Squares<W> {
        let mut squares = self.asked[stone];
        squares.remove(self.stones[stone]);
        squares
    }

    /// What each of them costs: the answer to the two.
    pub(super) fn prices(&self, stone: usize) -> &[u32] {
        &self.pair[stone * self.area..(stone + 1) * self.area]
    }

    /// What a win costs against a stone: its replies, and those to the pairs that
    /// it lets through.
    pub(super) fn cost(&self, stone: usize, choice: usize) -> u64 {
        let prices = self.prices(stone);
        let choice = &self.open[stone][choice];
        let squares = choice.zone.and(&self.asked[stone]);
        u64::from(choice.replies) + squares.iter().map(|t| u64::from(prices[t.index()])).sum::<u64>()
    }

    /// What the win that is used costs.
    pub(super) fn cost_now(&self, stone: usize) -> u64 {
        self.cost(stone, self.used[stone])
    }

    /// What it would cost to have each square among the stones, beyond what it costs
    /// not to; where it is one of them, how much dearer it is than if it were not. The
    /// best of the given zones is used against a square that is none.
    pub(super) fn worth(&self, zones: &[(Squares<W>, u32)]) -> Vec<i32> {
        let mut worth = vec![0; self.area];
        for t in (0..self.area).map(Square::new) {
            let mut asked = Squares::EMPTY;
            let mut prices = vec![0; self.area];
            let mut out = 0;
            for (i, &s) in self.stones.iter().enumerate() {
                if s != t && self.used(i).zone.contains(t) {
                    asked.insert(s);
                    prices[s.index()] = self.prices(i)[t.index()];
                    out += i64::from(prices[s.index()]);
                }
            }
            let inside = match self.place[t.index()] {
                Some(at) => self.cost_now(at) as i64,
                None => {
                    let cost = |&(zone, replies): &(Squares<W>, u32)| {
                        let pairs =
                            zone.and(&asked).iter().map(|s| i64::from(prices[s.index()])).sum::<i64>();
                        i64::from(replies) + pairs
                    };
                    zones
                        .iter()
                        .filter(|(zone, _)| !zone.contains(t))
                        .map(cost)
                        .min()
                        .unwrap_or(i64::from(i16::MAX))
                }
            };
            worth[t.index()] = (inside - out) as i32;
        }
        worth
    }

    /// What all of it costs, the win against no stone left out, and pairs that are
    /// asked about for its sake.
    pub(super) fn total(&self) -> u64 {
        let mut total = 0;
        for (i, &s) in self.stones.iter().enumerate() {
            let prices = self.prices(i);
            let pairs = self.used(i).zone.and(&self.asked[i]);
            // A pair of two stones is counted from its first.
            let counted = pairs.iter().filter(|t| self.place[t.index()].is_none() || s < *t);
            total +=
                u64::from(self.used(i).replies) + counted.map(|t| u64::from(prices[t.index()])).sum::<u64>();
        }
        total
    }

    /// Chooses by simulated annealing, the hotter the further from what is chosen
    /// now, and keeps the best that it comes by. Changes for the better alone end in
    /// combinations that let twice as many pairs through. An error when the budget
    /// ends it: changes are no moves, so the clock is looked at here.
    pub(super) fn anneal(
        &mut self,
        changes: u32,
        heat: u64,
        random: &mut Random,
        budget: &Budget<'_>,
    ) -> Result<(), Why> {
        let free: Vec<usize> = (0..self.stones.len()).filter(|&i| self.open[i].len() > 1).collect();
        if free.is_empty() {
            return Ok(());
        }
        let tried: Vec<Vec<usize>> = free.iter().map(|&stone| self.cheapest(stone)).collect();
        let mut now = self.total();
        let (mut least, mut best) = (now, self.used.clone());
        for change in 0..changes {
            if change % LOOK_EVERY == 0 {
                budget.interrupted()?;
            }
            let heat = heat * u64::from(changes - change) / u64::from(changes);
            let at = random.below(free.len() as u64) as usize;
            let (stone, tried) = (free[at], &tried[at]);
            let choice = tried[random.below(tried.len() as u64) as usize];
            if choice == self.used[stone] {
                continue;
            }
            let (before, after) = (self.cost_now(stone), self.cost(stone, choice));
            // Whole numbers, so that every machine chooses the same.
            if after <= before + random.below(heat + 1) {
                self.use_choice(stone, choice);
                now = now + after - before;
                if now < least {
                    least = now;
                    best.clone_from(&self.used);
                }
            }
        }
        best.into_iter().enumerate().for_each(|(stone, choice)| self.use_choice(stone, choice));
        Ok(())
    }

    /// Changes for the better only, one stone after the other, until there is none.
    pub(super) fn settle(&mut self) {
        loop {
            let mut changed = false;
            for stone in 0..self.stones.len() {
                let best = (0..self.open[stone].len()).min_by_key(|&choice| self.cost(stone, choice));
                if let Some(best) = best
                    && self.cost(stone, best) < self.cost_now(stone)
                {
                    self.use_choice(stone, best);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// The wins against a stone that cost least with the others as they are. Most of many
    /// cost too much whatever is chosen against the others.
    fn cheapest(&self, stone: usize) -> Vec<usize> {
        let mut choices: Vec<usize> = (0..self.open[stone].len()).collect();
        if choices.len() > MOST_TRIED {
            choices.sort_by_cached_key(|&choice| (self.cost(stone, choice), choice));
            choices.truncate(MOST_TRIED);
        }
        choices
    }
}
