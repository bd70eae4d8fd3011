//! The wins with their replies, and the proof that they are together.

use super::super::lines::{Aim, Win};
use super::{Plans, course::Course, library::Way, pairs::Small, play::Answer, singles::Singles};
use crate::{Method, Why, Zones, proof::walk};
use rules::{Move, Square};
use std::rc::Rc;

/// Moves tried for the answer to a stone or two that no plan is, and how many moves longer
/// than plans it may be.
const NODES_EACH: u64 = 20_000;
const DEEPER: u8 = 2;

impl<const W: usize> Plans<'_, '_, W> {
    /// Those to choose from, with their numbers.
    pub(super) fn wins(&self) -> impl Iterator<Item = (usize, &Way<W>)> {
        self.library.best.iter().map(|&win| (win, &self.library.ways[win]))
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
            let small = match singles.pairs.answer(s, t) {
                Some(Small::List(list)) => Some(list.clone()),
                Some(Small::Tree(course)) => self.play(course, &pair).map(|answer| answer.list),
                None => None,
            };
            if let Some(small) = small {
                list.extend(small);
                continue;
            }
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
        let Way { course, zones, .. } = &self.library.ways[win];
        if matches!(course, Course::Searched) {
            // It was searched for with another stone on the board.
            return Ok(self.search(stones)?.map(Rc::new));
        }
        // A single stone outside the second zone strengthens nothing. Of a pair nobody asks for
        // the zones, and a plan is used against it that it does no harm.
        let harmless = stones.len() == 2 || !stones.iter().any(|square| zones.second.contains(square));
        let graph = &mut self.lines.graph;
        if harmless {
            let play = || self.stage.play(graph.board, graph.attacker, &Move::NULL, course).map(Rc::new);
            let played = self.played.entry(win).or_insert_with(play).clone();
            if played.is_some() {
                return Ok(played);
            }
        }
        let played = self.stage.play(graph.board, graph.attacker, stones, course).map(Rc::new);
        if played.is_some() { Ok(played) } else { Ok(self.search(stones)?.map(Rc::new)) }
    }

    /// What a tree is against two stones.
    fn play(&mut self, course: &Course, stones: &Move) -> Option<Answer<W>> {
        let graph = &mut self.lines.graph;
        self.stage.play(graph.board, graph.attacker, stones, course)
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
