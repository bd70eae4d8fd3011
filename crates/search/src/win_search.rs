//! The interface of a search for a win. Certificates are made through it.

use crate::{Budget, Observer, Why};
use lambda6_rules::{Move, Side};
use lambda6_threats::{Board, Defences, defence};
use std::ops::ControlFlow;

/// A search for a win of one side. Its results are not proofs: a certificate is
/// made of its replies, and the checker decides.
pub trait WinSearch {
    /// Searches for a win of `attacker`. `Ok` says that one was found, an error
    /// why not. The board is left as it was.
    fn search(
        &mut self,
        board: &mut Board,
        to_move: Side,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Why>;

    /// The winning reply in a position of the win that was found, with the
    /// attacker to move. What has been forgotten is searched again.
    fn reply(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<Move, Why>;

    /// Moves that have won positions in an earlier search, by the keys of the
    /// positions, to be tried first. Searches that are too short to be resumed
    /// take no notice.
    fn suggest(&mut self, _known: &[(u64, Move)]) {}

    /// The moves that have won positions so far, by the keys of the positions.
    fn known(&self) -> Vec<(u64, Move)> {
        Vec::new()
    }
}

/// Finds the defences against `side`, unless the budget ends first.
pub fn find_defences(
    budget: &Budget<'_>,
    board: &Board,
    side: Side,
    defences: &mut Defences,
) -> Result<(), Why> {
    match defences.find_while(board, side, &mut || budget.goes_on()) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(budget.why_ended()),
    }
}

/// The stones with which `side` connects now, if it can.
pub fn connecting(board: &Board, side: Side) -> Option<Move> {
    let mut first = None;
    defence::for_each_threat(board, side, |threat| first = first.or(Some(*threat)));
    first.filter(|mv| !mv.is_empty())
}
