//! Quiet wins: moves without a threat after which every defence loses to VCST.
//!
//! Most games between programs are lost to such a move in the opening. The tree
//! sees it too late, and its appeal is rarely high; but the evaluation of the
//! position after it is among the best, and refuting the defences takes a second
//! or two. Not every defence is tried, so a result is a reason to play or to
//! avoid a move, not a claim.

use crate::{
    generator::{MoveRequest, SquareSet, Width},
    root::RootSearch,
    search_thread::{Interrupted, SearchThread},
};
use lambda6_rules::{Move, Side, Square};
use lambda6_search::{Limits, Zones};
use lambda6_threats::{Board, Play};
use std::{cmp::Reverse, sync::atomic::Ordering};

/// The squares of the highest appeal, whose pairs are evaluated.
const SQUARES: usize = 56;

/// The most moves that are tried by evaluation.
const MOVES: usize = 64;

/// VCST nodes for finding what a move threatens, and against each defence at
/// first.
const THREAT_NODES: u64 = 6_000;
const FIRST_NODES: u64 = 3_000;

/// The most defences that may stay open at first.
const MAX_OPEN: usize = 4;

/// The later rounds: VCST nodes against each open defence, and the number of
/// attacks searched, those with the fewest open defences.
const ROUNDS: [(u64, usize); 3] = [(20_000, 8), (120_000, 4), (800_000, 2)];

/// Nodes for finding a VCDT win of the defender.
const COUNTER_NODES: u64 = 400;

/// The defences that are tried.
const DEFENCES: Width = Width { first: 80, second: 12, moves: 150 };

/// The moves that are tried for their appeal.
const APPEALING: Width = Width { first: 8, second: 6, moves: 12 };

/// The stones of a move; games with another number are not searched.
const STONES: usize = 2;

