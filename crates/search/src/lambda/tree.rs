//! The tree of a Lambda search: proof numbers, and what is known at each node.
//!
//! Nodes are shared between transpositions, so it is a graph without cycles: a
//! move only adds stones. The proof number of a defender's node is the largest of
//! its children's and one for each other child (weak proof numbers): children are
//! mostly won by the same moves, and a sum would count those again and again.

use super::defend::And;
use crate::forced::Proof;
use rules::Move;
use rustc_hash::FxHashMap;

/// Where a node is in the tree.
pub(super) type Id = u32;

/// A proof or disproof number that stands for "cannot be had".
pub(super) const NEVER: u32 = 1 << 30;

/// A node, with the numbers that say where to search.
pub(super) struct Node {
    /// The key of the board, whoever is to move.
    pub(super) key: u64,
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// Visits under way at the node or below.
    pub(super) visits: u32,
    /// Somebody is working at this very node, and has taken its body.
    pub(super) taken: bool,
    parents: Vec<Id>,
    pub(super) body: Body,
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
    /// How often full threats have been searched here.
    pub(super) effort: u8,
    pub(super) candidates: Vec<Candidate>,
    /// Moves that won positions like this one.
    pub(super) hints: Vec<Move>,
    pub(super) proof: Option<Box<Proof>>,
}

/// How hard full threats are searched for, and the proof numbers at which
/// that is tried again.
pub(super) const EFFORTS: [(u32, u64); 4] = [(0, 1_000), (7, 4_000), (12, 20_000), (40, 200_000)];

impl Or {
    /// The proof number of searching harder for full threats.
    pub(super) fn again(&self) -> u32 {
        EFFORTS.get(usize::from(self.effort)).map_or(NEVER, |&(pn, _)| pn)
    }

    /// A move that won a position like this one is tried first.
    pub(super) fn suggest(&mut self, mv: Move) {
        if !self.expanded {
            if !self.hints.contains(&mv) {
                self.hints.insert(0, mv);
            }
            return;
        }
        match self.candidates.iter_mut().find(|candidate| candidate.mv == mv) {
            Some(known) => known.prior = 1,
            None => self.candidates.push(Candidate { mv, prior: 1, node: Tree::NONE }),
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
}

#[derive(Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    or_index: FxHashMap<(u64, u8), Id>,
    and_index: FxHashMap<(u64, u8), Id>,
}

impl Tree {
    /// No node.
    pub(super) const NONE: Id = Id::MAX;

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// The node of a position with the attacker to move.
    pub(super) fn or(&mut self, key: u64, order: u8, parent: Id, pn: u32) -> Id {
        if let Some(&id) = self.or_index.get(&(key, order)) {
            self.link(id, parent);
            return id;
        }
        let id = self.add(key, Body::Or(Or { order, ..Or::default() }), parent, pn);
        self.or_index.insert((key, order), id);
        id
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
        self.nodes.push(Node { key, pn, dn: 1, visits: 0, taken: false, parents, body });
        id
    }

    fn link(&mut self, id: Id, parent: Id) {
        let node = self.node_mut(id);
        if parent != Tree::NONE && !node.parents.contains(&parent) {
            node.parents.push(parent);
        }
    }

    /// Works out the numbers of a node from its children's. Whether they changed.
    fn refresh(&mut self, id: Id) -> bool {
        let node = self.node(id);
        let (pn, dn) = match &node.body {
            Body::Or(or) if or.proof.is_some() => (0, NEVER),
            Body::Or(or) if or.expanded => self.or_numbers(or),
            Body::Or(_) => (node.pn, node.dn),
            Body::And(_) if node.taken => (node.pn, node.dn),
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
        (pn.max(1), (dn + unseen / 8).clamp(1, NEVER))
    }

    /// Brings the numbers of a node and of all above it up to date. Calls `won`
    /// with each position that turns out to be won.
    pub(super) fn update(&mut self, id: Id, mut won: impl FnMut(u64, &Proof)) {
        let mut open = vec![id];
        let mut first = true;
        while let Some(id) = open.pop() {
            if let Some(proof) = self.win_of(id) {
                won(self.node(id).key, &proof);
                if let Body::Or(or) = &mut self.node_mut(id).body {
                    or.proof = Some(Box::new(proof));
                    or.candidates = Vec::new();
                }
            }
            if self.refresh(id) || std::mem::take(&mut first) {
                open.extend_from_slice(&self.node(id).parents);
            }
        }
    }

    /// The win of an attacker's node one of whose candidates is won.
    fn win_of(&self, id: Id) -> Option<Proof> {
        let Body::Or(or) = &self.node(id).body else { return None };
        if or.proof.is_some() {
            return None;
        }
        or.candidates.iter().filter(|candidate| candidate.node != Tree::NONE).find_map(|candidate| {
            let Body::And(and) = &self.node(candidate.node).body else { return None };
            and.is_won().then(|| {
                let mut zones = and.zones().clone();
                zones.add_move(&candidate.mv);
                Proof { reply: candidate.mv, zones }
            })
        })
    }
}
