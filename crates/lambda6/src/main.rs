//! `lambda6`: the command line. Everything it knows about the game comes from
//! the other crates; here are arguments, files and terminals.

mod board;
mod cli;
mod contest_args;
mod curves;
mod efficiency;
mod figure;
mod input;
mod interrupt;
mod json;
mod marks;
mod nats_args;
mod output;
mod perft;
mod player_args;
mod position_arg;
mod puzzles;
mod resume;
mod search_args;
mod search_thread;
mod version;

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Searches run on threads of their own, for whose memory the system's allocator asks
/// page by page: 0.05 of 0.3 s went to that.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
