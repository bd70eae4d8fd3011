//! Search with several threads.

use crate::{
    Info,
    root::{RootResult, RootSearch},
};
use lambda6_search::Observer;

/// Runs the search with helper threads: they search the same position on their
/// own and share what they find through the transposition table. Their results
/// are not used.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
pub fn deepen(
    root: &mut RootSearch<'_>,
    threads: usize,
    observer: &mut dyn Observer<Info>,
) -> Option<RootResult> {
    use crate::search_thread::SearchThread;
    use lambda6_search::{Control, Limits, NoClock, Silent};
    use std::sync::atomic::{AtomicBool, Ordering};

    if threads > 1 {
        let done = AtomicBool::new(false);
        let RootSearch { table, limits, mut settings, position, excluded, .. } = *root;
        settings.vcst = None;
        return std::thread::scope(|scope| {
            for helper in 1..threads {
                let control = Control::new(Limits::default(), &NoClock, &done);
                scope.spawn(move || {
                    let thread = &mut SearchThread::new(position.game(), HELPER_BYTES);
                    thread.set_up(position);
                    // Another width makes another order of the same moves.
                    settings.free.moves += 4 * helper;
                    let limits = Limits { depth: limits.depth, ..Limits::default() };
                    let (vcst, count) = (None, 1);
                    RootSearch { thread, vcst, table, control, limits, settings, position, excluded, count }
                        .deepen(&mut Silent);
                });
            }
            let result = root.deepen(observer);
            done.store(true, Ordering::Relaxed);
            result
        });
    }
    root.deepen(observer)
}

/// The table bytes of a helper thread.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
const HELPER_BYTES: usize = 8 << 20;

/// Runs the search on this thread only.
#[cfg(not(all(feature = "threads", not(target_family = "wasm"))))]
pub fn deepen(root: &mut RootSearch<'_>, _: usize, observer: &mut dyn Observer<Info>) -> Option<RootResult> {
    root.deepen(observer)
}
