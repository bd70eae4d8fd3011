//! Depth-first search with a depth limit: the first move is followed to its end
//! before the next is looked at.

use super::selection::{Descent, Selection};
use crate::tree::{Edge, Kind, SearchNodeId, SearchTree, State};
use lambda6_search::Why;

/// The depth limit of the paper, in moves of both sides.
const DEPTH: usize = 14;

/// The search.
pub(super) struct DepthFirst {
    depth: usize,
    /// A line was cut at the limit.
    cut: bool,
}

impl DepthFirst {
    /// With a limit in moves of the attacker, or the paper's.
    pub(super) fn new(depth: Option<u32>) -> DepthFirst {
        DepthFirst { depth: depth.map_or(DEPTH, |depth| 2 * depth as usize), cut: false }
    }
}

impl Selection for DepthFirst {
    fn select(&mut self, tree: &mut SearchTree, descent: &mut Descent<'_>) -> Option<SearchNodeId> {
        loop {
            let id = descent.node();
            if !tree.root().is_open() {
                return None;
            }
            let node = tree.node(id);
            if descent.depth() >= self.depth && node.kind() == Kind::Or {
                self.cut = true;
                tree.node_mut(id).state = State::Cut;
                tree.update(id);
                descent.rewind();
                continue;
            }
            let unsettled = |edge: &&Edge| tree.node(edge.node).is_open();
            match node.children().iter().find(unsettled) {
                Some(edge) => descent.down(edge.mv, edge.node),
                None => return Some(id),
            }
        }
    }

    fn why(&self) -> Why {
        if self.cut { Why::Depth } else { Why::Narrowed }
    }
}
