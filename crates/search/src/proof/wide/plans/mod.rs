//! Small proofs in little time, from plans: moves that win in one order whatever the
//! defender answers.
//!
//! What makes a proof small is told in [`wide`](super). The wins against single stones are
//! chosen from plans here. There are few enough of them to have them all, and
//! their zones are told without playing them out. Most wins of the smallest proofs known
//! are plans, or have one in their zone: 95 of 126 in one of Connect(6,2,3) with 29,868 replies.

mod duel;
mod forecast;
mod library;
mod null;
mod outline;
mod play;
mod singles;
mod written;

use super::{
    graph::Graph,
    lines::{Aim, Lines, Win},
};
use crate::{Budget, Why, candidates::Generator, puzzle::Random};
use forecast::Forecaster;
use library::Library;
use null::Broad;
use outline::Outline;
use play::{Answer, Stage};
use rules::{Move, Side};
use singles::Singles;
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};
use threats::Board;

/// The most moves of the shortest plan, and the moves tried to find it, and then for all plans
/// of a move more.
const MOST_DEPTH: u8 = 5;
const TRIES: u64 = 40_000;

/// Moves of a position with one, two and more moves to go that the win against no stone is
/// put together from.
const WIDTH: [usize; 3] = [usize::MAX, 8, usize::MAX];

/// The last moves of that win are chosen from all there are, those before from plans.
const LAST: u8 = 2;

/// What chance begins with.
const SEED: u64 = 1;

/// What a square costs that only the second zone of the win against no stone has.
const SECOND: i32 = 120;

/// What this finds.
pub(super) struct Found {
    /// The replies of a proof.
    pub(super) replies: Vec<Move>,
    /// The plans that were chosen against some stone.
    pub(super) plans: Vec<Box<[Move]>>,
    /// By square: what it costs to have it in the zone of the win against no stone.
    pub(super) worth: Vec<i32>,
}

pub(super) struct Plans<'r, 'b, const W: usize> {
    lines: Lines<'r, 'b, W>,
    outline: Outline<W>,
    library: Library<W>,
    /// Wins against stones that no plan does without. They are numbered after the plans.
    extra: Vec<Answer<W>>,
    stage: Stage,
    /// Plans that have been played out against no stone.
    played: BTreeMap<usize, Option<Rc<Answer<W>>>>,
    random: Random,
}

impl<'r, 'b, const W: usize> Plans<'r, 'b, W> {
    /// What there is to find, and what is left of the budget. The win against no stone is
    /// chosen in so many rounds, and those against single ones each time.
    pub(super) fn find(
        board: &'r mut Board,
        attacker: Side,
        rounds: u32,
        mut budget: Budget<'b>,
    ) -> (Option<Found>, Budget<'b>) {
        let Some((outline, mut forecaster)) = Plans::<W>::outline(board, attacker, &mut budget) else {
            return (None, budget);
        };
        let library = Library::new(&outline, board, &mut forecaster);
        let mut plans = Plans::new(Graph::new(board, attacker, WIDTH, false, budget), outline, library);
        let found = plans.work(rounds);
        (found.ok().flatten(), plans.lines.graph.budget)
    }

    fn new(graph: Graph<'r, 'b, W>, outline: Outline<W>, library: Library<W>) -> Plans<'r, 'b, W> {
        Plans {
            lines: Lines::new(graph),
            outline,
            library,
            extra: Vec::new(),
            stage: Stage::default(),
            played: BTreeMap::new(),
            random: Random::new(SEED),
        }
    }

    /// All plans that are a move longer than the shortest, or where they are too many those
    /// that are as short.
    fn outline(
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Option<(Outline<W>, Forecaster<W>)> {
        let mut generator = Generator::new(board.game());
        let forecaster = Forecaster::new(board, attacker)?;
        let mut shortest: Option<Outline<W>> = None;
        for depth in 1..=MOST_DEPTH + 1 {
            let mut part = budget.part(TRIES, None);
            let outline = Outline::new(board, attacker, &mut generator, &forecaster, depth, &mut part);
            budget.absorb(&part).ok()?;
            match outline {
                Ok(outline) if shortest.is_some() => return Some((outline, forecaster)),
                Ok(outline) if outline.wins() => shortest = Some(outline),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        shortest.map(|outline| (outline, forecaster))
    }

    fn board(&self) -> &Board {
        self.lines.graph.board
    }

    fn work(&mut self, rounds: u32) -> Result<Option<Found>, Why> {
        // Large to begin with.
        let mut worth = vec![-1; self.board().game().area()];
        let mut last: Option<Singles> = None;
        let mut used: BTreeSet<usize> = BTreeSet::new();
        let mut best: Option<(u32, Win<W>, Singles)> = None;
        for _ in 0..rounds {
            let Some(null) = self.null(&worth)? else { break };
            let Some(singles) = self.singles(&null, last.as_ref())? else { break };
            let cost = null.replies() + singles.cost + self.outer_cost(&null);
            used.extend(&singles.wins);
            worth.clone_from(&singles.worth);
            last = Some(singles.clone());
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = Some((cost, null, singles));
            }
        }
        let Some((_, null, singles)) = best else { return Ok(None) };
        let Some(replies) = self.write_down(&null, &singles)? else { return Ok(None) };
        let plans = used.iter().filter_map(|&win| self.library.plans.get(win));
        let plans = plans.map(|plan| plan.moves.clone()).collect();
        Ok(Some(Found { replies, plans, worth: singles.worth }))
    }

    /// The win against no stone, by what each square costs in its first zone.
    fn null(&mut self, worth: &[i32]) -> Result<Option<Win<W>>, Why> {
        let tree = Broad::new(&self.outline, worth).find();
        let second = worth.iter().map(|worth| worth.abs()).max().unwrap_or(0).min(SECOND);
        let aim = Aim { price: worth.to_vec(), second, ..Aim::small(self.board().game()) };
        let win = self.lines.along(self.outline.depth, LAST, &|defences| tree.reply_after(defences), &aim)?;
        win.map(|win| self.lines.stretch(win, &aim)).transpose()
    }
}

#[cfg(test)]
mod tests;
