//! The tree of a job-level search: what is known of each node, and the numbers
//! that follow from it.
//!
//! What is known (moves, statuses, proofs, what a person ordered) is stored; the
//! rest of a node, [`Derived`], is computed from it and from the children, and
//! computed again up to the root whenever something changes. So a tree read back
//! from a file has the numbers it had.
//!
//! A verifier lists all defences of a position at once, hundreds of them if need
//! be, most of which a job each refutes. Added up they would make an attack look
//! hopeless as soon as it is verified, beside those that are not, and the search
//! would go on to verify one attack after the other. Found one by one, defences
//! count when they are looked at; so do listed ones: those that nobody has looked
//! at yet are all there to be chosen, but one of them stands for all in the sum.

use crate::{
    JobId, Number, Numbers, ProofId, Status, initial_numbers,
    policy::{Policy, PolicyName, View},
};
use rules::{Move, Position, Side};
use std::fmt;

/// Names a node of one tree: they are numbered as they appear.
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

/// What is known for certain about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// This side wins.
    Win(Side),
    /// Nobody wins.
    Draw,
}

/// Where a node came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The root.
    Root,
    /// The best move that a job found.
    Job,
    /// A defence that a verifier listed.
    Verifier,
    /// A person's move.
    Person,
}

/// A position of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The node before; `None` for the root.
    pub parent: Option<NodeId>,
    /// The move that leads here.
    pub mv: Move,
    /// Who moves.
    pub to_move: Side,
    /// The nodes after, the eldest first.
    pub children: Vec<NodeId>,
    /// What the job that found it thinks of it.
    pub status: Status,
    /// Where it came from.
    pub origin: Origin,
    /// What is known of it without its children: a proof, or the game is over.
    pub own: Option<Value>,
    /// The proof of that.
    pub proof: Option<ProofId>,
    /// The proof that every move but the children loses: the paper's stopper.
    pub others: Option<ProofId>,
    /// A person does not want it worked on for now.
    pub paused: bool,
    /// A person does not want this move at all.
    pub forbidden: bool,
    /// Its job failed too often.
    pub set_aside: bool,
    /// The job that looks for its next child.
    pub job: Option<JobId>,
    derived: Derived,
}

/// What follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derived {
    /// What is known for certain.
    pub value: Option<Value>,
    /// The numbers as the policy sees them.
    pub numbers: Numbers,
    /// Whether there is nothing here or below that can be chosen now.
    pub flagged: bool,
}

impl Node {
    /// What is known for certain.
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

    /// Whose win is to be proved.
    pub fn attacker(&self) -> Side {
        self.attacker
    }

    /// How nodes are chosen.
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

    /// A node. Panics if there is none of this number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes, parents before their children.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        (0..).map(NodeId).zip(&self.nodes).collect::<Vec<_>>().into_iter()
    }

    /// The child by this move, if it is there.
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

    /// The node and those before it up to the root.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |&id| self.node(id).parent)
    }

    /// The position of a node. Moves are checked when nodes are added, so that
    /// they can be played.
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

    /// Whether the node or one before it is solved, so that nothing below it
    /// matters any more.
    pub fn is_settled(&self, id: NodeId) -> bool {
        self.ancestors(id).any(|id| self.node(id).value().is_some())
    }

    /// Whether a person keeps the work away from the node.
    pub fn is_held_back(&self, id: NodeId) -> bool {
        self.ancestors(id).any(|id| self.node(id).paused || self.node(id).forbidden)
    }

    /// Adds a child. The caller has checked that the move can be played and
    /// leads to no other child.
    pub fn add(&mut self, parent: NodeId, mv: Move, status: Status, origin: Origin) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let to_move = self.node(parent).to_move.other();
        self.nodes.push(self.blank(Some(parent), mv, to_move, status, origin));
        self.nodes[parent.index()].children.push(id);
        self.refresh(id);
        // The parent has been looked at now, which its own parent's sum depends on.
        self.refresh(parent);
        id
    }

    /// Changes what is known of a node, and what follows from it.
    pub fn change(&mut self, id: NodeId, change: impl FnOnce(&mut Node)) {
        change(&mut self.nodes[id.index()]);
        self.refresh(id);
    }

    /// Computes the node and those before it again.
    fn refresh(&mut self, id: NodeId) {
        let mut next = Some(id);
        // The node itself may have changed in ways that its parent looks at
        // while its own numbers stay.
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

    /// What follows for a node from what is known of it and of its children.
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

    /// Whether a verifier listed the move and nothing is known of it since.
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

    /// The node to be worked on next: from the root always to the child with the
    /// least number, the eldest of equals, up to a node without open children.
    /// `None` when the policy has no more to choose.
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

    /// The line of best moves from the root: to a child that decides a solved
    /// node, else to the one with the least number.
    pub fn principal_line(&self) -> Vec<NodeId> {
        let mut line = Vec::new();
        let mut id = NodeId::ROOT;
        while let Some(next) = self.best_child(id) {
            line.push(next);
            id = next;
        }
        line
    }

    /// The child that the line of best moves goes through.
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
    use rules::Game;

    /// Listed defences count as one until they are looked at, whatever their number;
    /// defences that were found one by one count each.
    #[test]
    fn listed_defences_count_when_they_are_looked_at() {
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
