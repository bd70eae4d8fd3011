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
    let mut first: Squares<W> = reply.iter().collect();
    let mut second = Squares::EMPTY;
    for line in board.hot_lines(attacker, Level::Threat).iter() {
        let windows = board.windows_needing(attacker, line, p);
        add(&mut first, board, line, board.empty_on(line) & covered(windows, k));
    }
    for line in board.hot_lines(defender, Level::Attack).iter() {
        let empty = board.empty_on(line);
        add(&mut first, board, line, empty & covered(board.windows_needing(defender, line, p + 1), k));
        add(&mut second, board, line, empty & covered(board.windows_needing(defender, line, p + 2), k));
    }
    second.add(&first);
    (first, second)
}

fn add<const W: usize>(zone: &mut Squares<W>, board: &Board, line: LineId, mut positions: u64) {
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

struct Counter {
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
