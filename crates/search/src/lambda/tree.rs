//! The tree of a Lambda search: proof numbers, and what is known at each node.
//!
//! Transpositions share nodes, so the tree is an acyclic graph: moves only add
//! stones. The proof number of a defender's node is the maximum over its children
//! plus one for each other child (weak proof numbers). Most children are won by
//! the same moves, which a sum would count repeatedly.

use super::{
    and_node::AndNode,
    symmetry::{Symmetries, Turn},
};
use crate::vcdt_zones::ZonedWin;
use lambda6_rules::Move;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Where a node is in the tree.
pub(super) type Id = u32;

/// Infinity: a proof or disproof number of something impossible.
pub(super) const NEVER: u32 = 1 << 30;

/// A node, with the numbers that say where to search.
pub(super) struct LambdaNode {
    /// The key of the board with the attacker to move, in both kinds of nodes.
    pub(super) key: u64,
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// The number of workers in the subtree.
    pub(super) visits: u32,
    /// Moves tried at this node and below it, on paths through this node.
    pub(super) spent: u64,
    /// Whether a worker is at this node and has taken its body.
    pub(super) taken: bool,
    pub(super) parents: Vec<Id>,
    pub(super) body: Body,
}

/// Work up to which a node costs its proof number alone; each doubling from there
/// adds one point.
const FREE_MOVES: u64 = 50_000;

/// Work that adds one point each time it is spent.
const MOVES_PER_POINT: u64 = 3_000_000;

impl LambdaNode {
    /// Selection cost of a child of an attacker's node: the proof number plus a
    /// penalty for work already spent.
    ///
    /// After a quiet move the proof number can stay constant for hundreds of
    /// millions of moves, because there is always another defence that seems no
    /// harder. With proof numbers alone the search would not return to a move
    /// that looked worse at first and wins quickly.
    fn selection_cost(&self) -> u32 {
        let penalty = u64::from((1 + self.spent / FREE_MOVES).ilog2()) + self.spent / MOVES_PER_POINT;
        let penalty = u32::try_from(penalty).unwrap_or(u32::MAX);
        self.pn.saturating_add(self.visits).saturating_add(penalty)
    }
}

pub(super) enum Body {
    Or(OrNode),
    And(AndNode),
}

/// A position with the attacker to move.
#[derive(Default)]
pub(super) struct OrNode {
    /// The order of the moves that may be used.
    pub(super) order: u8,
    /// Whether the candidates have been generated.
    pub(super) expanded: bool,
    /// How often threats have been searched here.
    pub(super) effort: u8,
    pub(super) candidates: Vec<Candidate>,
    /// Moves that won positions like this one.
    pub(super) hints: Vec<Move>,
    pub(super) proof: Option<Box<ZonedWin>>,
}

/// Moves that may be tried when threats are searched for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// For VCDT.
    pub(super) vcdt: u64,
    /// For VCST, where the search is not one for VCST itself.
    pub(super) vcst: u64,
}

/// The proof numbers at which threats are searched for (again).
pub(super) const EFFORTS: [(u32, Effort); 4] = [
    (0, Effort { vcdt: 1_000, vcst: 3_000 }),
    (7, Effort { vcdt: 4_000, vcst: 20_000 }),
    (12, Effort { vcdt: 20_000, vcst: 100_000 }),
    (40, Effort { vcdt: 200_000, vcst: 800_000 }),
];

impl OrNode {
    /// The effort of a node where searching for threats again finds nothing.
    pub(super) const NO_MORE: u8 = EFFORTS.len() as u8;

    /// The proof number of searching harder for threats.
    pub(super) fn again(&self) -> u32 {
        EFFORTS.get(usize::from(self.effort)).map_or(NEVER, |&(pn, _)| pn)
    }

    /// The candidate to look at next.
    pub(super) fn best(&self, tree: &LambdaTree) -> Option<usize> {
        let number = |candidate: &Candidate| match candidate.node {
            LambdaTree::NONE => candidate.prior,
            node if tree.node(node).taken => NEVER - 1,
            node => tree.node(node).selection_cost(),
        };
        (0..self.candidates.len()).min_by_key(|&i| number(&self.candidates[i]))
    }

    /// Discards everything but the win.
    pub(super) fn win(&mut self, proof: ZonedWin) {
        self.proof = Some(Box::new(proof));
        self.expanded = true;
        (self.candidates, self.hints) = (Vec::new(), Vec::new());
    }

    /// A move that won a position like this one is tried first.
    fn suggest(&mut self, mv: Move) {
        if !self.expanded {
            if !self.hints.contains(&mv) {
                self.hints.insert(0, mv);
            }
            return;
        }
        match self.candidates.iter_mut().find(|candidate| candidate.mv == mv) {
            Some(known) => known.prior = 1,
            None => self.candidates.push(Candidate { mv, prior: 1, node: LambdaTree::NONE, turn: 0 }),
        }
    }
}

