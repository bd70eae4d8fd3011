//! The flag policy with virtual equivalence.

use super::Policy;

/// As [`Flag`](super::Flag); a sibling that a job looks for counts already, with the
/// numbers of the youngest child.
pub struct FlagEquivalence;

impl Policy for FlagEquivalence {
    fn flags(&self) -> bool {
        true
    }

    fn expects_sibling(&self) -> bool {
        true
    }
}
