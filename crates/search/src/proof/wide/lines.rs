//! Wins by full threats whose zones are as one likes them: away from given
//! squares, or small, or large.

use super::{
    super::{
        tree::{Proof, answered},
        walk,
    },
    graph::{Graph, Step},
};
use crate::{Why, Zones};
use rules::{Move, Side, Square};
use std::rc::Rc;
use threats::Board;

/// What is wanted of the zones of a win.
pub(super) struct Aim {
    /// The first zone has none of these squares, a bit for each.
    pub(super) without: Vec<u64>,
    /// By square: what it costs in the first zone.
    pub(super) price: Vec<i32>,
    /// What a square costs that only the second zone has.
    pub(super) second: i32,
    /// What a reply costs.
    pub(super) reply: i32,
    /// What the whole may cost at most.
    pub(super) bound: i64,
    /// Up to so many moves before the end all winning moves are compared; before
    /// that the first that will do is taken.
    pub(super) compared: u8,
    /// Moves that are looked at.
    pub(super) looks: u64,
}

/// The first and the second zone of what is chosen so far, and what they cost.
#[derive(Clone)]
struct Sum {
    first: Vec<u64>,
    second: Vec<u64>,
    cost: i64,
}

impl Aim {
    /// The square is not to be in the first zone.
    pub(super) fn keep_out(&mut self, square: Square) {
        self.without[square.index() / 64] |= 1 << (square.index() % 64);
    }

    /// The zones with those of a move; None where it has a square that it must not.
    fn with(&self, sum: &Sum, step: &Step) -> Option<i64> {
        let (first, second) = (step.zones.zone(1), step.zones.zone(step.zones.len().min(2)));
        let mut cost = sum.cost + i64::from(self.reply);
        for i in 0..first.len() {
            if first[i] & self.without[i] != 0 {
                return None;
            }
            let mut new = first[i] & !sum.first[i];
            while new != 0 {
                cost += i64::from(self.price[i * 64 + new.trailing_zeros() as usize]);
                new &= new - 1;
            }
            if self.second != 0 {
                let before = (sum.second[i] & !sum.first[i]).count_ones();
                let after = ((sum.second[i] | second[i]) & !(sum.first[i] | first[i])).count_ones();
                cost += i64::from(self.second) * (i64::from(after) - i64::from(before));
            }
        }
        Some(cost)
    }
}

fn add(sum: &mut Sum, step: &Step, cost: i64) {
    let (first, second) = (step.zones.zone(1), step.zones.zone(step.zones.len().min(2)));
    sum.first.iter_mut().zip(first).for_each(|(word, more)| *word |= more);
    sum.second.iter_mut().zip(second).for_each(|(word, more)| *word |= more);
    sum.cost = cost;
}

/// A move that was chosen, and those after it.
struct Pick {
    steps: Rc<[Step]>,
    index: usize,
    kids: Vec<Rc<Pick>>,
}

/// What was chosen, if anything will do, and the sum with it.
type Picked<T> = Option<(T, Sum)>;

impl Pick {
    fn proof(&self) -> Rc<Proof> {
        let step = &self.steps[self.index];
        let mut zones = step.zones.clone();
        let mut kids = Vec::new();
        for (defence, kid) in step.defences.iter().zip(&self.kids) {
            let kid = kid.proof();
            zones.union(&kid.zones);
            kids.push((*defence, kid));
        }
        Proof::new(step.reply, zones, kids)
    }
}

/// Looks for such wins.
pub(super) struct Lines<'r, 'b> {
    pub(super) graph: Graph<'r, 'b>,
    /// Moves that may still be looked at.
    looks: u64,
}

impl<'r, 'b> Lines<'r, 'b> {
    pub(super) fn new(graph: Graph<'r, 'b>) -> Lines<'r, 'b> {
        Lines { graph, looks: 0 }
    }

    /// A win of at most so many moves that suits the aim.
    pub(super) fn find(&mut self, depth: u8, aim: &Aim) -> Result<Option<Rc<Proof>>, Why> {
        let words = self.graph.board.game().area().div_ceil(64);
        self.looks = aim.looks;
        let sum = Sum { first: vec![0; words], second: vec![0; words], cost: 0 };
        let picked = self.pick(depth, aim, &sum, aim.bound)?;
        Ok(picked.map(|(pick, _)| pick.proof()))
    }

