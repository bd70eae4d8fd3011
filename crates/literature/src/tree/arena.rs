//! The tree itself: nodes in an arena with a hard cap, and their proof numbers.
//!
//! Positions that are reached in several ways are one node with several
//! parents, so the tree is a directed graph. It has no cycles: every edge adds
//! stones, but for a pass, and after a pass the other side is to move.
//!
//! # Numbers
//!
//! A node may have more children than have been opened: moves of the attacker
//! that wait for their turn, or replies of the defender that matter only once
//! others have been met. What waits counts as one more child, with a proof
//! number of its own, the node's *rest*. So the numbers of a node follow from
//! its children and its rest alone:
//!
//! | | proof number | disproof number |
//! |---|---|---|
//! | attacker to move | least of the children and of the rest | sum of the children, 1 more for the rest |
//! | defender to move | sum of the children and of the rest | least of the children; 1 if all are proved and some wait |

use crate::numbers::{INFINITE, sum};
use lambda6_rules::{Move, Side};
use lambda6_search::Zones;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SearchNodeId(u32);

impl SearchNodeId {
    /// The node's number, from 0 for the root.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The attacker: one move that wins is enough.
    Or,
    /// The defender: every move must lose.
    And,
}

/// What is known of a node without its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing: its children tell.
    Open,
    /// The attacker connects now.
    Row,
    /// The attacker wins by full threats: the evaluation found out.
    Threats,
    /// The attacker has more threats than can be met.
    Overwhelming,
    /// The defender cannot be kept from a row or from filling the board, or no
    /// move of the attacker is left that any stage would offer.
    Lost,
    /// Given up at the depth limit.
    Cut,
    /// Refuted at its stage; its children have been forgotten.
    Refuted,
}

impl State {
    /// Whether the attacker has won.
    pub fn is_won(self) -> bool {
        matches!(self, State::Row | State::Threats | State::Overwhelming)
    }
}

/// A move and the position after it. A move of the defender may have fewer
/// than `p` stones: the others are passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The move.
    pub mv: Move,
    /// Where it leads.
    pub node: SearchNodeId,
}

/// A position.
#[derive(Clone, Debug)]
pub struct SearchNode {
    key: u64,
    /// The stones in which the position differs from one whose winning moves
    /// are worth a try here, as a difference of keys; 0 for none.
    pub(crate) like: u64,
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// The proof number of what waits.
    pub(crate) rest: u32,
    /// The candidates of the stage that have had their turn.
    pub(crate) opened: u32,
    pub(crate) batches: u16,
    /// The stage whose moves are on offer.
    pub(crate) stage: u8,
    kind: Kind,
    pub(crate) state: State,
    /// Whether something waits.
    pub(crate) more: bool,
    /// Whether the winning move of a like position has been tried.
    pub(crate) hinted: bool,
    pub(crate) children: Vec<Edge>,
    parents: Vec<SearchNodeId>,
    pub(crate) zones: Option<Arc<Zones>>,
}

impl SearchNode {
    /// The key of the position, the side to move included.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Who is to move.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What is known without the children.
    pub fn state(&self) -> State {
        self.state
    }

    /// The proof number: 0 for a win of the attacker.
    pub fn pn(&self) -> u32 {
        self.pn
    }

    /// The disproof number: 0 where every move that was offered is refuted.
    pub fn dn(&self) -> u32 {
        self.dn
    }

    /// Whether the attacker wins.
    pub fn is_proved(&self) -> bool {
        self.pn == 0
    }

    /// Whether every move that was offered is refuted.
    pub fn is_refuted(&self) -> bool {
        self.dn == 0
    }

    /// Whether neither is known.
    pub fn is_open(&self) -> bool {
        self.pn != 0 && self.dn != 0
    }

    /// The proof number of what waits, if something does.
    pub fn rest(&self) -> Option<u32> {
        self.more.then_some(self.rest)
    }

    /// The moves that have been opened, in the order of their promise.
    pub fn children(&self) -> &[Edge] {
        &self.children
    }

    /// The positions it was reached from.
    pub fn parents(&self) -> &[SearchNodeId] {
        &self.parents
    }
}

