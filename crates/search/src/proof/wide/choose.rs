//! Which win is used against which single stone.
//!
//! A pair of stones is asked about where each of the two lies in the first zone
//! of the win against the other. So what a win costs against one stone depends
//! on the wins that are used against the others.

use crate::{Budget, Why, puzzle::Random};
use rules::Square;

/// A win that can be used against a stone.
pub(super) struct Choice {
    /// Which one it is.
    pub(super) win: usize,
    /// Its replies.
    pub(super) replies: u64,
    /// The first zone with the stone on the board, a bit for each square.
    pub(super) zone: Vec<u64>,
}

impl Choice {
    fn has(&self, square: Square) -> bool {
        self.zone[square.index() / 64] >> (square.index() % 64) & 1 != 0
    }
}

/// What there is to choose from, and what is chosen.
pub(super) struct Choices<'a> {
    pub(super) stones: &'a [Square],
    /// Where a square is among the stones.
    place: Vec<Option<usize>>,
    /// For each stone the wins that can be used against it, and which one is.
    pub(super) open: Vec<Vec<Choice>>,
    pub(super) used: Vec<usize>,
    /// What the answer to a pair takes, by both squares.
    pair: Vec<u32>,
    area: usize,
}

/// The replies that a change for the worse may cost in the beginning, if it is to
/// get far from what is chosen now, and if it is to stay near.
pub(super) const HOT: u64 = 800;
pub(super) const WARM: u64 = 240;

/// Changes between two looks at the clock: some milliseconds' work.
const LOOK_EVERY: u32 = 256;

impl<'a> Choices<'a> {
    /// Nothing to choose from yet. `dear` is what a pair takes that no win bears.
    pub(super) fn new(stones: &'a [Square], area: usize, dear: u32) -> Choices<'a> {
        let mut place = vec![None; area];
        stones.iter().enumerate().for_each(|(i, s)| place[s.index()] = Some(i));
        let open = stones.iter().map(|_| Vec::new()).collect();
        Choices { stones, place, open, used: vec![0; stones.len()], pair: vec![dear; area * area], area }
    }

    /// Pairs of these squares can be answered with so many replies.
    pub(super) fn bear(&mut self, squares: &[Square], replies: u32) {
        for s in squares {
            for t in squares {
                let pair = &mut self.pair[s.index() * self.area + t.index()];
                *pair = replies.min(*pair);
            }
        }
    }

    /// What a square costs in the zone of the win against this stone: the answer to
    /// the two, if they are asked about.
    pub(super) fn price(&self, stone: usize, t: Square) -> u32 {
        let s = self.stones[stone];
        let asked = t != s && self.place[t.index()].is_none_or(|at| self.open[at][self.used[at]].has(s));
        if asked { self.pair[s.index() * self.area + t.index()] } else { 0 }
    }

    /// What a win costs against a stone: its replies, and those to the pairs that
    /// it lets through.
    pub(super) fn cost(&self, stone: usize, choice: usize) -> u64 {
        let choice = &self.open[stone][choice];
        let mut cost = choice.replies;
        for (i, &word) in choice.zone.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                cost += u64::from(self.price(stone, Square::new(i * 64 + word.trailing_zeros() as usize)));
                word &= word - 1;
            }
        }
        cost
    }

    /// Chooses by simulated annealing, the hotter the further from what is chosen
    /// now. Changes for the better alone end in combinations that let twice as
    /// many pairs through. An error when the budget ends it: changes are no moves,
    /// so the clock is looked at here.
    pub(super) fn anneal(&mut self, changes: u32, heat: u64, budget: &Budget<'_>) -> Result<(), Why> {
        let free: Vec<usize> = (0..self.stones.len()).filter(|&i| self.open[i].len() > 1).collect();
        if free.is_empty() {
            return Ok(());
        }
        let mut random = Random::new(1);
        for change in 0..changes {
            if change % LOOK_EVERY == 0 {
                budget.interrupted()?;
            }
            let heat = heat * u64::from(changes - change) / u64::from(changes);
            let stone = free[random.below(free.len() as u64) as usize];
            let choice = random.below(self.open[stone].len() as u64) as usize;
            // Whole numbers, so that every machine chooses the same.
            if self.cost(stone, choice) <= self.cost(stone, self.used[stone]) + random.below(heat + 1) {
                self.used[stone] = choice;
            }
        }
        Ok(())
    }
}
