//! The eight symmetries of the board.

use crate::{Game, Move, Square};

/// One of the eight symmetries of a square board. A board that is not square
/// has only the four that do not exchange rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry {
    mirror_cols: bool,
    mirror_rows: bool,
    /// Applied after the mirrors.
    transpose: bool,
}

impl Symmetry {
    /// Leaves every square where it is.
    pub const IDENTITY: Symmetry = Symmetry { mirror_cols: false, mirror_rows: false, transpose: false };

    /// The symmetries of this game's board, the identity first.
    pub fn of(game: Game) -> impl Iterator<Item = Symmetry> {
        let count = if game.cols() == game.rows() { 8u8 } else { 4 };
        (0..count).map(|bits| Symmetry {
            mirror_cols: bits & 1 != 0,
            mirror_rows: bits & 2 != 0,
            transpose: bits & 4 != 0,
        })
    }

    /// Where the symmetry takes a square.
    pub fn apply(self, game: Game, square: Square) -> Square {
        let (mut col, mut row) = game.col_row(square);
        if self.mirror_cols {
            col = game.cols() - 1 - col;
        }
        if self.mirror_rows {
            row = game.rows() - 1 - row;
        }
        if self.transpose {
            (col, row) = (row, col);
        }
        game.square(col, row)
    }

    /// Where the symmetry takes the stones of a move.
    pub fn apply_to_move(self, game: Game, mv: &Move) -> Move {
        let mut turned = Move::NULL;
        for square in mv.iter() {
            turned.push(self.apply(game, square));
        }
        turned.sorted()
    }

    /// The symmetry that undoes this one.
    pub fn inverse(self) -> Symmetry {
        // The mirrors commute and undo themselves; passing them through a
        // transposition exchanges rows and columns.
        if self.transpose {
            Symmetry { mirror_cols: self.mirror_rows, mirror_rows: self.mirror_cols, transpose: true }
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_symmetry_is_a_permutation_that_its_inverse_undoes() {
        for game in [Game::CONNECT6, Game::TIC_TAC_TOE, Game::new(5, 3, 3, 1, 1).unwrap()] {
            for symmetry in Symmetry::of(game) {
                let image: HashSet<_> = game.squares().map(|s| symmetry.apply(game, s)).collect();
                assert_eq!(image.len(), game.area());
                for square in game.squares() {
                    let there = symmetry.apply(game, square);
                    assert_eq!(symmetry.inverse().apply(game, there), square);
                }
            }
        }
    }

    #[test]
    fn square_boards_have_eight_and_others_four() {
        let images = |game: Game, square| {
            Symmetry::of(game).map(|s| s.apply(game, square)).collect::<HashSet<_>>().len()
        };
        let game = Game::CONNECT6;
        assert_eq!(images(game, game.parse_square("b1").unwrap()), 8);
        assert_eq!(images(game, game.parse_square("j10").unwrap()), 1);
        let oblong = Game::new(5, 3, 3, 1, 1).unwrap();
        assert_eq!(images(oblong, oblong.parse_square("b1").unwrap()), 4);
    }
}
