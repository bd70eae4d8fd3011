use crate::{Files, json, lambda6, refused, run, stdout};
use std::fs;

const MOVES: &str = "j10 i8h9 k11l10";

#[test]
fn every_format_is_written_and_read_back() {
    let files = Files::new();
    for format in ["move-list", "little-golem", "gm511", "gm511-pairs", "contest"] {
        let path = files.name(format);
        assert_eq!(stdout(&["convert", MOVES, "--to", format, "--output", &path]), "");
        assert_eq!(stdout(&["convert", &path]), "1.j10 2.i8h9 3.k11l10\n", "{format}");
    }
}

#[test]
fn without_a_file_the_game_goes_to_standard_output() {
    assert_eq!(stdout(&["convert", "TX-H9"]), "1.j10 2.i8h9\n");
    assert_eq!(stdout(&["convert", MOVES, "--to", "little-golem"]), "(;FF[4];B[j10];W[i8h9];B[k11l10])\n");
    // Contest records are not UTF-8.
    let output = lambda6(&["convert", MOVES, "--to", "contest"]).output().unwrap();
    assert!(output.status.success());
    assert!(output.stdout.starts_with(b"{[C6]"));
}

#[test]
fn rows_are_turned_when_asked() {
    let files = Files::new();
    let top = stdout(&["convert", MOVES, "--to", "gm511"]);
    let bottom = stdout(&["convert", MOVES, "--to", "gm511", "--to-rows", "bottom"]);
    assert!(top.contains(";W[IL];W[HK]"), "{top}");
    assert!(bottom.contains(";W[IH];W[HI]"), "{bottom}");
    // Files of other programs do not say which it is.
    let old = files.write("old.sgf", "(;GM[511];B[JJ];W[IH];W[HI])");
    assert_eq!(stdout(&["convert", &old, "--rows", "bottom"]), "1.j10 2.i8h9\n");
    assert_eq!(stdout(&["convert", &old, "--rows", "top"]), "1.j10 2.i12h11\n");
}

#[test]
fn a_setup_becomes_a_record() {
    let setup = "game: 19 19 6 2 1\nblack: j10 j12 i11\nwhite:\nto-move: white\n";
    let sgf = stdout(&["convert", setup, "--to", "gm511"]);
    let files = Files::new();
    let path = files.write("setup.sgf", &sgf);
    assert_eq!(json(&["show", &path, "--json"])["start"], json(&["show", setup, "--json"])["start"]);
}

#[test]
fn an_existing_file_stays_unless_forced() {
    let files = Files::new();
    let path = files.write("game.sgf", "precious");
    let arguments = ["convert", MOVES, "--to", "gm511", "--output", &path];
    refused(&arguments, &format!("{path}: exists already (--force replaces it)"));
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    stdout(&[&arguments[..], &["--force"]].concat());
    assert!(fs::read_to_string(&path).unwrap().contains("GM[511]"));
    assert_eq!(files.list(), ["game.sgf"]);
}

#[test]
fn what_a_format_cannot_keep_is_refused_unless_told() {
    let files = Files::new();
    let from = files.write("commented", "1.j10 # the centre\n2.i8h9\n");
    let to = files.name("contest");
    let arguments = ["convert", &from, "--to", "contest", "--output", &to];
    let message = "the contest format has no comments, this record does";
    refused(&arguments, &format!("{from}: {message} (--lossy leaves it out)"));
    assert_eq!(files.list(), ["commented"]);
    let run = run(&[&arguments[..], &["--lossy"]].concat());
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    assert_eq!(run.stderr, format!("warning: {from}: not everything is kept: {message}\n"));
    assert_eq!(stdout(&["convert", &to]), "1.j10 2.i8h9\n");
}

#[test]
fn what_cannot_be_written_at_all_is_refused() {
    let files = Files::new();
    let to = files.name("contest");
    let from = "game: go-moku\n\nh8";
    for lossy in [&[][..], &["--lossy"]] {
        refused(
            &[&["convert", from, "--to", "contest", "--output", &to], lossy].concat(),
            "\"game: go-moku\\n\\nh8\": the contest format has no way to say that the game is \
             Connect(15,15,5,1,1)",
        );
    }
    refused(
        &["convert", MOVES, "--output", &files.name("x.sgf")],
        "which SGF? say --to little-golem, --to gm511 or --to gm511-pairs",
    );
    assert!(files.list().is_empty());
}

#[test]
fn json_reports_what_was_done() {
    let files = Files::new();
    let path = files.name("out");
    let report = json(&["convert", MOVES, "--to", "gm511", "--output", &path, "--json"]);
    let expected = serde_json::json!({
        "kind": "convert",
        "schema": 1,
        "from": "move-list",
        "to": "gm511",
        "moves": 3,
        "bytes": fs::metadata(&path).unwrap().len(),
        "lost": null,
    });
    assert_eq!(report, expected);
    // The game itself would be on standard output otherwise.
    assert_eq!(run(&["convert", MOVES, "--json"]).code, Some(2));
}

#[test]
fn a_missing_directory_is_named() {
    let files = Files::new();
    let path = files.name("missing/game.txt");
    let run = run(&["convert", MOVES, "--output", &path]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with(&format!("error: {path}: cannot be written: ")), "{}", run.stderr);
}
