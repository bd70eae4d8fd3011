//! Moves: the stones that one player places in one turn.

use crate::{Game, MAX_P, Square, SquareParseError, square::split_square};
use std::fmt;

/// The squares of one turn, in the order in which they were given.
///
/// A full move has `p` of them. A *null move* has none and a *semi-null move*
/// fewer than `p`; both occur in searches, not in games.
#[derive(Clone, Copy)]
pub struct Move {
    len: u8,
    squares: [Square; MAX_P],
}

impl Move {
    /// The move that places no stone.
    pub const NULL: Move = Move { len: 0, squares: [Square::new(0); MAX_P] };

    /// The move on these squares, or `None` when there are more than [`MAX_P`].
    pub fn new(squares: &[Square]) -> Option<Move> {
        let mut mv = Move::NULL;
        squares.iter().all(|&square| mv.push(square)).then_some(mv)
    }

    /// The move that places one stone.
    pub const fn single(a: Square) -> Move {
        let mut mv = Move::NULL;
        mv.squares[0] = a;
        mv.len = 1;
        mv
    }

    /// The move that places two stones.
    pub const fn pair(a: Square, b: Square) -> Move {
        let mut mv = Move::single(a);
        mv.squares[1] = b;
        mv.len = 2;
        mv
    }

    /// Adds a square; false, and no change, when the move is full.
    pub fn push(&mut self, square: Square) -> bool {
        let Some(slot) = self.squares.get_mut(usize::from(self.len)) else { return false };
        *slot = square;
        self.len += 1;
        true
    }

    /// Removes the square that was added last.
    pub fn pop(&mut self) -> Option<Square> {
        self.len = self.len.checked_sub(1)?;
        Some(self.squares[usize::from(self.len)])
    }

    /// The squares in the order in which they were given.
    pub fn squares(&self) -> &[Square] {
        &self.squares[..usize::from(self.len)]
    }

    /// The squares in the order in which they were given.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + '_ {
        self.squares().iter().copied()
    }

    /// How many stones the move places.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether this is the null move.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the move has a stone on this square.
    pub fn contains(&self, square: Square) -> bool {
        self.squares().contains(&square)
    }

    /// The same move with one stone more, on a square that it does not have yet.
    pub fn with(mut self, square: Square) -> Move {
        self.push(square);
        self
    }

    /// The same move with its squares in order.
    pub fn sorted(mut self) -> Move {
        self.squares[..usize::from(self.len)].sort_unstable();
        self
    }

    pub(crate) fn parse(game: Game, text: &str) -> Result<Move, MoveParseError> {
        let mut mv = Move::NULL;
        let mut rest = text;
        while !rest.is_empty() {
            let (square, tail) = split_square(game, rest)?;
            if mv.contains(square) {
                return Err(MoveParseError::Twice(game.square_name(square)));
            }
            // The first move of a game may have more stones than the others.
            let most = game.p().max(game.q());
            if mv.len() == usize::from(most) {
                return Err(MoveParseError::TooMany { p: most });
            }
            mv.push(square);
            rest = tail;
        }
        if mv.is_empty() { Err(MoveParseError::Empty) } else { Ok(mv) }
    }
}

impl AsRef<[Square]> for Move {
    fn as_ref(&self) -> &[Square] {
        self.squares()
    }
}

/// Moves are equal when they place the same stones, in whatever order.
impl PartialEq for Move {
    fn eq(&self, other: &Move) -> bool {
        self.sorted().squares() == other.sorted().squares()
    }
}

impl Eq for Move {}

impl std::hash::Hash for Move {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.sorted().squares().hash(state);
    }
}

impl PartialOrd for Move {
    fn partial_cmp(&self, other: &Move) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Moves are ordered as the sorted lists of their squares.
impl Ord for Move {
    fn cmp(&self, other: &Move) -> std::cmp::Ordering {
        self.sorted().squares().cmp(other.sorted().squares())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(Square::index)).finish()
    }
}

/// Why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveParseError {
    /// A square is misspelt or off the board.
    #[error(transparent)]
    Square(#[from] SquareParseError),
    /// A square stands twice in the move.
    #[error("{0} stands twice in the move")]
    Twice(String),
    /// More squares than a move of this game has.
    #[error("a move has at most {p} stones")]
    TooMany {
        /// Stones a move.
        p: u8,
    },
    /// No square at all.
    #[error("the move is empty")]
    Empty,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_parse_and_print() {
        let game = Game::CONNECT6;
        let mv = game.parse_move("k11l10").unwrap();
        assert_eq!(mv.len(), 2);
        assert_eq!(game.move_name(&mv), "k11l10");
        assert_eq!(mv, game.parse_move("L10K11").unwrap());
        assert!(mv.sorted().squares().is_sorted());
        assert_eq!(game.parse_move("j10").unwrap().len(), 1);
    }

    #[test]
    fn what_is_not_a_move_is_refused() {
        let game = Game::CONNECT6;
        assert_eq!(game.parse_move(""), Err(MoveParseError::Empty));
        assert_eq!(game.parse_move("j10j10"), Err(MoveParseError::Twice("j10".into())));
        assert_eq!(game.parse_move("j10j11j12"), Err(MoveParseError::TooMany { p: 2 }));
        assert!(matches!(game.parse_move("j10 k10"), Err(MoveParseError::Square(_))));
    }

    #[test]
    fn push_stops_at_the_capacity() {
        let mut mv = Move::NULL;
        for i in 0..MAX_P {
            assert!(mv.push(Square::new(i)));
        }
        assert!(!mv.push(Square::new(99)));
        assert_eq!(mv.pop(), Some(Square::new(MAX_P - 1)));
        assert_eq!(mv.len(), MAX_P - 1);
    }
}
