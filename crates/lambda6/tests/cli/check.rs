use crate::{Files, run, stdout};
use std::fs;

const POSITION: &str = "j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13";

/// A certificate that the solver wrote.
fn certificate(files: &Files) -> (String, String) {
    let name = files.name("win.txt");
    stdout(&["solve", POSITION, "--proof", &name]);
    let text = fs::read_to_string(&name).unwrap();
    (name, text)
}

#[test]
fn what_solve_writes_is_valid_compressed_or_not() {
    let files = Files::new();
    let (name, _) = certificate(&files);
    assert!(stdout(&["check", &name]).contains(": valid: white wins with white to move"));
    let compressed = files.name("win.txt.zst");
    stdout(&["solve", POSITION, "--proof", &compressed]);
    assert!(stdout(&["check", &compressed]).contains(": valid: "));
}

#[test]
fn a_damaged_certificate_is_rejected_with_the_reply_and_exit_code_1() {
    let files = Files::new();
    let (name, text) = certificate(&files);
    let cut: String = text.lines().take(text.lines().count() - 1).map(|line| format!("{line}\n")).collect();
    let cut = files.write("cut.txt", cut);
    let checked = run(&["check", &name, &cut]);
    assert_eq!(checked.code, Some(1));
    assert_eq!(checked.stdout.lines().count(), 2);
    assert!(
        checked.stdout.lines().nth(1).unwrap().contains("cut.txt: rejected at reply "),
        "{}",
        checked.stdout
    );
}

#[test]
fn what_is_no_certificate_is_an_error() {
    let files = Files::new();
    let (_, text) = certificate(&files);
    for (name, content) in [
        ("empty", String::new()),
        ("crlf", text.replace('\n', "\r\n")),
        ("overlap", text.replace("white: ", "white: j10 ")),
        ("off", text.replace("white: ", "white: z99 ")),
        ("version", text.replace("connect-proof 1", "connect-proof 2")),
    ] {
        let file = files.write(name, content);
        let checked = run(&["check", &file]);
        assert!(matches!(checked.code, Some(1 | 2)), "{name}: {}", checked.stdout);
        assert!(!checked.stdout.contains(": valid"), "{name}");
    }
    assert_eq!(run(&["check", &files.name("missing")]).code, Some(2));
}

#[test]
fn json_has_a_line_a_file() {
    let files = Files::new();
    let (name, _) = certificate(&files);
    let text = stdout(&["check", &name, &name, "--json"]);
    assert_eq!(text.lines().count(), 2);
    for line in text.lines() {
        let document: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(document["verdict"], "valid");
        assert_eq!(document["attacker"], "white");
    }
}