impl RootSearch<'_> {
    /// A quiet move with which `attacker`, to move, wins, if one is found before
    /// `end`. An error when the limits did not suffice to try all moves.
    pub fn quiet_win(&mut self, attacker: Side, end: Limits) -> Result<Option<Move>, Interrupted> {
        let board = &self.thread.board;
        let stones = usize::from(board.game().p());
        let forced = Side::ALL.into_iter().any(|side| board.has_threat(side));
        if !self.thread.solves() || stones != STONES || board.empty_count() < 2 * stones || forced {
            return Ok(None);
        }
        let mut attacks = self.attacks(attacker, end)?;
        for (nodes, most) in ROUNDS {
            attacks.sort_by_key(|attack| attack.open.len());
            attacks.truncate(most);
            let mut left = Vec::new();
            for mut attack in attacks {
                if self.is_refuted(&mut attack, attacker, nodes, end)? {
                    continue;
                }
                if attack.open.is_empty() {
                    return Ok(Some(attack.mv));
                }
                left.push(attack);
            }
            attacks = left;
        }
        Ok(None)
    }

    /// The moves that leave few or no defences open with the nodes of the first
    /// round, which gets half of the limits.
    fn attacks(&mut self, attacker: Side, end: Limits) -> Result<Vec<Attack>, Interrupted> {
        let used = self.control.clock.elapsed();
        let half = Limits {
            time: end.time.map(|end| used + end.saturating_sub(used) / 2),
            nodes: end.nodes.map(|end| self.thread.nodes.midpoint(end.max(self.thread.nodes))),
            depth: None,
        };
        let mut attacks: Vec<Attack> = Vec::new();
        // A defence that has held against one move often holds against others.
        let mut held: Vec<Move> = Vec::new();
        for mv in self.quiet_moves(attacker) {
            if self.is_over(half) {
                return if attacks.is_empty() { Err(Interrupted) } else { Ok(attacks) };
            }
            let open = self.play(attacker, mv, |search| search.open_defences(attacker, half, &mut held));
            let Some(open) = open else { continue };
            let done = open.is_empty();
            attacks.push(Attack { mv, open });
            if done {
                break;
            }
        }
        Ok(attacks)
    }

    /// Whether an open defence is shown to hold; those that lose are closed.
    fn is_refuted(
        &mut self,
        attack: &mut Attack,
        attacker: Side,
        nodes: u64,
        end: Limits,
    ) -> Result<bool, Interrupted> {
        let mut board = self.thread.board.clone();
        board.place_all(attacker, attack.mv);
        let mut i = 0;
        while i < attack.open.len() {
            if self.is_over(end) {
                return Err(Interrupted);
            }
            let defence = attack.open[i];
            match board.play(attacker.other(), defence, |board| self.vcst(board, attacker, nodes, end)) {
                VcstOutcome::Win(_) => drop(attack.open.remove(i)),
                VcstOutcome::NoWin => return Ok(true),
                VcstOutcome::Unknown => i += 1,
            }
        }
        Ok(false)
    }

    fn is_over(&self, end: Limits) -> bool {
        self.control.stop.load(Ordering::Relaxed)
            || end.time.is_some_and(|time| self.control.clock.elapsed() >= time)
            || end.nodes.is_some_and(|nodes| self.thread.nodes >= nodes)
    }

    /// The moves to try: the one that the tree expects, the best by evaluation,
    /// and some of high appeal.
    fn quiet_moves(&mut self, side: Side) -> Vec<Move> {
        let stones = STONES.min(self.thread.board.empty_count());
        let expected = self.table.get(self.thread.board.key(side)).map(|entry| entry.mv);
        let by_value = self.best_by_value(side);
        let mut appealing = Vec::new();
        let SearchThread { evaluation, generator, board, .. } = &mut *self.thread;
        let request = MoveRequest { side, stones, width: APPEALING, sets: &[], zone: None };
        generator.find(evaluation, request, &mut appealing);
        let (first, rest) = by_value.split_at(by_value.len().min(MOVES / 4));
        let appealing = appealing.into_iter().map(|(_, mv)| mv);
        let all =
            expected.into_iter().chain(first.iter().copied()).chain(appealing).chain(rest.iter().copied());
        let mut moves: Vec<Move> = Vec::new();
        for mv in all.map(|mv| mv.sorted()) {
            let fits = mv.len() == stones && mv.iter().all(|square| board.is_empty(square));
            if fits && !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        moves
    }

    /// The moves whose positions have the best evaluation for `side`.
    fn best_by_value(&mut self, side: Side) -> Vec<Move> {
        let evaluation = &mut self.thread.evaluation;
        let empty = evaluation.game().squares().filter(|&square| evaluation.is_empty(square));
        let mut squares: Vec<(i32, Square)> =
            empty.map(|square| (evaluation.appeal(side, square), square)).collect();
        squares.sort_unstable_by_key(|&(appeal, square)| (Reverse(appeal), square));
        squares.truncate(SQUARES);
        let mut moves: Vec<(i32, Move)> = Vec::new();
        for (i, &(_, first)) in squares.iter().enumerate() {
            evaluation.play(side, [first], |evaluation| {
                for &(_, second) in &squares[..i] {
                    let value = evaluation.play(side, [second], |after| after.evaluate(side.other()));
                    moves.push((value, Move::pair(first, second)));
                }
            });
        }
        moves.sort_by_key(|&(value, _)| value);
        moves.into_iter().take(MOVES).map(|(_, mv)| mv).collect()
    }

    /// Searches for a VCST win of `attacker`, to move.
    fn vcst(&mut self, board: &Board, attacker: Side, nodes: u64, end: Limits) -> VcstOutcome {
        let before = self.thread.nodes;
        let nodes = nodes.min(end.nodes.map_or(nodes, |end| end.saturating_sub(before)));
        let limits = Limits { nodes: Some(nodes), time: end.time, depth: None };
        match self.vcst_win(board, attacker, limits) {
            Some((_, zones)) => VcstOutcome::Win(zones),
            None if self.thread.nodes - before < nodes && !self.is_over(end) => VcstOutcome::NoWin,
            None => VcstOutcome::Unknown,
        }
    }

    /// The defences that `attacker`, who has just moved, does not refute with the
    /// nodes of the first round. `None` if nothing is threatened, if a defence
    /// holds, and if too many stay open.
    fn open_defences(&mut self, attacker: Side, end: Limits, held: &mut Vec<Move>) -> Option<Vec<Move>> {
        let defender = attacker.other();
        if self.thread.board.has_threat(attacker)
            || !matches!(self.thread.vcdt_length(defender, COUNTER_NODES, self.control), Ok(None))
        {
            return None;
        }
        let mut board = self.thread.board.clone();
        let VcstOutcome::Win(zones) = self.vcst(&board, attacker, THREAT_NODES, end) else { return None };
        if let VcstOutcome::Win(_) = self.vcst(&board, defender, THREAT_NODES / 2, end) {
            return None;
        }
        let zone = SquareSet::first_zone(&zones, &board);
        let mut moves = Vec::new();
        let SearchThread { evaluation, generator, .. } = &mut *self.thread;
        let request =
            MoveRequest { side: defender, stones: STONES, width: DEFENCES, sets: &[], zone: Some(&zone) };
        generator.find(evaluation, request, &mut moves);
        let free = |mv: &&Move| mv.iter().all(|square| board.is_empty(square));
        let known: Vec<Move> = held.iter().rev().filter(free).copied().collect();
        let mut open: Vec<Move> = Vec::new();
        for mv in known.into_iter().chain(moves.into_iter().map(|(_, mv)| mv)) {
            if open.contains(&mv) {
                continue;
            }
            let outcome = board.play(defender, mv, |board| self.vcst(board, attacker, FIRST_NODES, end));
            let holds = match outcome {
                VcstOutcome::Win(_) => continue,
                VcstOutcome::NoWin => true,
                VcstOutcome::Unknown => false,
            };
            open.push(mv);
            if holds || open.len() > MAX_OPEN {
                held.retain(|old| *old != mv);
                held.push(mv);
                return None;
            }
        }
        Some(open)
    }
}

/// A quiet move and the defences that may hold against it.
struct Attack {
    mv: Move,
    open: Vec<Move>,
}

/// The outcome of a VCST search.
enum VcstOutcome {
    Win(Zones),
    /// The search ran to its end.
    NoWin,
    /// A limit ended the search.
    Unknown,
}
