//! Small proofs where the defender has two stones to spare.
//!
//! The method `mutual` asks about single stones in the first zone of the win against the null
//! move, and about a pair of stones if each lies in the first zone of the win against the
//! other. A pair with only one stone in that zone is asked about if the other stone lies in the
//! zone of the win against it. So the number of replies depends on which wins are chosen:
//! - The zone of the win against the null move should be *large*: each single stone in it costs one
//!   answer, and a pair of two such stones then has to get past two wins instead of one.
//! - The wins against single stones should avoid each other's stones.
//!
//! The wins against single stones and pairs are *plans* ([`plan_graph`]): moves that win in
//! one order whatever the defender answers. There are few enough to list them all
//! ([`plan_list`]), and their zones are computed without playing them out ([`plan_zones`]). The
//! win against the null move is chosen by what each square is worth in its zone
//! ([`null_win`]), the wins against single stones by simulated annealing ([`assignment`]). Stones that
//! no plan wins against are left to a search ([`fallback`]).
//!
//! Nothing here is trusted: what comes out is a list of replies, and the checker decides.

mod assignment;
mod fallback;
mod move_zones;
mod null_win;
mod plan_graph;
mod plan_list;
mod plan_zones;
mod singles;
mod square_set;
mod writer;

use crate::{Certificate, proof_tree::ReplyTree};
use fallback::Fallback;
use lambda6_rules::{Move, Position, Side};
use lambda6_search::{Budget, Limits, Method, Random, VcdtMoves, Why, walk::critical_defences};
use lambda6_threats::Board;
use null_win::{NullWin, ZonePrices};
use plan_graph::PlanGraph;
use plan_list::PlanList;
use plan_zones::ZoneTracker;
use square_set::SquareSet;
use std::rc::Rc;

/// How much work to invest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The part of the remaining limits that may be used, in hundredths. The rest is for the search
    /// or the work that comes next.
    share: u32,
    /// Moves tried.
    nodes: u64,
    /// Rounds of choosing wins. Each round uses the costs of squares that follow from the
    /// round before.
    rounds: u32,
}

impl Effort {
    /// For use before a search and within a proof: few rounds.
    pub(crate) const LIGHT: Effort = Effort { share: 25, nodes: 400_000, rounds: 2 };
    /// For shortening a whole proof: many rounds.
    pub(crate) const THOROUGH: Effort = Effort { share: 50, nodes: u64::MAX, rounds: 20 };
}

/// The most moves of the shortest plan.
const MOST_DEPTH: u8 = 5;

/// Moves tried for the graph of plans of one depth: some hundredths of a second's work.
const GRAPH_NODES: u64 = 40_000;

/// The seed of the random numbers: the same position gets the same proof.
const SEED: u64 = 1;

/// The cost, in replies, of a square that only the second zone of the win against the
/// null move contains: two such squares may form a pair. The result depends little on
/// the exact value.
const SECOND_PRICE: i32 = 200;

/// The saving by a square in the first zone of the win against the null move if all
/// plans have the square in their zones.
const FIRST_WORTH: i32 = 10_000;

/// A certificate of a position with the defender to move and two spare stones. `None`
/// if this method finds none. Calls `tell` with the replies of the smallest proof so
/// far. If the budget ends the work, the best proof found so far is used.
pub(crate) fn prove(
    position: &Position,
    attacker: Side,
    effort: Effort,
    budget: &mut Budget<'_>,
    tell: &mut dyn FnMut(u64),
) -> Result<Option<Certificate>, Why> {
    let mut board = Board::from_position(position);
    let Some(replies) = replies(&mut board, attacker, effort, budget, tell)? else { return Ok(None) };
    // A proof that the checker refuses is not claimed.
    Ok(Certificate::of_replies(position, attacker, Method::Mutual, replies).ok())
}

/// The replies of such a proof for the position on the board.
pub(crate) fn replies(
    board: &mut Board,
    attacker: Side,
    effort: Effort,
    budget: &mut Budget<'_>,
    tell: &mut dyn FnMut(u64),
) -> Result<Option<Vec<Move>>, Why> {
    let begun = critical_defences(board, attacker);
    if board.game().p() != 2 || begun.is_none_or(|(_, defences)| defences[..] != [Move::NULL]) {
        return Ok(None);
    }
    let Limits { nodes, time, .. } = budget.limits();
    let left = nodes.map_or(u64::MAX, |most| most.saturating_sub(budget.nodes()));
    let left = (u128::from(left) * u128::from(effort.share) / 100) as u64;
    let nodes = Some(left.min(effort.nodes));
    let time = time.map(|most| most.saturating_sub(budget.elapsed()) * effort.share / 100);
    let part = budget.part_of(Limits { nodes, time, depth: None });
    // Sets of squares have a fixed size: one for boards up to 19x19, one up to 32x32.
    let (replies, part) = match board.game().area() {
        ..=384 => SmallProof::<6>::replies(board, attacker, effort, part, tell),
        385..=1024 => SmallProof::<16>::replies(board, attacker, effort, part, tell),
        _ => return Ok(None),
    };
    let absorbed = budget.absorb(&part);
    if replies.is_none() { absorbed.map(|()| None) } else { Ok(replies) }
}

