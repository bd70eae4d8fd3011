//! The defender's answers to a move, and what the graph learns from both.

use super::{
    filters::{Candidate, Filter},
    macro_moves::Category,
    search::{Ply, Run},
};
use crate::{Why, full::Defence};
use rules::{Move, Square};
use threats::{ThreatCount, defence};

impl Run<'_, '_, '_> {
    /// Whether a move wins against the defences.
    pub(super) fn wins_with(
        &mut self,
        mv: &Move,
        candidate: Option<&Candidate>,
        here: &mut Ply,
        ply: usize,
        depth: u32,
    ) -> Result<bool, Why> {
        let attacker = self.attacker;
        let position = self.board.key(attacker);
        let forced = self.options.filter >= Filter::F3 && !here.theirs.count().is_none();
        mv.iter().for_each(|square| self.board.place(attacker, square));
        here.ours.find(self.board, attacker);
        self.line.push(*mv);
        let slots = candidate.map(|candidate| self.add_to_graph(candidate, forced));
        let won = match (here.ours.count(), self.options.defence) {
            (ThreatCount::More, _) => Ok(true),
            (_, Defence::Conservative) => self.answer_all(here, slots, ply, depth),
            (_, Defence::Normal) => self.answer_each(here, slots, ply, depth),
        };
        if candidate.is_some() {
            self.search.graph.end_move();
        }
        if won != Ok(true) {
            self.line.pop();
        }
        if won == Ok(true) && self.options.defence == Defence::Normal {
            let longest = here.ours.iter().filter_map(|defence| self.length_after(defence)).max();
            self.won.insert(position, *mv, 1 + longest.unwrap_or(1));
        }
        mv.iter().for_each(|square| self.board.remove(attacker, square));
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
        let defender = self.attacker.other();
        squares.iter().for_each(|&square| self.board.place(defender, square));
        if let Some(slots) = slots {
            self.note_inversion(slots, &mut here.blocks);
        }
        let won = self.is_vcdt(ply + 1, depth - 1);
        squares.iter().for_each(|&square| self.board.remove(defender, square));
        won
    }

    fn length_after(&mut self, defence: &Move) -> Option<u32> {
        let defender = self.attacker.other();
        defence.iter().for_each(|square| self.board.place(defender, square));
        let length = self.won.length(self.board.key(self.attacker));
        defence.iter().for_each(|square| self.board.remove(defender, square));
        length
    }

    /// Adds the move on the board to the graph.
    pub(super) fn add_to_graph(&mut self, candidate: &Candidate, forced: bool) -> Places {
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
