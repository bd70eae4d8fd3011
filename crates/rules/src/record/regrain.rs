//! Converts a record's tree between one node per stone and one node per move,
//! as formats need it.

use super::{
    Record,
    node::{Extras, RecordNodeId},
};
use crate::{Move, Side};

impl Record {
    fn without_nodes(&self) -> Record {
        let mut bare = Record::starting(self.start.clone());
        bare.format = self.format;
        bare.info = self.info.clone();
        bare.nodes[0].extras = self.nodes[0].extras.clone();
        bare
    }

    /// The same record with one node per stone. The comment, marks and properties
    /// of a move go to its last stone.
    pub(super) fn one_node_a_stone(&self) -> Record {
        let mut split = self.without_nodes();
        let mut made = vec![RecordNodeId::ROOT; self.nodes.len()];
        for id in self.walk().skip(1) {
            let node = self.node(id);
            let mut last = node.parent.map_or(RecordNodeId::ROOT, |parent| made[parent.index()]);
            match node.stones {
                Some((side, mv)) => {
                    for square in mv.iter() {
                        last = split.push(last, Some((side, Move::single(square))));
                    }
                }
                None => last = split.push(last, None),
            }
            split.nodes[last.index()].extras = node.extras.clone();
            made[id.index()] = last;
        }
        split
    }

    /// The same record with one node per move. The comments, marks and properties
    /// of the stones of a move are joined in their order; where several variations
    /// share the first stones, those of the shared stones go to the first
    /// variation. A line that ends within a move keeps its half move.
    pub fn one_node_a_move(&self) -> Record {
        let game = self.game();
        let mut merged = self.without_nodes();
        let more_stones = self.stones_below();
        let mut stack = Vec::new();
        let mut at = Task {
            node: RecordNodeId::ROOT,
            parent: RecordNodeId::ROOT,
            side: Side::Black,
            pending: Move::NULL,
            carried: Extras::default(),
            placed: game.area() - self.start.empty_count(),
        };
        loop {
            let behind = stack.len();
            for node in self.children(at.node) {
                // The first child inherits the comments and marks of the stones.
                let carried = std::mem::take(&mut at.carried);
                stack.push(Task { node, carried, ..at });
            }
            stack[behind..].reverse();
            let Some(mut task) = stack.pop() else { break };
            let node = self.node(task.node);
            if let Some((side, mv)) = node.stones {
                task.side = side;
                for square in mv.iter() {
                    task.pending.push(square);
                }
            }
            if let Some(extras) = &node.extras {
                task.carried.append(extras);
            }
            let due = if task.placed == 0 { game.q() } else { game.p() };
            let whole = task.pending.len() >= usize::from(due).min(game.area() - task.placed);
            if task.pending.is_empty() || whole || !more_stones[task.node.index()] {
                let stones = (!task.pending.is_empty()).then_some((task.side, task.pending));
                task.parent = merged.push(task.parent, stones);
                task.carried.tidy();
                merged.nodes[task.parent.index()].extras = std::mem::take(&mut task.carried).boxed();
                task.placed += task.pending.len();
                task.pending = Move::NULL;
            }
            at = task;
        }
        merged
    }

    /// For every node, whether a node below it has stones.
    fn stones_below(&self) -> Vec<bool> {
        let mut below = vec![false; self.nodes.len()];
        // A node stands behind its parent.
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                below[parent.index()] |= below[index] || node.stones.is_some();
            }
        }
        below
    }
}

/// A node still to be merged, and how far the line that leads to it has come.
struct Task {
    node: RecordNodeId,
    /// In the new tree.
    parent: RecordNodeId,
    side: Side,
    /// The stones of the incomplete move, with their comments and marks.
    pending: Move,
    carried: Extras,
    /// Stones on the board before the pending move.
    placed: usize,
}
