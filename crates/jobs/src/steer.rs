//! A person at the wheel.

use crate::{Kind, NodeId, Origin, Search, Status};
use rules::Move;

/// What a person can order. None of it changes what is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steer {
    /// Try this move soon.
    Suggest(NodeId, Move),
    /// Leave this move alone, for good. As long as it is not refuted, its node
    /// cannot count as lost for the side that would make it.
    Forbid(NodeId, Move),
    /// Take that back.
    Allow(NodeId, Move),
    /// Look for the next move of this node before anything else.
    Force(NodeId),
    /// List all defences of this node before anything else.
    Verify(NodeId),
    /// Leave this node and all below it alone for now.
    Pause(NodeId),
    /// Take that back, also where jobs failed too often.
    Resume(NodeId),
}

/// Why an order cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SteerError {
    /// The tree has no such node.
    #[error("there is no node {node}: the nodes are 0 to {last}")]
    NoNode {
        /// Which was named.
        node: NodeId,
        /// The last there is.
        last: u32,
    },
    /// The move cannot be played there.
    #[error("node {node}: {why}")]
    Illegal {
        /// Where.
        node: NodeId,
        /// Why not.
        why: String,
    },
    /// The node is solved.
    #[error("node {0} is solved")]
    Solved(NodeId),
}

impl Steer {
    /// The node that it is about.
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

    /// The child by this move, made if it is not there; `None` if the move
    /// settles the node at once.
    fn child_for(&mut self, node: NodeId, mv: &Move) -> Result<Option<NodeId>, SteerError> {
        let position = self.tree.position(node);
        let illegal = |why: rules::PlayError| SteerError::Illegal { node, why: why.to_string() };
        position.clone().play(mv).map_err(illegal)?;
        // A person who suggests a move thinks that it is good.
        let status = Status::Ahead(position.to_move(), 4);
        self.grow(node, *mv, status, Origin::Person);
        Ok(self.tree.child(node, mv))
    }
}
