//! The commands, one file each. A command is a struct of arguments with a method
//! `run`, a variant of [`Command`] and a name in [`Command::run`]; a command with
//! subcommands is an enum of such structs.

mod analyze;
mod atlas;
mod bench;
mod check;
mod completions;
mod convert;
mod engine;
mod matches;
mod perft;
mod proof;
mod puzzles;
mod reproduce;
mod review;
mod search;
mod serve;
mod show;
mod simulate;
mod solve;
mod tournament;
mod tree;
mod value;
mod verify;
mod worker;

use crate::{output, version};
use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Runs the command that a variant of an enum holds.
macro_rules! run_command {
    ($command:expr, $of:ident { $($variant:ident),+ }) => {
        match $command {
            $($of::$variant(command) => command.run(),)+
        }
    };
}
use run_command;

/// How a command ended without an error.
pub(crate) enum Exit {
    /// Done, or the claim holds: exit code 0.
    Yes,
    /// The claim was not proved: exit code 1.
    No,
}

const EXIT_NO: u8 = 1;

/// Bad arguments, bad input and all other errors. clap uses the same number.
const EXIT_ERROR: u8 = 2;

const AFTER_HELP: &str = "\
Exit codes:
  0  done; the claim was proved
  1  the answer is no; the claim was not proved
  2  an error: bad arguments, bad input or a file that cannot be read or written

Data goes to standard output, messages go to standard error.
`lambda6 COMMAND --help` has examples.";

/// Solver, prover and player for Connect6 and the games Connect(m,n,k,p,q).
#[derive(Parser)]
#[command(name = "lambda6", version = version::SHORT, long_version = version::long())]
#[command(after_help = AFTER_HELP, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Show(show::Show),
    Convert(convert::Convert),
    Perft(perft::Perft),
    Solve(solve::Solve),
    #[command(subcommand)]
    Puzzles(puzzles::Puzzles),
    #[command(subcommand)]
    Tree(tree::TreeCommand),
    Check(check::Check),
    #[command(subcommand)]
    Atlas(atlas::AtlasCommand),
    #[command(subcommand)]
    Proof(proof::ProofCommand),
    Review(Box<review::Review>),
    Value(value::ValueOf),
    Verify(verify::Verify),
    Engine(engine::Engine),
    Analyze(analyze::Analyze),
    Match(Box<matches::Match>),
    Tournament(tournament::Tournament),
    Bench(bench::Bench),
    #[command(subcommand)]
    Search(search::Search),
    Worker(worker::Worker),
    Simulate(simulate::Simulate),
    #[command(subcommand)]
    Reproduce(reproduce::Reproduce),
    Serve(serve::Serve),
    Completions(completions::Completions),
    Manual(completions::Manual),
}

impl Command {
    fn run(&self) -> Result<Exit> {
        run_command!(
            self,
            Command {
                Show,
                Convert,
                Perft,
                Solve,
                Puzzles,
                Tree,
                Check,
                Atlas,
                Proof,
                Review,
                Value,
                Verify,
                Engine,
                Analyze,
                Match,
                Tournament,
                Bench,
                Search,
                Worker,
                Simulate,
                Reproduce,
                Serve,
                Completions,
                Manual
            }
        )
    }
}

/// Runs the program and returns its exit code.
pub(crate) fn run() -> ExitCode {
    match Cli::parse().command.run() {
        Ok(Exit::Yes) => ExitCode::SUCCESS,
        Ok(Exit::No) => ExitCode::from(EXIT_NO),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(&format!("error: {error:#}"));
            ExitCode::from(EXIT_ERROR)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples_and_json() {
        fn check(command: &clap::Command, path: &str) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Examples:"), "{path}");
            assert!(help.contains(path), "{path}");
            if command.has_subcommands() {
                command.get_subcommands().for_each(|c| check(c, &format!("{path} {}", c.get_name())));
            } else {
                assert!(command.get_arguments().any(|argument| argument.get_id() == "json"), "{path}");
            }
        }
        for command in Cli::command().get_subcommands() {
            check(command, &format!("lambda6 {}", command.get_name()));
        }
    }
}
