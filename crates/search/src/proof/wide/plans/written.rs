//! The wins with their replies, and the proof that they are together.

use super::super::{
    bits::Squares,
    lines::{Aim, Win},
};
use super::{Plans, play::Answer, singles::Singles};
use crate::{Method, Why, Zones, proof::walk};
use rules::{Move, Square};
use std::rc::Rc;

/// Moves tried for the answer to a stone or two that no plan is, and how many moves longer
/// than plans it may be.
const NODES_EACH: u64 = 20_000;
const DEEPER: u8 = 2;

/// Wins are numbered: the plans, then those that were searched for against a stone.
impl<const W: usize> Plans<'_, '_, W> {
    /// Those to choose from.
    pub(super) fn wins(&self) -> impl Iterator<Item = usize> {
        let plans = self.library.plans.len();
        self.library.best.iter().copied().chain(plans..plans + self.extra.len())
    }

    /// The first and the second zone of a win.
    pub(super) fn zones_of(&self, win: usize) -> (&Squares<W>, &Squares<W>) {
        match self.library.plans.get(win) {
            Some(plan) => (&plan.zones.first, &plan.zones.second),
            None => {
                let extra = &self.extra[win - self.library.plans.len()];
                (&extra.first, &extra.second)
            }
        }
    }

    pub(super) fn replies_of(&self, win: usize) -> u32 {
        match self.library.plans.get(win) {
            Some(plan) => plan.replies,
            None => self.extra[win - self.library.plans.len()].list.len() as u32,
        }
    }

    /// The first zone with a stone on the board, as far as it is foreseen.
    pub(super) fn zone_against(&self, win: usize, stone: Square) -> Squares<W> {
        match self.library.plans.get(win) {
            Some(plan) => plan.zones.first_with(self.board(), stone),
            None => *self.zones_of(win).0,
        }
    }

    /// The replies to the pairs that are asked about for the sake of the win against no stone
    /// alone, at the least.
    pub(super) fn outer_cost(&self, null: &Win<W>) -> u32 {
        let least = self.library.plans.first().map_or(0, |plan| plan.replies);
        self.pairs(null, &[]).len() as u32 * least
    }

    /// The replies of the whole. None where a stone or two have no answer.
    pub(super) fn write_down(&mut self, null: &Win<W>, singles: &Singles) -> Result<Option<Vec<Move>>, Why> {
        let mut list = null.list.clone();
        let mut zones = Vec::with_capacity(singles.stones.len());
        for (&s, &win) in singles.stones.iter().zip(&singles.wins) {
            self.lines.graph.budget.interrupted()?;
            let Some(answer) = self.answer(win, &Move::single(s))? else { return Ok(None) };
            list.extend(&answer.list);
            let (first, second) = (answer.first.words(), answer.second.words());
            zones.push((s, Zones::from_words(self.board().game(), first, second)));
        }
        for (s, t) in self.pairs(null, &zones) {
            self.lines.graph.budget.interrupted()?;
            let pair = walk::with(&Move::NULL, &[s, t]);
            let answer = match self.library.against(self.board(), s, t) {
                Some(win) => self.answer(win, &pair)?,
                None => self.search(&pair)?.map(Rc::new),
            };
            let Some(answer) = answer else { return Ok(None) };
            list.extend(&answer.list);
        }
        Ok(Some(list))
    }

    /// The pairs that the walk asks about.
    fn pairs(&self, null: &Win<W>, singles: &[(Square, Zones)]) -> Vec<(Square, Square)> {
        let board = self.board();
        let zones = Zones::from_words(board.game(), null.first.words(), null.second.words());
        let singles: Vec<(Square, &Zones)> = singles.iter().map(|(s, zones)| (*s, zones)).collect();
        walk::pairs(board, self.lines.graph.attacker, Method::Mutual, &Move::NULL, &zones, &singles)
    }

    /// A win against a stone or two outside its first zone.
    fn answer(&mut self, win: usize, stones: &Move) -> Result<Option<Rc<Answer<W>>>, Why> {
        if win >= self.library.plans.len() {
            // It was searched for with another stone on the board.
            return Ok(self.search(stones)?.map(Rc::new));
        }
        // A single stone outside the second zone strengthens nothing. Of a pair nobody asks for
        // the zones, and a plan is used against it that it does no harm.
        let (_, second) = self.zones_of(win);
        let harmless = stones.len() == 2 || !stones.iter().any(|square| second.contains(square));
        if harmless && let Some(answer) = self.play_once(win) {
            return Ok(Some(answer));
        }
        let played = self.play(win, stones).map(Rc::new);
        if played.is_some() { Ok(played) } else { Ok(self.search(stones)?.map(Rc::new)) }
    }

    /// A plan against no stone.
    fn play_once(&mut self, plan: usize) -> Option<Rc<Answer<W>>> {
        if let Some(played) = self.played.get(&plan) {
            return played.clone();
        }
        let played = self.play(plan, &Move::NULL).map(Rc::new);
        self.played.insert(plan, played.clone());
        played
    }

    fn play(&mut self, plan: usize, stones: &Move) -> Option<Answer<W>> {
        let graph = &mut self.lines.graph;
        self.stage.play(graph.board, graph.attacker, stones, &self.library.plans[plan].moves)
    }

    /// A win against a stone or two that is searched for.
    pub(super) fn search(&mut self, stones: &Move) -> Result<Option<Answer<W>>, Why> {
        let most = self.outline.depth + DEEPER;
        let Some(depth) = self.lines.depth_against(stones, most, NODES_EACH)? else { return Ok(None) };
        let aim = Aim { compared: 1, ..Aim::small(self.board().game()) };
        let found = self.lines.find(stones, depth, &aim)?;
        Ok(found.map(|Win { list, first, second, .. }| Answer { list, first, second }))
    }
}
