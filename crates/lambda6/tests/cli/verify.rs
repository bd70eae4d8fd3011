use crate::{Files, json, refused, run, stdout};
use std::fs;

/// Three black stones and White to move, which is lost for White.
const THREE: &str = "game: 19 19 6 2 1\nblack: j10 j12 i11\nto-move: white\n";

#[test]
fn every_defence_of_a_lost_position_is_refuted() {
    let found = json(&["verify", THREE, "--json"]);
    assert_eq!((&found["win"], &found["defender"]), (&true.into(), &"white".into()));
    assert!(found["incomplete"].is_null() && found["open"].as_array().unwrap().is_empty());
    // The pass, single stones in its zone, and pairs.
    let refuted = found["refuted"].as_array().unwrap();
    for spare in 0..=2 {
        assert!(refuted.iter().any(|refuted| refuted["spare"] == spare), "{spare}");
    }
    assert!(stdout(&["verify", THREE]).starts_with("defender: white\nnot refuted: 0\n"));
}

#[test]
fn one_move_can_be_asked_about() {
    // Far away from everything, so that the win against a pass does.
    let far = json(&["verify", THREE, "--move", "a1s1", "--json"]);
    assert_eq!((&far["refuted"], &far["by"]), (&true.into(), &"".into()));
    let near = run(&["verify", THREE, "--move", "i12k12"]);
    assert_eq!(near.code, Some(0), "{}", near.stderr);
    assert!(near.stdout.starts_with("k12i12: loses to ") || near.stdout.starts_with("i12k12: loses to "));
}

#[test]
fn what_is_not_lost_is_told() {
    // Nobody wins from a single stone by threats.
    let run = run(&["verify", "j10", "--each-nodes", "100"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("incomplete: the attacker was not shown to win when the defender passes"));
    let row = "game: 19 19 6 2 1\nblack: a1 a3\nwhite: e5 f5 g5 h5\nto-move: white\n";
    let found = json_of_a_no(&["verify", row, "--json"]);
    assert_eq!((&found["incomplete"], &found["win"]), (&"connects".into(), &false.into()));
    assert!(found["open"].as_array().unwrap().contains(&"i5j5".into()));
    refused(&["verify", THREE, "--move", "j10a1"], "j10 is occupied by a black stone");
}

/// The certificate is about the position after the move, with the attacker to move.
#[test]
fn a_refuted_move_has_a_certificate() {
    let files = Files::new();
    // One move far away and one that makes no threat but stands in the zone.
    for mv in ["a1s1", "i12k12"] {
        let path = files.name(&format!("{mv}.proof.zst"));
        let told = run(&["verify", THREE, "--move", mv, "--proof", &path]);
        assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
        assert!(told.stdout.contains(": loses to "), "{}", told.stdout);
        let checked = json(&["check", &path, "--json"]);
        assert_eq!((&checked["verdict"], &checked["attacker"]), (&"valid".into(), &"black".into()));
        let shown = json(&["proof", "show", &path, "--json"]);
        assert_eq!((&shown["to_move"], &shown["black"].as_array().unwrap().len()), (&"black".into(), &3));
        let white = shown["white"].as_array().unwrap();
        assert!(
            white.len() == 2 && white.iter().all(|square| mv.contains(square.as_str().unwrap())),
            "{white:?}"
        );
    }
}

#[test]
fn a_lost_position_has_a_certificate() {
    let files = Files::new();
    let path = files.name("three.proof");
    let found = json(&["verify", THREE, "--proof", &path, "--json"]);
    assert_eq!(found["win"], true);
    let checked = stdout(&["check", &path]);
    assert!(
        checked.contains(": valid: black wins with white to move and 3 stones on the board"),
        "{checked}"
    );
    // What is there is not overwritten, and the work is not done in vain.
    let message = format!("{path}: exists already (--force replaces it)");
    refused(&["verify", THREE, "--proof", &path], &message);
    files.write("three.proof", "");
    stdout(&["verify", THREE, "--proof", &path, "--force"]);
    assert!(!fs::read(&path).unwrap().is_empty());
}

#[test]
fn nothing_is_written_where_nothing_is_proved() {
    let files = Files::new();
    let path = files.name("none.proof");
    // Passing does not lose; the defender connects; the time is up before anything is proved.
    let row = "game: 19 19 6 2 1\nblack: a1 a3\nwhite: e5 f5 g5 h5\nto-move: white\n";
    for arguments in [
        &["verify", "j10", "--each-nodes", "100"][..],
        &["verify", "j10", "--each-nodes", "100", "--move", "a1s1"],
        &["verify", row],
        &["verify", row, "--move", "i5j5"],
        &["verify", THREE, "--time", "0"],
        &["verify", THREE, "--time", "0", "--move", "a1s1"],
    ] {
        let told = run(&[arguments, &["--proof", &path]].concat());
        assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""), "{arguments:?}");
        assert!(!told.stdout.contains("loses to"), "{}", told.stdout);
        assert!(files.list().is_empty(), "{arguments:?}");
    }
}

fn json_of_a_no(arguments: &[&str]) -> serde_json::Value {
    let run = run(arguments);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}
