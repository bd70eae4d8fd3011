//! The native policy: nothing changes while a node is worked on.

use super::Policy;

/// The node chosen stays the one to choose, so that there is no second one. It
/// is what the other policies are measured by: they should choose what this one
/// would choose later.
pub struct Native;

impl Policy for Native {}