/// A move that may win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// The proof number before anything is known.
    pub(super) prior: u32,
    /// [`LambdaTree::NONE`] before the first visit.
    pub(super) node: Id,
    /// The symmetry that takes the position after the move to the node's
    /// position.
    pub(super) turn: Turn,
}

pub(super) struct LambdaTree {
    pub(super) nodes: Vec<LambdaNode>,
    pub(super) or_index: FxHashMap<(u64, u8), Id>,
    pub(super) and_index: FxHashMap<(u64, u8), Id>,
    /// About the memory that is used, and how much may be.
    pub(super) bytes: usize,
    pub(super) most_bytes: usize,
    /// The symmetries of the root.
    pub(super) symmetries: Arc<Symmetries>,
    /// The number of waiting questions that count as one child, see
    /// [`AndNode::numbers`].
    pub(super) waiting: u32,
}

/// What a node takes beside its body.
const NODE_BYTES: usize = size_of::<LambdaNode>() + 64;

impl Body {
    /// The approximate memory used.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Body::Or(or) => {
                or.candidates.capacity() * size_of::<Candidate>()
                    + or.hints.capacity() * size_of::<Move>()
                    + or.proof.as_ref().map_or(0, |proof| proof.zones.bytes())
            }
            Body::And(and) => and.bytes(),
        }
    }
}

impl LambdaTree {
    /// No node.
    pub(super) const NONE: Id = Id::MAX;

    pub(super) fn new(most_bytes: usize, waiting: u32) -> LambdaTree {
        LambdaTree {
            nodes: Vec::new(),
            or_index: FxHashMap::default(),
            and_index: FxHashMap::default(),
            bytes: 0,
            most_bytes,
            symmetries: Arc::default(),
            waiting,
        }
    }

    /// Clears the tree for a root with these symmetries.
    pub(super) fn clear(&mut self, symmetries: Arc<Symmetries>) {
        *self = LambdaTree { symmetries, ..LambdaTree::new(self.most_bytes, self.waiting) };
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes > self.most_bytes
    }

    pub(super) fn node(&self, id: Id) -> &LambdaNode {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: Id) -> &mut LambdaNode {
        &mut self.nodes[id as usize]
    }

    /// The win of an attacker's node.
    pub(super) fn proof(&self, id: Id) -> Option<&ZonedWin> {
        match &self.node(id).body {
            Body::Or(or) => or.proof.as_deref(),
            Body::And(_) => None,
        }
    }

    /// Takes the body of a node to work on it.
    pub(super) fn take(&mut self, id: Id) -> Body {
        let node = self.node_mut(id);
        node.taken = true;
        let body = std::mem::replace(&mut node.body, Body::Or(OrNode::default()));
        self.bytes -= body.bytes().min(self.bytes);
        body
    }

    pub(super) fn put_back(&mut self, id: Id, body: Body) {
        self.bytes += body.bytes();
        let node = self.node_mut(id);
        node.body = body;
        node.taken = false;
    }

    /// The node of a position with the attacker to move.
    /// `leaf` is its proof number if it is new.
    pub(super) fn or(&mut self, key: u64, order: u8, parent: Id, leaf: u32) -> Id {
        if let Some(&id) = self.or_index.get(&(key, order)) {
            self.link(id, parent);
            return id;
        }
        let id = self.add(key, Body::Or(OrNode { order, ..OrNode::default() }), parent, leaf);
        self.or_index.insert((key, order), id);
        id
    }

    /// The same if there is one already and it is not settled.
    pub(super) fn open_or(&mut self, key: u64, order: u8, parent: Id) -> Option<Id> {
        let &id = self.or_index.get(&(key, order))?;
        let LambdaNode { pn, dn, .. } = self.node(id);
        if *pn == 0 || *dn == 0 {
            return None;
        }
        self.link(id, parent);
        Some(id)
    }

    /// The same for a position that threats have been searched for in with this effort,
    /// where these moves have won before.
    pub(super) fn kid(
        &mut self,
        key: u64,
        order: u8,
        parent: Id,
        leaf: u32,
        effort: u8,
        hints: &[Move],
    ) -> Id {
        let id = self.or(key, order, parent, leaf);
        if let Body::Or(or) = &mut self.node_mut(id).body
            && !or.expanded
            && or.hints.is_empty()
        {
            or.effort = or.effort.max(effort);
            or.hints.extend_from_slice(hints);
        }
        id
    }

    /// Puts a move first. Returns whether the numbers may change.
    pub(super) fn suggest(&mut self, id: Id, mv: Move) -> bool {
        let node = self.node_mut(id);
        if node.taken {
            return false;
        }
        match &mut node.body {
            Body::Or(or) if or.proof.is_none() => {
                or.suggest(mv);
                or.expanded
            }
            _ => false,
        }
    }

