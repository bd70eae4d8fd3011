//! Whatever is wrong with the input: a clear error, exit code 2, nothing written.

use crate::{Files, refused, run, run_with_input};
use std::time::{Duration, Instant};

/// Reads this content in every way that a command can: all must refuse it. The
/// message names the file and contains `message`, and nothing is written.
#[track_caller]
fn refused_everywhere(content: &[u8], options: &[&str], message: &str) {
    let files = Files::new();
    let path = files.write("input", content);
    let output = files.name("output");
    for command in [
        &["show", &path][..],
        &["show", &path, "--json"],
        &["perft", &path, "--depth", "1"],
        &["convert", &path, "--output", &output, "--force", "--lossy"],
        &["convert", &path],
    ] {
        let run = run(&[command, options].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{command:?}");
        assert!(run.stderr.starts_with(&format!("error: {path}: ")), "{}", run.stderr);
        assert!(run.stderr.contains(message), "{}", run.stderr);
        assert!(run.stderr.len() < 500, "a message of {} bytes", run.stderr.len());
        assert_eq!(files.list(), ["input"]);
    }
    let run = run_with_input(&[&["show", "-"], options].concat(), content);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.starts_with("error: standard input: "), "{}", run.stderr);
    assert!(run.stderr.contains(message), "{}", run.stderr);
}

#[test]
fn a_missing_file() {
    let files = Files::new();
    let path = files.name("game.sgf");
    let output = files.name("output");
    refused(&["show", &path], &format!("{path}: there is no such file"));
    refused(&["convert", &path, "--output", &output], &format!("{path}: there is no such file"));
    refused(&["show", "game.sgf"], "game.sgf: there is no such file");
    assert!(files.list().is_empty());
}

#[test]
fn a_misspelt_file_name_that_looks_like_moves() {
    refused(
        &["show", "g1sgf"],
        "\"g1sgf\": line 1, column 1: expected a square such as j10, found \"sgf\" \
         (and there is no file of that name)",
    );
}

#[test]
fn a_directory() {
    let files = Files::new();
    let path = files.name("");
    refused(&["show", &path], &format!("{path}: is a directory, expected a file"));
}

#[test]
fn an_empty_file() {
    refused_everywhere(b"", &[], "is empty, expected a list of moves, a game record or a setup");
    refused_everywhere(b" \n\t\n", &[], "is empty");
    refused(&["show", ""], "\"\": is empty, expected a list of moves, a game record or a setup");
}

#[test]
fn random_bytes() {
    // xorshift64: the same bytes on every machine.
    for seed in 1..=20u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bytes: Vec<u8> = (0..2000)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state.to_le_bytes()[3]
            })
            .collect();
        refused_everywhere(&bytes, &[], "");
    }
    refused_everywhere(&[0xff, 0xfe, 0x00, 0x80], &[], "not a record");
    refused_everywhere(&[0; 1000], &[], "not a record");
}

#[test]
fn a_record_of_a_larger_board() {
    let sgf = b"(;GM[511]SZ[40];B[TT];W[aTbT])";
    refused_everywhere(sgf, &["--game", "connect6"], "this is a record of the game");
    refused_everywhere(b"1.j10 2.an40am40", &[], "line 1, column 9: an40 is off the 19x19 board");
    refused_everywhere(b"(;FF[4];B[t20];W[a1a2])", &[], "t20 is off the 19x19 board");
    let setup = b"game: 40 40 6 2 1\nblack: t20\nto-move: white\n";
    refused_everywhere(setup, &["--game", "connect6"], "expected Connect(19,19,6,2,1)");
}

#[test]
fn a_stone_on_a_stone() {
    refused_everywhere(b"j10 i8h9\nk11h9", &[], "line 2, column 1: move 3: h9 is occupied by a white stone");
    refused_everywhere(b"(;GM[511];B[JJ];W[JJ];W[HI])", &[], "j10 is occupied by a black stone");
    refused_everywhere(
        b"game: 19 19 6 2 1\nblack: j10\nwhite: i8 j10\nto-move: black\n",
        &[],
        "j10 has both a black and a white stone",
    );
}

#[test]
fn a_game_that_goes_on_after_six_in_a_row() {
    let won = "a1 a19b19 b1c1 c19d19 d1e1 s19r19 f1g1";
    refused_everywhere(
        format!("{won} q19p19").as_bytes(),
        &[],
        "line 1, column 40: move 8: the game is over: black has won",
    );
    refused_everywhere(
        b"game: 19 19 6 2 1\nblack: a1 b1 c1 d1 e1 f1\nto-move: white\n",
        &[],
        "the game is over: black already has 6 in a row",
    );
}

#[test]
fn a_line_of_100_mb() {
    let long = "j10".repeat(100_000_000 / 3 + 1);
    let begin = Instant::now();
    refused_everywhere(long.as_bytes(), &[], "is larger than 64 MiB, no game or position is");
    // Just below the limit it is read, and must not take long either.
    for line in ["j10", "(", "(;", "[", "game: ", "a", "1.", "black:"] {
        refused_everywhere(line.repeat((20 << 20) / line.len()).as_bytes(), &[], "");
    }
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
}

#[test]
fn a_setup_with_a_line_missing() {
    refused_everywhere(b"game: 19 19 6 2 1\nblack: j10\n", &[], "the line \"to-move: ...\" is missing");
    refused_everywhere(b"black: j10\nto-move: white\n", &[], "the line \"game: ...\" is missing");
    refused_everywhere(
        b"game: 19 19 6 2 1\nblack: j10 t9\nto-move: white\n",
        &[],
        "line 2, column 12: t9 is off the 19x19 board",
    );
}

#[test]
fn stones_of_a_move_apart() {
    refused_everywhere(b"j10 i8 h9", &[], "write its squares together, such as i9l10");
}
