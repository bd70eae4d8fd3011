//! The source of the attacker's replies, and how the walk asks it whether to stop.

use crate::board::{Board, Move};
use crate::error::Rejection;

/// Supplies the attacker's replies: a file, or a solver.
pub trait Replies {
    /// Why there is no reply, or no win.
    type Error: From<Rejection>;

    /// The attacker's reply in the position on the board. `number` counts the
    /// questions from 1. The walk checks the reply, whatever the source.
    fn next(&mut self, number: u64, board: &Board) -> Result<Move, Self::Error>;

    /// Called often, also between two replies: an error ends the walk. This is
    /// the place to look at a stop signal or at a clock. Between two calls the
    /// walk does a bounded amount of work, about a millisecond on any board.
    fn check_stop(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Called when everything behind the reply with this number has been walked,
    /// with the zones of the position in which the reply was asked for: for each
    /// square, in order, the first zone that contains it, or r + 1 if none does.
    /// The walk does not depend on it; it serves programs that show proofs.
    fn settled(&mut self, number: u64, first_zones: &[u8]) {
        let _ = (number, first_zones);
    }

    /// Whether nothing is claimed about the defender's first moves that contain
    /// these stones. Only [`walk_except`](crate::walk_except) asks; the stones are not on the board.
    fn excepts(&mut self, _stones: Move, _board: &Board) -> Result<bool, Self::Error> {
        Ok(false)
    }
}

/// The work between two looks at the stop signal, in squares, segments and
/// threats visited; each takes a few nanoseconds.
pub(crate) const WORK: usize = 1 << 18;

/// The source of replies, asked at regular amounts of work whether to stop.
pub(crate) struct Pace<'s, S> {
    pub(crate) source: &'s mut S,
    /// The work since the last look.
    done: usize,
}

impl<'s, S: Replies> Pace<'s, S> {
    pub(crate) fn new(source: &'s mut S) -> Pace<'s, S> {
        Pace { source, done: 0 }
    }

    /// Accounts for some work.
    #[inline]
    pub(crate) fn spend(&mut self, work: usize) -> Result<(), S::Error> {
        self.done += work;
        if self.done >= WORK {
            self.done = 0;
            self.source.check_stop()?;
        }
        Ok(())
    }
}
