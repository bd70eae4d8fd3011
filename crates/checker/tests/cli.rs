//! The command `connect-check`: what it prints and how it exits.

use std::{fs, path::PathBuf, process::Command};

const VALID: &str = "connect-proof 1\ngame: 5 5 3 1 1\nblack: a1 b1 d2\nwhite: a5 e5\nto-move: white\n\
                     attacker: black\nmethod: rzop\nreplies: 1\n\nb2\n";

/// Runs the command; gives the exit status and what was printed.
fn run(args: &[&std::ffi::OsStr]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_connect-check")).args(args).output().expect("it runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("a place for files");
    path
}

#[test]
fn the_exit_status_is_that_of_the_worst_file() {
    let valid = file("valid.txt", VALID.as_bytes());
    let rejected = file("rejected.txt", VALID.replace("b2", "e4").as_bytes());
    let unreadable = file("unreadable.txt", b"nonsense\n");
    let (valid, rejected, unreadable) = (valid.as_os_str(), rejected.as_os_str(), unreadable.as_os_str());
    let (status, text) = run(&[valid]);
    assert_eq!(status, Some(0));
    assert!(text.ends_with("valid.txt: valid: black wins, white to move (rzop, 1 replies, 1 moves deep)\n"));
    let (status, text) = run(&[valid, rejected]);
    assert_eq!(status, Some(1));
    assert!(text.ends_with("rejected: reply 2: the walk asks for it and there is none\n"), "{text}");
    let (status, text) = run(&[unreadable, rejected, valid]);
    assert_eq!((status, text.lines().count()), (Some(2), 3));
    assert_eq!(run(&["no such file".as_ref()]).0, Some(2));
    assert_eq!(run(&[]).0, Some(2));
    assert_eq!(run(&["--help".as_ref()]).0, Some(0));
}

#[test]
fn compressed_files_are_known_by_their_bytes() {
    let packed = zstd::encode_all(VALID.as_bytes(), 3).unwrap();
    assert_eq!(run(&[file("packed.zst", &packed).as_os_str()]).0, Some(0));
    assert_eq!(run(&[file("packed.txt", &packed).as_os_str()]).0, Some(0));
    // Frames one after the other are one text.
    let (start, end) = VALID.split_at(60);
    let frames =
        [zstd::encode_all(start.as_bytes(), 3).unwrap(), zstd::encode_all(end.as_bytes(), 3).unwrap()];
    assert_eq!(run(&[file("frames.zst", &frames.concat()).as_os_str()]).0, Some(0));
    for cut in 5..packed.len() {
        let status = run(&[file("cut.zst", &packed[..cut]).as_os_str()]).0;
        assert_eq!(status, Some(2), "cut at {cut}");
    }
    let padded = [&packed[..], b"b2"].concat();
    assert_eq!(run(&[file("padded.zst", &padded).as_os_str()]).0, Some(2));
}
