use crate::{Files, json, run, run_with_input, stdout};
use std::fs;

const POSITION: &str = "j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13";

/// A certificate that the solver wrote.
fn certificate(files: &Files) -> String {
    let name = files.name("win.txt");
    stdout(&["solve", POSITION, "--proof", &name]);
    name
}

#[test]
fn the_claim_and_the_counts_are_told() {
    let files = Files::new();
    let name = certificate(&files);
    let text = stdout(&["proof", "show", &name]);
    for part in
        ["claim: white wins with white to move", "method: mutual", "replies by move of the line: 1: 1,"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let document = json(&["proof", "show", &name, "--json"]);
    let sum =
        |list: &serde_json::Value| list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>();
    let replies = document["replies"].as_u64().unwrap();
    assert_eq!(sum(&document["by_depth"]), replies);
    assert_eq!(
        sum(&document["threats"]["leave"]) + document["threats"]["connect"].as_u64().unwrap(),
        replies
    );
    assert_eq!(document["by_depth"].as_array().unwrap().len() as u64, document["longest"].as_u64().unwrap());
}

#[test]
fn every_answered_move_and_any_other_gets_a_winning_answer() {
    let files = Files::new();
    let name = certificate(&files);
    // Two stones in the corners are outside every zone, or leave a threat open.
    let document = json(&["proof", "show", &name, "--json", "--defend", "a1s1"]);
    let line = document["line"].as_array().unwrap();
    assert_eq!(line.len(), 2);
    let answer = &line[1];
    assert!(
        answer["connects"].as_bool().unwrap() || answer["outside"].as_array().unwrap().len() == 2,
        "{answer}"
    );
}

#[test]
fn the_walk_takes_moves_from_standard_input() {
    let files = Files::new();
    let name = certificate(&files);
    let walk =
        run_with_input(&["proof", "show", &name, "--walk"], "help\nmoves\na1s1\nj10\nback\nback\nquit\n");
    assert_eq!(walk.code, Some(0), "{}", walk.stderr);
    assert!(walk.stdout.contains("take the last move back"), "{}", walk.stdout);
    assert!(walk.stdout.contains("this is the beginning"), "{}", walk.stdout);
    assert!(walk.stderr.contains("j10"), "{}", walk.stderr);
}

#[test]
fn a_rejected_certificate_is_not_shown() {
    let files = Files::new();
    let name = certificate(&files);
    let text = fs::read_to_string(&name).unwrap();
    let cut = files.write("cut.txt", &text[..text.len() - 10]);
    let output = files.name("short.txt");
    for arguments in [&["proof", "show", &cut][..], &["proof", "shorten", &cut, "-o", &output]] {
        let shown = run(arguments);
        assert_eq!((shown.code, shown.stdout.as_str()), (Some(1), ""), "{arguments:?}");
        assert!(shown.stderr.contains("cut.txt: rejected at reply "), "{}", shown.stderr);
    }
    assert_eq!(run(&["proof", "show", &files.name("missing")]).code, Some(2));
}

/// The win is proved first, and what is written is checked again.
#[test]
fn a_certificate_can_be_made_smaller_before_it_is_written() {
    let files = Files::new();
    let text = "game: 19 19 6 2 1\nblack: j10 k11 j12 i11\nwhite: a1 s19\nto-move: white\n";
    let position = files.write("four.txt", text);
    let name = files.name("short.txt");
    let arguments = ["solve", &position, "--attacker", "black", "--proof", &name, "--shorten", "2", "--json"];
    let document: serde_json::Value = serde_json::from_str(&stdout(&arguments)).unwrap();
    let (before, after) =
        (document["shortened_from"].as_u64().unwrap(), document["replies"].as_u64().unwrap());
    assert!(after <= before);
    assert!(stdout(&["check", &name]).contains(&format!("mutual, replies: {after},")));
    // As it is, the same every time, where nobody asks for it or for no time at all.
    let plain = ["solve", &position, "--attacker", "black", "--proof", &name, "--force", "--json"];
    for more in [&[][..], &["--shorten", "0"]] {
        let document = serde_json::from_str::<serde_json::Value>(&stdout(&[&plain[..], more].concat()));
        let document = document.unwrap();
        assert_eq!(document["shortened_from"], serde_json::Value::Null);
        assert_eq!(document["replies"], before);
    }
    let alone = run(&["solve", &position, "--attacker", "black", "--shorten", "2"]);
    assert_eq!(alone.code, Some(2));
    assert!(alone.stderr.contains("--proof"), "{}", alone.stderr);
}

#[test]
fn a_shortened_certificate_is_valid_and_smaller_or_not_written() {
    let files = Files::new();
    let name = files.name("long.txt");
    stdout(&["solve", POSITION, "--proof", &name, "--method", "rzop"]);
    let output = files.name("short.txt");
    let shortened = run(&["proof", "shorten", &name, "-o", &output, "--json"]);
    let document: serde_json::Value = serde_json::from_str(&shortened.stdout).unwrap();
    let (before, after) = (document["before"].as_u64().unwrap(), document["after"].as_u64().unwrap());
    match shortened.code {
        Some(0) => {
            assert!(after < before);
            assert!(stdout(&["check", &output]).contains(&format!("mutual, replies: {after},")));
        }
        code => {
            assert_eq!(code, Some(1));
            assert!(!files.path("short.txt").exists());
        }
    }
}
