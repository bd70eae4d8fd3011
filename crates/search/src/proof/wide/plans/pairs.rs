//! What pairs of stones take.

use super::{Plans, course::Course, duel::LEVELS, trees::Trees};
use crate::Why;
use rules::{Move, Square};
use std::collections::{BTreeMap, BTreeSet};

/// The replies to a pair that no win is known against, by those of the longest plans.
const DEAR: u32 = 3;

/// What is known of pairs.
pub(super) struct Pairs {
    /// The replies, by stone and square.
    prices: Vec<u32>,
    area: usize,
    /// The answers to those that take fewer than a plan.
    answers: BTreeMap<(Square, Square), Small>,
    /// Those that a tree has been looked for against.
    looked: BTreeSet<(Square, Square)>,
}

/// An answer to two stones.
#[derive(Clone)]
pub(super) enum Small {
    /// Its replies in the order of the walk.
    List(Vec<Move>),
    Tree(Course),
}

impl Pairs {
    pub(super) fn price(&self, stone: usize, square: Square) -> u32 {
        self.prices[stone * self.area + square.index()]
    }

    /// The answer that takes fewer replies than a plan, if one is known.
    pub(super) fn answer(&self, s: Square, t: Square) -> Option<&Small> {
        self.answers.get(&(s.min(t), s.max(t)))
    }
}

impl<const W: usize> Plans<'_, '_, W> {
    /// The fewest replies of a plan.
    fn fewest(&self) -> u32 {
        self.library.ways.first().map_or(1, |way| way.replies)
    }

    /// The prices of pairs that are told apart.
    pub(super) fn levels(&self) -> [u32; LEVELS] {
        let (least, most) = (self.fewest(), self.library.longest);
        [least, least + (most - least) / 8 * 3, most, most.saturating_mul(DEAR)]
    }

    /// What a pair of each of these stones and any square takes: a plan, or if that is not one
    /// with the fewest replies, a win that is as short and need not be a plan.
    pub(super) fn pairs_of(&mut self, stones: &[Square]) -> Result<Pairs, Why> {
        let (fewest, dear) = (self.fewest(), self.library.longest.saturating_mul(DEAR));
        let area = self.board().game().area();
        let shortest = self.library.shortest;
        let mut pairs = Pairs {
            prices: vec![0; stones.len() * area],
            area,
            answers: BTreeMap::new(),
            looked: BTreeSet::new(),
        };
        let mut place = vec![None; area];
        stones.iter().enumerate().for_each(|(i, s)| place[s.index()] = Some(i));
        for (i, &s) in stones.iter().enumerate() {
            self.lines.graph.budget.interrupted()?;
            for t in self.board().game().squares() {
                if s == t || !self.board().is_empty(t) || place[t.index()].is_some_and(|j| j < i) {
                    continue;
                }
                let plan = self.library.against(self.board(), s, t);
                let mut price = plan.map_or(dear, |plan| self.library.ways[plan].replies);
                if price > fewest
                    && self.closed
                    && let Some(win) = self.lines.smallest([s, t], shortest, price)?
                {
                    price = win.replies();
                    pairs.answers.insert((s.min(t), s.max(t)), Small::List(win.list));
                }
                pairs.prices[i * area + t.index()] = price;
                if let Some(j) = place[t.index()] {
                    pairs.prices[j * area + s.index()] = price;
                }
            }
        }
        Ok(pairs)
    }

    /// Looks for smaller trees against these pairs of a stone and a square. Calls `found` with
    /// those that there are.
    pub(super) fn refine(
        &mut self,
        pairs: &mut Pairs,
        stones: &[Square],
        asked: &[(usize, Square)],
        mut found: impl FnMut(usize, Square, u32),
    ) -> Result<(), Why> {
        let fewest = self.fewest();
        let mut trees = Trees::new(&self.outline, &mut self.forecaster, self.lines.graph.board);
        for &(i, t) in asked {
            let (s, price) = (stones[i], pairs.price(i, t));
            if price <= fewest || !pairs.looked.insert((s.min(t), s.max(t))) {
                continue;
            }
            self.lines.graph.budget.interrupted()?;
            let Some((replies, branch)) = trees.smallest(&Move::pair(s, t), price) else { continue };
            pairs.prices[i * pairs.area + t.index()] = replies;
            if let Ok(j) = stones.binary_search(&t) {
                pairs.prices[j * pairs.area + s.index()] = replies;
            }
            pairs.answers.insert((s.min(t), s.max(t)), Small::Tree(Course::Tree(branch)));
            found(i, t, replies);
        }
        Ok(())
    }
}
