//! The first two zones of a single move of the attacker, what follows left out.
//!
//! With two stones a move the defender's segments that can strike back in time need
//! at most three for the first zone and four for the second: those of the levels
//! that the board keeps.

use super::bits::Squares;
use crate::zones::covered;
use rules::{Move, Side, Square};
use threats::{Board, Level, LineId, OpenLine};

/// The zones of a move that is on the board.
pub(super) fn zones<const W: usize>(board: &Board, attacker: Side, reply: &Move) -> (Squares<W>, Squares<W>) {
    let defender = attacker.other();
    let (k, p) = (board.game().k(), board.game().p());
    let mut first = taken(board, attacker, reply);
    let mut second = Squares::EMPTY;
    for line in board.hot_lines(defender, Level::Attack).iter() {
        let empty = board.empty_on(line);
        add(&mut first, board, line, empty & covered(board.windows_needing(defender, line, p + 1), k));
        add(&mut second, board, line, empty & covered(board.windows_needing(defender, line, p + 2), k));
    }
    second.add(&first);
    (first, second)
}

/// What a move that is on the board takes, and the threats that it makes: its first zone
/// but for the segments with which the defender could strike back.
pub(super) fn taken<const W: usize>(board: &Board, attacker: Side, reply: &Move) -> Squares<W> {
    let (k, p) = (board.game().k(), board.game().p());
    let mut zone: Squares<W> = reply.iter().collect();
    for line in board.hot_lines(attacker, Level::Threat).iter() {
        let windows = board.windows_needing(attacker, line, p);
        add(&mut zone, board, line, board.empty_on(line) & covered(windows, k));
    }
    zone
}

/// Adds positions of a line to a zone.
#[inline]
pub(super) fn add<const W: usize>(zone: &mut Squares<W>, board: &Board, line: LineId, mut positions: u64) {
    let (start, step) = board.geometry().start_and_step(line);
    while positions != 0 {
        zone.insert(Square::new(start + positions.trailing_zeros() as usize * step));
        positions &= positions - 1;
    }
}

/// The defender's segments that can strike back in a position, for the moves there
/// that end a line: many, and none of them has to be placed.
#[derive(Default)]
pub(super) struct Counters(Vec<Counter>);

/// A line of the defender's, with such segments.
#[derive(Clone, Copy)]
pub(super) struct Counter {
    line: LineId,
    /// The windows that need at most three, and four.
    three: u64,
    four: u64,
    empty: u64,
}

impl Counters {
    pub(super) fn find(&mut self, board: &Board, defender: Side) {
        let p = board.game().p();
        self.0.clear();
        self.0.extend(board.hot_lines(defender, Level::Attack).iter().map(|line| Counter {
            line,
            three: board.windows_needing(defender, line, p + 1),
            four: board.windows_needing(defender, line, p + 2),
            empty: board.empty_on(line),
        }));
    }

    /// The lines with segments that need four.
    pub(super) fn weak(&self) -> Box<[Counter]> {
        self.0.iter().filter(|counter| counter.four & !counter.three != 0).copied().collect()
    }

    /// The zones of a move that is not on the board and makes these threats.
    pub(super) fn zones_with<const W: usize>(
        &self,
        board: &Board,
        reply: &Move,
        threats: &[OpenLine],
    ) -> (Squares<W>, Squares<W>) {
        let k = board.game().k();
        let mut first: Squares<W> = reply.iter().collect();
        let mut second = Squares::EMPTY;
        for threat in threats {
            add(&mut first, board, threat.line, threat.empty & covered(threat.windows, k));
        }
        for &Counter { line, three, four, empty } in &self.0 {
            // Segments with a stone of the move are the defender's no longer.
            let (mut broken, mut taken) = (0, 0);
            for square in reply.iter() {
                let (windows, position) = board.geometry().segments_with(line, square);
                broken |= windows;
                taken |= position;
            }
            add(&mut first, board, line, empty & !taken & covered(three & !broken, k));
            add(&mut second, board, line, empty & !taken & covered(four & !broken, k));
        }
        second.add(&first);
        (first, second)
    }
}

impl Counter {
    /// Calls `found` with the empty squares of the segments that need four after a move
    /// which is not on the board: of all of them, or of those with a given square. With one
    /// stone more they need three, and belong to the first zone.
    pub(super) fn for_each_weak<const W: usize>(
        &self,
        board: &Board,
        reply: &Move,
        with: Option<Square>,
        mut found: impl FnMut(Squares<W>),
    ) {
        let mut windows = self.four & !self.three;
        if let Some(square) = with {
            windows &= board.geometry().segments_with(self.line, square).0;
        }
        for square in reply.iter() {
            windows &= !board.geometry().segments_with(self.line, square).0;
        }
        while windows != 0 {
            let window = windows & windows.wrapping_neg();
            windows ^= window;
            let mut squares = Squares::EMPTY;
            add(&mut squares, board, self.line, self.empty & covered(window, board.game().k()));
            found(squares);
        }
    }
}
