//! `lambda6 completions` and `lambda6 manual`: what an installation adds to the program.

use super::{Cli, Exit};
use crate::output;
use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;
use serde::Serialize;
use std::path::PathBuf;

const COMPLETIONS_HELP: &str = "\
Put the script where the shell looks for completions, or read it when the shell starts.

Examples:
  lambda6 completions bash > ~/.local/share/bash-completion/completions/lambda6
  lambda6 completions zsh > ~/.zfunc/_lambda6
  lambda6 completions fish > ~/.config/fish/completions/lambda6.fish";

/// Print a script with which a shell completes commands and options
#[derive(clap::Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,

    /// Print one line of JSON with the script
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct CompletionsJson<'a> {
    shell: String,
    script: &'a str,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "lambda6", &mut script);
        let script = String::from_utf8(script)?;
        let document = CompletionsJson { shell: self.shell.to_string(), script: &script };
        output::either(self.json, "completions", document, || script.clone())?;
        Ok(Exit::Yes)
    }
}

const MANUAL_HELP: &str = "\
Writes a page for the program and one for each command, lambda6.1, lambda6-solve.1 and so on.

Examples:
  lambda6 manual ~/.local/share/man/man1
  man lambda6-solve";

/// Write the manual pages into a directory
#[derive(clap::Args)]
#[command(after_help = MANUAL_HELP)]
pub(crate) struct Manual {
    /// The directory, made if it does not exist
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Print one line of JSON with the names of the files
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ManualJson {
    files: Vec<String>,
}

impl Manual {
    pub(crate) fn run(&self) -> Result<Exit> {
        output::directory(Some(&self.directory))?;
        let command = Cli::command();
        let mut files = Vec::new();
        names(&command, command.get_name(), &mut files);
        clap_mangen::generate_to(command, &self.directory)
            .with_context(|| format!("{}: cannot be written", self.directory.display()))?;
        files.sort();
        let document = ManualJson { files: files.clone() };
        output::either(self.json, "manual", document, || format!("{} pages\n", files.len()))?;
        Ok(Exit::Yes)
    }
}

/// The files of a command and of those below it.
fn names(command: &clap::Command, name: &str, files: &mut Vec<String>) {
    files.push(format!("{name}.1"));
    for below in command.get_subcommands() {
        names(below, &format!("{name}-{}", below.get_name()), files);
    }
}
