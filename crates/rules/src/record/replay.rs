//! Checks the stones of a record against the rules, one node at a time.

use super::error::{At, Fault, Illegal};
use crate::{Move, PlayError, Position, Side, Square};
use std::rc::Rc;

/// The state of a line of play: the position after its complete moves and the
/// stones of an incomplete one.
///
/// Cloned at every branch of the tree. The position is shared until a stone is
/// placed, so a tree is checked in one walk, and however deep it is there are
/// never more positions alive than the board has squares.
#[derive(Clone)]
pub(super) struct Replay {
    position: Rc<Position>,
    pending: Move,
    moves: usize,
    /// Where in the text the pending move begins.
    began: usize,
}

impl Replay {
    pub(super) fn new(start: Position) -> Replay {
        Replay { position: Rc::new(start), pending: Move::NULL, moves: 0, began: 0 }
    }

    /// The position after the whole moves.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// The stones of the move that is not complete.
    pub(super) fn pending(&self) -> Move {
        self.pending
    }

    /// How many whole moves have been played.
    pub(super) fn moves(&self) -> usize {
        self.moves
    }

    /// The error that the rules have for the move now being made.
    pub(super) fn illegal(&self, offset: usize, why: Illegal) -> At {
        At::new(offset, Fault::Illegal { number: self.moves + 1, why })
    }

    fn refused(&self, offset: usize, why: PlayError) -> At {
        self.illegal(offset, Illegal::Play(why))
    }

    /// Prepares for stones of `side`; returns how many more the move can have.
    pub(super) fn begin(&mut self, side: Side, offset: usize) -> Result<usize, At> {
        if !self.pending.is_empty() && side != self.position.to_move() {
            self.finish()?;
        }
        if let Some(outcome) = self.position.outcome() {
            return Err(self.refused(offset, PlayError::GameOver(outcome)));
        }
        if side != self.position.to_move() {
            return Err(self.illegal(offset, Illegal::Turn { expected: side.other() }));
        }
        if self.pending.is_empty() {
            self.began = offset;
        }
        Ok(self.position.stones_to_place() - self.pending.len())
    }

    /// Places stones of one node; returns the move when that completes it.
    pub(super) fn place(
        &mut self,
        side: Side,
        squares: &[Square],
        offset: usize,
    ) -> Result<Option<Move>, At> {
        let room = self.begin(side, offset)?;
        let expected = self.pending.len() + room;
        if squares.len() > room {
            let found = self.pending.len() + squares.len();
            return Err(self.refused(offset, PlayError::StoneCount { expected, found }));
        }
        for &square in squares {
            let name = || self.position.game().square_name(square);
            if square.index() >= self.position.game().area() {
                return Err(self.refused(offset, PlayError::OffBoard { index: square.index() }));
            }
            if let Some(by) = self.position.at(square) {
                return Err(self.refused(offset, PlayError::Occupied { square: name(), by }));
            }
            if self.pending.contains(square) {
                return Err(self.refused(offset, PlayError::Twice { square: name() }));
            }
            self.pending.push(square);
        }
        if self.pending.len() < expected { Ok(None) } else { self.finish() }
    }

    /// Plays the pending stones as a move: an error if they are too few, unless
    /// they win.
    pub(super) fn finish(&mut self) -> Result<Option<Move>, At> {
        if self.pending.is_empty() {
            return Ok(None);
        }
        let mv = self.pending;
        Rc::make_mut(&mut self.position).play(&mv).map_err(|why| self.refused(self.began, why))?;
        self.pending = Move::NULL;
        self.moves += 1;
        Ok(Some(mv))
    }
}
