//! The proof-number searches and what they are compared with, one strategy a
//! file, all over the [`tree`](crate::tree).
//!
//! | name | the attacker's moves | which position is looked at next |
//! |---|---|---|
//! | `pns` | the best squares, threats or not | the most proving one |
//! | `one_stage` | threats and the others together | the same |
//! | `two_stage_a` | double threats; then the others | the same |
//! | `two_stage_b` | threats; then the others | the same |
//! | `three_stage` | double threats; single threats; then the others | the same |
//! | `dfpn` | as `two_stage_b` | the same, depth-first and in bounded memory |
//! | `dfs` | threats | the last one opened, to a depth |
//! | `bfs` | threats | the first one opened |
//! | `mcts` | as `two_stage_b` | the one with the best bound, after playouts |
//!
//! A stage begins when the one before has failed as a whole: the root is
//! refuted with the moves on offer. Nodes without a move left are opened again
//! then, and all numbers follow.

mod bfs;
mod certify;
mod dfpn;
mod dfs;
mod mcts;
mod number_table;
mod one_stage;
#[allow(clippy::module_inception, reason = "the strategy has the name of its family")]
mod pns;
mod proof_numbers;
mod search;
mod three_stage;
mod two_stage_a;
mod two_stage_b;

pub(crate) use search::TreeSearch;
pub use search::{Searched, TreeOptions};

use crate::{
    Class, Why,
    tree::{Growth, NodeId, Offer, Stage, Tree},
};
use rules::{Move, Side};
use std::{fmt, str::FromStr};
use threats::Board;

/// The searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeKind {
    /// Standard proof-number search.
    Pns,
    /// One stage with all moves.
    Pns1,
    /// Two stages, type I.
    Pns2a,
    /// Two stages, type II.
    Pns2b,
    /// Three stages.
    Pns3,
    /// Depth-first proof-number search.
    Dfpn,
    /// Depth-first search with a depth limit.
    Dfs,
    /// Breadth-first search.
    Bfs,
    /// Monte-Carlo tree search in two stages, type II.
    Mcts,
}

impl TreeKind {
    /// All of them.
    pub const ALL: [TreeKind; 9] = [
        TreeKind::Pns,
        TreeKind::Pns1,
        TreeKind::Pns2a,
        TreeKind::Pns2b,
        TreeKind::Pns3,
        TreeKind::Dfpn,
        TreeKind::Dfs,
        TreeKind::Bfs,
        TreeKind::Mcts,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            TreeKind::Pns => "pns",
            TreeKind::Pns1 => "pns-1",
            TreeKind::Pns2a => "pns-2a",
            TreeKind::Pns2b => "pns-2b",
            TreeKind::Pns3 => "pns-3",
            TreeKind::Dfpn => "dfpn",
            TreeKind::Dfs => "dfs",
            TreeKind::Bfs => "bfs",
            TreeKind::Mcts => "mcts",
        }
    }

    /// The stages of the search with moves of the class, or with all moves.
    pub fn stages(self, class: Option<Class>) -> Vec<Stage> {
        let stages = match self {
            TreeKind::Pns => pns::STAGES,
            TreeKind::Pns1 => one_stage::STAGES,
            TreeKind::Pns2a => two_stage_a::STAGES,
            TreeKind::Pns2b => two_stage_b::STAGES,
            TreeKind::Pns3 => three_stage::STAGES,
            TreeKind::Dfpn => dfpn::STAGES,
            TreeKind::Dfs => dfs::STAGES,
            TreeKind::Bfs => bfs::STAGES,
            TreeKind::Mcts => mcts::STAGES,
        };
        let within = |stage: &Stage| {
            let Offer { full, partial, cells } = stage.offer;
            let offer = match class {
                None | Some(Class::Lambda3 | Class::Lambda4) => stage.offer,
                // Squares know no classes: what they stand for is threats.
                Some(Class::Vcdt) => Offer { full: full || cells, partial: false, cells: false },
                Some(Class::Vcst) => Offer { full: full || cells, partial: partial || cells, cells: false },
            };
            Stage { offer, ..*stage }
        };
        let mut stages: Vec<Stage> = stages.iter().map(within).collect();
        // What an earlier stage offers is not offered again.
        let mut known = NOTHING;
        for Stage { offer, .. } in &mut stages {
            *offer = Offer {
                full: offer.full && !known.full,
                partial: offer.partial && !known.partial,
                cells: offer.cells,
            };
            known = Offer {
                full: known.full || offer.full,
                partial: known.partial || offer.partial,
                cells: false,
            };
        }
        stages.retain(|stage| stage.offer != NOTHING);
        stages
    }
}

/// Moves of the attacker that are opened at a time, and how large proof numbers
/// grow before more are: see [`Stage`].
const BATCH: usize = 10;
const LIMIT: u32 = 20;

const NOTHING: Offer = Offer { full: false, partial: false, cells: false };

impl fmt::Display for TreeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no such search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a search: expected {names}", names = TreeKind::ALL.map(TreeKind::name).join(", "))]
pub struct TreeKindParseError(String);

impl FromStr for TreeKind {
    type Err = TreeKindParseError;

    fn from_str(text: &str) -> Result<TreeKind, TreeKindParseError> {
        let known = TreeKind::ALL.into_iter().find(|kind| kind.name() == text);
        known.ok_or_else(|| TreeKindParseError(text.chars().take(20).collect()))
    }
}

/// The way from the root to a node, with the board there.
pub(crate) struct Descent<'a> {
    pub(crate) board: &'a mut Board,
    attacker: Side,
    /// Whether the attacker moves at the root.
    attacker_first: bool,
    path: Vec<(NodeId, Move)>,
}

impl Descent<'_> {
    /// The number of moves made.
    fn depth(&self) -> usize {
        self.path.len()
    }

    /// The node that has been reached.
    fn node(&self) -> NodeId {
        self.path.last().map_or(Tree::ROOT, |&(id, _)| id)
    }

    /// The moves made, with the nodes they lead to.
    fn path(&self) -> &[(NodeId, Move)] {
        &self.path
    }

    fn mover(&self, depth: usize) -> Side {
        if depth.is_multiple_of(2) == self.attacker_first { self.attacker } else { self.attacker.other() }
    }

    /// Makes a move.
    fn down(&mut self, mv: Move, node: NodeId) {
        let mover = self.mover(self.path.len());
        mv.iter().for_each(|square| self.board.place(mover, square));
        self.path.push((node, mv));
    }

    /// Takes the last move back.
    fn up(&mut self) {
        if let Some((_, mv)) = self.path.pop() {
            let mover = self.mover(self.path.len());
            mv.iter().for_each(|square| self.board.remove(mover, square));
        }
    }

    /// Goes back to the root.
    fn rewind(&mut self) {
        while !self.path.is_empty() {
            self.up();
        }
    }
}

/// Which position is looked at next.
pub(crate) trait Strategy {
    /// Goes down from the root, which is open, to a node that can be expanded;
    /// `None` when there is none that the strategy would look at.
    fn select(&mut self, tree: &mut Tree, descent: &mut Descent<'_>) -> Option<NodeId>;

    /// The node has been expanded and all numbers are up to date; the board is
    /// at the node.
    fn back_up(&mut self, _: &mut Growth<'_, '_>, _: &mut Descent<'_>) -> Result<(), Why> {
        Ok(())
    }

    /// Another stage has begun.
    fn new_stage(&mut self, _: &Tree) {}

    /// Nodes have been forgotten: those that are left have new numbers, by their
    /// old ones.
    fn moved(&mut self, _: &Tree, _: &[Option<NodeId>]) {}
}
