//! Breadth-first search: positions are looked at in the order in which they came
//! up. One that has more moves to open goes to the end of the queue again.

use super::selection::{Descent, Selection};
use crate::tree::{Edge, Growth, Kind, SearchNodeId, SearchTree};
use lambda6_rules::Move;
use lambda6_search::Why;
use std::collections::VecDeque;

/// The search.
pub(super) struct BreadthFirst {
    queue: VecDeque<SearchNodeId>,
    /// By node: the way it was first reached.
    from: Vec<Option<(SearchNodeId, Move)>>,
}

impl BreadthFirst {
    pub(super) fn new() -> BreadthFirst {
        BreadthFirst { queue: VecDeque::from([SearchTree::ROOT]), from: vec![None] }
    }

    /// The moves that lead to a node, if none of the nodes on the way is settled.
    fn way(&self, tree: &SearchTree, id: SearchNodeId) -> Option<Vec<(SearchNodeId, Move)>> {
        let (mut way, mut at) = (Vec::new(), id);
        while tree.node(at).is_open() {
            let Some((parent, mv)) = self.from[at.index()] else {
                way.reverse();
                return Some(way);
            };
            way.push((at, mv));
            at = parent;
        }
        None
    }
}

impl Selection for BreadthFirst {
    fn select(&mut self, tree: &mut SearchTree, descent: &mut Descent<'_>) -> Option<SearchNodeId> {
        for _ in 0..self.queue.len() {
            let id = self.queue.pop_front()?;
            let node = tree.node(id);
            let open = |edge: &Edge| tree.node(edge.node).is_open();
            if node.rest().is_none() {
                continue;
            }
            if node.kind() == Kind::And && node.children().iter().any(open) {
                // The defender's further replies wait until those are met.
                self.queue.push_back(id);
                continue;
            }
            if let Some(way) = self.way(tree, id) {
                way.into_iter().for_each(|(id, mv)| descent.down(mv, id));
                return Some(id);
            }
        }
        None
    }

    fn back_up(&mut self, growth: &mut Growth<'_, '_>, descent: &mut Descent<'_>) -> Result<(), Why> {
        let id = descent.node();
        let tree = &*growth.tree;
        self.from.resize(tree.len(), None);
        for edge in tree.node(id).children() {
            let slot = &mut self.from[edge.node.index()];
            if slot.is_none() && edge.node != SearchTree::ROOT {
                *slot = Some((id, edge.mv));
                self.queue.push_back(edge.node);
            }
        }
        self.queue.push_back(id);
        Ok(())
    }

    fn moved(&mut self, tree: &SearchTree, moved: &[Option<SearchNodeId>]) {
        let queue = std::mem::take(&mut self.queue);
        self.queue = queue.into_iter().filter_map(|id| moved[id.index()]).collect();
        self.from = vec![None; tree.len()];
        let mut next = VecDeque::from([SearchTree::ROOT]);
        while let Some(id) = next.pop_front() {
            for edge in tree.node(id).children() {
                let slot = &mut self.from[edge.node.index()];
                if slot.is_none() && edge.node != SearchTree::ROOT {
                    *slot = Some((id, edge.mv));
                    next.push_back(edge.node);
                }
            }
        }
    }
}
