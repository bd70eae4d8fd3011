//! Sets of squares that the filters compare.

use lambda6_rules::{Game, Side, Square};
use lambda6_threats::Board;

/// Words of a set of squares of this game.
pub(super) fn words(game: Game) -> usize {
    game.area().div_ceil(64)
}

/// Puts a square in.
#[inline]
pub(super) fn insert(zone: &mut [u64], square: Square) {
    zone[square.index() / 64] |= 1 << (square.index() % 64);
}

/// Whether the square is in.
#[inline]
pub(super) fn contains(zone: &[u64], square: Square) -> bool {
    zone[square.index() / 64] >> (square.index() % 64) & 1 != 0
}

/// How many squares are in.
#[inline]
pub(super) fn len(zone: &[u64]) -> u32 {
    zone.iter().map(|word| word.count_ones()).sum()
}

/// Whether two sets have a square in common.
#[inline]
pub(super) fn intersect(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// The to-be-combined zone Z* of a move: the squares on lines through its
/// stones, as far as a row can reach and no further than the next stone of the
/// other side. A later threat that shares a line with the move is in it.
pub(super) fn star(board: &Board, attacker: Side, stones: &[Square], zone: &mut Vec<u64>) {
    zone.clear();
    zone.resize(words(board.game()), 0);
    let reach = u32::from(board.game().k()) - 1;
    let geometry = board.geometry();
    for &square in stones {
        for (line, position) in geometry.lines_through(square) {
            let blocked = board.stones_on(attacker.other(), line);
            let position = u32::from(position);
            let last = u32::from(geometry.line_len(line)) - 1;
            let up = (position..=last.min(position + reach)).take_while(|&i| blocked >> i & 1 == 0);
            let down =
                (position.saturating_sub(reach)..position).rev().take_while(|&i| blocked >> i & 1 == 0);
            for i in up.chain(down) {
                insert(zone, geometry.square(line, i));
            }
        }
    }
}

/// Whether the first of the squares lies on one line with each of the others,
/// no further away than a row reaches.
pub(super) fn aligned(game: Game, mut squares: impl Iterator<Item = Square>) -> bool {
    let Some(first) = squares.next() else { return false };
    let (col, row) = game.col_row(first);
    squares.all(|square| {
        let (other_col, other_row) = game.col_row(square);
        let (across, up) = (col.abs_diff(other_col), row.abs_diff(other_row));
        across.max(up) < game.k() && (across == 0 || up == 0 || across == up)
    })
}
