//! The modified-flag policy with virtual equivalence, for more workers than it has
//! nodes.

use super::{ModifiedFlagEquivalence, Policy, View};
use crate::Number;

/// As [`ModifiedFlagEquivalence`]; workers for whom it has no node left look for
/// siblings that would be put off. It is not one of the paper's: there such a
/// worker waits. Where the defender moves all siblings are wanted in the end, if
/// the attacker wins, and they can only be found one after the other, so that
/// those looked for in time are time won.
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
