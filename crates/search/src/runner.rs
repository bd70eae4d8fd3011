//! Threads for searches: one place decides on their stack, and catches their
//! panics.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle, Scope, ScopedJoinHandle},
};

/// The stack of a search. Searches recurse along lines, which can be hundreds of
/// moves long; memory that is not used is not taken.
const STACK_BYTES: usize = 256 << 20;

/// Why a thread has no result.
#[derive(Debug)]
pub enum RunError {
    /// The system gave no thread.
    Thread(io::Error),
    /// The work panicked: a bug. Its result is lost.
    Panicked,
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Thread(error) => write!(f, "no thread for the search: {error}"),
            RunError::Panicked => f.write_str("the search broke down: please report it"),
        }
    }
}

impl std::error::Error for RunError {}

/// Starts work in a new thread. A panic becomes an error of the result.
pub fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<Result<T, RunError>>, RunError> {
    builder(name).spawn(|| catch(work)).map_err(RunError::Thread)
}

/// The same for work that borrows.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, Result<T, RunError>>, RunError> {
    builder(name).spawn_scoped(scope, || catch(work)).map_err(RunError::Thread)
}

/// Does work in a thread of its own and waits for it.
pub fn run<T: Send>(name: &str, work: impl FnOnce() -> T + Send) -> Result<T, RunError> {
    thread::scope(|scope| join(spawn_scoped(scope, name, work)?))
}

/// Waits for a thread that [`spawn_scoped`] has started.
pub fn join<T>(handle: ScopedJoinHandle<'_, Result<T, RunError>>) -> Result<T, RunError> {
    handle.join().unwrap_or(Err(RunError::Panicked))
}

/// Calls `work` with every number below `count`, `jobs` of them at a time, and returns
/// the results in order. `done` is called after each. When `stop` is set, the remaining
/// numbers have no result; the first error or panic ends the work.
pub fn run_all<T: Send, E: Send + From<RunError>>(
    count: usize,
    jobs: usize,
    stop: &AtomicBool,
    done: impl Fn() + Sync,
    work: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<Option<T>>, E> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results: Mutex<Vec<Option<Result<T, E>>>> = Mutex::new((0..count).map(|_| None).collect());
    let worker = || {
        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                break;
            }
            let result = catch(|| work(index)).unwrap_or_else(|panic| Err(panic.into()));
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            results.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
            done();
        }
    };
    thread::scope(|scope| -> Result<(), RunError> {
        let jobs = 0..jobs.clamp(1, count.max(1));
        let threads = jobs.map(|_| spawn_scoped(scope, "jobs", worker)).collect::<Result<Vec<_>, _>>()?;
        threads.into_iter().try_for_each(join)
    })?;
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(Option::transpose).collect()
}

/// Does work and catches its panic. The state that the work leaves behind may be
/// inconsistent: the caller must drop it or build it anew.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, RunError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| RunError::Panicked)
}

fn builder(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.to_string()).stack_size(STACK_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_returns_its_result_and_a_panic_is_an_error() {
        assert_eq!(run("sum", || 2 + 2).unwrap(), 4);
        assert!(matches!(run("fault", || panic!("a fault of the test")), Err(RunError::Panicked)));
        let handle = spawn("later", || 5).unwrap();
        assert_eq!(handle.join().unwrap().unwrap(), 5);
    }

    #[test]
    fn results_come_in_order_whatever_the_threads_do() {
        let stop = AtomicBool::new(false);
        for jobs in [0, 1, 3, 200] {
            let done = AtomicUsize::new(0);
            let count = || {
                done.fetch_add(1, Ordering::Relaxed);
            };
            let results = run_all(100, jobs, &stop, count, |i| Ok::<_, RunError>(i * i)).unwrap();
            assert!(results.into_iter().enumerate().all(|(i, result)| result == Some(i * i)));
            assert_eq!(done.into_inner(), 100);
        }
    }

    #[test]
    fn an_error_a_panic_or_a_stop_ends_the_work() {
        let stop = AtomicBool::new(false);
        let fault = || RunError::Thread(io::Error::other("seven"));
        let failing = |i| if i == 7 { Err(fault()) } else { Ok(i) };
        assert!(matches!(run_all(100, 2, &stop, || {}, failing), Err(RunError::Thread(_))));
        let panicking = |i| if i == 7 { panic!("a fault of the test") } else { Ok(i) };
        assert!(matches!(run_all(100, 2, &stop, || {}, panicking), Err(RunError::Panicked)));
        let stopping = |i| {
            stop.store(i >= 7, Ordering::Relaxed);
            Ok::<_, RunError>(i)
        };
        let results = run_all(100, 1, &stop, || {}, stopping).unwrap();
        assert_eq!(results.iter().flatten().count(), 8);
        assert!(run_all(0, 1, &stop, || {}, Ok::<_, RunError>).unwrap().is_empty());
    }

    #[test]
    fn a_line_of_many_moves_fits_on_the_stack() {
        fn descend(left: u32) -> u64 {
            let frame = [u64::from(left); 64];
            if left == 0 {
                0
            } else {
                std::hint::black_box(frame)[7] - u64::from(left) + 1 + descend(left - 1)
            }
        }
        assert_eq!(run("deep", || descend(100_000)).unwrap(), 100_000);
    }
}
