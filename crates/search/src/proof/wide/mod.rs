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
//! a combination is chosen that lets few pairs through. When it is chosen, it can
//! be told of every square what it would save or cost in the zone of the win against
//! no stone; then that win is chosen again, and so on.
//!
//! First the wins against single stones are chosen from [`plans`], of which all are known
//! within milliseconds. With more effort all wins are worked out ([`graph`]), and those are looked for
//! that suit the others ([`lines`]).

mod bits;
mod choose;
mod graph;
mod lines;
mod pairs;
mod plans;
mod pool;
mod singles;
mod zones;

use super::walk;
use crate::{Budget, Certificate, Limits, Method, Why, puzzle::Random};
use bits::Squares;
use graph::Graph;
use lines::{Aim, Lines, Win};
use plans::Plans;
use rules::{Move, Position, Side, Square};
use singles::Singles;
use std::{collections::BTreeMap, rc::Rc};
use threats::Board;

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    /// Less than a search takes which makes no effort to be short: wins are chosen from
    /// plans.
    Light,
    /// As much as there is time for: smaller proofs, one after the other.
    Thorough,
}

impl Effort {
    /// Hundredths of what is left of the limits: the rest is for the search that comes next.
    fn share(self) -> u32 {
        match self {
            Effort::Light => 25,
            Effort::Thorough => 90,
        }
    }

    /// Moves tried for all of it.
    fn nodes(self) -> u64 {
        match self {
            Effort::Light => 400_000,
            Effort::Thorough => u64::MAX,
        }
    }

    /// What is done beyond choosing from plans.
    fn extent(self) -> Option<Extent> {
        match self {
            Effort::Light => None,
            Effort::Thorough => Some(Extent::FULL),
        }
    }
}

/// What is done with all effort.
#[derive(Clone, Copy, Debug)]
struct Extent {
    /// Moves kept of a position with one, two and more moves to go.
    width: [usize; 3],
    /// Moves tried to work out all that there is, and for one win.
    close: u64,
    tries: u64,
    /// Moves looked at for one win when one has been found.
    looks: u64,
    /// Wins against no stone that are looked for to bear all pairs.
    wins: usize,
    /// How often it is begun anew, and how often the win against no stone is chosen each
    /// time, and then those against single stones.
    starts: u32,
    rounds: u32,
    /// How often wins are looked for in a round that suit the others, and how many
    /// against each stone.
    suits: u32,
    each: u32,
    /// Changes of the choice that are tried each time.
    changes: u32,
}

impl Extent {
    const FULL: Extent = Extent {
        width: [usize::MAX; 3],
        close: 2_000_000,
        tries: 100_000,
        looks: 2_000,
        wins: 60,
        starts: 10,
        rounds: 8,
        suits: 2,
        each: 2,
        changes: 1_000_000,
    };
}

/// The deepest win against no stone that this is tried with, and how many moves
/// deeper one against other stones may be.
const MOST_DEPTH: u8 = 6;
const DEEPER: u8 = 3;

/// What chance begins with.
const SEED: u64 = 1;

/// Moves tried for the answer to a stone or two.
const NODES_EACH: u64 = 20_000;

/// Up to so many moves before the end all moves are compared for the win against no
/// stone.
const COMPARED: u8 = 4;

