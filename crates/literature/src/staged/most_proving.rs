//! The most proving node: what all the stages of proof-number search share.

use super::selection::{Descent, Selection};
use crate::tree::{Kind, SearchNodeId, SearchTree};

/// Goes where the least has to be proved to settle the root.
pub(super) struct MostProving;

impl Selection for MostProving {
    fn select(&mut self, tree: &mut SearchTree, descent: &mut Descent<'_>) -> Option<SearchNodeId> {
        loop {
            let id = descent.node();
            let node = tree.node(id);
            let least = match node.kind() {
                Kind::Or => node.children().iter().find(|edge| tree.node(edge.node).pn() == node.pn()),
                Kind::And => node
                    .children()
                    .iter()
                    .filter(|edge| tree.node(edge.node).is_open())
                    .find(|edge| tree.node(edge.node).dn() == node.dn()),
            };
            match least {
                Some(edge) => descent.down(edge.mv, edge.node),
                // The least is what waits in the node itself.
                None => return Some(id),
            }
        }
    }
}
