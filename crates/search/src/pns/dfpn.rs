//! Depth-first proof-number search: it goes to the most proving node as
//! proof-number search does, but keeps numbers in a table of a fixed size
//! instead of a tree.
//!
//! It stays in a subtree until its numbers have grown past thresholds. With the
//! 1 + epsilon trick they are a quarter above those of the next best move, not
//! one, so that it does not run to and fro between two subtrees, each time
//! searching again what the table has lost.
//!
//! Wins are kept apart from numbers, with their replies and zones. When there is
//! no room for another they are all forgotten; those still of use are found
//! again.

mod wins;

use super::{
    certify::Error,
    number_table::{NumberTable, Numbers},
    two_stage_b,
};
use crate::{
    Budget, Observer, Progress, Why, Zones,
    full::Values,
    tree::{
        Candidates, Evaluator, INFINITE, Stage, State,
        evaluate::{REST_OF_REPLIES, assess_and},
    },
};
use rules::{Move, Side, stone_key};
use rustc_hash::FxHashMap;
use std::{cmp::Reverse, sync::Arc};
use threats::Board;

/// The moves, as in the search of type II.
pub(super) const STAGES: &[Stage] = two_stage_b::STAGES;

/// Replies beyond the critical defences that are looked at together.
const OPEN_REPLIES: usize = 3;

/// What the zones of a win take on a board of 19 by 19, with what is around them.
const ZONES_BYTES: usize = 240;

/// Visits between two reports.
const REPORT_EVERY: usize = 1024;

/// A position that the attacker, to move, has been shown to win.
struct Proof {
    /// The move, unless the evaluation knows it.
    reply: Option<Move>,
    zones: Option<Arc<Zones>>,
}

/// Up to which numbers a subtree is searched.
#[derive(Clone, Copy)]
struct Threshold {
    pn: u32,
    dn: u32,
}

const NO_THRESHOLD: Threshold = Threshold { pn: INFINITE, dn: INFINITE };

/// A move and what is known of it.
struct Child {
    mv: Move,
    pn: u32,
    dn: u32,
}

/// The search of one position.
pub(super) struct DfpnSearch<'s, 'b> {
    attacker: Side,
    stages: &'s [Stage],
    stage: usize,
    evaluator: &'s mut Evaluator,
    candidates: &'s mut Candidates,
    values: &'s mut Values,
    budget: &'s mut Budget<'b>,
    observer: &'s mut dyn Observer,
    numbers: &'s mut NumberTable,
    /// What keys of numbers are mixed with: those of earlier searches, whose
    /// attacker or moves may have been others, are not found.
    salt: u64,
    proofs: FxHashMap<u64, Proof>,
    most_proofs: usize,
    visited: usize,
}

