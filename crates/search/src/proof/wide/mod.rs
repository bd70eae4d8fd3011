//! Small proofs where the defender has two stones to spare, by wins in many
//! different places.
//!
//! Which pairs of stones are asked about is told by zones. A pair of which one
//! stone lies in the first zone of the win against no stone is let through where
//! each lies in the zone of the win against the other, and takes an answer as
//! large as any. So the first zone of the win against no stone should not be
//! small but *large*: the more single stones are asked about, each for the price
//! of one answer, the more pairs have to get past two wins instead of one. And
//! the wins against single stones should differ as much as they can: some are
//! looked for, each out of the way of pairs that those before it do not bear, and
//! a combination is chosen that lets few pairs through.

mod choose;
mod graph;
mod lines;

use super::{
    tree::{Proof, Root},
    walk::{self, with},
};
use crate::{Budget, Certificate, Limits, Method, Why, Zones, puzzle::Random};
use choose::{Choice, Choices, HOT, WARM};
use graph::Graph;
use lines::{Aim, Lines, replay, strengthened};
use rules::{Move, Position, Side, Square};
use std::rc::Rc;
use threats::Board;

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Moves tried for all of it.
    nodes: u64,
    /// Moves looked at for one win.
    looks: u64,
    /// Up to so many moves before the end all moves are compared for the win
    /// against no stone.
    compared: u8,
    /// Wins against no stone with zones as it happens.
    various: usize,
    /// How often wins are looked for that suit those chosen.
    rounds: u32,
    /// Changes of the choice that are tried.
    changes: u32,
}

impl Effort {
    /// About the time that a search takes which makes no effort to be short.
    pub(crate) const LIGHT: Effort =
        Effort { nodes: 600_000, looks: 500, compared: 2, various: 0, rounds: 1, changes: 60_000 };
    /// Several times that.
    pub(crate) const THOROUGH: Effort =
        Effort { nodes: u64::MAX, looks: 2_000, compared: 3, various: 300, rounds: 4, changes: 300_000 };
}

/// The deepest win against no stone that this is tried with, and how many moves
/// deeper one against other stones may be.
const MOST_DEPTH: u8 = 6;
const DEEPER: u8 = 3;

/// Moves tried for the answer to a stone or two.
const NODES_EACH: u64 = 20_000;

/// Wins against no stone that are looked for to bear all pairs.
const WINS: usize = 60;

/// A proof of the position, with the defender to move and two stones to spare, all
/// of whose wins are by full threats. None where this finds none: then another
/// search has to look.
pub(crate) fn prove(
    position: &Position,
    attacker: Side,
    effort: Effort,
    budget: &mut Budget<'_>,
) -> Result<Option<Certificate>, Why> {
    let mut board = Board::from_position(position);
    let begun = walk::begin(&board, attacker);
    if position.game().p() != 2 || begun.is_none_or(|(_, defences)| defences[..] != [Move::NULL]) {
        return Ok(None);
    }
    // Most of what there is must be left to the search that comes next.
    let Limits { nodes, time, .. } = budget.limits();
    let left = nodes.map_or(u64::MAX, |most| most.saturating_sub(budget.nodes()));
    let time = time.map(|most| most.saturating_sub(budget.elapsed()) / 4);
    let limits = Limits { nodes: Some(effort.nodes.min(left / 4)), time, depth: None };
    let part = budget.part_of(limits);
    let lines = Lines::new(Graph::new(&mut board, attacker, part));
    let mut wide = Wide { lines, effort, pool: Vec::new() };
    let kids = wide.kids();
    budget.absorb(&wide.lines.graph.budget)?;
    let Ok(Some(kids)) = kids else { return Ok(None) };
    // What the checker refuses is not claimed.
    Ok(Root::Defender(kids).certificate(position, attacker, Method::Mutual).ok())
}

type Kids = Vec<(Move, Rc<Proof>)>;

struct Wide<'r, 'b> {
    lines: Lines<'r, 'b>,
    effort: Effort,
    /// Wins against no stone.
    pool: Vec<Rc<Proof>>,
}

impl Wide<'_, '_> {
    fn board(&self) -> &Board {
        self.lines.graph.board
    }

    fn area(&self) -> usize {
        self.board().game().area()
    }

    /// A first zone that is small.
    fn aim(&self) -> Aim {
        let words = self.area().div_ceil(64);
        Aim {
            without: vec![0; words],
            price: vec![1; words * 64],
            second: 0,
            reply: 0,
            bound: i64::MAX,
            compared: u8::MAX,
            looks: self.effort.looks,
        }
    }

