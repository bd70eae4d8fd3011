//! The tree of a Lambda search: proof numbers, and what is known at each node.
//!
//! Nodes are shared between transpositions, so it is a graph without cycles: a
//! move only adds stones. The proof number of a defender's node is the largest of
//! its children's and one for each other child (weak proof numbers): children are
//! mostly won by the same moves, and a sum would count those again and again.

use super::{
    defend::And,
    symmetry::{Symmetries, Turn},
};
use crate::forced::Proof;
use rules::Move;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Where a node is in the tree.
pub(super) type Id = u32;

/// A proof or disproof number that stands for "cannot be had".
pub(super) const NEVER: u32 = 1 << 30;

/// A node, with the numbers that say where to search.
pub(super) struct Node {
    /// The key of the board with the attacker to move, whoever is to move.
    pub(super) key: u64,
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// Workers below.
    pub(super) visits: u32,
    /// Moves tried here and below, on ways through this node.
    pub(super) spent: u64,
    /// A worker is at this very node, and has taken its body.
    pub(super) taken: bool,
    pub(super) parents: Vec<Id>,
    pub(super) body: Body,
}

/// Moves that a node may take before it counts as dearer than its proof number says, by one each
/// time they double; and those that make it dearer by one each, however many they are.
const FREE: u64 = 50_000;
const EACH: u64 = 3_000_000;

impl Node {
    /// By what an attacker's node chooses among its moves: the proof number, and what has
    /// been spent already.
    ///
    /// After a quiet move the proof number can stay where it is for hundreds of
    /// millions of moves, since there is always another defence that seems no harder. With proof
    /// numbers alone the search then never comes back to a move that looked worse at
    /// first and wins quickly: some runs of TX-H9 with two threads tried g10m4 against j7k6
    /// for minutes, at 11 to 22, while g10l5 had been left at 30.
    fn dearness(&self) -> u32 {
        let toll = u64::from((1 + self.spent / FREE).ilog2()) + self.spent / EACH;
        let toll = u32::try_from(toll).unwrap_or(u32::MAX);
        self.pn.saturating_add(self.visits).saturating_add(toll)
    }
}

pub(super) enum Body {
    Or(Or),
    And(And),
}

/// A position with the attacker to move.
#[derive(Default)]
pub(super) struct Or {
    /// The order of the moves that may be used.
    pub(super) order: u8,
    /// Whether the candidates have been generated.
    pub(super) expanded: bool,
    /// How often threats have been searched here.
    pub(super) effort: u8,
    pub(super) candidates: Vec<Candidate>,
    /// Moves that won positions like this one.
    pub(super) hints: Vec<Move>,
    pub(super) proof: Option<Box<Proof>>,
}

/// Moves that may be tried when threats are searched for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// For full threats.
    pub(super) full: u64,
    /// For single threats, where the search is not one for these itself.
    pub(super) single: u64,
}

/// The proof numbers at which threats are searched for (again).
pub(super) const EFFORTS: [(u32, Effort); 4] = [
    (0, Effort { full: 1_000, single: 3_000 }),
    (7, Effort { full: 4_000, single: 20_000 }),
    (12, Effort { full: 20_000, single: 100_000 }),
    (40, Effort { full: 200_000, single: 800_000 }),
];

impl Or {
    /// The proof number of searching harder for threats.
    pub(super) fn again(&self) -> u32 {
        EFFORTS.get(usize::from(self.effort)).map_or(NEVER, |&(pn, _)| pn)
    }

    /// The candidate to look at next.
    pub(super) fn best(&self, tree: &Tree) -> Option<usize> {
        let number = |candidate: &Candidate| match candidate.node {
            Tree::NONE => candidate.prior,
            node if tree.node(node).taken => NEVER - 1,
            node => tree.node(node).dearness(),
        };
        (0..self.candidates.len()).min_by_key(|&i| number(&self.candidates[i]))
    }

    /// Nothing but the win is kept.
    pub(super) fn win(&mut self, proof: Proof) {
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
            None => self.candidates.push(Candidate { mv, prior: 1, node: Tree::NONE, turn: 0 }),
        }
    }
}

/// A move that may win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// The proof number before anything is known.
    pub(super) prior: u32,
    /// [`Tree::NONE`] before the first visit.
    pub(super) node: Id,
    /// What takes the position after the move to the node's.
    pub(super) turn: Turn,
}

pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) or_index: FxHashMap<(u64, u8), Id>,
    pub(super) and_index: FxHashMap<(u64, u8), Id>,
    /// About the memory that is used, and how much may be.
    pub(super) bytes: usize,
    pub(super) most_bytes: usize,
    /// Of the root.
    pub(super) symmetries: Arc<Symmetries>,
    /// So many of the defender's moves that wait to be settled count as one that is
    /// hard.
    pub(super) waiting: u32,
}

/// What a node takes beside its body.
const NODE_BYTES: usize = size_of::<Node>() + 64;

