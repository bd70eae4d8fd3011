use crate::{lambda6, run, stdout};
use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

#[test]
fn version_names_commit_and_formats() {
    let long = stdout(&["--version"]);
    let mut lines = long.lines();
    assert_eq!(lines.next(), Some(concat!("lambda6 ", env!("CARGO_PKG_VERSION"))));
    let hash = lines.next().and_then(|line| line.strip_prefix("git hash:")).unwrap().trim();
    let is_hash = hash.len() == 12 && hash.bytes().all(|b| b.is_ascii_hexdigit());
    assert!(is_hash || hash == "unknown", "{hash}");
    for format in ["connect-proof 1", "move-list", "little-golem", "gm511-pairs", "contest", "schema 1"] {
        assert!(long.contains(format), "{long}");
    }
    assert_eq!(stdout(&["-V"]), concat!("lambda6 ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn help_documents_the_exit_codes_and_every_command() {
    let help = stdout(&["--help"]);
    assert!(help.contains("Exit codes:\n  0  done"), "{help}");
    for command in ["show", "convert", "perft", "solve", "puzzles", "bench"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
        let help = stdout(&[command, "--help"]);
        assert!(help.contains("Examples:\n  lambda6"), "{help}");
        assert_eq!(stdout(&["help", command]), help);
    }
}

#[test]
fn wrong_usage_is_an_error() {
    for arguments in [&["shw"][..], &["show"], &["show", "j10", "--colour"], &["perft", "j10"], &[]] {
        let run = run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.stderr.contains("Usage:"), "{}", run.stderr);
    }
    let run = run(&["perft", "j10", "--depth", "0"]);
    assert_eq!(run.code, Some(2));
}

#[test]
fn output_that_nobody_reads_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lambda6"))
        .args(["perft", "--game", "3 3 3 1 1", "b2", "--depth", "4096"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Read one line and go away, as `head -1` does; there is more than fits into
    // the pipe.
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.contains("positions"));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn a_full_disk_is_an_error() {
    #[cfg(target_os = "linux")]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_lambda6"))
            .args(["show", "j10"])
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with("error: standard output: cannot be written: "), "{message}");
    }
}

#[test]
fn endless_input_is_not_read_to_its_end() {
    #[cfg(unix)]
    lambda6(&["show", "/dev/zero"]).assert().code(2);
}
