//! The win against no stone, whose zone is to have what is worth having.

use super::super::bits::Squares;
use super::outline::{Leg, NodeId, Outline};
use rules::Move;

/// Moves that are compared with all that follows, in positions with more than two to go.
const COMPARED: usize = 3;

/// Moves that are looked at in all; then the first of a position is taken.
const LOOKS: u64 = 4_000_000;

/// A win that need not answer all defences alike: a move, and the same after each
/// defence.
pub(super) struct Branch {
    pub(super) reply: Move,
    kids: Vec<Branch>,
}

impl Branch {
    /// What is replied after these defences, by their numbers. There may be more of them than
    /// where the defender had more stones: the last serves for the rest.
    pub(super) fn reply_after(&self, defences: &[usize]) -> Option<Move> {
        let mut branch = self;
        for &defence in defences {
            branch = branch.kids.get(defence).or(branch.kids.last())?;
        }
        Some(branch.reply)
    }
}

/// Looks for the tree of an outline whose zone costs least: in each position it takes the
/// move that does with all that follows, given the zone so far.
pub(super) struct Broad<'o, const W: usize> {
    outline: &'o Outline<W>,
    /// What each square costs, which may be less than nothing.
    price: &'o [i32],
    looks: u64,
}

impl<'o, const W: usize> Broad<'o, W> {
    pub(super) fn new(outline: &'o Outline<W>, price: &'o [i32]) -> Broad<'o, W> {
        Broad { outline, price, looks: LOOKS }
    }

    pub(super) fn find(&mut self) -> Branch {
        let root = self.outline.root();
        let mut legs = Vec::new();
        self.pick(root, self.outline.depth, &Squares::EMPTY, &mut legs);
        self.branch(root, &mut legs.iter())
    }

    fn cost(&self, zone: &Squares<W>, before: &Squares<W>) -> i64 {
        zone.minus(before).iter().map(|square| i64::from(self.price[square.index()])).sum()
    }

    /// What a move and all that may follow would cost if only what is wanted came of it.
    fn at_best(&self, leg: &Leg<W>, before: &Squares<W>) -> i64 {
        if leg.defences == 0 {
            return self.cost(&leg.zone, before);
        }
        let mut zone = *before;
        zone.add(&leg.zone);
        let later = self.outline.reach(leg.next).minus(&zone).iter();
        self.cost(&leg.zone, before)
            + later.map(|square| i64::from(self.price[square.index()].min(0))).sum::<i64>()
    }

    /// Adds the legs of the best tree from a position, in order. Returns what it adds to
    /// the cost, and the zone with it.
    fn pick(&mut self, node: NodeId, depth: u8, zone: &Squares<W>, legs: &mut Vec<u32>) -> (i64, Squares<W>) {
        let outline = self.outline;
        let all = outline.legs(node);
        let mut order: Vec<(i64, usize)> = Vec::new();
        if depth > 2 {
            let ranked = |(i, leg)| (self.at_best(leg, zone), i);
            order.extend(all.iter().enumerate().map(ranked));
            order.sort_unstable();
            order.truncate(COMPARED);
        } else {
            order.extend((0..all.len()).map(|i| (0, i)));
        }
        let start = legs.len();
        let mut best: Option<(i64, Squares<W>)> = None;
        for (_, i) in order {
            if self.looks == 0 && best.is_some() {
                break;
            }
            self.looks = self.looks.saturating_sub(1);
            let leg = &all[i];
            let mark = legs.len();
            let mut cost = 1 + self.cost(&leg.zone, zone);
            let mut with = *zone;
            with.add(&leg.zone);
            legs.push(i as u32);
            for _ in 0..leg.defences {
                let (more, all) = self.pick(leg.next, depth - 1, &with, legs);
                cost += more;
                with = all;
            }
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, with));
                legs.drain(start..mark);
            } else {
                legs.truncate(mark);
            }
        }
        best.unwrap_or((0, *zone))
    }

    fn branch<'l>(&self, node: NodeId, legs: &mut impl Iterator<Item = &'l u32>) -> Branch {
        let leg = &self.outline.legs(node)[legs.next().map_or(0, |&leg| leg as usize)];
        let kids = (0..leg.defences).map(|_| self.branch(leg.next, legs)).collect();
        Branch { reply: leg.reply, kids }
    }
}
