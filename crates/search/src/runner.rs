//! Threads for searches: one place decides on their stack, and catches their
//! panics.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
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
