//! Quiet moves that win: moves without a threat after which every defence loses
//! to single threats.
//!
//! Most games between programs are lost to such a move within the first ones. The
//! tree sees it only when it is too late, and it is rarely among the moves that
//! appeal; but it is among the best by the evaluation of what it leads to, and to
//! refute the defences takes a second or two. What is found here is a reason to
//! play a move or to leave it, no claim: not every defence is tried.

use crate::{
    mind::Mind,
    moves::{SquareSet, Width},
    root::Root,
};
use rules::{Move, Side, Square};
use search::{Limits, Zones};
use std::{cmp::Reverse, sync::atomic::Ordering};
use threats::Board;

/// Squares of which the moves are made.
const SQUARES: usize = 56;

/// Moves that are tried at most, the best by evaluation first.
const MOVES: usize = 64;

/// Solver moves for what the move threatens, and against each defence at first.
const THREAT: u64 = 6_000;
const GLANCE: u64 = 3_000;

/// Defences that may be left open at first.
const OPEN: usize = 4;

/// Solver moves against the defences that were left open, and the attacks that are
/// looked at so closely: those with the fewest.
const CLOSER: [(u64, usize); 3] = [(20_000, 8), (120_000, 4), (800_000, 2)];

/// Solver moves for the defender's double threats.
const COUNTER: u64 = 400;

/// The defences that are tried.
const DEFENCES: Width = Width { first: 80, second: 12, moves: 150 };

/// The moves that are tried because they appeal.
const APPEALING: Width = Width { first: 8, second: 6, moves: 12 };

/// The stones of a move; more are not looked at.
const STONES: usize = 2;

