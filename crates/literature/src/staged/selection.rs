//! Which position of a tree is looked at next.

use crate::tree::{Growth, SearchNodeId, SearchTree};
use lambda6_rules::{Move, Side};
use lambda6_search::Why;
use lambda6_threats::{Board, Play};

/// The way from the root to a node, with the board there.
pub(super) struct Descent<'a> {
    pub(super) board: &'a mut Board,
    attacker: Side,
    /// Whether the attacker moves at the root.
    attacker_first: bool,
    path: Vec<(SearchNodeId, Move)>,
}

impl<'a> Descent<'a> {
    /// At the root, with its board.
    pub(super) fn new(board: &'a mut Board, to_move: Side, attacker: Side) -> Descent<'a> {
        Descent { board, attacker, attacker_first: to_move == attacker, path: Vec::new() }
    }

    /// The number of moves made.
    pub(super) fn depth(&self) -> usize {
        self.path.len()
    }

    /// The node that has been reached.
    pub(super) fn node(&self) -> SearchNodeId {
        self.path.last().map_or(SearchTree::ROOT, |&(id, _)| id)
    }

    /// The moves made, with the nodes they lead to.
    pub(super) fn path(&self) -> &[(SearchNodeId, Move)] {
        &self.path
    }

    fn mover(&self, depth: usize) -> Side {
        if depth.is_multiple_of(2) == self.attacker_first { self.attacker } else { self.attacker.other() }
    }

    /// Makes a move.
    pub(super) fn down(&mut self, mv: Move, node: SearchNodeId) {
        let mover = self.mover(self.path.len());
        self.board.place_all(mover, mv);
        self.path.push((node, mv));
    }

    /// Takes the last move back.
    fn up(&mut self) {
        if let Some((_, mv)) = self.path.pop() {
            let mover = self.mover(self.path.len());
            self.board.remove_all(mover, mv);
        }
    }

    /// Goes back to the root.
    pub(super) fn rewind(&mut self) {
        while !self.path.is_empty() {
            self.up();
        }
    }
}

/// Which position is looked at next.
pub(super) trait Selection {
    /// Goes down from the root, which is open, to a node that can be expanded;
    /// `None` when there is none that it would look at.
    fn select(&mut self, tree: &mut SearchTree, descent: &mut Descent<'_>) -> Option<SearchNodeId>;

    /// The node has been expanded and all numbers are up to date; the board is
    /// at the node.
    fn back_up(&mut self, _: &mut Growth<'_, '_>, _: &mut Descent<'_>) -> Result<(), Why> {
        Ok(())
    }

    /// Why nothing is left to look at.
    fn why(&self) -> Why {
        Why::Narrowed
    }

    /// Nodes have been forgotten: those that are left have new numbers, by their
    /// old ones.
    fn moved(&mut self, _: &SearchTree, _: &[Option<SearchNodeId>]) {}
}
