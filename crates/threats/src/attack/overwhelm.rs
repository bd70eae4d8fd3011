//! Moves that make more threats than can be met.

use super::{Attack, NONE, containing, covered, windows};
use crate::{
    Board, Defences, LineId, OpenLine, ThreatCount,
    defence::{pair_defences, window_mask},
    lineset::Bits,
    work_meter::WorkMeter,
};
use lambda6_rules::{Move, Side, Square};
use std::ops::ControlFlow;

impl Attack {
    /// A move that makes more threats than the other side can meet, if there is
    /// one. Where the other side has threats, `defences` has the critical
    /// defences against them, and the move contains one.
    ///
    /// Neither side may have a row, nor `side` a threat.
    pub fn overwhelming(&mut self, board: &mut Board, side: Side, defences: &Defences) -> Option<Move> {
        match self.overwhelming_while(board, side, defences, &mut || true) {
            ControlFlow::Continue(found) => found,
            ControlFlow::Break(()) => None,
        }
    }

    /// The same, ended as soon as `go_on` returns false: see
    /// [`Attack::threat_moves_while`].
    pub fn overwhelming_while(
        &mut self,
        board: &mut Board,
        side: Side,
        defences: &Defences,
        go_on: &mut dyn FnMut() -> bool,
    ) -> ControlFlow<(), Option<Move>> {
        if defences.count() == ThreatCount::More {
            return ControlFlow::Continue(None);
        }
        if board.game().p() == 2 {
            self.find_cells(board, side);
            let mut try_pair = |board: &Board, a: Square, b: Square| {
                overwhelms(board, side, a, b).then(|| Move::pair(a.min(b), a.max(b)))
            };
            return ControlFlow::Continue(self.overwhelming_pair(board, side, defences, &mut try_pair));
        }
        self.overwhelming_set(board, side, defences, &mut WorkMeter::new(go_on))
    }

    /// For p = 2: calls `found` with the moves that make more threats than the other
    /// side can meet, so many of them at most, and with the lines on which they do.
    pub fn all_overwhelming(
        &mut self,
        board: &Board,
        side: Side,
        defences: &Defences,
        most: usize,
        mut found: impl FnMut(Move, &[OpenLine]),
    ) {
        if defences.count() == ThreatCount::More {
            return;
        }
        self.find_cells(board, side);
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        let _ = self.overwhelming_pair(board, side, defences, &mut |_, a, b| {
            pairs.push((a.min(b).index() as u32) << 16 | a.max(b).index() as u32);
            None
        });
        // Many are found twice.
        pairs.sort_unstable();
        pairs.dedup();
        let moves = pairs.iter().map(|&pair| [pair >> 16, pair & 0xffff].map(|s| Square::new(s as usize)));
        let mut left = most;
        for [a, b] in moves {
            if left == 0 {
                break;
            }
            let (lines, len) = threats_with(board, side, a, b);
            if are_too_many(board, &lines[..len]) {
                found(Move::pair(a, b), &lines[..len]);
                left -= 1;
            }
        }
        self.pairs = pairs;
    }

    /// Three threats with two stones, after [`Attack::find_cells`]. What two
    /// single cells make is met by an answer to each, so three threats take
    /// - a double cell, and another cell or a window that needs four with it; or
    /// - two cells one of which is the other's only answer; or
    /// - two squares of a window that needs four, when both are cells, or one is
    ///   and no square is common to such windows (the windows that contain two
    ///   given squares are met by two stones, so without a cell two suffice).
    ///
    /// Those are what `try_pair` is called with, until it finds one.
    fn overwhelming_pair(
        &mut self,
        board: &Board,
        side: Side,
        defences: &Defences,
        try_pair: &mut dyn FnMut(&Board, Square, Square) -> Option<Move>,
    ) -> Option<Move> {
        if self.cells.is_empty() {
            return None;
        }
        let free = defences.iter().next().is_none();
        let allowed = |a: Square, b: Square| {
            free || defences.iter().any(|mv| mv.iter().all(|square| square == a || square == b))
        };
        let mut wins = |a: Square, b: Square| {
            if a == b || !allowed(a, b) { None } else { try_pair(board, a, b) }
        };
        for &a in &self.double {
            for &b in &self.cells {
                if let Some(mv) = wins(a, b) {
                    return Some(mv);
                }
            }
            // With three threats of its own any partner does: one that blocks.
            for mv in defences.iter() {
                for b in mv.iter() {
                    if let Some(mv) = wins(a, b) {
                        return Some(mv);
                    }
                }
            }
        }
        for (i, &a) in self.single.iter().enumerate() {
            let of_a = self.answers[a.index()];
            for &b in &self.single[..i] {
                let of_b = self.answers[b.index()];
                if (only(of_a, b) || only(of_b, a))
                    && let Some(mv) = wins(a, b)
                {
                    return Some(mv);
                }
            }
        }
        self.line_partners(
            board,
            side,
            |board, a, b| {
                if a == b || !allowed(a, b) { None } else { try_pair(board, a, b) }
            },
        )
    }