impl Root<'_> {
    /// A quiet move with which `attacker`, to move, wins as far as can be told
    /// until then. `Err` when that was not long enough to try all moves.
    pub fn quiet_win(&mut self, attacker: Side, end: Limits) -> Result<Option<Move>, Cut> {
        let board = &self.mind.board;
        let stones = usize::from(board.game().p());
        let forced = Side::ALL.into_iter().any(|side| board.has_threat(side));
        if !self.mind.solves() || stones != STONES || board.empty_count() < 2 * stones || forced {
            return Ok(None);
        }
        let mut attacks = self.attacks(attacker, end)?;
        for (nodes, most) in CLOSER {
            attacks.sort_by_key(|attack| attack.open.len());
            attacks.truncate(most);
            let mut left = Vec::new();
            for mut attack in attacks {
                if self.holds(&mut attack, attacker, nodes, end)? {
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

    /// The moves that leave few defences open at a glance, or none. Half of the
    /// limits are for them.
    fn attacks(&mut self, attacker: Side, end: Limits) -> Result<Vec<Attack>, Cut> {
        let used = self.fuse.clock.elapsed();
        let half = Limits {
            time: end.time.map(|end| used + end.saturating_sub(used) / 2),
            nodes: end.nodes.map(|end| self.mind.nodes.midpoint(end.max(self.mind.nodes))),
            depth: None,
        };
        let mut attacks: Vec<Attack> = Vec::new();
        // A defence that has held against one move often holds against others.
        let mut held: Vec<Move> = Vec::new();
        for mv in self.worth_trying(attacker) {
            if self.is_over(half) {
                return if attacks.is_empty() { Err(Cut) } else { Ok(attacks) };
            }
            self.mind.place(attacker, &mv);
            let open = self.open_defences(attacker, half, &mut held);
            self.mind.remove(attacker, &mv);
            let Some(open) = open else { continue };
            let done = open.is_empty();
            attacks.push(Attack { mv, open });
            if done {
                break;
            }
        }
        Ok(attacks)
    }

    /// Whether an open defence is seen to hold; those that lose are not open any
    /// more.
    fn holds(&mut self, attack: &mut Attack, attacker: Side, nodes: u64, end: Limits) -> Result<bool, Cut> {
        let defender = attacker.other();
        let mut board = self.mind.board.clone();
        attack.mv.iter().for_each(|square| board.place(attacker, square));
        let mut i = 0;
        while i < attack.open.len() {
            if self.is_over(end) {
                return Err(Cut);
            }
            let mv = attack.open[i];
            mv.iter().for_each(|square| board.place(defender, square));
            let answer = self.asks(&board, attacker, nodes, end);
            mv.iter().for_each(|square| board.remove(defender, square));
            match answer {
                Answer::Wins(_) => drop(attack.open.remove(i)),
                Answer::Fails => return Ok(true),
                Answer::Open => i += 1,
            }
        }
        Ok(false)
    }

    fn is_over(&self, end: Limits) -> bool {
        self.fuse.stop.load(Ordering::Relaxed)
            || end.time.is_some_and(|time| self.fuse.clock.elapsed() >= time)
            || end.nodes.is_some_and(|nodes| self.mind.nodes >= nodes)
    }

    /// The move that the tree expects, the best by value, and some that appeal.
    fn worth_trying(&mut self, side: Side) -> Vec<Move> {
        let stones = STONES.min(self.mind.board.empty_count());
        let expected = self.table.get(self.mind.board.key(side)).map(|known| known.mv);
        let by_value = self.best_by_value(side);
        let mut appealing = Vec::new();
        let Mind { field, generator, board, .. } = &mut *self.mind;
        generator.find(field, side, stones, APPEALING, &[], None, &mut appealing);
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

    /// The moves whose positions are worth most to `side`.
    fn best_by_value(&mut self, side: Side) -> Vec<Move> {
        let field = &mut self.mind.field;
        let empty = field.game().squares().filter(|&square| field.is_empty(square));
        let mut squares: Vec<(i32, Square)> =
            empty.map(|square| (field.appeal(side, square), square)).collect();
        squares.sort_unstable_by_key(|&(appeal, square)| (Reverse(appeal), square));
        squares.truncate(SQUARES);
        let mut moves: Vec<(i32, Move)> = Vec::new();
        for (i, &(_, first)) in squares.iter().enumerate() {
            field.place(side, first);
            for &(_, second) in &squares[..i] {
                field.place(side, second);
                moves.push((field.evaluate(side.other()), Move::pair(first, second)));
                field.remove(side, second);
            }
            field.remove(side, first);
        }
        moves.sort_by_key(|&(value, _)| value);
        moves.into_iter().take(MOVES).map(|(_, mv)| mv).collect()
    }

    /// Whether `attacker`, to move, wins by single threats.
    fn asks(&mut self, board: &Board, attacker: Side, nodes: u64, end: Limits) -> Answer {
        let before = self.mind.nodes;
        let nodes = nodes.min(end.nodes.map_or(nodes, |end| end.saturating_sub(before)));
        let limits = Limits { nodes: Some(nodes), time: end.time, depth: None };
        match self.wins(board, attacker, limits) {
            Some((_, zones)) => Answer::Wins(zones),
            None if self.mind.nodes - before < nodes && !self.is_over(end) => Answer::Fails,
            None => Answer::Open,
        }
    }

    /// The defences that `attacker`, who has just moved, does not refute at a
    /// glance. `None` where nothing is threatened, where one holds and where there
    /// are too many.
    fn open_defences(&mut self, attacker: Side, end: Limits, held: &mut Vec<Move>) -> Option<Vec<Move>> {
        let defender = attacker.other();
        if self.mind.board.has_threat(attacker)
            || !matches!(self.mind.double_threats(defender, COUNTER, &self.fuse), Ok(None))
        {
            return None;
        }
        let mut board = self.mind.board.clone();
        let Answer::Wins(zones) = self.asks(&board, attacker, THREAT, end) else { return None };
        if let Answer::Wins(_) = self.asks(&board, defender, THREAT / 2, end) {
            return None;
        }
        let mut zone = SquareSet::new(board.game().area());
        zones.empty_squares(&board, 1).for_each(|square| zone.insert(square));
        let mut moves = Vec::new();
        let Mind { field, generator, .. } = &mut *self.mind;
        generator.find(field, defender, STONES, DEFENCES, &[], Some(&zone), &mut moves);
        let free = |mv: &&Move| mv.iter().all(|square| board.is_empty(square));
        let known: Vec<Move> = held.iter().rev().filter(free).copied().collect();
        let mut open: Vec<Move> = Vec::new();
        for mv in known.into_iter().chain(moves.into_iter().map(|(_, mv)| mv)) {
            if open.contains(&mv) {
                continue;
            }
            mv.iter().for_each(|square| board.place(defender, square));
            let answer = self.asks(&board, attacker, GLANCE, end);
            mv.iter().for_each(|square| board.remove(defender, square));
            let fails = match answer {
                Answer::Wins(_) => continue,
                Answer::Fails => true,
                Answer::Open => false,
            };
            open.push(mv);
            if fails || open.len() > OPEN {
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

/// What a search for single threats says.
enum Answer {
    Wins(Zones),
    /// All threats were tried.
    Fails,
    /// It was ended.
    Open,
}

/// The limits came before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut;
