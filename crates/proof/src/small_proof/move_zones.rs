//! The first two zones of a single move of the attacker, without what follows.
//!
//! With two stones a move, a segment of the defender can strike back in time if it
//! needs at most three stones (first zone) or four (second zone). The board keeps
//! track of the lines with such segments.

use super::square_set::SquareSet;
use lambda6_rules::{Move, Side, Square};
use lambda6_search::covered;
use lambda6_threats::{Board, Level, LineId, OpenLine};

/// The first and the second zone of something. The second contains the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ZonePair<const W: usize> {
    pub(super) first: SquareSet<W>,
    pub(super) second: SquareSet<W>,
}

impl<const W: usize> ZonePair<W> {
    pub(super) const EMPTY: ZonePair<W> = ZonePair { first: SquareSet::EMPTY, second: SquareSet::EMPTY };

    #[inline]
    pub(super) fn add(&mut self, other: &ZonePair<W>) {
        self.first.add(&other.first);
        self.second.add(&other.second);
    }
}

/// The zones of a move that is on the board.
pub(super) fn zones_of<const W: usize>(board: &Board, attacker: Side, reply: &Move) -> ZonePair<W> {
    let mut zones = ZonePair { first: taken_by(board, attacker, reply), second: SquareSet::EMPTY };
    CounterLines::find(board, attacker.other()).add_to(&mut zones, board, &Move::NULL);
    zones
}

/// The squares of a move that is on the board and of the threats that it makes: its first
/// zone but for the segments with which the defender could strike back.
pub(super) fn taken_by<const W: usize>(board: &Board, attacker: Side, reply: &Move) -> SquareSet<W> {
    let (k, p) = (board.game().k(), board.game().p());
    let mut zone: SquareSet<W> = reply.iter().collect();
    for line in board.hot_lines(attacker, Level::Threat).iter() {
        let windows = board.windows_needing(attacker, line, p);
        add_positions(&mut zone, board, line, board.empty_on(line) & covered(windows, k));
    }
    zone
}

/// The squares of a move that is not on the board and of the threats that it makes.
pub(super) fn taken_by_last<const W: usize>(
    board: &Board,
    reply: &Move,
    threats: &[OpenLine],
) -> SquareSet<W> {
    let mut zone: SquareSet<W> = reply.iter().collect();
    for threat in threats {
        let squares = threat.empty & covered(threat.windows, board.game().k());
        add_positions(&mut zone, board, threat.line, squares);
    }
    zone
}

/// Adds positions of a line to a zone.
#[inline]
pub(super) fn add_positions<const W: usize>(
    zone: &mut SquareSet<W>,
    board: &Board,
    line: LineId,
    mut positions: u64,
) {
    let (start, step) = board.geometry().start_and_step(line);
    while positions != 0 {
        zone.insert(Square::new(start + positions.trailing_zeros() as usize * step));
        positions &= positions - 1;
    }
}

/// The lines on which the defender has segments that can strike back. Found once in a
/// position, they give the zones of many moves there, none of which has to be placed.
pub(super) struct CounterLines(Vec<CounterLine>);

struct CounterLine {
    line: LineId,
    /// The windows that need at most three stones, and at most four.
    three: u64,
    four: u64,
    empty: u64,
}

impl CounterLines {
    pub(super) fn find(board: &Board, defender: Side) -> CounterLines {
        let p = board.game().p();
        let of_line = |line| CounterLine {
            line,
            three: board.windows_needing(defender, line, p + 1),
            four: board.windows_needing(defender, line, p + 2),
            empty: board.empty_on(line),
        };
        CounterLines(board.hot_lines(defender, Level::Attack).iter().map(of_line).collect())
    }

    /// Adds the segments that are left after a move of the attacker which is not on the
    /// board. The second zone gets all of the first.
    pub(super) fn add_to<const W: usize>(&self, zones: &mut ZonePair<W>, board: &Board, reply: &Move) {
        let k = board.game().k();
        for &CounterLine { line, three, four, empty } in &self.0 {
            // A segment with a stone of the move is closed to the defender.
            let (mut closed, mut taken) = (0, 0);
            for square in reply.iter() {
                let (windows, position) = board.geometry().segments_with(line, square);
                closed |= windows;
                taken |= position;
            }
            let left = empty & !taken;
            add_positions(&mut zones.first, board, line, left & covered(three & !closed, k));
            add_positions(&mut zones.second, board, line, left & covered(four & !closed, k));
        }
        zones.second.add(&zones.first);
    }
}
