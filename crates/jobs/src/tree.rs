//! The tree of a job-level search.
//!
//! Moves, statuses, proofs and orders of a person are stored. The rest of a node,
//! [`Derived`], is computed from them and from the children, and recomputed up to the
//! root after every change. So a tree that is read back from a file has the same
//! numbers.
//!
//! A verifier lists all defences of a position at once, often hundreds, most of which
//! one job each refutes. The sum of their numbers would make an attack look hopeless
//! as soon as it is verified, and the search would verify one attack after another.
//! Therefore all listed defences without children together count as one in the sum,
//! although each of them can be chosen.

use crate::{
    JobId, Number, Numbers, ProofId, Status, initial_numbers,
    policy::{Policy, PolicyName, View},
};
use lambda6_rules::{Move, Position, Side};
use std::fmt;

/// Identifies a node of a tree: nodes are numbered as they are added.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The position that is to be solved.
    pub const ROOT: NodeId = NodeId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

/// The proved value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// This side wins.
    Win(Side),
    /// A draw.
    Draw,
}

/// What added a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The root.
    Root,
    /// The best move that a job found.
    Job,
    /// A defence that a verifier listed.
    Verifier,
    /// A move that a person suggested.
    Person,
}

/// A position of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The parent; `None` for the root.
    pub parent: Option<NodeId>,
    /// The move that leads here.
    pub mv: Move,
    /// The side to move.
    pub to_move: Side,
    /// The children, the oldest first.
    pub children: Vec<NodeId>,
    /// The status that its job gave it.
    pub status: Status,
    /// What added it.
    pub origin: Origin,
    /// Its value by a proof of its own, or because the game is over.
    pub own: Option<Value>,
    /// That proof.
    pub proof: Option<ProofId>,
    /// The proof that every move other than the children loses: the paper's stopper.
    pub others: Option<ProofId>,
    /// A person has paused it.
    pub paused: bool,
    /// A person has forbidden the move to it.
    pub forbidden: bool,
    /// Its job failed too often.
    pub set_aside: bool,
    /// The job that looks for its next child.
    pub job: Option<JobId>,
    derived: Derived,
}

/// What is computed from the stored part and the children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The proved value.
    pub value: Option<Value>,
    /// The numbers as the policy sees them.
    pub numbers: Numbers,
    /// Whether nothing here or below can be chosen now.
    pub flagged: bool,
}

impl Node {
    /// The proved value.
    pub fn value(&self) -> Option<Value> {
        self.derived.value
    }

    /// The numbers as the policy sees them.
    pub fn numbers(&self) -> Numbers {
        self.derived.numbers
    }

    /// Whether nothing here or below can be chosen now.
    pub fn flagged(&self) -> bool {
        self.derived.flagged
    }
}

/// The tree.
#[derive(Clone)]
pub struct Tree {
    root: Position,
    attacker: Side,
    policy: PolicyName,
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree with a root only.
    pub fn new(root: Position, attacker: Side, policy: PolicyName) -> Tree {
        let to_move = root.to_move();
        let mut tree = Tree { root, attacker, policy, nodes: Vec::new() };
        tree.nodes.push(tree.blank(None, Move::NULL, to_move, Status::Unstable(2), Origin::Root));
        tree.refresh(NodeId::ROOT);
        tree
    }

    fn blank(&self, parent: Option<NodeId>, mv: Move, to_move: Side, status: Status, origin: Origin) -> Node {
        let derived =
            Derived { value: None, numbers: initial_numbers(status, self.attacker), flagged: false };
        Node {
            parent,
            mv,
            to_move,
            children: Vec::new(),
            status,
            origin,
            own: None,
            proof: None,
            others: None,
            paused: false,
            forbidden: false,
            set_aside: false,
            job: None,
            derived,
        }
    }

    /// The position of the root.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// The side whose win is to be proved.
    pub fn attacker(&self) -> Side {
        self.attacker
    }

    /// The policy.
    pub fn policy(&self) -> PolicyName {
        self.policy
    }

    /// The number of nodes.
    #[allow(clippy::len_without_is_empty, reason = "there is always the root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is such a node.
    pub fn has(&self, id: NodeId) -> bool {
        id.index() < self.nodes.len()
    }

