//! The wins against single stones.

use super::{
    SmallProof,
    assignment::{Annealing, Assignment, Offer, PairPrices},
    plan_list::MOST_REPLIES,
    plan_zones::PlanZones,
    square_set::SquareSet,
};
use crate::proof_tree::ReplyTree;
use lambda6_rules::{Move, Square};
use lambda6_search::Why;
use lambda6_threats::Play;
use std::rc::Rc;

/// Parameters of the assignment. The result depends little on the exact values.
const ANNEALING: Annealing =
    Annealing { improvements: 3, epochs: 18, changes: 16_000, tried: 30, sample: 100, heat: 130 };

/// The cost of a stone that no plan wins against: more than any other.
const NO_WIN: u32 = 30_000;

/// A win against a single stone.
#[derive(Clone)]
pub(super) enum SingleWin {
    /// A plan of the list.
    Plan(usize),
    /// A win found with the stone on the board, since every plan has the stone in its zone.
    Found(Rc<ReplyTree>),
}

/// The wins chosen against the stones of the first zone of the win against the null move.
pub(super) struct Singles<const W: usize> {
    pub(super) stones: Vec<Square>,
    pub(super) wins: Vec<SingleWin>,
    /// The first zone of each, with the stone on the board.
    zones: Vec<SquareSet<W>>,
    /// What each costs, with its pairs.
    costs: Vec<u32>,
    /// By stone: the squares with which a pair has the high price.
    dear: Vec<SquareSet<W>>,
}

impl<const W: usize> SmallProof<'_, '_, W> {
    /// Chooses wins against these stones, which are sorted. None where a stone has no answer.
    pub(super) fn singles(&mut self, stones: Vec<Square>) -> Result<Option<Singles<W>>, Why> {
        let mut found = Vec::new();
        for (i, &stone) in stones.iter().enumerate() {
            if self.list.offers().all(|(_, plan)| plan.first().contains(stone)) {
                let Some(tree) = self.search(&Move::single(stone))? else { return Ok(None) };
                found.push((i, tree));
            }
        }
        let mut assignment = self.assignment(stones, &found)?;
        assignment.anneal(&ANNEALING, &mut self.random, &self.budget)?;
        let all = 0..assignment.stones.len();
        let win = |i: usize| match assignment.used(i).win as usize {
            plan if plan < self.list.plans.len() => SingleWin::Plan(plan),
            other => SingleWin::Found(Rc::clone(&found[other - self.list.plans.len()].1)),
        };
        Ok(Some(Singles {
            wins: all.clone().map(win).collect(),
            zones: all.clone().map(|i| assignment.used(i).zone).collect(),
            costs: all.map(|i| assignment.cost_now(i)).collect(),
            dear: assignment.dear,
            stones: assignment.stones,
        }))
    }

    /// All plans that are offered, each against the stones outside its first zone, and the wins
    /// that were found against other stones.
    fn assignment(
        &mut self,
        stones: Vec<Square>,
        found: &[(usize, Rc<ReplyTree>)],
    ) -> Result<Assignment<W>, Why> {
        let dear = self.dear_pairs(&stones)?;
        let mut assignment = Assignment::new(stones, self.board, self.pair_prices(), dear);
        for (win, plan) in self.list.offers() {
            let alone = Offer { win: win as u32, replies: plan.replies, zone: *plan.first() };
            self.offer(&mut assignment, alone, &plan.zones);
        }
        for (win, (stone, tree)) in (self.list.plans.len() as u32..).zip(found) {
            let zone = SquareSet::from_words(tree.zones.zone(1));
            let replies = tree.replies.min(MOST_REPLIES.into()) as u32;
            let offer = assignment.add(Offer { win, replies, zone });
            assignment.offer(*stone, offer);
        }
        Ok(assignment)
    }

    /// Offers a plan against all stones outside its first zone.
    fn offer(&self, assignment: &mut Assignment<W>, alone: Offer<W>, zones: &PlanZones<W>) {
        let number = assignment.add(alone);
        for stone in 0..assignment.stones.len() {
            let square = assignment.stones[stone];
            if alone.zone.contains(square) {
                continue;
            }
            let zone = zones.first_with(self.board, square);
            let number = if zone == alone.zone { number } else { assignment.add(Offer { zone, ..alone }) };
            assignment.offer(stone, number);
        }
    }

    /// The prices of pairs: the replies of the smallest plan and of the largest.
    fn pair_prices(&self) -> PairPrices {
        PairPrices { low: self.list.fewest(), high: self.list.most() }
    }

    /// By stone: the squares with which it makes a pair whose price is nearer to the high one. A
    /// pair that no plan wins against is one of them.
    fn dear_pairs(&self, stones: &[Square]) -> Result<Vec<SquareSet<W>>, Why> {
        let PairPrices { low, high } = self.pair_prices();
        let is_dear = |s: Square, t: Square| {
            let plan = self.list.against_pair(self.board, s, t);
            plan.is_none_or(|plan| self.list.plans[plan].replies > low.midpoint(high))
        };
        let mut dear = Vec::new();
        for &s in stones {
            self.budget.interrupted()?;
            let others = self.board.game().squares().filter(|&t| t != s && self.board.is_empty(t));
            dear.push(others.filter(|&t| is_dear(s, t)).collect());
        }
        Ok(dear)
    }

    /// An answer to some stones that is not a plan.
    pub(super) fn search(&mut self, stones: &Move) -> Result<Option<Rc<ReplyTree>>, Why> {
        let SmallProof { board, attacker, fallback, budget, .. } = self;
        board.play(attacker.other(), stones, |board| fallback.answer(board, *attacker, budget))
    }

    /// By square: the replies that it costs to have the square in the first zone of the win
    /// against the null move, beyond what it costs outside, if all other wins stay the same.
    pub(super) fn zone_costs(&self, singles: &Singles<W>) -> Vec<i32> {
        let Singles { stones, zones, costs, dear, .. } = singles;
        let PairPrices { low, high } = self.pair_prices();
        let cost = |square: Square| {
            let price = |i: usize| if dear[i].contains(square) { high } else { low };
            // Outside, every win whose zone has the square makes a pair.
            let asked = (0..stones.len()).filter(|&i| stones[i] != square && zones[i].contains(square));
            let pairs: Vec<(Square, u32)> = asked.map(|i| (stones[i], price(i))).collect();
            let outside: u32 = pairs.iter().map(|(_, price)| price).sum();
            let inside = stones.binary_search(&square).map_or_else(
                |_| {
                    let plans = self.list.offers().filter(|(_, plan)| !plan.first().contains(square));
                    let cost = plans.map(|(_, plan)| {
                        let met = pairs.iter().filter(|(stone, _)| plan.first().contains(*stone));
                        plan.replies + met.map(|(_, price)| price).sum::<u32>()
                    });
                    cost.min().unwrap_or(NO_WIN)
                },
                |i| costs[i],
            );
            inside as i32 - outside as i32
        };
        self.board.game().squares().map(cost).collect()
    }
}

impl<const W: usize> Singles<W> {
    /// The win against a stone.
    pub(super) fn win(&self, stone: Square) -> Option<&SingleWin> {
        self.stones.binary_search(&stone).ok().map(|i| &self.wins[i])
    }
}