/// The proof and the disproof number of a node, from its rest and the numbers of
/// its children.
pub(super) fn numbers(
    state: State,
    kind: Kind,
    rest: Option<u32>,
    children: impl Iterator<Item = (u32, u32)> + Clone,
) -> (u32, u32) {
    let (pns, dns) = (children.clone().map(|(pn, _)| pn), children.map(|(_, dn)| dn));
    match (state, kind) {
        (State::Row | State::Threats | State::Overwhelming, _) => (0, INFINITE),
        (State::Lost | State::Cut | State::Refuted, _) => (INFINITE, 0),
        (State::Open, Kind::Or) => {
            let pn = pns.chain(rest).min().unwrap_or(INFINITE);
            let dn = sum(dns.chain(rest.map(|_| 1)));
            (pn, if pn == 0 { INFINITE } else { dn })
        }
        (State::Open, Kind::And) => match dns.min().unwrap_or(INFINITE) {
            0 => (INFINITE, 0),
            INFINITE if rest.is_some() => (sum(pns.chain(rest)), 1),
            dn => (sum(pns.chain(rest)), dn),
        },
    }
}

/// The nodes.
#[derive(Clone, Debug)]
pub struct SearchTree {
    attacker: Side,
    nodes: Vec<SearchNode>,
    by_key: FxHashMap<u64, SearchNodeId>,
    most: usize,
    /// Moves up to this stage are on offer.
    pub(crate) stage: u8,
    /// Nodes whose numbers are to be brought up to date.
    stale: Vec<SearchNodeId>,
}