/// A proof of the position, with the defender to move and two stones to spare, all
/// of whose wins are by full threats. None where this finds none: then another
/// search has to look. With much effort there are several, one after the other: `tell`
/// is told how many replies the smallest has, and when the budget ends it, it is what has
/// been found.
pub(crate) fn prove(
    position: &Position,
    attacker: Side,
    effort: Effort,
    budget: &mut Budget<'_>,
    tell: &mut dyn FnMut(u64),
) -> Result<Option<Certificate>, Why> {
    let mut board = Board::from_position(position);
    let begun = walk::begin(&board, attacker);
    if position.game().p() != 2 || begun.is_none_or(|(_, defences)| defences[..] != [Move::NULL]) {
        return Ok(None);
    }
    let Limits { nodes, time, .. } = budget.limits();
    let left = nodes.map_or(u64::MAX, |most| most.saturating_sub(budget.nodes()));
    let left = (u128::from(left) * u128::from(effort.share()) / 100) as u64;
    let nodes = Some(left.min(effort.nodes()));
    let time = time.map(|most| most.saturating_sub(budget.elapsed()) * effort.share() / 100);
    let part = budget.part_of(Limits { nodes, time, depth: None });
    // Sets of squares have a fixed size: one for boards up to 19x19, one for all.
    let (replies, part) = match (effort.extent(), position.game().area()) {
        (None, ..=384) => from_plans::<6>(&mut board, attacker, part),
        (None, _) => from_plans::<64>(&mut board, attacker, part),
        (Some(extent), ..=384) => Wide::<6>::replies(&mut board, attacker, extent, part, tell),
        (Some(extent), _) => Wide::<64>::replies(&mut board, attacker, extent, part, tell),
    };
    let absorbed = budget.absorb(&part);
    let Some(replies) = replies else { return absorbed.map(|()| None) };
    // What the checker refuses is not claimed.
    Ok(Certificate::of_replies(position, attacker, Method::Mutual, replies).ok())
}

fn from_plans<'b, const W: usize>(
    board: &mut Board,
    attacker: Side,
    budget: Budget<'b>,
) -> (Option<Vec<Move>>, Budget<'b>) {
    let (found, budget) = Plans::<W>::find(board, attacker, false, budget);
    (found.map(|found| found.replies), budget)
}

/// A win against no stone, and those against single ones.
type Chosen<const W: usize> = (Rc<Win<W>>, Singles<W>);

struct Wide<'r, 'b, const W: usize> {
    lines: Lines<'r, 'b, W>,
    extent: Extent,
    /// Wins against no stone.
    pool: Vec<Rc<Win<W>>>,
    /// The smallest ones against pairs.
    paired: BTreeMap<(Square, Square), Rc<Win<W>>>,
    random: Random,
    /// The replies of the smallest proof so far.
    found: Option<Vec<Move>>,
}

impl<'r, 'b, const W: usize> Wide<'r, 'b, W> {
    fn new(board: &'r mut Board, attacker: Side, extent: Extent, budget: Budget<'b>) -> Wide<'r, 'b, W> {
        Wide {
            lines: Lines::new(Graph::new(board, attacker, extent.width, true, budget)),
            extent,
            pool: Vec::new(),
            paired: BTreeMap::new(),
            random: Random::new(SEED),
            found: None,
        }
    }

    /// The replies of a proof, if this finds one, and what is left of the budget.
    fn replies(
        board: &'r mut Board,
        attacker: Side,
        extent: Extent,
        budget: Budget<'b>,
        tell: &mut dyn FnMut(u64),
    ) -> (Option<Vec<Move>>, Budget<'b>) {
        let (plans, budget) = Plans::<W>::find(board, attacker, true, budget);
        let mut wide: Wide<'r, 'b, W> = Wide::new(board, attacker, extent, budget);
        // When the budget ends it, what has been found is found.
        let _ = wide.work(plans, tell);
        (wide.found, wide.lines.graph.budget)
    }

    fn board(&self) -> &Board {
        self.lines.graph.board
    }

    fn area(&self) -> usize {
        self.board().game().area()
    }

    /// A first zone that is small.
    fn aim(&self) -> Aim<W> {
        Aim { looks: self.extent.looks, tries: self.extent.tries, ..Aim::small(self.board().game()) }
    }

    fn work(&mut self, plans: Option<plans::Found>, tell: &mut dyn FnMut(u64)) -> Result<(), Why> {
        // A win is wanted that is large, or what is known to be worth having.
        let mut worth = vec![-1; self.area()];
        let mut courses = Vec::new();
        if let Some(found) = plans {
            tell(found.replies.len() as u64);
            self.found = Some(found.replies);
            worth = found.worth.unwrap_or(worth);
            courses = found.wins;
        }
        let Some(depth) = self.depth()? else { return Ok(()) };
        if !self.fill(depth)? {
            return Ok(());
        }
        for course in courses {
            let told = |defences: &[usize]| course.reply_after(defences);
            if let Some(win) = self.lines.along(depth + 1, 0, &told, &self.aim())? {
                self.keep(win);
            }
        }
        let pool = self.pool.clone();
        let mut best = None;
        for _ in 0..self.extent.starts {
            self.pool.clone_from(&pool);
            best = self.start(best, worth, depth, tell)?;
            if best.is_none() {
                break;
            }
            worth = vec![-1; self.area()];
        }
        Ok(())
    }