struct SmallProof<'r, 'b, const W: usize> {
    board: &'r mut Board,
    attacker: Side,
    budget: Budget<'b>,
    generator: VcdtMoves,
    graph: PlanGraph<W>,
    list: PlanList<W>,
    fallback: Fallback,
    random: Random,
}

impl<'r, 'b, const W: usize> SmallProof<'r, 'b, W> {
    /// The replies of the smallest proof found, and what is left of the budget.
    fn replies(
        board: &'r mut Board,
        attacker: Side,
        effort: Effort,
        mut budget: Budget<'b>,
        tell: &mut dyn FnMut(u64),
    ) -> (Option<Vec<Move>>, Budget<'b>) {
        let mut generator = VcdtMoves::new(board.game());
        let Some((graph, list)) = plans::<W>(board, attacker, &mut generator, &mut budget) else {
            return (None, budget);
        };
        let (fallback, random) = (Fallback::new(board.game()), Random::new(SEED));
        let mut proof = SmallProof { board, attacker, budget, generator, graph, list, fallback, random };
        let mut best: Option<Vec<Move>> = None;
        // If the budget ends a round, the result of earlier rounds stands.
        let _ = proof.rounds(effort.rounds, &mut |replies| {
            if best.as_ref().is_none_or(|best| replies.len() < best.len()) {
                tell(replies.len() as u64);
                best = Some(replies);
            }
        });
        (best, proof.budget)
    }

    /// Chooses the win against the null move, then those against single stones, and again with what
    /// these tell of the squares.
    fn rounds(&mut self, rounds: u32, found: &mut dyn FnMut(Vec<Move>)) -> Result<(), Why> {
        let mut first = self.first_prices();
        for round in 1..=rounds {
            let largest = first.iter().map(|price| price.abs()).max().unwrap_or(0);
            let prices = ZonePrices { first, second: largest.min(SECOND_PRICE) };
            let Some(null) = self.null_win(&prices)? else { break };
            let zone: SquareSet<W> = SquareSet::from_words(null.zones.zone(1));
            let stones = zone.iter().filter(|&square| self.board.is_empty(square)).collect();
            let Some(singles) = self.singles(stones)? else { break };
            let Some(replies) = self.write_down(&null, &singles)? else { break };
            found(replies);
            if round == rounds {
                break;
            }
            first = self.zone_costs(&singles);
        }
        Ok(())
    }

    /// What each square costs in the zone of the win against the null move, before it is known which
    /// wins are used against single stones: the more plans have it in their zones, the more pairs it
    /// is spared if it is there.
    fn first_prices(&self) -> Vec<i32> {
        let mut counts = vec![0; self.board.game().area()];
        for (_, plan) in self.list.offers() {
            plan.first().iter().for_each(|square| counts[square.index()] += 1);
        }
        let plans = self.list.offered.len().max(1) as i32;
        counts.iter().map(|count| -FIRST_WORTH * count / plans).collect()
    }

    fn null_win(&mut self, prices: &ZonePrices) -> Result<Option<Rc<ReplyTree>>, Why> {
        let SmallProof { board, attacker, budget, generator, graph, .. } = self;
        let search = NullWin { graph, generator, attacker: *attacker, prices, budget };
        let Some(replies) = search.find(board)? else { return Ok(None) };
        Ok(ReplyTree::of_list(board, *attacker, Method::Mutual, &replies).ok())
    }
}

/// All plans that are one move longer than the shortest, or as short if those are too many.
fn plans<const W: usize>(
    board: &mut Board,
    attacker: Side,
    generator: &mut VcdtMoves,
    budget: &mut Budget<'_>,
) -> Option<(PlanGraph<W>, PlanList<W>)> {
    let mut tracker = ZoneTracker::new(board, attacker)?;
    let mut shortest = None;
    for depth in 1..=MOST_DEPTH + 1 {
        let mut part = budget.part(GRAPH_NODES, None);
        let graph = PlanGraph::new(board, attacker, generator, &tracker, depth, &mut part);
        budget.absorb(&part).ok()?;
        let Ok(graph) = graph else { break };
        if graph.wins() {
            let list = PlanList::new(&graph, board, &mut tracker);
            if shortest.is_none() {
                shortest = Some((graph, list));
            } else if list.is_complete {
                return Some((graph, list));
            } else {
                break;
            }
        }
    }
    shortest
}

#[cfg(test)]
mod tests;
