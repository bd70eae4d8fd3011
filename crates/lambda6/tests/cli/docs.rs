//! The examples in the documentation are true: every `console` block is run, and
//! must print what the block shows.

use crate::stdout;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

#[test]
#[cfg(unix)]
fn examples_print_what_the_documentation_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    let mut pages = vec![root.join("README.md")];
    add_pages(&root.join("docs"), &mut pages);
    for path in pages {
        let text = fs::read_to_string(&path).unwrap();
        for (command, expected) in examples(&text) {
            assert_eq!(shell(&command), expected, "{}: $ {command}", path.display());
            count += 1;
        }
    }
    assert!(count >= 40, "only {count} examples were found");
}

/// The pages of the book, in this directory and those below.
fn add_pages(directory: &Path, pages: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            add_pages(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

/// `docs/commands.md` is what the help says, written with `UPDATE=1`.
#[test]
fn the_page_of_commands_is_the_help() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    let mut page =
        "# Commands\n\nThis is what `lambda6 COMMAND --help` says, in the order of `lambda6 --help`. A test \
        compares the two.\n\n"
            .to_string();
    add_help(&mut Vec::new(), &mut page);
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(page == kept, "UPDATE=1 cargo test -p lambda6 --test cli page_of_commands");
}

/// Adds the help of a command, and that of the commands below it.
fn add_help(words: &mut Vec<String>, page: &mut String) {
    let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
    arguments.push("--help");
    let help = stdout(&arguments);
    let name = ["lambda6"].into_iter().chain(words.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    let heading = "#".repeat(2 + words.len().saturating_sub(1));
    // The default of some options is the number of processors of the machine.
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    *page += &format!("{heading} {name}\n\n```text\n{}\n```\n\n", help.join("\n"));
    let below = help.iter().skip_while(|line| **line != "Commands:").skip(1);
    let below: Vec<String> = below
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| Some(line.split_whitespace().next()?.to_string()))
        .filter(|name| name != "help")
        .collect();
    for name in below {
        words.push(name);
        add_help(words, page);
        words.pop();
    }
}

/// The commands of the `console` blocks and what they print, each up to the next
/// command.
fn examples(text: &str) -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            examples.push((command.to_string(), String::new()));
        } else if let (true, Some((_, output))) = (inside, examples.last_mut()) {
            output.push_str(line);
            output.push('\n');
        }
    }
    // What the project's make targets do is not for a test of the program.
    examples.retain(|(command, _)| command.contains("lambda6"));
    examples
}

/// What the command prints in an empty directory, with this build of `lambda6`.
fn shell(command: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_lambda6"));
    let mut path = vec![program.parent().unwrap().to_path_buf()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(&directory)
        .env("PATH", env::join_paths(path).unwrap())
        .output()
        .unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}
