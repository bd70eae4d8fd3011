//! The modified-flag policy with virtual equivalence, for more workers than it has
//! nodes.

use super::{ModifiedFlagEquivalence, Policy, View};
use crate::Number;

/// As [`ModifiedFlagEquivalence`]; where the defender moves and most of his moves so
/// far are refuted, several more are asked for at once, and workers for whom there
/// is no node left look for siblings that would be put off. It is not one of the
/// paper's: there siblings are found one after the other, and a worker without a
/// node waits. All of them are wanted in the end, if the attacker wins.
pub struct Ahead;

impl Policy for Ahead {
    fn flags(&self) -> bool {
        true
    }

    fn expects_sibling(&self) -> bool {
        true
    }

    fn looks_ahead(&self) -> bool {
        true
    }

    fn combine(&self, children: &[View]) -> (Number, Number) {
        ModifiedFlagEquivalence.combine(children)
    }
}
