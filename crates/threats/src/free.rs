//! The free stones of a move whose threats need fewer than `p`.

use crate::{Board, geometry::low_bits, lineset::Bits};
use lambda6_rules::{Game, Side, Square};

/// Finds where a free stone can be of use: on a segment that it *promotes*, or
/// on one of the other side's that it *blocks* in advance, before a forced reply
/// there turns into a threat.
#[derive(Clone, Debug)]
pub struct FreeStones {
    weight: Vec<u32>,
}

impl FreeStones {
    /// For boards of this game.
    pub fn new(game: Game) -> FreeStones {
        FreeStones { weight: vec![0; game.area()] }
    }

    /// The squares on which a free stone of `side` can be of use, the most
    /// useful first (by the stones on the segments through them, a heuristic):
    /// those on an active segment of `side` that has a stone, and those on an
    /// active segment of the other side that one move of it makes a threat.
    ///
    /// A stone elsewhere changes no segment that has a stone of `side` and none
    /// that the other side can make a threat of with one move.
    pub fn find(&mut self, board: &Board, side: Side, squares: &mut Vec<Square>) {
        squares.clear();
        let game = board.game();
        let (k, p) = (game.k(), game.p());
        for line in board.geometry().lines() {
            let empty = board.empty_on(line);
            let mut add = |window: u32, stones: u32| {
                for position in Bits(empty & (low_bits(k) << window)) {
                    let square = board.geometry().square(line, position);
                    let weight = &mut self.weight[square.index()];
                    if *weight == 0 {
                        squares.push(square);
                    }
                    *weight += 1 << (2 * stones.min(8));
                }
            };
            for window in Bits(board.windows_needing(side, line, k - 1)) {
                add(window, (board.stones_on(side, line) >> window & low_bits(k)).count_ones());
            }
            for window in Bits(board.windows_needing(side.other(), line, (2 * p).min(k - 1))) {
                add(window, (board.stones_on(side.other(), line) >> window & low_bits(k)).count_ones());
            }
        }
        squares.sort_unstable_by_key(|square| (std::cmp::Reverse(self.weight[square.index()]), *square));
        for square in squares.iter() {
            self.weight[square.index()] = 0;
        }
    }
}
