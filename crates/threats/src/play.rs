//! Stones that are placed for the length of a call and removed afterwards.

use crate::Board;
use lambda6_rules::{Side, Square};

/// Anything that stones can be placed on and removed from: a board, an
/// evaluation that follows one, or a search that owns a board.
///
/// A search implements it by forwarding to its board, and then plays moves with
/// [`Play::play`], which cannot forget to take them back.
pub trait Play {
    /// Places a stone on an empty square.
    fn place(&mut self, side: Side, square: Square);

    /// Removes the stone of `side` from `square`.
    fn remove(&mut self, side: Side, square: Square);

    /// Places all stones of a move.
    #[inline]
    fn place_all(&mut self, side: Side, stones: impl AsRef<[Square]>) {
        for &square in stones.as_ref() {
            self.place(side, square);
        }
    }

    /// Removes all stones of a move.
    #[inline]
    fn remove_all(&mut self, side: Side, stones: impl AsRef<[Square]>) {
        for &square in stones.as_ref() {
            self.remove(side, square);
        }
    }

    /// Replaces what is on a square: a stone of `before`, or none, by one of `after`,
    /// or none.
    #[inline]
    fn replace(&mut self, square: Square, before: Option<Side>, after: Option<Side>) {
        if let Some(side) = before {
            self.remove(side, square);
        }
        if let Some(side) = after {
            self.place(side, square);
        }
    }

    /// Places the stones, calls `then`, and removes the stones again. The squares
    /// must be empty.
    ///
    /// ```
    /// use lambda6_rules::{Game, Side};
    /// use lambda6_threats::{Board, Play};
    ///
    /// let mut board = Board::new(Game::CONNECT6);
    /// let mv = board.game().parse_move("j10k10")?;
    /// let key = board.key(Side::White);
    /// assert_eq!(board.play(Side::Black, mv, |board| board.empty_count()), 359);
    /// assert_eq!((board.empty_count(), board.key(Side::White)), (361, key));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn play<R>(&mut self, side: Side, stones: impl AsRef<[Square]>, then: impl FnOnce(&mut Self) -> R) -> R {
        let stones = stones.as_ref();
        self.place_all(side, stones);
        let result = then(self);
        self.remove_all(side, stones);
        result
    }
}

impl Play for Board {
    #[inline]
    fn place(&mut self, side: Side, square: Square) {
        Board::place(self, side, square);
    }

    #[inline]
    fn remove(&mut self, side: Side, square: Square) {
        Board::remove(self, side, square);
    }
}