impl Body {
    /// About the memory that it takes.
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

impl Tree {
    /// No node.
    pub(super) const NONE: Id = Id::MAX;

    pub(super) fn new(most_bytes: usize, waiting: u32) -> Tree {
        Tree {
            nodes: Vec::new(),
            or_index: FxHashMap::default(),
            and_index: FxHashMap::default(),
            bytes: 0,
            most_bytes,
            symmetries: Arc::default(),
            waiting,
        }
    }

    /// Begins again, below a root with these symmetries.
    pub(super) fn clear(&mut self, symmetries: Arc<Symmetries>) {
        *self = Tree { symmetries, ..Tree::new(self.most_bytes, self.waiting) };
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes > self.most_bytes
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// The win of an attacker's node.
    pub(super) fn proof(&self, id: Id) -> Option<&Proof> {
        match &self.node(id).body {
            Body::Or(or) => or.proof.as_deref(),
            Body::And(_) => None,
        }
    }

    /// Takes the body of a node to work on it.
    pub(super) fn take(&mut self, id: Id) -> Body {
        let node = self.node_mut(id);
        node.taken = true;
        let body = std::mem::replace(&mut node.body, Body::Or(Or::default()));
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
        let id = self.add(key, Body::Or(Or { order, ..Or::default() }), parent, leaf);
        self.or_index.insert((key, order), id);
        id
    }

    /// The same if there is one already and it is not settled.
    pub(super) fn open_or(&mut self, key: u64, order: u8, parent: Id) -> Option<Id> {
        let &id = self.or_index.get(&(key, order))?;
        let Node { pn, dn, .. } = self.node(id);
        if *pn == 0 || *dn == 0 {
            return None;
        }
        self.link(id, parent);
        Some(id)
    }

    /// The same for a position that threats have been searched for in, where these
    /// moves have won before.
    pub(super) fn kid(&mut self, key: u64, order: u8, parent: Id, leaf: u32, hints: &[Move]) -> Id {
        let id = self.or(key, order, parent, leaf);
        if let Body::Or(or) = &mut self.node_mut(id).body
            && !or.expanded
            && or.hints.is_empty()
        {
            or.effort = or.effort.max(1);
            or.hints.extend_from_slice(hints);
        }
        id
    }

    /// Has a move tried first. Whether that may change the numbers.
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
    pub(super) fn and(&mut self, key: u64, and: And, parent: Id, pn: u32) -> Id {
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
        let parents = if parent == Tree::NONE { Vec::new() } else { vec![parent] };
        self.bytes += NODE_BYTES + body.bytes();
        self.nodes.push(Node { key, pn, dn: 1, visits: 0, spent: 0, taken: false, parents, body });
        id
    }

    fn link(&mut self, id: Id, parent: Id) {
        let node = self.node_mut(id);
        if parent != Tree::NONE && !node.parents.contains(&parent) {
            node.parents.push(parent);
        }
    }

    /// Works out what the memory of all nodes comes to.
    pub(super) fn weigh(&mut self) {
        self.bytes = self.nodes.iter().map(|node| NODE_BYTES + node.body.bytes()).sum();
    }

    /// Works out the numbers of a node from its children's. Whether they changed.
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

    fn or_numbers(&self, or: &Or) -> (u32, u32) {
        let (mut pn, mut dn, mut unseen) = (or.again(), 0u32, 0);
        for candidate in &or.candidates {
            if candidate.node == Tree::NONE {
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

    /// Brings the numbers of a node and of all above it up to date. Returns the
    /// positions that turn out to be won.
    pub(super) fn update(&mut self, id: Id) -> Vec<(u64, Proof)> {
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
    fn win_of(&self, id: Id) -> Option<Proof> {
        let node = self.node(id);
        let Body::Or(or) = &node.body else { return None };
        if node.taken || or.proof.is_some() {
            return None;
        }
        or.candidates.iter().filter(|candidate| candidate.node != Tree::NONE).find_map(|candidate| {
            let Body::And(and) = &self.node(candidate.node).body else { return None };
            and.is_won().then(|| {
                let back = self.symmetries.inverse(candidate.turn);
                let mut zones = self.symmetries.turn_zones(back, and.zones());
                zones.add_move(&candidate.mv);
                Proof { reply: candidate.mv, zones }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lambda::defend::And;
    use rules::{Game, Square};

    /// The better number is followed until it has cost more than the other move looks worse.
    #[test]
    fn a_move_that_takes_too_long_is_left_for_another() {
        let game = Game::CONNECT6;
        let mut tree = Tree::new(usize::MAX, 1);
        let mut candidate = |square, pn| {
            let node = tree.and(square as u64, And::new(game, 3, 1), Tree::NONE, pn);
            Candidate { mv: Move::single(Square::new(square)), prior: 1, node, turn: 0 }
        };
        let candidates = vec![candidate(1, 11), candidate(2, 30)];
        let or = Or { order: 3, expanded: true, candidates, ..Or::default() };
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
