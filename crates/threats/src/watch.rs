//! Long work that somebody may want to end.

use std::ops::ControlFlow;

/// Asks now and then whether to go on.
pub(crate) struct Watch<'a> {
    go_on: &'a mut dyn FnMut() -> bool,
    /// Work done since it was last asked.
    work: usize,
}

/// Work between two questions, about that of so many comparisons of sets: some
/// ten microseconds.
const ASK_EVERY: usize = 4096;

/// The work of counting the threats of one set of stones.
pub(crate) const LEAF: usize = 128;

impl<'a> Watch<'a> {
    pub(crate) fn new(go_on: &'a mut dyn FnMut() -> bool) -> Watch<'a> {
        Watch { go_on, work: 0 }
    }

    /// Counts work that is done or about to be done. A break when it is to end.
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
