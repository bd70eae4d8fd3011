//! Orders by which a person steers a search. No order changes what is proved.

use crate::{Kind, NodeId, Origin, Search, Status};
use lambda6_rules::Move;

/// An order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steer {
    /// Add this move to the tree as a promising one.
    Suggest(NodeId, Move),
    /// Do not search this move. Until the move is refuted, its node cannot become
    /// lost for the side to move.
    Forbid(NodeId, Move),
    /// Undo [`Steer::Forbid`].
    Allow(NodeId, Move),
    /// Look for the next move of this node before anything else.
    Force(NodeId),
    /// List all defences of this node before anything else.
    Verify(NodeId),
    /// Do not search this node and the nodes below it.
    Pause(NodeId),
    /// Undo [`Steer::Pause`], and retry jobs that failed too often.
    Resume(NodeId),
}

/// Why words are not an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SteerParseError {
    /// There is no such order.
    #[error("{0:?} is no order: expected suggest, forbid, allow, force, verify, pause or resume")]
    Unknown(String),
    /// The order needs a move.
    #[error("a MOVE is missing, such as k11l10")]
    NoMove,
    /// The order takes no move.
    #[error("this order takes no MOVE")]
    NeedlessMove,
}

/// Why a search refuses an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SteerError {
    /// The tree has no such node.
    #[error("there is no node {node}: the nodes are 0 to {last}")]
    NoNode {
        /// The node of the order.
        node: NodeId,
        /// The last node of the tree.
        last: u32,
    },
    /// The move cannot be played there.
    #[error("node {node}: {why}")]
    Illegal {
        /// The node of the order.
        node: NodeId,
        /// The reason.
        why: String,
    },
    /// The node is solved.
    #[error("node {0} is solved")]
    Solved(NodeId),
}

impl Steer {
    /// The names of the orders.
    pub const VERBS: [&str; 7] = ["suggest", "forbid", "allow", "force", "verify", "pause", "resume"];

    /// The order of this name. The first three of [`Steer::VERBS`] take a move.
    pub fn new(verb: &str, node: NodeId, mv: Option<Move>) -> Result<Steer, SteerParseError> {
        let with_move =
            |order: fn(NodeId, Move) -> Steer| mv.map(|mv| order(node, mv)).ok_or(SteerParseError::NoMove);
        let order = match verb {
            "suggest" => return with_move(Steer::Suggest),
            "forbid" => return with_move(Steer::Forbid),
            "allow" => return with_move(Steer::Allow),
            "force" => Steer::Force(node),
            "verify" => Steer::Verify(node),
            "pause" => Steer::Pause(node),
            "resume" => Steer::Resume(node),
            other => return Err(SteerParseError::Unknown(other.chars().take(20).collect())),
        };
        if mv.is_some() { Err(SteerParseError::NeedlessMove) } else { Ok(order) }
    }

    /// The name of the order.
    pub fn verb(&self) -> &'static str {
        match self {
            Steer::Suggest(..) => "suggest",
            Steer::Forbid(..) => "forbid",
            Steer::Allow(..) => "allow",
            Steer::Force(_) => "force",
            Steer::Verify(_) => "verify",
            Steer::Pause(_) => "pause",
            Steer::Resume(_) => "resume",
        }
    }

    /// The move of the order, if it takes one.
    pub fn mv(&self) -> Option<&Move> {
        match self {
            Steer::Suggest(_, mv) | Steer::Forbid(_, mv) | Steer::Allow(_, mv) => Some(mv),
            Steer::Force(_) | Steer::Verify(_) | Steer::Pause(_) | Steer::Resume(_) => None,
        }
    }

    /// The node that the order is about.
    pub fn node(&self) -> NodeId {
        match self {
            Steer::Suggest(node, _) | Steer::Forbid(node, _) | Steer::Allow(node, _) => *node,
            Steer::Force(node) | Steer::Verify(node) | Steer::Pause(node) | Steer::Resume(node) => *node,
        }
    }
}

impl Search {
    /// Carries out an order.
    pub fn steer(&mut self, order: &Steer) -> Result<(), SteerError> {
        let node = order.node();
        if !self.tree.has(node) {
            return Err(SteerError::NoNode { node, last: self.tree.len() as u32 - 1 });
        }
        let resumes = matches!(order, Steer::Resume(_) | Steer::Pause(_));
        if !resumes && self.tree.is_settled(node) {
            return Err(SteerError::Solved(node));
        }
        if matches!(order, Steer::Force(_) | Steer::Verify(_)) && self.tree.is_held_back(node) {
            let why = "it is paused or forbidden, or a node before it is".to_string();
            return Err(SteerError::Illegal { node, why });
        }
        match order {
            Steer::Suggest(_, mv) => {
                self.child_for(node, mv)?;
            }
            Steer::Forbid(_, mv) => {
                if let Some(child) = self.child_for(node, mv)? {
                    self.mark(child, |node| node.forbidden = true);
                }
            }
            Steer::Allow(_, mv) => {
                if let Some(child) = self.tree.child(node, mv) {
                    self.mark(child, |node| node.forbidden = false);
                }
            }
            Steer::Force(_) => self.forced.push_back((node, Kind::Best)),
            Steer::Verify(_) => self.forced.push_back((node, Kind::Verify)),
            Steer::Pause(_) => self.mark(node, |node| node.paused = true),
            Steer::Resume(_) => self.mark(node, |node| (node.paused, node.set_aside) = (false, false)),
        }
        self.sweep();
        Ok(())
    }

    /// The child that this move leads to, added if it is missing; `None` if the
    /// move solves the node.
    fn child_for(&mut self, node: NodeId, mv: &Move) -> Result<Option<NodeId>, SteerError> {
        let position = self.tree.position(node);
        let illegal = |why: lambda6_rules::PlayError| SteerError::Illegal { node, why: why.to_string() };
        position.clone().play(mv).map_err(illegal)?;
        // A suggested move is searched as one that looks best for the side to move.
        let status = Status::Ahead(position.to_move(), 4);
        self.grow(node, *mv, status, Origin::Person);
        Ok(self.tree.child(node, mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_rules::Game;

    #[test]
    fn orders_are_read_by_their_names() {
        let (node, mv) = (NodeId(7), Game::CONNECT6.parse_move("k11l10").unwrap());
        for (i, verb) in Steer::VERBS.into_iter().enumerate() {
            let needed = Some(mv).filter(|_| i < 3);
            let order = Steer::new(verb, node, needed).unwrap();
            assert_eq!((order.verb(), order.node(), order.mv().copied()), (verb, node, needed));
            assert!(Steer::new(verb, node, if i < 3 { None } else { Some(mv) }).is_err());
        }
        assert!(matches!(Steer::new("halt", node, None), Err(SteerParseError::Unknown(_))));
    }
}
