//! `lambda6`: the command line. It handles arguments, files and terminals; the games
//! and the searches are in the other crates.

mod cli;
mod contest_args;
mod efficiency;
mod nats_args;
mod player_args;
mod puzzles;
mod review;
mod version;

use lambda6_terminal::{
    board, figure, files, input, interrupt, json, marks, output, position_arg, progress, resume, search_args,
    search_thread, solver_choice, table,
};
use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Searches run in threads of their own, in which the system's allocator requests
/// memory page by page; this one is faster.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

/// Makes the allocator return freed memory to the system at once. By default a
/// thread returns it during later allocations, so that a server that is idle after a
/// load would keep the memory of the load. To be called before threads are started.
pub(crate) fn return_freed_memory() {
    use std::ffi::{c_int, c_long};
    #[allow(unsafe_code, reason = "a function of the allocator that the mimalloc crate links")]
    unsafe extern "C" {
        fn mi_option_set(option: c_int, value: c_long);
    }
    /// `mi_option_purge_delay` of `mimalloc.h`: the delay in milliseconds.
    const PURGE_DELAY: c_int = 15;
    // SAFETY: the declaration is that of `mimalloc.h`, where the option is an enum;
    // the function stores a number, and no other thread runs yet.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        mi_option_set(PURGE_DELAY, 0);
    }
}

fn main() -> ExitCode {
    cli::run()
}
