//! Games with one stone a move: threats, what meets them, and the moves that make them.
//!
//! A threat has one empty square, which alone meets it, and a stone makes a threat exactly where
//! it stands on a window that needs two. So nothing is tried and nothing is collected.

use crate::{Board, Level, attack::covered, defence::window_mask, lineset::Bits};
use lambda6_rules::{Move, Side, Square};

/// What meets all threats of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// There is no threat.
    NotNeeded,
    /// This stone.
    Stone(Square),
    /// No stone: there are two threats, or a row.
    None,
}

/// What meets all threats of a side.
pub(crate) fn answer(board: &Board, attacker: Side) -> Answer {
    let mut answer = Answer::NotNeeded;
    for line in board.hot_lines(attacker, Level::Threat).iter() {
        let empty = board.empty_on(line);
        for start in Bits(board.threat_windows(attacker, line)) {
            let Some(position) = Bits(empty & window_mask(board, start)).next() else { return Answer::None };
            let square = board.geometry().square(line, position);
            match answer {
                Answer::NotNeeded => answer = Answer::Stone(square),
                Answer::Stone(known) if known == square => {}
                Answer::Stone(_) | Answer::None => return Answer::None,
            }
        }
    }
    answer
}

/// The moves of a side without threats that make one, in the order of the squares.
pub(crate) fn threat_moves(board: &Board, side: Side, cells: &mut Vec<Square>, moves: &mut Vec<Move>) {
    cells.clear();
    for line in board.hot_lines(side, Level::Attack).iter() {
        let squares =
            board.empty_on(line) & covered(board.windows_needing(side, line, 2), board.game().k().into());
        cells.extend(Bits(squares).map(|position| board.geometry().square(line, position)));
    }
    cells.sort_unstable();
    cells.dedup();
    moves.extend(cells.iter().map(|&cell| Move::single(cell)));
}

/// Whether a stone of the side on an empty square makes a threat.
pub(crate) fn makes_threat(board: &Board, side: Side, square: Square) -> bool {
    let mut places = board.geometry().places(square).iter();
    places.any(|place| board.windows_needing(side, place.line, 2) & place.segments != 0)
}
