//! `lambda6 atlas`.

use super::{Files, json, run, stdout};
use std::fs;

/// Four in a row on 7x7: Black wins against all 9 second moves.
const GAME: [&str; 2] = ["--game", "7 7 4 1 1"];

fn atlas<'a>(command: &'a str, directory: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["atlas", command, "--dir", directory][..], &GAME, more].concat()
}

/// A run that must fail and say this.
#[track_caller]
fn refused(arguments: &[&str], message: &str) {
    let run = run(arguments);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
    assert!(run.stderr.contains(message), "{arguments:?}: {}", run.stderr);
}

#[test]
fn an_atlas_is_built_looked_up_checked_and_exported() {
    let files = Files::new();
    let dir = files.name("atlas");
    let built = stdout(&atlas("build", &dir, &["--first", "100000", "--memory", "64"]));
    assert_eq!(built.lines().count(), 9);
    assert!(built.lines().all(|line| line.contains(": proved by ")), "{built}");
    let status = stdout(&atlas("status", &dir, &[]));
    assert!(status.contains("\n       9        9        0 "), "{status}");
    assert!(stdout(&atlas("check", &dir, &[])).starts_with("9 certificates are valid, 0 are not"));
    let checked = json(&atlas("check", &dir, &["--sample", "4", "--json"]));
    assert_eq!((&checked["checked"], &checked["faults"]), (&4.into(), &serde_json::json!([])));

    // The certificate of a turned opening is that of the opening, and its digest is told.
    let proof = files.name("a7.proof");
    let shown = json(&atlas("show", &dir, &["g1", "--proof", &proof, "--json"]));
    assert_eq!((&shown["name"], &shown["verdict"]), (&"a7".into(), &"black".into()));
    let digest = std::process::Command::new("sha256sum").arg(&proof).output().unwrap().stdout;
    assert_eq!(String::from_utf8(digest).unwrap().split(' ').next(), shown["sha256"].as_str());
    assert!(stdout(&["check", &proof]).contains("valid: black wins"));

    let table = stdout(&atlas("export", &dir, &[]));
    assert_eq!(table.lines().count(), 10);
    let list = json(&atlas("export", &dir, &["--json"]));
    assert_eq!(list.as_array().unwrap().len(), 9);
    let (sgf, html) = (files.name("atlas.sgf"), files.name("atlas.html"));
    stdout(&atlas("export", &dir, &["--format", "sgf", "--output", &sgf]));
    assert!(stdout(&["show", &sgf, GAME[0], GAME[1]]).contains("moves: 3"));
    stdout(&atlas("export", &dir, &["--format", "html", "--output", &html]));
    assert!(fs::read_to_string(&html).unwrap().starts_with("<!doctype html>"));
}

#[test]
fn an_atlas_is_built_in_parts() {
    let files = Files::new();
    let dir = files.name("atlas");
    let one = json(&atlas("build", &dir, &["--only", "c5", "--first", "100000", "--json"]));
    assert_eq!((&one["opening"], &one["proved"]), (&"c5".into(), &1.into()));
    let status = run(&atlas("status", &dir, &[]));
    assert_eq!(status.code, Some(1));
    assert!(status.stdout.ends_with("open: a7 b7 c7 d7 b6 c6 d6 d5\n"), "{}", status.stdout);
    let open = run(&atlas("show", &dir, &["d5"]));
    assert_eq!((open.code, &open.stdout[..]), (Some(1), "d5 (d4 d5): open, 0 moves tried\n"));
    refused(&atlas("show", &dir, &["d5", "--proof", &files.name("d5.proof")]), "d5: is not proved");
}

#[test]
fn one_certificate_is_written_for_all_openings() {
    let files = Files::new();
    let (dir, whole, part) = (files.name("atlas"), files.name("whole.zst"), files.name("part.zst"));
    stdout(&atlas("build", &dir, &["--only", "c5", "--first", "100000"]));
    let partial = run(&atlas("certify", &dir, &[&part]));
    assert_eq!(partial.code, Some(1), "{}", partial.stderr);
    assert!(partial.stdout.contains(": every second move loses that has none of "), "{}", partial.stdout);
    let checked = json(&["check", &part, "--json"]);
    assert_eq!(&checked["verdict"], "valid");
    let except = checked["except"].as_array().unwrap().clone();
    assert!(!except.is_empty() && !except.contains(&"c5".into()), "{except:?}");
    assert!(stdout(&["check", &part]).contains("except after moves with one of "));

    stdout(&atlas("build", &dir, &["--first", "100000"]));
    let certified = json(&atlas("certify", &dir, &[&whole, "--json"]));
    assert_eq!(&certified["except"], &serde_json::json!([]));
    let checked = stdout(&["check", &whole]);
    assert!(
        checked.contains(": valid: black wins with white to move and 1 stones on the board ("),
        "{checked}"
    );
    refused(&atlas("certify", &dir, &[&whole]), "whole.zst");
    refused(&atlas("certify", &dir, &[&files.name("whole.txt")]), "expected a name that ends in .zst");
    // A part of a claim is not taken for the claim.
    refused(&["proof", "show", &part], "it claims nothing about ");
}

/// A sample of the certificates that come with the project; `make soak` checks all of them.
#[test]
fn the_atlases_of_the_project_are_sound() {
    for (game, sample) in [("connect6", "4"), ("go-moku", "1")] {
        let directory = format!("{}/../../atlas/{game}", env!("CARGO_MANIFEST_DIR"));
        let checked = stdout(&["atlas", "check", "--game", game, "--dir", &directory, "--sample", sample]);
        assert!(checked.starts_with(&format!("{sample} certificates are valid, 0 are not")), "{checked}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let files = Files::new();
    let dir = files.name("atlas");
    refused(&atlas("status", &dir, &[]), "no atlas: lambda6 atlas build makes one: ");
    refused(&["atlas", "build", "--game", "10 10 5 1 1", "--dir", &dir], "an atlas is made for games with");
    refused(&atlas("build", &dir, &["--only", "d4"]), "\"d4\": is no second move, expected one such as a7");
    refused(&atlas("build", &dir, &["--third", "z9"]), "--third z9: is no move of 7 7 4 1 1");
    refused(&atlas("build", &dir, &["--first", "0"]), "--first 0: expected at least one move");
    stdout(&atlas("build", &dir, &["--first", "100000"]));
    refused(&["atlas", "status", "--dir", &dir], "0001.zst: line 1: expected");
    fs::write(format!("{dir}/0001.zst"), "no archive").unwrap();
    refused(&atlas("check", &dir, &[]), "0001.zst: ");
}
