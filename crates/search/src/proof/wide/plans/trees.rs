//! Trees of moves of plans: wins that need not answer all defences alike.
//!
//! Plans are few and trees are many, so they are not compared but looked for: the cheapest
//! against a stone, and the smallest against two. What no win with a move goes
//! without, and how many replies it takes at least, tells which moves need not be tried.

use super::super::bits::Squares;
use super::{
    course::{Branch, Course},
    forecast::{Forecast, Forecaster},
    library::Way,
    outline::{NodeId, Outline},
};
use rules::{Move, Square};
use threats::Board;

/// What is wanted of a tree against a stone: what each square costs in its first zone.
pub(super) struct Want<const W: usize> {
    pub(super) stone: Square,
    /// The squares that cost something.
    pub(super) priced: Squares<W>,
    pub(super) price: Vec<u32>,
}

impl<const W: usize> Want<W> {
    #[inline]
    fn cost(&self, zone: &Squares<W>) -> u32 {
        zone.and(&self.priced).iter().map(|square| self.price[square.index()]).sum()
    }
}

/// Moves by their numbers, in the order of the walk.
type Legs = Vec<u32>;

pub(super) struct Trees<'o, const W: usize> {
    outline: &'o Outline<W>,
    forecaster: &'o mut Forecaster<W>,
    board: &'o Board,
    /// Memory for the moves of the positions of a line, the cheapest first.
    order: Vec<(u32, u32)>,
    /// By position: the search in which it was asked for the fewest replies as far as zones
    /// tell that all defences leave, and how many they are.
    known: Vec<(u32, u32)>,
    search: u32,
    /// Moves that may still be looked at.
    looks: u32,
}

/// Moves that are looked at for one tree. With 800 a proof of Connect(6,2,3) has 240 replies more, with
/// 4,000 as many.
const LOOKS: u32 = 1_300;

/// The replies where there is no win.
const NONE: u32 = u32::MAX;