    /// The cheapest move and what follows, if it costs less than that together
    /// with what has been chosen before; and the sum of it all.
    fn pick(&mut self, depth: u8, aim: &Aim, sum: &Sum, bound: i64) -> Result<Picked<Rc<Pick>>, Why> {
        let steps = self.graph.steps(depth)?;
        let mut order: Vec<(i64, usize)> =
            steps.iter().enumerate().filter_map(|(i, step)| Some((aim.with(sum, step)?, i))).collect();
        order.sort_unstable();
        let mut bound = bound;
        let mut best = None;
        for (cost, index) in order {
            // Zones only grow, and so does what they cost, unless large ones are
            // wanted.
            if self.looks == 0 || cost >= bound && aim.second == 0 {
                break;
            }
            self.looks -= 1;
            // What was worked out before is looked at without a move being tried.
            self.graph.budget.interrupted()?;
            let mut sum = sum.clone();
            add(&mut sum, &steps[index], cost);
            let Some((kids, sum)) = self.follow(depth, aim, &steps[index], sum, bound)? else { continue };
            if sum.cost >= bound {
                continue;
            }
            bound = sum.cost;
            best = Some((Rc::new(Pick { steps: Rc::clone(&steps), index, kids }), sum));
            if depth > aim.compared {
                break;
            }
        }
        Ok(best)
    }

    /// The answers to the defences against a move.
    fn follow(
        &mut self,
        depth: u8,
        aim: &Aim,
        step: &Step,
        mut sum: Sum,
        bound: i64,
    ) -> Result<Picked<Vec<Rc<Pick>>>, Why> {
        let bound = if aim.second == 0 { bound } else { i64::MAX };
        let (attacker, defender) = (self.graph.attacker, self.graph.attacker.other());
        let mut kids = Vec::new();
        if step.defences.is_empty() {
            return Ok(Some((kids, sum)));
        }
        step.reply.iter().for_each(|square| self.graph.board.place(attacker, square));
        let mut failed = Ok(false);
        for defence in &step.defences {
            defence.iter().for_each(|square| self.graph.board.place(defender, square));
            let picked = self.pick(depth - 1, aim, &sum, bound);
            defence.iter().for_each(|square| self.graph.board.remove(defender, square));
            match picked {
                Ok(Some((kid, more))) => {
                    kids.push(kid);
                    sum = more;
                }
                Ok(None) => failed = Ok(true),
                Err(why) => failed = Err(why),
            }
            if failed != Ok(false) {
                break;
            }
        }
        step.reply.iter().for_each(|square| self.graph.board.remove(attacker, square));
        Ok(if failed? { None } else { Some((kids, sum)) })
    }
}

/// The same replies on the board as it is now, if they win here too.
pub(super) fn replay(board: &mut Board, attacker: Side, proof: &Proof) -> Option<Rc<Proof>> {
    let follow = |board: &mut Board| {
        let (mut zones, defences) = walk::begin(board, attacker).ok_or(())?;
        let mut kids: Vec<(Move, Rc<Proof>)> = Vec::new();
        for defence in defences {
            let (_, old) = proof.kids.iter().find(|(of, _)| *of == defence).ok_or(())?;
            defence.iter().for_each(|square| board.place(attacker.other(), square));
            let kid = replay(board, attacker, old);
            defence.iter().for_each(|square| board.remove(attacker.other(), square));
            let kid = kid.ok_or(())?;
            zones.union(&kid.zones);
            kids.push((defence, kid));
        }
        Ok::<(Zones, _), ()>((zones, kids))
    };
    answered(board, attacker, proof.reply, follow).ok().flatten()
}

/// For each square, what a stone of the defender there adds to the first zone of a
/// win, from segments that it strengthens. A row of bits for each.
pub(super) fn strengthened(board: &mut Board, attacker: Side, proof: &Proof, more: &mut [u64]) {
    let defender = attacker.other();
    let game = board.game();
    let words = game.area().div_ceil(64);
    proof.reply.iter().for_each(|square| board.place(attacker, square));
    // With the stone they need a stone less: one more than those of the zone.
    let needs = if board.has_row(attacker) { 2 } else { game.p() + 2 };
    if let Some(count) = game.k().checked_sub(needs) {
        let lines = board.geometry().lines();
        for line in lines.filter(|&line| count == 0 || board.stones_on(defender, line) != 0) {
            let mut windows = board.windows_with(defender, line, count);
            while windows != 0 {
                let start = windows.trailing_zeros();
                windows &= windows - 1;
                let empty = board.empty_on(line) & ((1u64 << game.k()) - 1) << start;
                let squares: Vec<usize> = (start..start + u32::from(game.k()))
                    .filter(|&i| empty >> i & 1 != 0)
                    .map(|i| board.geometry().square(line, i).index())
                    .collect();
                for &s in &squares {
                    for &t in squares.iter().filter(|&&t| t != s) {
                        more[s * words + t / 64] |= 1 << (t % 64);
                    }
                }
            }
        }
    }
    for (defence, kid) in &proof.kids {
        defence.iter().for_each(|square| board.place(defender, square));
        strengthened(board, attacker, kid, more);
        defence.iter().for_each(|square| board.remove(defender, square));
    }
    proof.reply.iter().for_each(|square| board.remove(attacker, square));
}
