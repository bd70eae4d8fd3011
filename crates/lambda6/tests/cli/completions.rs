use crate::{json, run, stdout};
use std::{fs, process::Command};

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        for word in ["solve", "check", "completions", "--proof"] {
            assert!(script.contains(word.trim_start_matches("--")), "{shell}: {word}");
        }
        let document = json(&["completions", shell, "--json"]);
        assert_eq!(document["script"].as_str(), Some(&script[..]), "{shell}");
    }
    assert_eq!(run(&["completions", "tcsh"]).code, Some(2));
}

#[test]
#[cfg(unix)]
fn bash_completes_commands_and_options_with_the_script() {
    let directory = tempfile::tempdir().unwrap();
    let script = directory.path().join("lambda6.bash");
    fs::write(&script, stdout(&["completions", "bash"])).unwrap();
    // What a shell does when the tab key is pressed after these words.
    let complete = |words: &str, last: usize| {
        let program = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD={last}; _lambda6 lambda6 \"${{COMP_WORDS[{last}]}}\" ''; \
             printf '%s ' \"${{COMPREPLY[@]}}\"",
            script.display()
        );
        let output = Command::new("bash").args(["-c", &program]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(complete("lambda6 sol", 1).trim(), "solve");
    assert!(complete("lambda6 solve --pro", 2).split(' ').any(|word| word == "--proof"));
}

#[test]
fn every_command_has_a_manual_page() {
    let directory = tempfile::tempdir().unwrap();
    let pages = directory.path().join("man1");
    let files = json(&["manual", pages.to_str().unwrap(), "--json"])["files"].clone();
    assert_eq!(files.as_array().unwrap().len(), fs::read_dir(&pages).unwrap().count());
    let read = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
    let whole = read("lambda6.1");
    assert!(whole.starts_with(".ie") || whole.contains(".TH lambda6 1"), "{whole}");
    assert!(read("lambda6-solve.1").contains("lambda6 solve"));
    assert!(read("lambda6-proof-shorten.1").contains("Examples:"));
    // Every command that the help lists.
    for line in stdout(&["--help"]).lines().skip_while(|line| *line != "Commands:").skip(1) {
        let Some(name) = line.split_whitespace().next() else { break };
        if name != "help" && line.starts_with("  ") && !line.starts_with("   ") {
            assert!(pages.join(format!("lambda6-{name}.1")).exists(), "{name}");
        }
    }
}
