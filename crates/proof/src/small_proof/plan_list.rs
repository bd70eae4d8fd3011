//! The plans of a position, one for each zone.

use super::{
    plan_graph::{PlanGraph, PlanMove},
    plan_zones::{PlanZones, ZoneTracker},
    square_set::SquareSet,
};
use lambda6_rules::{Move, Square};
use lambda6_threats::Board;
use rustc_hash::FxHashMap;
use std::{collections::hash_map::Entry, ops::ControlFlow};

/// Plans examined, in the order of the graph: some hundredths of a second of work. If
/// there are more, a shorter depth is used, because plans that come first are too
/// similar.
const MOST_LOOKED_AT: usize = 40_000;

/// Plans offered against single stones. More take longer to compare and are hardly ever
/// chosen, since their zones are larger.
const MOST_OFFERED: usize = 2_000;

/// Plans with more replies than this count as if they had so many. The cost of an assignment, which
/// sums up the replies of some hundred plans, then fits 32 bits.
pub(super) const MOST_REPLIES: u32 = 1 << 20;

/// Moves that win in this order whatever the defender answers.
pub(super) struct Plan<const W: usize> {
    pub(super) moves: Box<[Move]>,
    /// The number of replies against all defences.
    pub(super) replies: u32,
    pub(super) zones: PlanZones<W>,
}

/// The plans, those with the fewest replies first.
pub(super) struct PlanList<const W: usize> {
    pub(super) plans: Vec<Plan<W>>,
    /// The plans worth comparing, by the size of their zones.
    pub(super) offered: Vec<usize>,
    /// Whether all plans of the graph were looked at.
    pub(super) is_complete: bool,
    /// By square: the plans whose first zone does not have it, one bit each.
    without: Vec<Vec<u64>>,
}

impl<const W: usize> PlanList<W> {
    pub(super) fn new(graph: &PlanGraph<W>, board: &Board, tracker: &mut ZoneTracker<W>) -> PlanList<W> {
        // Most plans occur in many orders of their moves. Of plans with the same first
        // zone the one with the smallest second zone is kept, since its zone grows least
        // with a stone on the board.
        let mut plans: Vec<Plan<W>> = Vec::new();
        let mut known: FxHashMap<SquareSet<W>, usize> = FxHashMap::default();
        let mut looked_at = 0;
        graph.for_each_plan(board, tracker, &mut |moves, tracker| {
            let zones = tracker.zones();
            match known.entry(zones.first) {
                Entry::Vacant(entry) => {
                    entry.insert(plans.len());
                    plans.push(Plan::new(moves, tracker));
                }
                Entry::Occupied(entry) => {
                    let plan = &mut plans[*entry.get()];
                    let is_less = zones.second.count() < plan.zones.zones.second.count();
                    if is_less && replies(moves) <= plan.replies {
                        *plan = Plan::new(moves, tracker);
                    }
                }
            }
            looked_at += 1;
            if looked_at < MOST_LOOKED_AT { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        plans.sort_by_cached_key(|plan| (plan.replies, plan.first().count()));
        let (offered, without) = (offered(&plans), without(&plans, board.game().area()));
        PlanList { plans, offered, is_complete: looked_at < MOST_LOOKED_AT, without }
    }

    /// The fewest replies of a plan.
    pub(super) fn fewest(&self) -> u32 {
        self.plans.first().map_or(1, |plan| plan.replies)
    }

    /// The most replies of a plan.
    pub(super) fn most(&self) -> u32 {
        self.plans.last().map_or(1, |plan| plan.replies)
    }

    /// The plans that are offered, with their numbers.
    pub(super) fn offers(&self) -> impl Iterator<Item = (usize, &Plan<W>)> {
        self.offered.iter().map(|&i| (i, &self.plans[i]))
    }

    /// The plan with the fewest replies that wins against two stones of the defender.
    pub(super) fn against_pair(&self, board: &Board, s: Square, t: Square) -> Option<usize> {
        let words = self.without[s.index()].iter().zip(&self.without[t.index()]).enumerate();
        for (i, (without_s, without_t)) in words {
            let mut both = without_s & without_t;
            while both != 0 {
                let plan = i * 64 + both.trailing_zeros() as usize;
                if self.plans[plan].zones.bears(board, s, t) {
                    return Some(plan);
                }
                both &= both - 1;
            }
        }
        None
    }
}

impl<const W: usize> Plan<W> {
    fn new(moves: &[&PlanMove<W>], tracker: &ZoneTracker<W>) -> Plan<W> {
        let replies = replies(moves);
        Plan { moves: moves.iter().map(|mv| mv.reply).collect(), replies, zones: tracker.plan_zones() }
    }

    /// The first zone.
    pub(super) fn first(&self) -> &SquareSet<W> {
        &self.zones.zones.first
    }
}

/// One reply, then one against each defence, and so on.
fn replies<const W: usize>(moves: &[&PlanMove<W>]) -> u32 {
    let add = |(lines, replies): (u32, u32), mv: &&PlanMove<W>| {
        (lines.saturating_mul(mv.defences), replies.saturating_add(lines))
    };
    moves.iter().fold((1, 0), add).1.min(MOST_REPLIES)
}

/// The plans with the smallest zones, in that order, without those whose zone contains the zone
/// of another that has no more replies.
fn offered<const W: usize>(plans: &[Plan<W>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..plans.len()).collect();
    order.sort_by_cached_key(|&i| (plans[i].first().count(), i));
    order.truncate(MOST_OFFERED);
    let mut kept: Vec<usize> = Vec::new();
    for i in order {
        let plan = &plans[i];
        let is_better = |&other: &usize| {
            plans[other].replies <= plan.replies && plans[other].first().is_within(plan.first())
        };
        if !kept.iter().any(is_better) {
            kept.push(i);
        }
    }
    kept
}

fn without<const W: usize>(plans: &[Plan<W>], area: usize) -> Vec<Vec<u64>> {
    let mut without = vec![vec![0; plans.len().div_ceil(64)]; area];
    for (square, plans_without) in without.iter_mut().enumerate() {
        for (i, plan) in plans.iter().enumerate() {
            plans_without[i / 64] |= u64::from(!plan.first().contains(Square::new(square))) << (i % 64);
        }
    }
    without
}
