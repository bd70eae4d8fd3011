//! The wins by full threats in a position and after them, all of them, worked out
//! as far as somebody looks.
//!
//! Wins that differ by their zones are looked for again and again in the same
//! positions. What can be played there, and the zones that it brings, is worked
//! out once.

use crate::{
    Budget, Why, Zones,
    candidates::{Candidates, Generator, How},
    forced::add_base,
    full::Partners,
};
use rules::{Move, Side};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use threats::{Board, Defences, ThreatCount};

/// Free stones that are tried.
const PARTNERS: usize = 5;

/// A winning move.
pub(super) struct Step {
    pub(super) reply: Move,
    /// Of the move itself: what it takes, and the threats that it makes.
    pub(super) zones: Zones,
    /// The defences. None where there are more threats than can be met.
    pub(super) defences: Vec<Move>,
}

/// In how many moves a position is won, as far as that is known.
#[derive(Clone, Copy)]
struct Known {
    wins: u8,
    fails: u8,
}

/// Memory for one move of a line.
#[derive(Default)]
struct Ply {
    moves: Candidates,
    theirs: Defences,
    ours: Defences,
    killer: Option<Move>,
}

pub(super) struct Graph<'r, 'b> {
    pub(super) board: &'r mut Board,
    pub(super) attacker: Side,
    pub(super) budget: Budget<'b>,
    generator: Generator,
    known: FxHashMap<u64, Known>,
    steps: FxHashMap<(u64, u8), Rc<[Step]>>,
    plies: Vec<Ply>,
}

impl<'r, 'b> Graph<'r, 'b> {
    pub(super) fn new(board: &'r mut Board, attacker: Side, budget: Budget<'b>) -> Graph<'r, 'b> {
        Graph {
            generator: Generator::new(board.game()),
            board,
            attacker,
            budget,
            known: FxHashMap::default(),
            steps: FxHashMap::default(),
            plies: Vec::new(),
        }
    }

    /// Has `work` done with stones of the defender on the board.
    pub(super) fn against<T>(&mut self, stones: &Move, work: impl FnOnce(&mut Self) -> T) -> T {
        let defender = self.attacker.other();
        stones.iter().for_each(|square| self.board.place(defender, square));
        let done = work(self);
        stones.iter().for_each(|square| self.board.remove(defender, square));
        done
    }

    /// Has `work` done with so many moves tried at most. An error when the whole
    /// budget is used up; none where only the part is.
    pub(super) fn within<T>(
        &mut self,
        nodes: u64,
        work: impl FnOnce(&mut Self) -> Result<Option<T>, Why>,
    ) -> Result<Option<T>, Why> {
        let part = self.budget.part(nodes, None);
        let whole = std::mem::replace(&mut self.budget, part);
        let done = work(self);
        let part = std::mem::replace(&mut self.budget, whole);
        self.budget.absorb(&part)?;
        Ok(done.ok().flatten())
    }

    /// The fewest moves in which full threats win, if they do in so many.
    pub(super) fn depth(&mut self, most: u8) -> Result<Option<u8>, Why> {
        for depth in 1..=most {
            if self.wins(depth, 0)? {
                return Ok(Some(depth));
            }
        }
        Ok(None)
    }

    /// Whether full threats win in so many moves, the last of which makes more
    /// threats than can be met.
    fn wins(&mut self, depth: u8, ply: usize) -> Result<bool, Why> {
        if self.board.has_threat(self.attacker) {
            return Ok(true);
        }
        if depth == 0 {
            return Ok(false);
        }
        let key = self.board.key(self.attacker);
        let known = self.known.get(&key).copied().unwrap_or(Known { wins: u8::MAX, fails: 0 });
        if known.wins <= depth || known.fails >= depth {
            return Ok(known.wins <= depth);
        }
        if self.plies.len() <= ply {
            self.plies.resize_with(ply + 1, Ply::default);
        }
        let mut here = std::mem::take(&mut self.plies[ply]);
        let won = self.try_moves(&mut here, depth, ply);
        self.plies[ply] = here;
        let won = won?;
        let known = self.known.entry(key).or_insert(Known { wins: u8::MAX, fails: 0 });
        if won {
            known.wins = depth;
        } else {
            known.fails = depth;
        }
        Ok(won)
    }

    fn try_moves(&mut self, here: &mut Ply, depth: u8, ply: usize) -> Result<bool, Why> {
        self.budget.count()?;
        here.theirs.find(self.board, self.attacker.other());
        if here.theirs.count() == ThreatCount::More {
            return Ok(false);
        }
        if self.generator.attack.overwhelming(self.board, self.attacker, &here.theirs).is_some() {
            return Ok(true);
        }
        if depth == 1 {
            return Ok(false);
        }
        let how = How { partners: Partners::Useful(PARTNERS), killer: here.killer };
        self.generator.fill(self.board, self.attacker, &here.theirs, how, &self.budget, &mut here.moves)?;
        for i in 0..here.moves.len() {
            let mv = here.moves.get(i);
            self.budget.count()?;
            mv.iter().for_each(|square| self.board.place(self.attacker, square));
            here.ours.find(self.board, self.attacker);
            let won = self.answers(&here.ours, depth, ply);
            mv.iter().for_each(|square| self.board.remove(self.attacker, square));
            if won? {
                here.killer = Some(mv);
                self.generator.note_win(&mv);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether every defence is answered in a move less.
    fn answers(&mut self, defences: &Defences, depth: u8, ply: usize) -> Result<bool, Why> {
        if self.board.has_threat(self.attacker.other()) {
            return Ok(false);
        }
        for defence in defences.iter() {
            if !self.against(defence, |graph| graph.wins(depth - 1, ply + 1))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The moves that win in at most so many. Where one ends the line at once,
    /// only such moves.
    pub(super) fn steps(&mut self, depth: u8) -> Result<Rc<[Step]>, Why> {
        let key = (self.board.key(self.attacker), depth);
        if let Some(steps) = self.steps.get(&key) {
            return Ok(Rc::clone(steps));
        }
        let steps: Rc<[Step]> = self.work_out(depth)?.into();
        self.steps.insert(key, Rc::clone(&steps));
        Ok(steps)
    }

    fn work_out(&mut self, depth: u8) -> Result<Vec<Step>, Why> {
        let attacker = self.attacker;
        let mut steps = Vec::new();
        let mut theirs = Defences::default();
        theirs.find(self.board, attacker.other());
        if theirs.count() == ThreatCount::More || depth == 0 || self.board.has_threat(attacker) {
            return Ok(steps);
        }
        let mut moves = Vec::new();
        self.generator.attack.all_overwhelming(self.board, attacker, &theirs, &mut moves);
        let ends = !moves.is_empty();
        if !ends && depth > 1 {
            let mut here = Candidates::default();
            let how = How { partners: Partners::Useful(PARTNERS), killer: None };
            self.generator.fill(self.board, attacker, &theirs, how, &self.budget, &mut here)?;
            moves.extend((0..here.len()).map(|i| here.get(i)));
        }
        let mut ours = Defences::default();
        for reply in moves {
            self.budget.count()?;
            reply.iter().for_each(|square| self.board.place(attacker, square));
            ours.find(self.board, attacker);
            let won = self.answers(&ours, depth, 0);
            if won == Ok(true) {
                let mut zones = Zones::empty(self.board.game());
                add_base(&mut zones, self.board, attacker);
                zones.add_move(&reply);
                steps.push(Step { reply, zones, defences: ours.iter().copied().collect() });
            }
            reply.iter().for_each(|square| self.board.remove(attacker, square));
            won?;
        }
        Ok(steps)
    }
}
