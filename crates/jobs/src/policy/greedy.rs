//! The greedy policy.

use super::Policy;
use crate::Numbers;

/// Nodes with jobs count as proved if their proof number is not above their disproof
/// number, otherwise as disproved.
pub struct Greedy;

impl Policy for Greedy {
    fn active(&self, own: Numbers) -> Numbers {
        if own.proof <= own.disproof { Numbers::PROVED } else { Numbers::DISPROVED }
    }
}
