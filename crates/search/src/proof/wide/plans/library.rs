//! The wins to choose from.

use super::super::bits::Squares;
use super::{
    course::Course,
    forecast::{Forecast, Forecaster},
    outline::{Leg, Outline},
};
use rules::Square;
use rustc_hash::FxHashMap;
use std::{collections::hash_map::Entry, ops::ControlFlow};
use threats::Board;

/// Plans that are looked at, in whatever order they come: some hundredths of a second's work.
/// There are 26,270 of five moves in Connect(6,2,3).
const LOOKS: usize = 40_000;

/// Plans that are offered against single stones, those with the smallest zones.
const MOST: usize = 2_000;

/// A way to win.
pub(super) struct Way<const W: usize> {
    pub(super) course: Course,
    /// How many replies there are against all defences.
    pub(super) replies: u32,
    pub(super) zones: Forecast<W>,
}

/// Plans, those with the fewest replies first, and then what was found later.
pub(super) struct Library<const W: usize> {
    pub(super) ways: Vec<Way<W>>,
    /// Those that are worth comparing: plans with the smallest zones first, then what was found
    /// later.
    pub(super) best: Vec<usize>,
    /// How many of them are of the smaller half of those plans.
    pub(super) small: usize,
    /// The moves of the shortest plan, and the replies of the longest.
    pub(super) shortest: u8,
    pub(super) longest: u32,
    /// By square: the plans that do without it, a bit for each.
    without: Vec<Vec<u64>>,
}

impl<const W: usize> Library<W> {
    /// The plans of an outline, one for each zone.
    pub(super) fn new(outline: &Outline<W>, board: &Board, forecaster: &mut Forecaster<W>) -> Library<W> {
        // Most come up in many orders. Of those with the same first zone the smallest second
        // one is kept: a stone strengthens less.
        let mut plans: Vec<Way<W>> = Vec::new();
        let mut known: FxHashMap<Squares<W>, usize> = FxHashMap::default();
        let mut looks = 0;
        outline.for_each_plan(board, forecaster, &mut |way, forecaster| {
            match known.entry(forecaster.first()) {
                Entry::Vacant(entry) => {
                    entry.insert(plans.len());
                    plans.push(Way::of_plan(way, forecaster));
                }
                Entry::Occupied(entry) => {
                    let plan = &mut plans[*entry.get()];
                    let is_less = forecaster.second().count() < plan.zones.second.count();
                    if is_less && replies(way) <= plan.replies {
                        *plan = Way::of_plan(way, forecaster);
                    }
                }
            }
            looks += 1;
            if looks < LOOKS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        plans.sort_by_cached_key(|plan| (plan.replies, plan.zones.first.count()));
        let longest = plans.last().map_or(1, |plan| plan.replies);
        let (best, small) = best(&plans);
        let without = without(&plans, board.game().area());
        Library { best, small, without, shortest: outline.shortest(), longest, ways: plans }
    }

    /// Adds a win to choose from. Returns its number.
    pub(super) fn add(&mut self, way: Way<W>) -> usize {
        self.best.push(self.ways.len());
        self.ways.push(way);
        self.ways.len() - 1
    }

    /// The plan with the fewest replies that two stones of the defender do no harm.
    pub(super) fn against(&self, board: &Board, s: Square, t: Square) -> Option<usize> {
        let words = self.without[s.index()].iter().zip(&self.without[t.index()]).enumerate();
        for (i, (s_free, t_free)) in words {
            let mut both = s_free & t_free;
            while both != 0 {
                let plan = i * 64 + both.trailing_zeros() as usize;
                if self.ways[plan].zones.bears(board, s, t) {
                    return Some(plan);
                }
                both &= both - 1;
            }
        }
        None
    }
}

impl<const W: usize> Way<W> {
    fn of_plan(way: &[&Leg<W>], forecaster: &Forecaster<W>) -> Way<W> {
        let moves = way.iter().map(|leg| leg.reply).collect();
        Way { course: Course::Plan(moves), replies: replies(way), zones: forecaster.forecast() }
    }
}

/// One, and then one against each defence, and so on.
fn replies<const W: usize>(way: &[&Leg<W>]) -> u32 {
    let add = |(lines, replies): (u32, u32), leg: &&Leg<W>| {
        (lines.saturating_mul(leg.defences.len() as u32), replies.saturating_add(lines))
    };
    way.iter().fold((1, 0), add).1
}

/// The plans with the smallest zones, in that order, but none whose zone is another's and more with
/// no fewer replies; and how many of them are of the smaller half.
fn best<const W: usize>(plans: &[Way<W>]) -> (Vec<usize>, usize) {
    let mut order: Vec<usize> = (0..plans.len()).collect();
    order.sort_by_cached_key(|&i| (plans[i].zones.first.count(), i));
    order.truncate(MOST);
    let (mut kept, mut small): (Vec<usize>, usize) = (Vec::new(), 0);
    for (at, &i) in order.iter().enumerate() {
        let plan = &plans[i];
        let is_less = |&other: &usize| {
            plans[other].replies <= plan.replies && plans[other].zones.first.is_within(&plan.zones.first)
        };
        if !kept.iter().any(is_less) {
            kept.push(i);
            small += usize::from(2 * at < order.len());
        }
    }
    (kept, small)
}

fn without<const W: usize>(plans: &[Way<W>], area: usize) -> Vec<Vec<u64>> {
    let mut all = vec![u64::MAX; plans.len().div_ceil(64)];
    if let Some(last) = all.last_mut() {
        *last >>= plans.len().wrapping_neg() % 64;
    }
    let mut without = vec![all; area];
    for (i, plan) in plans.iter().enumerate() {
        for square in plan.zones.first.iter() {
            without[square.index()][i / 64] &= !(1 << (i % 64));
        }
    }
    without
}
