//! Work that can be ended from outside.

use std::ops::ControlFlow;

/// Asks regularly whether to continue.
pub(crate) struct WorkMeter<'a> {
    go_on: &'a mut dyn FnMut() -> bool,
    /// Work done since the last question.
    work: usize,
}

/// Work between two questions, in comparisons of sets: about ten microseconds.
const ASK_EVERY: usize = 4096;

/// The work of counting the threats of one set of stones.
pub(crate) const LEAF: usize = 128;

impl<'a> WorkMeter<'a> {
    pub(crate) fn new(go_on: &'a mut dyn FnMut() -> bool) -> WorkMeter<'a> {
        WorkMeter { go_on, work: 0 }
    }

    /// Counts work. Breaks when the work is to end.
    #[inline]
    pub(crate) fn spend(&mut self, work: usize) -> ControlFlow<()> {
        self.work += work;
        if self.work >= ASK_EVERY {
            self.work = 0;
            if !(self.go_on)() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}
