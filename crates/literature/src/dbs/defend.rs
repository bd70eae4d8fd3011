//! The defender's answers to a move, and what the graph learns from both.

use super::{
    filters::{Filter, SplitCandidate},
    macro_moves::Category,
    search::{Ply, Run},
};
use lambda6_rules::{Move, Square};
use lambda6_search::{Why, vcdt::Defence};
use lambda6_threats::{Play, ThreatCount, defence};

impl Run<'_, '_, '_> {
    /// Whether a move wins against the defences.
    pub(super) fn wins_with(
        &mut self,
        mv: &Move,
        candidate: Option<&SplitCandidate>,
        here: &mut Ply,
        ply: usize,
        depth: u32,
    ) -> Result<bool, Why> {
        let forced = self.options.filter >= Filter::F3 && !here.theirs.count().is_none();
        self.line.push(*mv);
        let won = self.play(self.attacker, mv, |run| {
            here.ours.find(run.board, run.attacker);
            let slots = candidate.map(|candidate| run.add_to_graph(candidate, forced));
            let won = match (here.ours.count(), run.options.defence) {
                (ThreatCount::More, _) => Ok(true),
                (_, Defence::Conservative) => run.answer_all(here, slots, ply, depth),
                (_, Defence::Normal) => run.answer_each(here, slots, ply, depth),
            };
            if candidate.is_some() {
                run.search.graph.end_move();
            }
            won
        });
        match won {
            Ok(true) if self.options.defence == Defence::Normal => {
                self.won.insert(self.board.key(self.attacker), *mv);
            }
            Ok(true) => {}
            _ => {
                self.line.pop();
            }
        }
        won
    }

    fn answer_all(
        &mut self,
        here: &mut Ply,
        slots: Option<Places>,
        ply: usize,
        depth: u32,
    ) -> Result<bool, Why> {
        here.ours.conservative(&mut here.squares);
        let squares = std::mem::take(&mut here.squares);
        let won = self.after_defence(&squares, here, slots, ply, depth);
        here.squares = squares;
        won
    }

    fn answer_each(
        &mut self,
        here: &mut Ply,
        slots: Option<Places>,
        ply: usize,
        depth: u32,
    ) -> Result<bool, Why> {
        let length = self.line.len();
        let ours = std::mem::take(&mut here.ours);
        let mut won = Ok(true);
        for defence in ours.iter() {
            won = self.after_defence(defence.squares(), here, slots, ply, depth);
            self.line.truncate(length);
            if won != Ok(true) {
                break;
            }
        }
        here.ours = ours;
        won
    }

    fn after_defence(
        &mut self,
        squares: &[Square],
        here: &mut Ply,
        slots: Option<Places>,
        ply: usize,
        depth: u32,
    ) -> Result<bool, Why> {
        self.play(self.attacker.other(), squares, |run| {
            if let Some(slots) = slots {
                run.note_inversion(slots, &mut here.blocks);
            }
            run.is_vcdt(ply + 1, depth - 1)
        })
    }

    /// Adds the move on the board to the graph.
    pub(super) fn add_to_graph(&mut self, candidate: &SplitCandidate, forced: bool) -> Places {
        let graph = &mut self.search.graph;
        graph.begin_move(forced);
        let first = graph.add(candidate.first.pieces, candidate.first.depends);
        let second = candidate.second.map(|second| {
            let on_first = if candidate.category == Category::Dependent { 1 << first } else { 0 };
            graph.add(second.pieces, second.depends | on_first)
        });
        // A free stone is not answered.
        [Some(first), second.filter(|_| candidate.category != Category::Other)]
    }

    /// Notes the threats that the defence on the board makes.
    pub(super) fn note_inversion(&mut self, places: Places, blocks: &mut Vec<Square>) {
        blocks.clear();
        let defender = self.attacker.other();
        if self.board.has_threat(defender) {
            defence::for_each_threat(self.board, defender, |threat| blocks.extend(threat.iter()));
        }
        let wide = self.options.filter == Filter::F5;
        for place in places.into_iter().flatten() {
            self.search.graph.note_inversion(place, blocks, wide);
        }
    }
}

/// Where on the line the primitive moves of a move are that get answered.
pub(super) type Places = [Option<usize>; 2];
