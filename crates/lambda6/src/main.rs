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

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