impl<'s, 'b> DfpnSearch<'s, 'b> {
    /// A search that keeps numbers in this table and wins in so many bytes.
    pub(super) fn new(
        attacker: Side,
        stages: &'s [Stage],
        (evaluator, candidates, values): (&'s mut Evaluator, &'s mut Candidates, &'s mut Values),
        (numbers, salt): (&'s mut NumberTable, u64),
        proofs_bytes: usize,
        budget: &'s mut Budget<'b>,
        observer: &'s mut dyn Observer,
    ) -> DfpnSearch<'s, 'b> {
        // A map grows to twice its size before it is full.
        let proof = 2 * size_of::<(u64, Proof)>() + ZONES_BYTES;
        DfpnSearch {
            attacker,
            stages,
            stage: 0,
            evaluator,
            candidates,
            values,
            budget,
            observer,
            numbers,
            salt,
            proofs: FxHashMap::default(),
            most_proofs: proofs_bytes / proof,
            visited: 0,
        }
    }

    pub(super) fn stage(&self) -> usize {
        self.stage
    }

    /// Positions looked into.
    pub(super) fn visited(&self) -> usize {
        self.visited
    }

    /// Searches until the position is proved, stage by stage.
    pub(super) fn run(&mut self, board: &mut Board, to_move: Side) -> Result<(), Error> {
        loop {
            let numbers = if to_move == self.attacker {
                match self.settle(board)? {
                    Some(numbers) => numbers,
                    None => self.or(board, NO_THRESHOLD, 0)?,
                }
            } else {
                match assess_and(board, self.attacker).0 {
                    State::Open => self.and(board, NO_THRESHOLD, 0)?,
                    state if state.is_won() => (0, INFINITE),
                    _ => (INFINITE, 0),
                }
            };
            if numbers.0 == 0 {
                return Ok(());
            }
            if self.stage + 1 >= self.stages.len() {
                return Err(Error::Why(Why::Narrowed));
            }
            self.stage += 1;
        }
    }

    /// The key under which numbers are kept: they hold for the stage only.
    fn key(&self, board: &Board, to_move: Side) -> u64 {
        board.key(to_move) ^ (self.salt + self.stage as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn visit(&mut self) -> Result<(), Why> {
        self.visited += 1;
        self.budget.count()?;
        if self.visited.is_multiple_of(REPORT_EVERY) {
            self.budget.interrupted()?;
            self.observer.report(&Progress {
                depth: self.stage as u32 + 1,
                nodes: self.budget.nodes(),
                elapsed: self.budget.elapsed(),
                line: &[],
                numbers: None,
                left: None,
            });
        }
        Ok(())
    }

    fn prove(&mut self, key: u64, reply: Option<Move>) {
        if self.proofs.len() >= self.most_proofs {
            self.proofs.clear();
        }
        self.proofs.insert(key, Proof { reply, zones: None });
    }

    /// The numbers of a position with the attacker to move that is settled
    /// without a search, or that has been searched.
    fn settle(&mut self, board: &mut Board) -> Result<Option<(u32, u32)>, Why> {
        let key = board.key(self.attacker);
        if self.proofs.contains_key(&key) {
            return Ok(Some((0, INFINITE)));
        }
        let table_key = self.key(board, self.attacker);
        // A win whose reply is forgotten has to be found again.
        if let Some(known) = self.numbers.get(table_key).filter(|known| known.pn > 0) {
            return Ok(if known.dn == 0 { Some((INFINITE, 0)) } else { None });
        }
        let (numbers, settled) = match self.evaluator.assess_or(board, self.attacker, self.budget)? {
            State::Open => (Numbers { pn: 1, dn: 1, opened: 0 }, None),
            state if state.is_won() => {
                self.prove(key, None);
                return Ok(Some((0, INFINITE)));
            }
            _ => (Numbers { pn: INFINITE, dn: 0, opened: 0 }, Some((INFINITE, 0))),
        };
        self.numbers.set(table_key, numbers, 1);
        Ok(settled)
    }

    /// The attacker to move, in a position that is not settled.
    fn or(&mut self, board: &mut Board, most: Threshold, like: u64) -> Result<(u32, u32), Why> {
        self.visit()?;
        let start = self.visited;
        let (key, table_key) = (board.key(self.attacker), self.key(board, self.attacker));
        let known = self.numbers.get(table_key);
        let (moves, hinted) = self.moves(board, key, like)?;
        let stage = self.stages[self.stage];
        let mut opened = known.map_or(0, |known| usize::from(known.opened)).min(moves.len());
        if opened == 0 {
            opened = if hinted { 1 } else { stage.batch.min(moves.len()) };
        }
        let mut children: Vec<Child> = Vec::new();
        loop {
            for &mv in &moves[children.len()..opened] {
                let child = self.child_and(board, mv);
                children.push(child);
            }
            let batches = opened.div_ceil(stage.batch) as u32;
            let rest = (opened < moves.len()).then(|| match (hinted, opened) {
                (true, 1) => 3,
                _ => stage.limit.saturating_mul(batches),
            });
            let least = children.iter().map(|child| child.pn).chain(rest).min().unwrap_or(INFINITE);
            let add = |sum: u32, child: &Child| sum.saturating_add(child.dn).min(INFINITE - 1);
            let dn = children.iter().fold(u32::from(rest.is_some()), add);
            if least == 0 {
                let reply = children.iter().find(|child| child.pn == 0).map(|child| child.mv);
                self.prove(key, reply);
                return Ok((0, INFINITE));
            }
            if dn == 0 || least >= most.pn || dn >= most.dn {
                let pn = if dn == 0 { INFINITE } else { least };
                let numbers = Numbers { pn, dn, opened: opened as u16 };
                self.numbers.set(table_key, numbers, (self.visited - start) as u64);
                return Ok((pn, dn));
            }
            let Some(best) = children.iter().position(|child| child.pn == least) else {
                // The least is what waits.
                opened = if hinted && opened == 1 { 1 + stage.batch } else { opened + stage.batch };
                opened = opened.min(moves.len());
                continue;
            };
            let others = children.iter().enumerate().filter(|&(i, _)| i != best).map(|(_, child)| child.pn);
            let second = others.chain(rest).min().unwrap_or(INFINITE);
            let child = &children[best];
            let threshold = Threshold {
                pn: most.pn.min(above(second)),
                dn: most.dn.saturating_sub(dn).saturating_add(child.dn),
            };
            let mv = child.mv;
            let attacker = self.attacker;
            mv.iter().for_each(|square| board.place(attacker, square));
            let numbers = self.and(board, threshold, like);
            mv.iter().for_each(|square| board.remove(attacker, square));
            let (pn, dn) = numbers?;
            (children[best].pn, children[best].dn) = (pn, dn);
        }
    }

    /// The moves on offer; whether the first is one that won a like position.
    fn moves(&mut self, board: &mut Board, key: u64, like: u64) -> Result<(Vec<Move>, bool), Why> {
        let mut moves = Vec::new();
        let hint = match like {
            0 => None,
            _ => self.proofs.get(&(key ^ like)).and_then(|proof| proof.reply),
        };
        let hint = hint.filter(|mv| mv.iter().all(|square| board.is_empty(square)));
        for stage in &self.stages[..=self.stage] {
            let mut more = Vec::new();
            self.candidates.list(board, self.attacker, stage.offer, &mut more, self.budget)?;
            moves.append(&mut more);
        }
        if let Some(hint) = hint {
            moves.retain(|mv| *mv != hint);
            moves.insert(0, hint);
        }
        Ok((moves, hint.is_some()))
    }

    /// The position after a move of the attacker's.
    fn child_and(&mut self, board: &mut Board, mv: Move) -> Child {
        let attacker = self.attacker;
        mv.iter().for_each(|square| board.place(attacker, square));
        let known = self.numbers.get(self.key(board, attacker.other()));
        let (pn, dn) = match (known, assess_and(board, attacker)) {
            // That it was proved counts only while the proof is there.
            (Some(Numbers { pn: pn @ 1.., dn, .. }), (State::Open, _)) => (pn, dn),
            (_, (State::Open, rest)) => (rest, 1),
            (_, (state, _)) if state.is_won() => (0, INFINITE),
            _ => (INFINITE, 0),
        };
        mv.iter().for_each(|square| board.remove(attacker, square));
        Child { mv, pn, dn }
    }

    /// The defender to move, in a position that is not settled.
    fn and(&mut self, board: &mut Board, most: Threshold, like: u64) -> Result<(u32, u32), Why> {
        self.visit()?;
        let start = self.visited;
        let table_key = self.key(board, self.attacker.other());
        let (pn, dn) = self.replies(board, most, like)?;
        let numbers = Numbers { pn, dn, opened: 0 };
        self.numbers.set(table_key, numbers, (self.visited - start) as u64);
        Ok((pn, dn))
    }

    fn replies(&mut self, board: &mut Board, most: Threshold, like: u64) -> Result<(u32, u32), Why> {
        let p = usize::from(board.game().p());
        let mut first = true;
        loop {
            let mut moves = self.needed(board, false)?.moves;
            if moves.is_empty() {
                return Ok((0, INFINITE));
            }
            let spare = !first || moves.iter().any(|mv| mv.len() < p);
            if !first {
                self.strongest_first(board, &mut moves);
            }
            let mut children = Vec::new();
            for mv in moves {
                let child = self.child_or(board, mv)?;
                if child.dn == 0 {
                    return Ok((INFINITE, 0));
                }
                children.extend(Some(child).filter(|child| child.pn > 0));
                if !first && children.len() >= OPEN_REPLIES {
                    break;
                }
            }
            first = false;
            let rest = if spare { REST_OF_REPLIES } else { 0 };
            while !children.is_empty() {
                let add = |sum: u32, child: &Child| sum.saturating_add(child.pn).min(INFINITE - 1);
                let pn = children.iter().fold(rest, add);
                let dn = children.iter().map(|child| child.dn).min().unwrap_or(INFINITE);
                if dn == 0 {
                    return Ok((INFINITE, 0));
                }
                if pn >= most.pn || dn >= most.dn {
                    return Ok((pn, dn));
                }
                let best = children.iter().position(|child| child.dn == dn).unwrap_or(0);
                let others = children.iter().enumerate().filter(|&(i, _)| i != best);
                let second = others.map(|(_, child)| child.dn).min().unwrap_or(INFINITE);
                let child = &children[best];
                let threshold = Threshold {
                    pn: most.pn.saturating_sub(pn).saturating_add(child.pn),
                    dn: most.dn.min(above(second)),
                };
                let (pn, dn) = self.after(board, child.mv, threshold, like)?;
                (children[best].pn, children[best].dn) = (pn, dn);
                if pn == 0 {
                    children.remove(best);
                }
            }
        }
    }

    /// Searches the position after a reply of the defender's.
    fn after(
        &mut self,
        board: &mut Board,
        mv: Move,
        threshold: Threshold,
        like: u64,
    ) -> Result<(u32, u32), Why> {
        let defender = self.attacker.other();
        mv.iter().for_each(|square| board.place(defender, square));
        let key = board.key(self.attacker);
        let stone = mv.squares().last().map(|&last| stone_key(defender, last));
        let like = stone.filter(|stone| self.proofs.contains_key(&(key ^ stone))).unwrap_or(like);
        let numbers = match self.settle(board) {
            Ok(Some(numbers)) => Ok(numbers),
            Ok(None) => self.or(board, threshold, like),
            Err(why) => Err(why),
        };
        mv.iter().for_each(|square| board.remove(defender, square));
        numbers
    }

    /// The position after a reply of the defender's, evaluated if it is new.
    fn child_or(&mut self, board: &mut Board, mv: Move) -> Result<Child, Why> {
        let defender = self.attacker.other();
        mv.iter().for_each(|square| board.place(defender, square));
        let settled = self.settle(board);
        let known = self.numbers.get(self.key(board, self.attacker));
        mv.iter().for_each(|square| board.remove(defender, square));
        let (pn, dn) = settled?.or(known.map(|known| (known.pn, known.dn))).unwrap_or((1, 1));
        Ok(Child { mv, pn, dn })
    }

    fn strongest_first(&mut self, board: &Board, moves: &mut [Move]) {
        self.values.forget();
        let attacker = self.attacker;
        moves.sort_by_cached_key(|mv| {
            let worth: u32 = mv.iter().map(|square| self.values.of(board, attacker, square)).sum();
            (Reverse(worth), *mv)
        });
    }
}

/// A quarter more than the second best number, and one at least.
fn above(second: u32) -> u32 {
    second.saturating_add((second / 4).max(1))
}
