//! Looks at the positions of many games, in several threads.

use super::{games::ReviewedGame, state};
use crate::{output, progress};
use anyhow::Result;
use lambda6_review::{LookError, ReviewOptions, Reviewer};
use lambda6_search::{SystemClock, runner};
use std::{
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};

/// How often the state is written while the work goes on.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// Reviews what is left of the games until all is done or the flag is set. With a path the state
/// is kept there.
pub(crate) fn review(
    games: Vec<ReviewedGame>,
    options: ReviewOptions,
    threads: usize,
    stop: &AtomicBool,
    keep: Option<&Path>,
) -> Result<Vec<ReviewedGame>> {
    let mut left = Vec::new();
    for (at, game) in games.iter().enumerate() {
        let (total, _) = game.review.progress();
        left.extend(
            (0..total).filter(|&after| game.review.standing(after).is_none()).map(|after| (at, after)),
        );
    }
    let played: Vec<_> = games.iter().map(|game| game.review.game().clone()).collect();
    let games = Mutex::new(games);
    let idle: Mutex<Vec<Reviewer>> = Mutex::default();
    let saved = Mutex::new(Instant::now());
    let clock = SystemClock::start();
    let bar = progress::bar(left.len(), "positions, {eta} left");
    let look = |index: usize| -> Result<()> {
        let (at, after) = left[index];
        // A reviewer is of one game: the rules of another may differ.
        let reviewer = locked(&idle).pop();
        let fits = reviewer.filter(|reviewer| reviewer.game() == played[at].game());
        let mut reviewer = fits.unwrap_or_else(|| Reviewer::new(played[at].game(), options));
        let standing = match reviewer.look(&played[at], after, &clock, stop) {
            Ok(standing) => standing,
            Err(LookError::Stopped) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        locked(&idle).push(reviewer);
        let mut games = locked(&games);
        games[at].review.set(after, standing);
        if let Some(path) = keep
            && let Ok(mut saved) = saved.try_lock()
            && saved.elapsed() >= SAVE_EVERY
        {
            *saved = Instant::now();
            output::file(path, &state::text(&games)?, true)?;
        }
        Ok(())
    };
    runner::run_all(left.len(), threads, stop, || bar.inc(1), look)?;
    drop(bar);
    let games = games.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(path) = keep {
        output::file(path, &state::text(&games)?, true)?;
    }
    Ok(games)
}

/// A thread that panicked ends the whole work: what it left is not used.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
