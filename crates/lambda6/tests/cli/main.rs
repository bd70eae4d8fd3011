//! Runs the program as its users do, one file of tests a command.

// clippy.toml allows it in functions that are tests, but not in their helpers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod atlas;
mod bad_input;
mod bench;
mod check;
mod completions;
mod contests;
mod convert;
mod docs;
mod files;
mod general;
mod gomocup;
mod perft;
mod proof;
mod puzzles;
mod reproduce;
mod review;
mod serve;
mod show;
mod solve;
mod tree;
mod value;
mod verify;

use assert_cmd::Command;
use serde_json::Value;
use std::{fs, path::PathBuf};
use tempfile::TempDir;

/// The program with these arguments.
fn lambda6(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lambda6"));
    command.args(arguments);
    command
}

/// What the program did.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs the program with nothing on standard input.
fn run(arguments: &[&str]) -> Run {
    run_with_input(arguments, "")
}

fn run_with_input(arguments: &[&str], input: impl Into<Vec<u8>>) -> Run {
    let output = lambda6(arguments).write_stdin(input).output().unwrap();
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The standard output of a run that must succeed.
fn stdout(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    run.stdout
}

/// The JSON document that a run prints.
fn json(arguments: &[&str]) -> Value {
    let text = stdout(arguments);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// A run that must fail: exit code 2, nothing on standard output, and this on
/// standard error.
#[track_caller]
fn refused(arguments: &[&str], message: &str) {
    let run = run(arguments);
    assert_eq!(run.stderr.trim_end(), format!("error: {message}"), "{arguments:?}");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
}

/// A directory for the files of one test.
struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path of a file as an argument.
    fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_string()
    }

    /// Writes a file; returns its path.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).unwrap();
        self.name(name)
    }

    /// The names of all files.
    fn list(&self) -> Vec<String> {
        let names = fs::read_dir(self.0.path()).unwrap();
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}
