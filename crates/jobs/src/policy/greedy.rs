//! The greedy policy.

use super::Policy;
use crate::Numbers;

/// Nodes that are worked on count as proved if that looks at least as likely as
/// the opposite, else as disproved.
pub struct Greedy;

impl Policy for Greedy {
    fn active(&self, own: Numbers) -> Numbers {
        if own.proof <= own.disproof { Numbers::PROVED } else { Numbers::DISPROVED }
    }
}