    fn kids(&mut self) -> Result<Option<Kids>, Why> {
        let Some(depth) = self.depth_against(&Move::NULL, MOST_DEPTH)? else { return Ok(None) };
        let first = match self.lines.find(depth, &self.aim())? {
            Some(first) => Some(first),
            // Too many to compare: any will do.
            None => self.lines.find(depth, &Aim { compared: 2, looks: u64::MAX, ..self.aim() })?,
        };
        let Some(first) = first else { return Ok(None) };
        // A stone that full threats do not answer is soon found: it takes the place of
        // something.
        for s in first.zones.empty_squares(self.lines.graph.board, 1).collect::<Vec<_>>() {
            if self.depth_against(&Move::single(s), depth + DEEPER)?.is_none() {
                return Ok(None);
            }
        }
        self.pool.push(first);
        self.differ(depth + 1)?;
        let mut aim = self.aim();
        aim.price.fill(-1);
        (aim.second, aim.compared, aim.looks) = (1, self.effort.compared, u64::MAX);
        let Some(null) = self.lines.find(depth + 1, &aim)? else { return Ok(None) };
        let stones: Vec<Square> = null.zones.empty_squares(self.board(), 1).collect();
        let Some(singles) = self.singles(&stones, depth)? else { return Ok(None) };
        let zones: Vec<(Square, &Zones)> = stones.iter().zip(&singles).map(|(&s, p)| (s, &p.zones)).collect();
        let attacker = self.lines.graph.attacker;
        let pairs = walk::pairs(self.board(), attacker, Method::Mutual, &Move::NULL, &null.zones, &zones);
        let mut kids = vec![(Move::NULL, null)];
        kids.extend(stones.iter().zip(&singles).map(|(&s, proof)| (Move::single(s), Rc::clone(proof))));
        for (s, t) in pairs {
            let pair = with(&Move::NULL, &[s, t]);
            let Some(proof) = self.answer(&pair, depth + DEEPER)? else { return Ok(None) };
            kids.push((pair, proof));
        }
        Ok(Some(kids))
    }

    /// Fills the pool: for pairs that no win bears, wins that bear them.
    fn differ(&mut self, depth: u8) -> Result<(), Why> {
        let area = self.area();
        let mut hopeless = vec![false; area * area];
        while self.pool.len() < WINS {
            let mut all = Zones::empty(self.board().game());
            self.pool.iter().for_each(|proof| all.union(&proof.zones));
            let squares: Vec<Square> = all.empty_squares(self.board(), 1).collect();
            let mut aim = self.aim();
            let mut open = Vec::new();
            for (i, &s) in squares.iter().enumerate() {
                for &t in &squares[i + 1..] {
                    let borne =
                        |proof: &Rc<Proof>| !proof.zones.contains(1, s) && !proof.zones.contains(1, t);
                    if !hopeless[s.index() * area + t.index()] && !self.pool.iter().any(borne) {
                        // The more such pairs a square is part of, the better to
                        // keep out of its way.
                        aim.price[s.index()] += 1;
                        aim.price[t.index()] += 1;
                        open.push((s, t));
                    }
                }
            }
            let price = |&&(s, t): &&(Square, Square)| aim.price[s.index()] + aim.price[t.index()];
            let Some(&(s, t)) = open.iter().max_by_key(price) else { break };
            aim.keep_out(s);
            aim.keep_out(t);
            match self.lines.find(depth, &aim)? {
                Some(proof) => self.pool.push(proof),
                None => hopeless[s.index() * area + t.index()] = true,
            }
        }
        self.vary(depth)
    }

    /// Adds wins that keep out of the way of a few squares, and prefer others.
    fn vary(&mut self, depth: u8) -> Result<(), Why> {
        let mut random = Random::new(2);
        for _ in 0..self.effort.various {
            let mut aim = self.aim();
            aim.price.iter_mut().for_each(|price| *price = 5 + random.below(20) as i32);
            let from = &self.pool[random.below(self.pool.len() as u64) as usize];
            let squares: Vec<Square> = from.zones.empty_squares(self.board(), 1).collect();
            for _ in 0..random.below(5) {
                aim.keep_out(squares[random.below(squares.len() as u64) as usize]);
            }
            if let Some(proof) = self.lines.find(depth, &aim)?
                && !self.pool.iter().any(|known| known.zones.zone(1) == proof.zones.zone(1))
            {
                self.pool.push(proof);
            }
        }
        Ok(())
    }

    /// The wins against single stones.
    fn singles(&mut self, stones: &[Square], depth: u8) -> Result<Option<Vec<Rc<Proof>>>, Why> {
        let largest = self.pool.iter().map(|proof| proof.replies as u32).max().unwrap_or(1);
        let mut choices = Choices::new(stones, self.area(), largest.saturating_mul(3));
        let mut wins = self.pool.clone();
        for (i, proof) in wins.iter().enumerate() {
            self.offer(&mut choices, i, proof)?;
        }
        for (i, &s) in stones.iter().enumerate() {
            if choices.open[i].is_empty() {
                let Some(proof) = self.answer(&Move::single(s), depth + DEEPER)? else { return Ok(None) };
                let zone = proof.zones.zone(1).to_vec();
                choices.open[i].push(Choice { win: wins.len(), replies: proof.replies, zone });
                wins.push(proof);
            }
        }
        choices.anneal(self.effort.changes, HOT, &self.lines.graph.budget)?;
        for _ in 0..self.effort.rounds {
            self.suit(&mut choices, &mut wins, depth + 1)?;
            choices.anneal(self.effort.changes, WARM, &self.lines.graph.budget)?;
        }
        self.pool.sort_by_key(|proof| proof.replies);
        let attacker = self.lines.graph.attacker;
        let mut singles = Vec::new();
        for (i, &s) in stones.iter().enumerate() {
            let stone = Move::single(s);
            let win = &wins[choices.open[i][choices.used[i]].win];
            let replayed = self.lines.graph.against(&stone, |graph| replay(graph.board, attacker, win));
            let proof = if replayed.is_some() { replayed } else { self.answer(&stone, depth + DEEPER)? };
            let Some(proof) = proof else { return Ok(None) };
            singles.push(proof);
        }
        Ok(Some(singles))
    }