    /// The node of a number. Panics if there is none.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes, parents before their children.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        (0..).map(NodeId).zip(&self.nodes).collect::<Vec<_>>().into_iter()
    }

    /// The child that this move leads to.
    pub fn child(&self, id: NodeId, mv: &Move) -> Option<NodeId> {
        self.node(id).children.iter().copied().find(|&child| self.node(child).mv == *mv)
    }

    /// The moves from the root to a node.
    pub fn path(&self, id: NodeId) -> Vec<Move> {
        let mut path: Vec<Move> = self.ancestors(id).map(|id| self.node(id).mv).collect();
        path.pop();
        path.reverse();
        path
    }

    /// The node and its ancestors up to the root.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |&id| self.node(id).parent)
    }

    /// The position of a node. Its moves can be played: they are checked when nodes
    /// are added.
    pub fn position(&self, id: NodeId) -> Position {
        let mut position = self.root.clone();
        for mv in self.path(id) {
            let played = position.play(&mv);
            debug_assert!(played.is_ok(), "{played:?}");
        }
        position
    }

    /// The moves that lead to the children of a node, forbidden ones too.
    pub fn moves(&self, id: NodeId) -> Vec<Move> {
        self.node(id).children.iter().map(|&child| self.node(child).mv).collect()
    }

    /// Whether the node or an ancestor is solved, so that the subtree is not needed.
    pub fn is_settled(&self, id: NodeId) -> bool {
        self.ancestors(id).any(|id| self.node(id).value().is_some())
    }

    /// Whether the node or an ancestor is paused or forbidden.
    pub fn is_held_back(&self, id: NodeId) -> bool {
        self.ancestors(id).any(|id| self.node(id).paused || self.node(id).forbidden)
    }

    /// Adds a child. The caller has checked that the move can be played and that no
    /// child has it.
    pub fn add(&mut self, parent: NodeId, mv: Move, status: Status, origin: Origin) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let to_move = self.node(parent).to_move.other();
        self.nodes.push(self.blank(Some(parent), mv, to_move, status, origin));
        self.nodes[parent.index()].children.push(id);
        self.refresh(id);
        // The parent has a child now, on which the sum of its own parent depends.
        self.refresh(parent);
        id
    }

    /// Changes a node and recomputes its ancestors.
    pub fn change(&mut self, id: NodeId, change: impl FnOnce(&mut Node)) {
        change(&mut self.nodes[id.index()]);
        self.refresh(id);
    }

    /// Recomputes the node and its ancestors.
    fn refresh(&mut self, id: NodeId) {
        let mut next = Some(id);
        // The node may have changed in a way that its parent depends on although its
        // own numbers are the same.
        let mut first = true;
        while let Some(id) = next {
            let derived = self.derive(id);
            if !first && derived == self.nodes[id.index()].derived {
                break;
            }
            self.nodes[id.index()].derived = derived;
            next = self.node(id).parent;
            first = false;
        }
    }

    /// Computes a node from its stored part and its children.
    pub fn derive(&self, id: NodeId) -> Derived {
        let node = self.node(id);
        let policy = self.policy.policy();
        let value = self.value_of(node);
        if let Some(value) = value {
            let proved = value == Value::Win(self.attacker);
            let numbers = if proved { Numbers::PROVED } else { Numbers::DISPROVED };
            return Derived { value: Some(value), numbers, flagged: true };
        }
        let open = self.open(node);
        if open.is_empty() && node.others.is_some() {
            return Derived { value, numbers: Numbers::CLOSED, flagged: true };
        }
        if open.is_empty() {
            let own = initial_numbers(node.status, self.attacker);
            let active = node.job.is_some();
            let numbers = if active { policy.active(own) } else { own };
            let flagged = (active && policy.flags()) || node.paused || node.set_aside;
            return Derived { value, numbers, flagged };
        }
        let (numbers, flagged) = self.combine(node, &open, policy);
        Derived { value, numbers, flagged: flagged || node.paused }
    }

    fn value_of(&self, node: &Node) -> Option<Value> {
        if node.own.is_some() {
            return node.own;
        }
        let values = || node.children.iter().map(|&child| self.node(child).value());
        let win = Value::Win(node.to_move);
        if values().any(|value| value == Some(win)) {
            return Some(win);
        }
        if node.others.is_none() || values().any(|value| value.is_none()) {
            return None;
        }
        let loss = Value::Win(node.to_move.other());
        Some(if values().all(|value| value == Some(loss)) { loss } else { Value::Draw })
    }

    /// The children that are not solved and not forbidden.
    fn open(&self, node: &Node) -> Vec<NodeId> {
        let open = |&id: &NodeId| self.node(id).value().is_none() && !self.node(id).forbidden;
        node.children.iter().copied().filter(open).collect()
    }

    /// Whether a verifier listed the move and the node has no children yet.
    fn is_only_listed(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.origin == Origin::Verifier && node.children.is_empty()
    }

    fn combine(&self, node: &Node, open: &[NodeId], policy: &dyn Policy) -> (Numbers, bool) {
        let attacks = node.to_move == self.attacker;
        let view = |id: NodeId| {
            let child = self.node(id);
            let numbers = if attacks { child.numbers() } else { child.numbers().swapped() };
            View { least: numbers.proof, sum: numbers.disproof, flagged: child.flagged(), counts: true }
        };
        let mut views: Vec<View> = open.iter().map(|&id| view(id)).collect();
        let flagged = views.iter().all(|view| view.flagged);
        let mut counts = true;
        for (view, &id) in views.iter_mut().zip(open) {
            if self.is_only_listed(id) {
                view.counts = std::mem::take(&mut counts);
            }
        }
        if let (true, true, Some(&youngest)) = (node.job.is_some(), policy.expects_sibling(), views.last()) {
            views.push(View { flagged: true, ..youngest });
        }
        let (least, sum) = policy.combine(&views);
        let numbers = Numbers { proof: least, disproof: sum };
        (if attacks { numbers } else { numbers.swapped() }, flagged)
    }

    /// The most proving node: from the root always to the child with the least
    /// number, the oldest of equals, down to a node without open children. `None` if
    /// the policy leaves nothing to choose.
    pub fn select(&self) -> Option<NodeId> {
        let mut id = NodeId::ROOT;
        let Numbers { proof, disproof } = self.node(id).numbers();
        if self.node(id).flagged() || proof == Number::ZERO || disproof == Number::ZERO {
            return None;
        }
        loop {
            let node = self.node(id);
            let open = self.open(node);
            if open.is_empty() {
                return Some(id).filter(|_| node.job.is_none());
            }
            let attacks = node.to_move == self.attacker;
            let number = |id: &NodeId| {
                let numbers = self.node(*id).numbers();
                if attacks { numbers.proof } else { numbers.disproof }
            };
            // `min_by_key` takes the first of equals.
            id = open.into_iter().filter(|&id| !self.node(id).flagged()).min_by_key(number)?;
        }
    }

    /// The line of best moves from the root: to a child with the value of a solved
    /// node, otherwise to the child with the least number.
    pub fn principal_line(&self) -> Vec<NodeId> {
        let mut line = Vec::new();
        let mut id = NodeId::ROOT;
        while let Some(next) = self.best_child(id) {
            line.push(next);
            id = next;
        }
        line
    }

    /// The child on the line of best moves.
    pub fn best_child(&self, id: NodeId) -> Option<NodeId> {
        let node = self.node(id);
        if let Some(value) = node.value() {
            return node.children.iter().copied().find(|&child| self.node(child).value() == Some(value));
        }
        let attacks = node.to_move == self.attacker;
        let key = |id: &NodeId| {
            let numbers = self.node(*id).numbers();
            if attacks { (numbers.proof, numbers.disproof) } else { (numbers.disproof, numbers.proof) }
        };
        self.open(node).into_iter().min_by_key(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_rules::Game;

    /// Listed defences count as one until they have children; defences that were found
    /// one by one count each.
    #[test]
    fn listed_defences_count_when_they_have_children() {
        let game = Game::CONNECT6;
        let mut root = Position::new(game);
        root.play(&game.parse_move("j10").unwrap()).unwrap();
        let proof_number = |origin: Origin| {
            let mut tree = Tree::new(root.clone(), Side::Black, PolicyName::default());
            let status = Status::Ahead(Side::Black, 2);
            let defence = |text| game.parse_move(text).unwrap();
            let children = ["k9k10", "i9k9", "i9i10"].map(|text| {
                let id = tree.add(NodeId::ROOT, defence(text), status, origin);
                (id, tree.node(NodeId::ROOT).numbers().proof.finite())
            });
            let (first, second) = (children[0].0, children[1].0);
            for id in [first, second] {
                tree.add(id, defence("j11j12"), status, Origin::Job);
            }
            let looked_at = tree.node(NodeId::ROOT).numbers().proof.finite();
            (children.map(|(_, number)| number), looked_at)
        };
        assert_eq!(proof_number(Origin::Verifier), ([Some(3); 3], Some(9)));
        assert_eq!(proof_number(Origin::Job), ([Some(3), Some(6), Some(9)], Some(9)));
    }
}
