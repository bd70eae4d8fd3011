use crate::{json, refused, run, stdout};

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

fn json_of_a_no(arguments: &[&str]) -> serde_json::Value {
    let run = run(arguments);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}
