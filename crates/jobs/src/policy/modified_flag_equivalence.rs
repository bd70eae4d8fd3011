//! The modified-flag policy with virtual equivalence.

use super::{Policy, View, modified, sum};
use crate::Number;

/// As [`ModifiedFlag`](super::ModifiedFlag); a sibling that is being looked for
/// counts already, with the numbers of the one before it. The paper's best, and
/// the default.
pub struct ModifiedFlagEquivalence;

impl Policy for ModifiedFlagEquivalence {
    fn flags(&self) -> bool {
        true
    }

    fn expects_sibling(&self) -> bool {
        true
    }

    fn combine(&self, children: &[View]) -> (Number, Number) {
        (modified(children), sum(children))
    }
}
