//! Small proofs in little time, from plans: moves that win in one order whatever the
//! defender answers.
//!
//! What makes a proof small is told in [`wide`](super). The wins against single stones are
//! chosen from plans here. There are few enough of them to have them all, and
//! their zones are told without playing them out. Most wins of the smallest proofs known
//! are plans, or have one in their zone: 95 of 126 in one of Connect(6,2,3) with 29,868 replies. Most of the
//! others are [`trees`] of moves of plans, which answer some defences differently; when the
//! plans have been chosen, trees are looked for that suit them.

mod course;
mod duel;
mod forecast;
mod library;
mod null;
mod numbers;
mod outline;
mod pairs;
mod play;
mod singles;
mod table;
mod trees;
mod written;

use super::{
    graph::Graph,
    lines::{Aim, Lines, Win},
};
use crate::{Budget, Why, candidates::Generator, puzzle::Random};
use course::Course;
use forecast::Forecaster;
use library::Library;
use null::Broad;
use outline::Outline;
use play::{Answer, Stage};
use rules::{Move, Side};
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

/// What chance begins with: the first number there is.
const SEED: u64 = 1;

/// What a square costs that only the second zone of the win against no stone has.
const SECOND: i32 = 200;

/// What a square costs in the first zone of the win against no stone, and what it is worth there
/// if all wins have it in theirs.
const COST: i32 = 20;
const WORTH: i32 = 10_000;

/// Moves tried to work out all wins that are as short as the shortest plan.
const CLOSE: u64 = 40_000;

/// What this finds.
pub(super) struct Found {
    /// The replies of a proof.
    pub(super) replies: Vec<Move>,
    /// The wins that were chosen against some stone.
    pub(super) wins: Vec<Course>,
    /// By square: what it costs to have it in the zone of the win against no stone. Told where
    /// somebody wants to know.
    pub(super) worth: Option<Vec<i32>>,
}

pub(super) struct Plans<'r, 'b, const W: usize> {
    lines: Lines<'r, 'b, W>,
    outline: Outline<W>,
    library: Library<W>,
    forecaster: Forecaster<W>,
    /// Whether all wins that are as short as the shortest plan have been worked out.
    closed: bool,
    stage: Stage,
    /// Plans that have been played out against no stone.
    played: BTreeMap<usize, Option<Rc<Answer<W>>>>,
    random: Random,
}

impl<'r, 'b, const W: usize> Plans<'r, 'b, W> {
    /// What there is to find, with what squares are worth if that is wanted, and what is left
    /// of the budget.
    pub(super) fn find(
        board: &'r mut Board,
        attacker: Side,
        worth: bool,
        mut budget: Budget<'b>,
    ) -> (Option<Found>, Budget<'b>) {
        let Some((outline, mut forecaster)) = Plans::<W>::outline(board, attacker, &mut budget) else {
            return (None, budget);
        };
        let library = Library::new(&outline, board, &mut forecaster);
        let graph = Graph::new(board, attacker, WIDTH, true, budget);
        let mut plans = Plans::new(graph, outline, library, forecaster);
        let found = plans.work(worth);
        (found.ok().flatten(), plans.lines.graph.budget)
    }

    fn new(
        graph: Graph<'r, 'b, W>,
        outline: Outline<W>,
        library: Library<W>,
        forecaster: Forecaster<W>,
    ) -> Plans<'r, 'b, W> {
        Plans {
            lines: Lines::new(graph),
            outline,
            library,
            forecaster,
            closed: false,
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

    fn work(&mut self, worth: bool) -> Result<Option<Found>, Why> {
        self.closed = self.lines.close(&Move::NULL, self.library.shortest, CLOSE)? == Some(true);
        self.lines.graph.tell_spares(false);
        let Some(null) = self.null(&self.shares())? else { return Ok(None) };
        let Some(singles) = self.singles(&null)? else { return Ok(None) };
        let Some(replies) = self.write_down(&null, &singles)? else { return Ok(None) };
        let wins: BTreeSet<usize> = singles.wins.iter().copied().collect();
        let wins = wins.iter().map(|&win| self.library.ways[win].course.clone()).collect();
        Ok(Some(Found { replies, wins, worth: worth.then(|| self.worth(&singles)) }))
    }

    /// What each square costs in the zone of the win against no stone, before it is known
    /// which wins are used against single ones: the more wins there are to choose from that have it
    /// in their zones, the more pairs it is spared in if it is there.
    fn shares(&self) -> Vec<i32> {
        let mut counts = vec![0; self.board().game().area()];
        let mut all = 0;
        for (_, way) in self.wins().take(self.library.small) {
            way.zones.first.iter().for_each(|square| counts[square.index()] += 1);
            all += 1;
        }
        counts.iter().map(|count| COST - WORTH * count / all.max(1)).collect()
    }

    /// The win against no stone, by what each square costs in its first zone.
    fn null(&mut self, worth: &[i32]) -> Result<Option<Win<W>>, Why> {
        let second = worth.iter().map(|worth| worth.abs()).max().unwrap_or(0).min(SECOND);
        let board = &*self.lines.graph.board;
        let (outline, forecaster) = (&self.outline, &mut self.forecaster);
        let Some(tree) = (Broad { outline, forecaster, board, price: worth, second }).find() else {
            return Ok(None);
        };
        let aim = Aim { price: worth.to_vec(), second, ..Aim::small(board.game()) };
        let win = self.lines.along(self.outline.depth, LAST, &|defences| tree.reply_after(defences), &aim)?;
        let Some(win) = win else { return Ok(None) };
        // Where a line has gone on, others may end differently.
        let win = self.lines.stretch(win, &aim)?;
        let win = self.lines.lay_anew(win, LAST, &aim)?;
        self.lines.stretch(win, &aim).map(Some)
    }
}

#[cfg(test)]
mod tests;
