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

/// A certificate whose check takes years: thousands of threats of eight squares on
/// the largest board, and no defence of eight squares against all of them.
fn endless(files: &Files) -> String {
    let squares = (0..64).flat_map(|row| (0..64).map(move |column| (row, column)));
    let black: String = squares
        .filter(|(row, column)| (column + 3 * row) % 7 == 0 && *column < 26)
        .map(|(row, column)| format!(" {}{}", char::from(b'a' + column as u8), row + 1))
        .collect();
    let text = format!(
        "connect-proof 1\ngame: 64 64 9 8 1\nblack:{black}\nwhite:\nto-move: white\nattacker: black\n\
         method: rzop\nreplies: 1\n\na1\n"
    );
    files.write("endless.txt", text)
}

#[test]
fn a_check_without_end_ends_with_the_time_given() {
    let files = Files::new();
    let checked = run(&["check", &endless(&files), "--time", "0.05"]);
    assert_eq!((checked.code, checked.stdout.as_str()), (Some(2), ""));
    assert!(checked.stderr.ends_with("endless.txt: stopped\n"), "{}", checked.stderr);
}

#[test]
#[cfg(unix)]
fn a_check_without_end_ends_with_an_interrupt() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let files = Files::new();
    let (valid, _) = certificate(&files);
    let mut command = Command::new(env!("CARGO_BIN_EXE_lambda6"));
    command.args(["check", &valid, &endless(&files)]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Once the first file has been checked, the program is ready for a signal.
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains(": valid: "), "{line}");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert!(message.ends_with("endless.txt: stopped\n"), "{message}");
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
