//! Bounded memory: when the tree is full, what matters least is forgotten.

use super::tree::{Body, Id, LambdaTree};
use rustc_hash::FxHashMap;

impl LambdaTree {
    /// Discards the candidates of about half of the attacker's nodes, those with
    /// the highest proof numbers, and all nodes that only they reach. A node
    /// keeps its numbers and is expanded again on the next visit. No worker may
    /// be at a node.
    pub(super) fn forget(&mut self, root: Id) {
        let mut numbers: Vec<u32> =
            self.nodes.iter().filter(|node| is_open(&node.body)).map(|n| n.pn).collect();
        if numbers.is_empty() {
            return;
        }
        let middle = numbers.len() / 2;
        let (_, &mut limit, _) = numbers.select_nth_unstable(middle);
        for (id, node) in self.nodes.iter_mut().enumerate() {
            if node.pn >= limit
                && id as Id != root
                && is_open(&node.body)
                && let Body::Or(or) = &mut node.body
            {
                (or.candidates, or.expanded, or.effort) = (Vec::new(), false, 0);
            }
        }
        self.sweep(root);
        self.weigh();
    }

    /// Drops the nodes that cannot be reached from the root any more.
    fn sweep(&mut self, root: Id) {
        let mut place = vec![LambdaTree::NONE; self.nodes.len()];
        let mut order = vec![root];
        place[root as usize] = 0;
        let mut next = 0;
        while next < order.len() {
            let mut children = Vec::new();
            match &self.node(order[next]).body {
                Body::Or(or) => {
                    children.extend(
                        or.candidates.iter().map(|c| c.node).filter(|&node| node != LambdaTree::NONE),
                    );
                }
                Body::And(and) => children.extend(and.kids()),
            }
            for child in children {
                if place[child as usize] == LambdaTree::NONE {
                    place[child as usize] = order.len() as Id;
                    order.push(child);
                }
            }
            next += 1;
        }
        let mut old: Vec<_> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        for id in order {
            let Some(mut node) = old[id as usize].take() else { continue };
            node.parents.retain(|&parent| place[parent as usize] != LambdaTree::NONE);
            node.parents.iter_mut().for_each(|parent| *parent = place[*parent as usize]);
            match &mut node.body {
                Body::Or(or) => {
                    for candidate in or.candidates.iter_mut().filter(|c| c.node != LambdaTree::NONE) {
                        candidate.node = place[candidate.node as usize];
                    }
                }
                Body::And(and) => and.rename(|node| place[node as usize]),
            }
            self.nodes.push(node);
        }
        // The root comes first, so that its number does not change if it was
        // the first node.
        let reindex = |index: &mut FxHashMap<(u64, u8), Id>| {
            index.retain(|_, id| {
                *id = place[*id as usize];
                *id != LambdaTree::NONE
            });
        };
        reindex(&mut self.or_index);
        reindex(&mut self.and_index);
    }
}

fn is_open(body: &Body) -> bool {
    matches!(body, Body::Or(or) if or.expanded && or.proof.is_none())
}