impl<'o, const W: usize> Trees<'o, W> {
    pub(super) fn new(
        outline: &'o Outline<W>,
        forecaster: &'o mut Forecaster<W>,
        board: &'o Board,
    ) -> Trees<'o, W> {
        let known = vec![(0, 0); outline.len()];
        Trees { outline, forecaster, board, order: Vec::new(), known, search: 0, looks: 0 }
    }

    /// The cheapest tree against a stone, if it costs less than that.
    pub(super) fn cheapest(&mut self, want: &Want<W>, bound: u32) -> Option<Way<W>> {
        self.order.clear();
        self.looks = LOOKS;
        let mark = self.forecaster.set_up(&Move::single(want.stone));
        let root = self.outline.root();
        let mut legs = Legs::new();
        let found = self.pick(root, want, &Squares::EMPTY, self.outline.fewest(root), bound, &mut legs);
        self.forecaster.clear(mark);
        found.map(|_| self.way(&legs))
    }

    /// The cheapest move and what follows, if with what has been chosen before it costs less
    /// than the bound. The cost so far has the fewest replies from here in it. Returns the new one,
    /// and the zone.
    fn pick(
        &mut self,
        node: NodeId,
        want: &Want<W>,
        zone: &Squares<W>,
        cost: u32,
        bound: u32,
        legs: &mut Legs,
    ) -> Option<(u32, Squares<W>)> {
        let all = self.outline.legs(node);
        let cost = cost - self.outline.fewest(node);
        let from = self.order.len();
        for (leg, i) in all.iter().zip(0..) {
            let least = cost + leg.fewest + want.cost(&leg.must.minus(zone));
            if least < bound && !leg.must.contains(want.stone) {
                self.order.push((least, i));
            }
        }
        let to = self.order.len();
        self.order[from..].sort_unstable();
        let start = legs.len();
        let mut best = None;
        let mut bound = bound;
        for at in from..to {
            let (least, i) = self.order[at];
            if least >= bound || self.looks == 0 && best.is_some() {
                break;
            }
            self.looks = self.looks.saturating_sub(1);
            let leg = &all[i as usize];
            let mark = legs.len();
            legs.push(i);
            self.forecaster.push_first(self.board, &leg.reply);
            let mut first = self.forecaster.first();
            first.remove(want.stone);
            let mut with = *zone;
            with.add(&first);
            let sum = cost + leg.fewest + want.cost(&first.minus(zone));
            let mut found = (!self.forecaster.fails() && sum < bound).then_some((sum, with));
            for defence in &leg.defences {
                let Some((sum, with)) = found else { break };
                let mark = self.forecaster.meet(defence);
                found = self.pick(leg.next, want, &with, sum, bound, legs);
                self.forecaster.take_back(mark);
            }
            self.forecaster.pop();
            match found {
                Some((sum, _)) if sum < bound => {
                    bound = sum;
                    best = found;
                    legs.drain(start..mark);
                }
                _ => legs.truncate(mark),
            }
        }
        self.order.truncate(from);
        best
    }

    /// The tree with the fewest replies against two stones, if it has fewer than that.
    pub(super) fn smallest(&mut self, stones: &Move, bound: u32) -> Option<(u32, Branch)> {
        let without = stones.iter().collect();
        self.search += 1;
        self.looks = LOOKS;
        let root = self.outline.root();
        if self.least(root, &without) >= bound {
            return None;
        }
        let mark = self.forecaster.set_up(stones);
        let mut legs = Legs::new();
        let found = self.fewest(root, &without, bound, &mut legs);
        self.forecaster.clear(mark);
        found.map(|replies| (replies, self.branch(self.outline.root(), &mut legs.iter())))
    }

    /// How many replies it takes at least to win from a position without these squares.
    fn least(&mut self, node: NodeId, without: &Squares<W>) -> u32 {
        let (search, least) = self.known[node as usize];
        if search == self.search {
            return least;
        }
        let mut least = NONE;
        for leg in self.outline.legs(node) {
            if leg.fewest >= least || leg.must.meets(without) {
                continue;
            }
            let kids = leg.defences.len() as u32;
            let each = if kids > 0 { self.least(leg.next, without) } else { 0 };
            least = least.min(each.saturating_mul(kids).saturating_add(1));
        }
        self.known[node as usize] = (self.search, least);
        least
    }

    fn fewest(&mut self, node: NodeId, without: &Squares<W>, bound: u32, legs: &mut Legs) -> Option<u32> {
        let least = self.least(node, without);
        let start = legs.len();
        let mut best = None;
        let mut bound = bound;
        for (leg, i) in self.outline.legs(node).iter().zip(0..) {
            if best == Some(least) || self.looks == 0 {
                break;
            }
            if leg.fewest >= bound || leg.must.meets(without) {
                continue;
            }
            let kids = leg.defences.len() as u32;
            let each = if kids > 0 { self.least(leg.next, without) } else { 0 };
            let mut sum = each.saturating_mul(kids).saturating_add(1);
            if sum >= bound {
                continue;
            }
            self.looks -= 1;
            let mark = legs.len();
            legs.push(i);
            self.forecaster.push_first(self.board, &leg.reply);
            let mut good = !self.forecaster.fails();
            for defence in &leg.defences {
                if !good {
                    break;
                }
                let mark = self.forecaster.meet(defence);
                let kid = self.fewest(leg.next, without, bound - (sum - each), legs);
                self.forecaster.take_back(mark);
                good = kid.is_some();
                sum += kid.map_or(0, |kid| kid - each);
            }
            self.forecaster.pop();
            if good && sum < bound {
                bound = sum;
                best = Some(sum);
                legs.drain(start..mark);
            } else {
                legs.truncate(mark);
            }
        }
        best
    }

    fn branch<'l>(&self, node: NodeId, legs: &mut impl Iterator<Item = &'l u32>) -> Branch {
        let leg = &self.outline.legs(node)[legs.next().map_or(0, |&leg| leg as usize)];
        let kids = leg.defences.iter().map(|_| self.branch(leg.next, legs)).collect();
        Branch { reply: leg.reply, kids }
    }

    /// A tree with its zones against no stone.
    fn way(&mut self, legs: &[u32]) -> Way<W> {
        let (mut first, mut second, mut weak) = (Squares::EMPTY, Squares::EMPTY, Vec::new());
        let root = self.outline.root();
        self.play(root, &mut legs.iter(), &mut |forecaster| {
            first.add(&forecaster.first());
            second.add(&forecaster.second());
            weak.extend(forecaster.newly_weak());
        });
        let course = Course::Tree(self.branch(root, &mut legs.iter()));
        Way { course, replies: legs.len() as u32, zones: Forecast::new(first, second, weak) }
    }

    fn play<'l>(
        &mut self,
        node: NodeId,
        legs: &mut impl Iterator<Item = &'l u32>,
        look: &mut impl FnMut(&Forecaster<W>),
    ) {
        let leg = &self.outline.legs(node)[legs.next().map_or(0, |&leg| leg as usize)];
        self.forecaster.push(self.board, &leg.reply);
        look(self.forecaster);
        for defence in &leg.defences {
            let mark = self.forecaster.meet(defence);
            self.play(leg.next, legs, look);
            self.forecaster.take_back(mark);
        }
        self.forecaster.pop();
    }
}
