//! A tree as a value: what can be written to a file and read back.

use super::{Kind, SearchNodeId, SearchTree, State, arena};
use lambda6_rules::{Game, Move, Position, Setup, Side, Square, record};

/// A tree at rest. The root is the first node, and every node stands before its
/// children, so that nothing in a file can go round in circles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The position of the root.
    pub setup: Setup,
    /// Whose win was looked for.
    pub attacker: Side,
    /// The search that made the tree.
    pub search: String,
    /// The nodes.
    pub nodes: Vec<Knot>,
}

/// A node of a [`Snapshot`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knot {
    /// Who is to move.
    pub kind: Kind,
    /// The proof number; [`INFINITE`](super::INFINITE) for one that is refuted.
    pub pn: u32,
    /// The disproof number; [`INFINITE`](super::INFINITE) for one that is proved.
    pub dn: u32,
    /// What is known without the children.
    pub state: State,
    /// The proof number of what waits to be opened, if something does.
    pub rest: Option<u32>,
    /// The moves, with the numbers of the nodes they lead to. A move of the
    /// defender may leave stones out: they are passed on.
    pub children: Vec<(Move, usize)>,
    /// Zones 1, 2 and so on of a win, where they have been worked out: the first
    /// has the squares in which one more stone of the defender needs an answer.
    pub zones: Vec<Vec<Square>>,
}

/// Why a file is not a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// The JSON cannot be read.
    #[error("{0}")]
    Json(String),
    /// The SGF cannot be read.
    #[error("{0}")]
    Record(#[from] record::RecordError),
    /// A node is wrong.
    #[error("node {node}: {what}")]
    Node {
        /// Which, from 0.
        node: usize,
        /// What was expected.
        what: String,
    },
    /// Something about the whole is wrong.
    #[error("{0}")]
    Whole(String),
}

impl SnapshotError {
    pub(super) fn node(node: usize, what: impl Into<String>) -> SnapshotError {
        SnapshotError::Node { node, what: what.into() }
    }
}

impl Snapshot {
    /// The tree of a search of this position.
    pub fn of(tree: &SearchTree, position: &Position, search: &str) -> Snapshot {
        // Parents first: the order in which nodes are left, turned round.
        let mut order = Vec::with_capacity(tree.len());
        let mut seen = vec![false; tree.len()];
        let mut path = vec![(SearchTree::ROOT, 0)];
        seen[SearchTree::ROOT.index()] = true;
        while let Some((id, next)) = path.pop() {
            match tree.node(id).children().get(next) {
                Some(edge) => {
                    path.push((id, next + 1));
                    if !std::mem::replace(&mut seen[edge.node.index()], true) {
                        path.push((edge.node, 0));
                    }
                }
                None => order.push(id),
            }
        }
        order.reverse();
        let mut numbers = vec![0; tree.len()];
        order
            .iter()
            .enumerate()
            .for_each(|(number, id): (usize, &SearchNodeId)| numbers[id.index()] = number);
        let game = position.game();
        let knot = |id: &SearchNodeId| {
            let node = tree.node(*id);
            let children = node.children().iter().map(|edge| (edge.mv, numbers[edge.node.index()]));
            let zone =
                |zones: &lambda6_search::Zones, i| game.squares().filter(|&s| zones.contains(i, s)).collect();
            Knot {
                kind: node.kind(),
                pn: node.pn(),
                dn: node.dn(),
                state: node.state(),
                rest: node.rest(),
                children: children.collect(),
                zones: match &node.zones {
                    Some(zones) => (1..=zones.len()).map(|i| zone(zones, i)).collect(),
                    None => Vec::new(),
                },
            }
        };
        Snapshot {
            setup: position.setup(),
            attacker: tree.attacker(),
            search: search.to_string(),
            nodes: order.iter().map(knot).collect(),
        }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.setup.game
    }

    /// The root.
    pub fn root(&self) -> Option<&Knot> {
        self.nodes.first()
    }

    /// Checks that a tree that was read is one: moves that can be played, each
    /// node behind its parents, sides in turn.
    pub(super) fn validate(self) -> Result<Snapshot, SnapshotError> {
        let position = self.setup.position().map_err(|error| SnapshotError::Whole(error.to_string()))?;
        let Some(root) = self.nodes.first() else {
            return Err(SnapshotError::Whole("a tree without nodes, expected a root".to_string()));
        };
        if (root.kind == Kind::Or) != (position.to_move() == self.attacker) {
            return Err(SnapshotError::node(0, "the side to move is not the position's"));
        }
        let p = usize::from(self.game().p());
        for (number, knot) in self.nodes.iter().enumerate() {
            for (mv, child) in &knot.children {
                let name = || self.game().move_name(mv);
                let Some(after) = self.nodes.get(*child).filter(|_| *child > number) else {
                    let what = format!("{} leads to node {child}, expected a later one", name());
                    return Err(SnapshotError::node(number, what));
                };
                if after.kind == knot.kind {
                    return Err(SnapshotError::node(*child, "the side to move is that of the node before"));
                }
                if mv.len() > p || knot.kind == Kind::Or && mv.len() != p {
                    return Err(SnapshotError::node(number, format!("{}: expected {p} stones", name())));
                }
                if mv.iter().any(|square| position.at(square).is_some()) {
                    return Err(SnapshotError::node(number, format!("{}: a square is occupied", name())));
                }
            }
        }
        Ok(self)
    }

    /// The numbers of every node, worked out from the leaves up.
    pub fn recomputed(&self) -> Vec<(u32, u32)> {
        let mut numbers = vec![(0, 0); self.nodes.len()];
        for (number, knot) in self.nodes.iter().enumerate().rev() {
            let below = knot.children.iter().map(|&(_, child)| numbers[child]);
            numbers[number] = arena::numbers(knot.state, knot.kind, knot.rest, below);
        }
        numbers
    }

    /// The first node whose numbers do not follow from those below it.
    pub fn first_wrong(&self) -> Option<usize> {
        let recomputed = self.recomputed();
        self.nodes.iter().zip(recomputed).position(|(knot, numbers)| (knot.pn, knot.dn) != numbers)
    }

    /// The line that the search would look at next, or the winning moves against
    /// the first defences.
    pub fn main_line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = 0;
        while let Some(knot) = self.nodes.get(at) {
            let best = match knot.kind {
                Kind::Or => knot.children.iter().min_by_key(|&&(_, child)| self.nodes[child].pn),
                Kind::And => knot.children.iter().min_by_key(|&&(_, child)| self.nodes[child].dn),
            };
            let Some(&(mv, child)) = best else { break };
            line.push(mv);
            at = child;
        }
        line
    }
}

impl State {
    /// All states.
    pub const ALL: [State; 7] = [
        State::Open,
        State::Row,
        State::Threats,
        State::Overwhelming,
        State::Lost,
        State::Cut,
        State::Refuted,
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Row => "row",
            State::Threats => "threats",
            State::Overwhelming => "overwhelming",
            State::Lost => "lost",
            State::Cut => "cut",
            State::Refuted => "refuted",
        }
    }

    /// The state of this name.
    pub(super) fn parse(text: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.name() == text)
    }
}

/// A move of a tree in a file; a pass is `-`.
pub(super) fn move_name(game: Game, mv: &Move) -> String {
    if mv.is_empty() { "-".to_string() } else { game.move_name(mv) }
}
