//! The flag policy.

use super::Policy;

/// Nodes that are worked on are flagged, and so is a node all of whose children
/// are. The selection passes flagged nodes by; the numbers do not change.
pub struct Flag;

impl Policy for Flag {
    fn flags(&self) -> bool {
        true
    }
}