/// There is no room for another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl SearchTree {
    /// An empty tree for wins of this side, of at most so many nodes.
    pub(crate) fn new(attacker: Side, most: usize) -> SearchTree {
        let most = most.min(u32::MAX as usize);
        SearchTree {
            attacker,
            nodes: Vec::new(),
            by_key: FxHashMap::default(),
            most,
            stage: 0,
            stale: Vec::new(),
        }
    }

    /// Whose win it is about.
    pub fn attacker(&self) -> Side {
        self.attacker
    }

    /// The first node.
    pub const ROOT: SearchNodeId = SearchNodeId(0);

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no root yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes; the root is the first.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = SearchNodeId> + use<> {
        (0..self.nodes.len() as u32).map(SearchNodeId)
    }

    /// A node of this tree.
    pub fn node(&self, id: SearchNodeId) -> &SearchNode {
        &self.nodes[id.index()]
    }

    pub(crate) fn node_mut(&mut self, id: SearchNodeId) -> &mut SearchNode {
        &mut self.nodes[id.index()]
    }

    /// The node of a position.
    pub fn find(&self, key: u64) -> Option<SearchNodeId> {
        self.by_key.get(&key).copied()
    }

    /// The root.
    pub fn root(&self) -> &SearchNode {
        self.node(SearchTree::ROOT)
    }

    /// Whether there is room for another node.
    pub(crate) fn has_room(&self) -> bool {
        self.nodes.len() < self.most
    }

    /// Adds a node. `rest` is the proof number of a node that has to be opened.
    pub(crate) fn add(
        &mut self,
        key: u64,
        kind: Kind,
        state: State,
        rest: u32,
    ) -> Result<SearchNodeId, Full> {
        if !self.has_room() {
            return Err(Full);
        }
        let id = SearchNodeId(self.nodes.len() as u32);
        self.nodes.push(SearchNode {
            key,
            like: 0,
            pn: 0,
            dn: 0,
            rest,
            opened: 0,
            batches: 0,
            stage: 0,
            kind,
            state,
            more: state == State::Open,
            hinted: false,
            children: Vec::new(),
            parents: Vec::new(),
            zones: None,
        });
        self.by_key.insert(key, id);
        let (pn, dn) = self.numbers(id);
        let node = self.node_mut(id);
        (node.pn, node.dn) = (pn, dn);
        Ok(id)
    }

    /// Adds an edge. The numbers of the parent are not up to date then.
    pub(crate) fn link(&mut self, parent: SearchNodeId, mv: Move, child: SearchNodeId) {
        self.node_mut(parent).children.push(Edge { mv, node: child });
        self.node_mut(child).parents.push(parent);
    }

    /// The numbers of a node, from its children and its rest.
    pub(crate) fn numbers(&self, id: SearchNodeId) -> (u32, u32) {
        let node = self.node(id);
        let children = node.children.iter().map(|edge| (self.node(edge.node).pn, self.node(edge.node).dn));
        numbers(node.state, node.kind, node.rest(), children)
    }

    /// Brings the numbers of a node and of all above it up to date.
    pub(crate) fn update(&mut self, id: SearchNodeId) {
        let mut stale = std::mem::take(&mut self.stale);
        stale.push(id);
        while let Some(id) = stale.pop() {
            let (pn, dn) = self.numbers(id);
            let node = &mut self.nodes[id.index()];
            if (node.pn, node.dn) != (pn, dn) {
                (node.pn, node.dn) = (pn, dn);
                stale.extend_from_slice(&node.parents);
            }
        }
        self.stale = stale;
    }

    /// Opens the next stage: every node that has been refuted for want of moves
    /// may have some again. All numbers are worked out anew.
    pub(crate) fn open_stage(&mut self) {
        self.stage += 1;
        let mut reopened = Vec::new();
        for id in self.ids() {
            let node = self.node_mut(id);
            if node.state == State::Refuted {
                (node.state, node.more) = (State::Open, true);
                (node.stage, node.opened, node.batches) = (0, 0, 0);
                node.rest = node.rest.max(1);
                reopened.push(id);
                continue;
            }
            if node.kind == Kind::Or && node.state == State::Open && !node.more && !node.is_proved() {
                node.more = true;
                node.rest = 1;
                reopened.push(id);
            }
        }
        reopened.into_iter().for_each(|id| self.update(id));
    }

    /// Whether there is hardly room for more.
    pub(crate) fn is_nearly_full(&self) -> bool {
        self.nodes.len() + self.most / 10 >= self.most
    }

    /// Forgets the nodes that nothing depends on any more: what lies below moves
    /// that are refuted, and beside a move that wins. Where no stage is left to
    /// open, moves of the attacker that are refuted go, too. The numbers that
    /// are left do not change. By the old number of a node, its new one.
    pub(crate) fn collect(&mut self, last_stage: bool) -> Vec<Option<SearchNodeId>> {
        for id in self.ids() {
            let mut children = std::mem::take(&mut self.node_mut(id).children);
            let node = self.node(id);
            if node.is_refuted() {
                children = Vec::new();
            } else if node.kind == Kind::Or && node.is_proved() {
                let winning = children.iter().position(|edge| self.node(edge.node).is_proved());
                children = winning.map(|at| children[at]).into_iter().collect();
            } else if node.kind == Kind::Or && last_stage {
                children.retain(|edge| !self.node(edge.node).is_refuted());
            }
            let node = self.node_mut(id);
            if node.is_refuted() && node.state == State::Open {
                node.state = State::Refuted;
            }
            node.children = children;
            node.parents.clear();
        }
        let mut kept = vec![false; self.nodes.len()];
        let mut next = vec![SearchTree::ROOT];
        while let Some(id) = next.pop() {
            if !std::mem::replace(&mut kept[id.index()], true) {
                next.extend(self.node(id).children.iter().map(|edge| edge.node));
            }
        }
        let mut count = 0;
        let moved: Vec<Option<SearchNodeId>> = kept
            .iter()
            .map(|&kept| {
                count += u32::from(kept);
                kept.then(|| SearchNodeId(count - 1))
            })
            .collect();
        let mut index = 0;
        self.nodes.retain(|_| {
            index += 1;
            kept[index - 1]
        });
        self.by_key = self.ids().map(|id| (self.node(id).key, id)).collect();
        for id in self.ids() {
            let mut children = std::mem::take(&mut self.node_mut(id).children);
            for edge in &mut children {
                // What a kept node leads to is kept.
                edge.node = moved[edge.node.index()].unwrap_or(SearchTree::ROOT);
                self.node_mut(edge.node).parents.push(id);
            }
            self.node_mut(id).children = children;
        }
        moved
    }

    /// The move that wins, where one is known, and the position after it.
    pub fn winning(&self, id: SearchNodeId) -> Option<Edge> {
        self.node(id).children.iter().find(|edge| self.node(edge.node).is_proved()).copied()
    }
}
