//! Searching with several threads.

use crate::{
    Watch,
    root::{Found, Root},
};

/// The search with helpers beside it: they search the same position on their own
/// and leave what they find in the table that all share. Their own answers are
/// not asked for.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
pub fn deepen(root: &mut Root<'_>, threads: usize, watch: &mut dyn Watch) -> Option<Found> {
    use crate::{
        PlayLimits, Unwatched,
        mind::{Fuse, Mind},
    };
    use search::{Limits, NoClock};
    use std::sync::atomic::{AtomicBool, Ordering};

    if threads > 1 {
        let done = AtomicBool::new(false);
        let Root { table, limits, shape, position, excluded, .. } = *root;
        return std::thread::scope(|scope| {
            for helper in 1..threads {
                let done = &done;
                scope.spawn(move || {
                    let game = position.game();
                    let mut mind = Mind::new(game, 8 << 20);
                    mind.set_up(position);
                    let fuse = Fuse { limits: Limits::default(), clock: &NoClock, stop: done };
                    let mut shape = shape;
                    shape.single_threats = None;
                    // Another order of the same moves.
                    shape.free.moves += 4 * helper;
                    let limits = PlayLimits { depth: limits.depth, ..PlayLimits::default() };
                    let (mind, singles) = (&mut mind, None);
                    let mut root =
                        Root { mind, singles, table, fuse, limits, shape, position, excluded, count: 1 };
                    root.deepen(&mut Unwatched);
                });
            }
            let found = root.deepen(watch);
            done.store(true, Ordering::Relaxed);
            found
        });
    }
    root.deepen(watch)
}

/// The search: there are no threads here.
#[cfg(not(all(feature = "threads", not(target_family = "wasm"))))]
pub fn deepen(root: &mut Root<'_>, _: usize, watch: &mut dyn Watch) -> Option<Found> {
    root.deepen(watch)
}
