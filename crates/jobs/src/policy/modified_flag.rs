//! The modified-flag policy.

use super::{Policy, View, modified, sum};
use crate::Number;

/// As [`Flag`](super::Flag), but the minimum is taken over the children that can still
/// be chosen.
pub struct ModifiedFlag;

impl Policy for ModifiedFlag {
    fn flags(&self) -> bool {
        true
    }

    fn combine(&self, children: &[View]) -> (Number, Number) {
        (modified(children), sum(children))
    }
}
