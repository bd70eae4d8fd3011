//! The flag policy.

use super::Policy;

/// Nodes with jobs are flagged, and so is a node all of whose children are flagged.
/// Flagged nodes are not selected; the numbers do not change.
pub struct Flag;

impl Policy for Flag {
    fn flags(&self) -> bool {
        true
    }
}
