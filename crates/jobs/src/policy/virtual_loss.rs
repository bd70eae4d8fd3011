//! The virtual-loss policy.

use super::Policy;
use crate::Numbers;

/// Nodes that are worked on count as disproved. No more are chosen when that
/// would disprove the root.
pub struct VirtualLoss;

impl Policy for VirtualLoss {
    fn active(&self, _: Numbers) -> Numbers {
        Numbers::DISPROVED
    }
}