    /// For each stone, those that cost most first, looks for the win that suits those
    /// against the others best.
    fn suit(&mut self, choices: &mut Choices<'_>, wins: &mut Vec<Rc<Proof>>, depth: u8) -> Result<(), Why> {
        let mut order: Vec<usize> = (0..choices.stones.len()).collect();
        order.sort_by_cached_key(|&i| std::cmp::Reverse(choices.cost(i, choices.used[i])));
        for i in order {
            let mut aim = self.aim();
            aim.keep_out(choices.stones[i]);
            for t in self.board().game().squares() {
                aim.price[t.index()] = choices.price(i, t) as i32;
            }
            let old = choices.cost(i, choices.used[i]);
            (aim.reply, aim.bound) = (1, old as i64);
            let Some(proof) = self.lines.find(depth, &aim)? else { continue };
            self.offer(choices, wins.len(), &proof)?;
            wins.push(Rc::clone(&proof));
            self.pool.push(proof);
            let new = choices.open[i].len() - 1;
            if choices.cost(i, new) < old {
                choices.used[i] = new;
            }
        }
        Ok(())
    }

    /// A win is there to be chosen against the stones that it bears.
    fn offer(&mut self, choices: &mut Choices<'_>, win: usize, proof: &Proof) -> Result<(), Why> {
        self.lines.graph.budget.interrupted()?;
        let Graph { board, attacker, .. } = &mut self.lines.graph;
        let zone = proof.zones.zone(1);
        let mut more = vec![0; board.game().area() * zone.len()];
        strengthened(board, *attacker, proof, &mut more);
        for (i, &s) in choices.stones.iter().enumerate() {
            if !proof.zones.contains(1, s) {
                let more = &more[s.index() * zone.len()..];
                let zone = zone.iter().zip(more).map(|(zone, more)| zone | more).collect();
                choices.open[i].push(Choice { win, replies: proof.replies, zone });
            }
        }
        let outside: Vec<Square> = board.game().squares().filter(|&s| !proof.zones.contains(1, s)).collect();
        choices.bear(&outside, proof.replies as u32);
        Ok(())
    }

    /// The fewest moves in which full threats win against these stones.
    fn depth_against(&mut self, stones: &Move, most: u8) -> Result<Option<u8>, Why> {
        self.lines.graph.against(stones, |graph| graph.within(NODES_EACH, |graph| graph.depth(most)))
    }

    /// An answer to these stones: a known win that bears them, the smallest, or one
    /// that is searched for.
    fn answer(&mut self, stones: &Move, most: u8) -> Result<Option<Rc<Proof>>, Why> {
        self.lines.graph.budget.interrupted()?;
        if stones.len() == 2 {
            // Nobody asks for the zones of the answer to a pair.
            let borne = self.pool.iter().find(|proof| proof.zones.bear(stones.squares())).cloned();
            let replies = borne.as_ref().map_or(u64::MAX, |proof| proof.replies);
            let smaller = self.replayed(stones, replies);
            if smaller.is_some() || borne.is_some() {
                return Ok(smaller.or(borne));
            }
        } else if let Some(proof) = self.replayed(stones, u64::MAX) {
            return Ok(Some(proof));
        }
        let Some(depth) = self.depth_against(stones, most)? else { return Ok(None) };
        let aim = Aim { compared: 1, ..self.aim() };
        let defender = self.lines.graph.attacker.other();
        stones.iter().for_each(|square| self.lines.graph.board.place(defender, square));
        let found = self.lines.find(depth, &aim);
        stones.iter().for_each(|square| self.lines.graph.board.remove(defender, square));
        found
    }

    /// A win of the pool with fewer replies than that which also wins here.
    fn replayed(&mut self, stones: &Move, fewer: u64) -> Option<Rc<Proof>> {
        let Wide { lines, pool, .. } = self;
        let attacker = lines.graph.attacker;
        let maybe = |proof: &&Rc<Proof>| {
            proof.replies < fewer && !stones.iter().any(|square| proof.zones.contains(1, square))
        };
        let mut tried = pool.iter().filter(maybe);
        lines.graph.against(stones, |graph| tried.find_map(|proof| replay(graph.board, attacker, proof)))
    }
}

#[cfg(test)]
mod tests;
