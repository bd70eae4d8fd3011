//! The flag policy with virtual equivalence.

use super::Policy;

/// As [`Flag`](super::Flag); a sibling that is being looked for counts already,
/// with the numbers of the one before it.
pub struct FlagEquivalence;

impl Policy for FlagEquivalence {
    fn flags(&self) -> bool {
        true
    }

    fn expects_sibling(&self) -> bool {
        true
    }
}