    /// Chooses the win against no stone and those against single ones in turn, each by
    /// what is known of the others. The best of it, or of what there was before.
    fn start(
        &mut self,
        mut best: Option<Chosen<W>>,
        mut worth: Vec<i32>,
        depth: u8,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Option<Chosen<W>>, Why> {
        if let Some((_, singles)) = &best {
            // Not those that were found with a stone on the board.
            let graph = &self.lines.graph;
            let against_none = |win: &&Rc<Win<W>>| graph.is_against_none(win.moves[0].0);
            self.pool.extend(singles.wins.iter().filter(against_none).cloned());
        }
        for round in 0..self.extent.rounds {
            // Wins that were found in one round are there for all that follow. Every second
            // one begins with the best so far, the others where they are led.
            let before = best.as_ref().map(|(_, best)| best).filter(|_| round > 1 && round % 2 == 1);
            if let Some(before) = before {
                worth.clone_from(&before.worth);
            }
            let Some(null) = self.null(depth + 1, worth)? else { break };
            let Some(mut singles) = self.singles(&null, depth, before)? else { break };
            worth = singles.worth.clone();
            // Then what pairs really cost is known for the next round.
            let Some(replies) = self.write_down(&null, &singles, depth, tell)? else { break };
            singles.cost = replies;
            if best.as_ref().is_none_or(|(_, best)| singles.cost < best.cost) {
                best = Some((null, singles));
            }
        }
        Ok(best)
    }

    /// Answers the pairs that are left, and keeps the whole if it is the smallest. Returns
    /// its replies; none where a pair has no answer.
    fn write_down(
        &mut self,
        null: &Win<W>,
        singles: &Singles<W>,
        depth: u8,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Option<u64>, Why> {
        self.pool.sort_by_key(|win| win.replies());
        let mut list = null.list.clone();
        for win in &singles.wins {
            list.extend(&win.list);
        }
        for (s, t) in self.pairs(null, singles) {
            let Some(win) = self.answer_pair(s, t, depth)? else { return Ok(None) };
            list.extend(&win.list);
        }
        let replies = list.len() as u64;
        if self.found.as_ref().is_none_or(|found| list.len() < found.len()) {
            tell(replies);
            self.found = Some(list);
        }
        Ok(Some(replies))
    }

    /// The win against no stone, by what each square costs in its first zone. A square
    /// that only the second zone has makes pairs with others of them.
    fn null(&mut self, depth: u8, worth: Vec<i32>) -> Result<Option<Rc<Win<W>>>, Why> {
        let second = worth.iter().map(|worth| worth.abs()).max().unwrap_or(0).min(SECOND);
        let (looks, tries) = (u64::MAX, u64::MAX);
        let aim = Aim { price: worth, second, compared: COMPARED, looks, tries, ..self.aim() };
        let Some(win) = self.lines.find(&Move::NULL, depth, &aim)? else { return Ok(None) };
        self.lines.stretch(win, &aim).map(|win| Some(Rc::new(win)))
    }

    /// The fewest moves in which full threats win against no stone. What is worked out to
    /// find it is of use later; where that takes too long, it is searched for.
    fn depth(&mut self) -> Result<Option<u8>, Why> {
        for depth in 1..=MOST_DEPTH {
            match self.lines.close(&Move::NULL, depth, NODES_EACH)? {
                Some(true) => return Ok(Some(depth)),
                Some(false) => {}
                None => break,
            }
        }
        self.depth_against(&Move::NULL, MOST_DEPTH)
    }

    /// The fewest moves in which full threats win against these stones.
    fn depth_against(&mut self, stones: &Move, most: u8) -> Result<Option<u8>, Why> {
        self.lines.depth_against(stones, most, NODES_EACH)
    }
}

/// What a square that only the second zone of the win against no stone has costs.
const SECOND: i32 = 120;

#[cfg(test)]
mod tests;