    /// The node of a position with the defender to move.
    pub(super) fn and(&mut self, key: u64, and: AndNode, parent: Id, pn: u32) -> Id {
        let order = and.order();
        if let Some(&id) = self.and_index.get(&(key, order)) {
            self.link(id, parent);
            return id;
        }
        let id = self.add(key, Body::And(and), parent, pn);
        self.and_index.insert((key, order), id);
        id
    }

    fn add(&mut self, key: u64, body: Body, parent: Id, pn: u32) -> Id {
        let id = self.nodes.len() as Id;
        let parents = if parent == LambdaTree::NONE { Vec::new() } else { vec![parent] };
        self.bytes += NODE_BYTES + body.bytes();
        self.nodes.push(LambdaNode { key, pn, dn: 1, visits: 0, spent: 0, taken: false, parents, body });
        id
    }

    fn link(&mut self, id: Id, parent: Id) {
        let node = self.node_mut(id);
        if parent != LambdaTree::NONE && !node.parents.contains(&parent) {
            node.parents.push(parent);
        }
    }

    /// Recomputes the memory of all nodes.
    pub(super) fn weigh(&mut self) {
        self.bytes = self.nodes.iter().map(|node| NODE_BYTES + node.body.bytes()).sum();
    }

    /// Recomputes the numbers of a node from its children. Returns whether they
    /// changed.
    fn refresh(&mut self, id: Id) -> bool {
        let node = self.node(id);
        if node.taken {
            return false;
        }
        let (pn, dn) = match &node.body {
            Body::Or(or) if or.proof.is_some() => (0, NEVER),
            Body::Or(or) if or.expanded => self.or_numbers(or),
            Body::Or(_) => (node.pn, node.dn),
            Body::And(and) => and.numbers(self, (node.pn, node.dn)),
        };
        let node = self.node_mut(id);
        let changed = (node.pn, node.dn) != (pn, dn);
        (node.pn, node.dn) = (pn, dn);
        changed
    }

    fn or_numbers(&self, or: &OrNode) -> (u32, u32) {
        let (mut pn, mut dn, mut unseen) = (or.again(), 0u32, 0);
        for candidate in &or.candidates {
            if candidate.node == LambdaTree::NONE {
                pn = pn.min(candidate.prior);
                unseen += 1;
            } else {
                let child = self.node(candidate.node);
                pn = pn.min(child.pn);
                dn = dn.saturating_add(child.dn).min(NEVER);
            }
        }
        if pn == NEVER {
            return (NEVER, 0);
        }
        (pn.max(1), (dn + unseen / 8).clamp(1, NEVER - 1))
    }

    /// Updates the numbers of a node and of all its ancestors. Returns the
    /// positions that are now won.
    pub(super) fn update(&mut self, id: Id) -> Vec<(u64, ZonedWin)> {
        let mut won = Vec::new();
        let mut open = vec![id];
        let mut first = true;
        while let Some(id) = open.pop() {
            if let Some(proof) = self.win_of(id) {
                won.push((self.node(id).key, proof.clone()));
                if let Body::Or(or) = &mut self.node_mut(id).body {
                    or.win(proof);
                }
            }
            if self.refresh(id) || std::mem::take(&mut first) {
                open.extend_from_slice(&self.node(id).parents);
            }
        }
        won
    }

    /// The win of an attacker's node one of whose candidates is won.
    fn win_of(&self, id: Id) -> Option<ZonedWin> {
        let node = self.node(id);
        let Body::Or(or) = &node.body else { return None };
        if node.taken || or.proof.is_some() {
            return None;
        }
        or.candidates.iter().filter(|candidate| candidate.node != LambdaTree::NONE).find_map(|candidate| {
            let Body::And(and) = &self.node(candidate.node).body else { return None };
            let back = self.symmetries.inverse(candidate.turn);
            let mut zones = self.symmetries.turn_zones(back, and.won_zones()?);
            zones.add_move(&candidate.mv);
            Some(ZonedWin { reply: candidate.mv, zones })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lambda::and_node::AndNode;
    use lambda6_rules::Square;

    /// The better number is followed until it has cost more than the other move looks worse.
    #[test]
    fn a_move_that_takes_too_long_is_left_for_another() {
        let mut tree = LambdaTree::new(usize::MAX, 1);
        let mut candidate = |square, pn| {
            let node = tree.and(square as u64, AndNode::new(3, 1), LambdaTree::NONE, pn);
            Candidate { mv: Move::single(Square::new(square)), prior: 1, node, turn: 0 }
        };
        let candidates = vec![candidate(1, 11), candidate(2, 30)];
        let or = OrNode { order: 3, expanded: true, candidates, ..OrNode::default() };
        let mut chosen_after = |spent| {
            tree.node_mut(or.candidates[0].node).spent = spent;
            or.best(&tree)
        };
        assert_eq!(chosen_after(0), Some(0));
        assert_eq!(chosen_after(10_000_000), Some(0));
        assert_eq!(chosen_after(40_000_000), Some(1));
        assert_eq!(chosen_after(u64::MAX), Some(1));
    }
}