    /// Calls `try_pair` with the pairs of squares on a window that needs four of
    /// which the first is a cell, and the second is one too or completes what
    /// one square cannot meet; until one succeeds.
    fn line_partners(
        &self,
        board: &Board,
        side: Side,
        mut try_pair: impl FnMut(&Board, Square, Square) -> Option<Move>,
    ) -> Option<Move> {
        let k = u32::from(board.game().k());
        let four = board.game().k().checked_sub(4)?;
        for &a in &self.cells {
            let double = self.answers[a.index()] == [NONE; 2];
            for i in 0..4 {
                let place = board.geometry().places(a)[i];
                if place.segments == 0 {
                    continue;
                }
                let from_a = windows(board, side, place.line, four) & place.segments;
                if from_a == 0 {
                    continue;
                }
                let x = u32::from(place.position);
                let empty = board.empty_on(place.line) & !(1 << x);
                for y in Bits(empty & covered(from_a, k)) {
                    let both = from_a & containing(y, k);
                    let (first, last) = (both.trailing_zeros(), 63 - both.leading_zeros());
                    let common = empty & window_mask(board, first) & window_mask(board, last) & !(1 << y);
                    let b = board.geometry().square(place.line, y);
                    if (double || common == 0 || self.answers(b).is_some())
                        && let Some(mv) = try_pair(board, a, b)
                    {
                        return Some(mv);
                    }
                }
            }
        }
        None
    }
}

/// For p = 2 and a side without threats: whether stones on two squares make three
/// threats.
#[inline]
fn overwhelms(board: &Board, side: Side, a: Square, b: Square) -> bool {
    let (lines, len) = threats_with(board, side, a, b);
    are_too_many(board, &lines[..len])
}

/// The lines on which stones on two squares make threats, and how many they are. They
/// are told from the lines through the two, without placing them: on a line of
/// one of them the windows that need three and contain it, on the line of both
/// also those that need four and contain both.
#[inline]
fn threats_with(board: &Board, side: Side, a: Square, b: Square) -> ([OpenLine; 8], usize) {
    let none = OpenLine { line: LineId::new(0), windows: 0, empty: 0 };
    let (mut lines, mut len) = ([none; 8], 0);
    let k = board.game().k();
    let (Some(three), four) = (k.checked_sub(3), k.checked_sub(4)) else { return (lines, len) };
    let mut add = |line, windows: u64, stones: u64| {
        if windows != 0 {
            lines[len] = OpenLine { line, windows, empty: board.empty_on(line) & !stones };
            len += 1;
        }
    };
    let geometry = board.geometry();
    for (x, y) in std::iter::zip(geometry.places(a), geometry.places(b)) {
        let (at_x, at_y) = (1 << x.position, 1 << y.position);
        if x.line == y.line {
            let both = four.map_or(0, |four| windows(board, side, x.line, four) & x.segments & y.segments);
            let either = windows(board, side, x.line, three) & (x.segments | y.segments);
            add(x.line, both | either, at_x | at_y);
        } else {
            add(x.line, windows(board, side, x.line, three) & x.segments, at_x);
            add(y.line, windows(board, side, y.line, three) & y.segments, at_y);
        }
    }
    (lines, len)
}

/// Whether two stones do not meet the threats on these lines.
#[inline]
fn are_too_many(board: &Board, lines: &[OpenLine]) -> bool {
    let mut met = lines.is_empty();
    pair_defences(board.geometry(), lines.iter().copied(), |_| met = true);
    !met
}

/// Whether `square` is the only answer.
#[inline]
fn only(answers: [u16; 2], square: Square) -> bool {
    let square = square.index() as u16;
    answers == [square, NONE]
}
