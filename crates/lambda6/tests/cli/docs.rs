//! The examples in the documentation are true: every `console` block is run, and
//! must print what the block shows.

use std::{env, fs, path::Path, process::Command};

#[test]
#[cfg(unix)]
fn examples_print_what_the_documentation_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for name in ["README.md", "docs/FORMATS.md", "docs/ENGINE.md", "docs/MATCHES.md"] {
        let text = fs::read_to_string(root.join(name)).unwrap();
        for (command, expected) in examples(&text) {
            assert_eq!(shell(&command), expected, "{name}: $ {command}");
            count += 1;
        }
    }
    assert!(count >= 5, "only {count} examples were found");
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
