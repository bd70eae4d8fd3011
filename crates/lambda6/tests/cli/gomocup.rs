//! `engine --protocol gomocup`, and matches by this protocol.

use crate::{Files, json, refused, run, run_with_input};
use serde_json::Value;
use std::fs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_lambda6");

fn talk(input: impl Into<Vec<u8>>) -> Vec<String> {
    let arguments =
        ["engine", "--protocol", "gomocup", "--level", "casual", "--time", "50n", "--memory", "1"];
    let run = run_with_input(&arguments, input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.stdout.lines().filter(|line| !line.starts_with("DEBUG")).map(str::to_string).collect()
}

#[test]
fn managers_are_answered_whatever_their_line_ends_and_letters() {
    for input in
        ["START 15\r\nBEGIN\r\n", "START 15\nBEGIN\n", "start 15\r\nbegin\r\n", "Start 15\n\n\r\nBegin"]
    {
        assert_eq!(talk(input), ["OK", "7,7"], "{input:?}");
    }
    let about = talk("ABOUT\r\nEND\r\nABOUT\r\n");
    assert_eq!(about.len(), 1, "{about:?}");
    assert!(about[0].starts_with("name=\"lambda6\", version=\""), "{about:?}");
}

#[test]
fn bytes_that_are_no_text_are_an_unknown_command() {
    let answers = talk(b"START 15\n\xff\xfe\x00\nTURN \xff\nBOARD\n\x80,\x80,1\nDONE\nBEGIN\n".to_vec());
    let words: Vec<&str> = answers.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(words, ["OK", "UNKNOWN", "ERROR", "ERROR", "7,7"]);
}

#[test]
fn other_games_are_refused() {
    let message = "--game 19 19 6 2 1: the protocol is for five in a row with one stone a move, on boards \
                   from 5x5 to 64x64";
    refused(&["engine", "--protocol", "gomocup", "--game", "connect6"], message);
    let program = format!("gomocup:{PROGRAM} engine --protocol gomocup");
    let message = "lambda6: gomocup is for five in a row with one stone a move on boards from 5x5 to 64x64, \
                   such as --game \"15 15 5 1 1\"; the game is 19 19 6 2 1";
    refused(&["match", "strong", &program], message);
    refused(&["tournament", "strong", "club", &program], message);
}

/// lambda6 plays itself by the protocol, from the empty board, from one stone and from a
/// position.
#[test]
fn whole_games_are_played_by_the_protocol() {
    let files = Files::new();
    fs::write(files.path("openings.txt"), "h8 h9 i10 g7\nh8\nh8 g9 h9\n").unwrap();
    let openings = files.name("openings.txt");
    let program = |level: &str, nodes: &str| {
        format!("gomocup:{PROGRAM} engine --protocol gomocup --level {level} --time {nodes} --memory 1")
    };
    for (game, set, games) in [
        ("15 15 5 1 1", "empty", "2"),
        ("15 15 5 1 1", openings.as_str(), "6"),
        ("17 15 5 1 1", "empty", "2"),
    ] {
        let (a, b) = (program("casual", "50n"), program("defense", "20n"));
        let common = ["--time", "none", "--no-adjudicate", "--memory", "1", "--quiet", "--json"];
        let arguments = ["match", &a, &b, "--game", game, "--openings", set, "--games", games];
        let document = json(&[&arguments[..], &common[..]].concat());
        assert_eq!(document["failures"], Value::Array(Vec::new()), "{game}");
        assert_eq!(document["games"].to_string(), games);
        let reasons = document["reasons"].as_object().unwrap();
        assert!(
            reasons.keys().all(|reason| ["row", "full", "dead"].contains(&reason.as_str())),
            "{reasons:?}"
        );
    }
}

#[test]
fn a_tournament_takes_such_programs_too() {
    let program =
        format!("gomocup:{PROGRAM} engine --protocol gomocup --level defense --time 20n --memory 1");
    let arguments = ["tournament", "novice", &program, "--time", "none", "--games", "2", "--game", "go-moku"];
    let more = ["--openings", "empty", "--max-moves", "12", "--memory", "1", "--quiet", "--json"];
    let document = json(&[&arguments[..], &more[..]].concat());
    assert_eq!(document["failures"], Value::Array(Vec::new()));
    assert_eq!(document["games"], 2);
}

#[test]
fn the_help_names_the_protocol() {
    for command in ["engine", "match"] {
        assert!(run(&[command, "--help"]).stdout.contains("gomocup"), "{command}");
    }
}
