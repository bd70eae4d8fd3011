//! The virtual-win policy.

use super::Policy;
use crate::Numbers;

/// Nodes that are worked on count as proved. No more are chosen when that would
/// prove the root. A subtree with many such nodes looks ever better, and others
/// may starve.
pub struct VirtualWin;

impl Policy for VirtualWin {
    fn active(&self, _: Numbers) -> Numbers {
        Numbers::PROVED
    }
}
