//! `engine`, `analyze`, `match`, `tournament`, `reproduce defense`.

use crate::{Files, json, lambda6, refused, run, run_with_input, stdout};
use serde_json::Value;
use std::fs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_lambda6");

#[test]
fn every_protocol_answers() {
    let talk = |protocol: &str, input: &str| {
        let run =
            run_with_input(&["engine", "--protocol", protocol, "--level", "defense", "--memory", "1"], input);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{protocol}");
        run.stdout
    };
    assert_eq!(talk("gtp", "1 name\n2 genmove b\nquit\n").lines().next(), Some("=1 lambda6"));
    assert!(talk("gtp-pairs", "play b K10\ngenmove w\n").lines().nth(2).unwrap().contains(','));
    assert!(talk("sau", "new white\nmove JJ\n").starts_with("move "));
    assert!(talk("cloudict", "new xxx\nblack JJ\nnext\n").starts_with("move "));
    let request = r#"{"requests":[{"x0":-1,"y0":-1,"x1":-1,"y1":-1}],"responses":[]}"#;
    assert!(talk("botzone", request).starts_with(r#"{"response":{"#));
}

#[test]
fn boards_that_a_protocol_has_no_names_for_are_refused() {
    let message = "--game 30 30 6 2 1: the protocol has names for at most 25 rows and columns";
    refused(&["engine", "--protocol", "gtp", "--game", "30 30 6 2 1"], message);
}

#[test]
fn the_log_of_the_thinking_can_be_json() {
    let arguments = ["engine", "--protocol", "sau", "--time", "100n", "--memory", "1", "--json"];
    let run = run_with_input(&arguments, "new white\nmove JJ\nnonsense\n");
    assert_eq!(run.code, Some(0));
    for line in run.stderr.lines() {
        serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    assert!(run.stderr.contains("\"note\""), "{}", run.stderr);
}

#[test]
fn analyses_end_with_one_final_answer_each() {
    let input = "{\"id\":\"a\",\"moves\":[\"j10\",\"i8h9\"],\"limits\":{\"nodes\":200},\"maxCandidates\":3}\n\
                 {\"id\":\"b\",\"moves\":[\"j99\"]}\n";
    let run = run_with_input(&["analyze", "--memory", "1", "--analysis-threads", "2"], input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let answers: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |id: &str| answers.iter().filter(|answer| answer["id"] == id).collect::<Vec<_>>();
    assert_eq!((of("a").len(), of("b").len()), (1, 1));
    assert_eq!(of("a")[0]["isDuringSearch"], false);
    assert!(!of("a")[0]["moveInfos"].as_array().unwrap().is_empty());
    assert_eq!(of("b")[0]["field"], "moves[0]");
}

/// Our own engine, as others see it, plays whole games by every protocol.
#[test]
fn matches_are_played_by_every_protocol() {
    for protocol in ["gtp", "gtp-pairs", "cloudict", "sau", "botzone"] {
        let program = format!(
            "{protocol}:{PROGRAM} engine --protocol {protocol} --level defense --time 20n --memory 1 \
             --game 'connect6'"
        );
        let openings = if protocol == "sau" { "empty" } else { "X-K9" };
        let document = json(&[
            "match",
            "defense",
            &program,
            "--a-time",
            "20n",
            "--b-time",
            "none",
            "--games",
            "2",
            "--openings",
            openings,
            "--max-moves",
            "8",
            "--memory",
            "1",
            "--quiet",
            "--json",
        ]);
        assert_eq!(document["games"], 2, "{protocol}");
        assert_eq!(document["failures"], Value::Array(Vec::new()), "{protocol}");
        assert!(document["b"]["moves"].as_u64().unwrap() >= 4, "{protocol}");
    }
}

#[test]
fn a_match_is_kept_and_continued() {
    let files = Files::new();
    let out = files.name("out");
    let arguments = |games: &str| {
        [
            "match",
            "casual",
            "defense",
            "--time",
            "20n",
            "--games",
            games,
            "--max-moves",
            "10",
            "--memory",
            "1",
            "--quiet",
            "--out",
            &out,
        ]
        .map(str::to_string)
    };
    let text = |games: &str| {
        let arguments = arguments(games);
        stdout(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert!(text("2").starts_with("casual against defense: 2 of 2 games\nscore: "));
    let log = fs::read_to_string(files.path("out/results.jsonl")).unwrap();
    assert!(text("4").starts_with("casual against defense: 4 of 4 games\n"));
    let longer = fs::read_to_string(files.path("out/results.jsonl")).unwrap();
    assert!(longer.starts_with(&log) && longer.lines().count() == 5);
    for entry in fs::read_dir(files.path("out/games")).unwrap() {
        stdout(&["show", entry.unwrap().path().to_str().unwrap()]);
    }
    let other = run(&["match", "casual", "defense", "--time", "30n", "--games", "2", "--out", &out]);
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("is the log of another contest"), "{}", other.stderr);
}

#[test]
fn a_tournament_has_a_table() {
    let arguments = [
        "tournament",
        "novice",
        "casual",
        "defense",
        "--time",
        "20n",
        "--max-moves",
        "8",
        "--memory",
        "1",
        "--quiet",
    ];
    let text = stdout(&arguments);
    assert_eq!(text.lines().take(4).filter(|line| line.contains("%")).count(), 4, "{text}");
    let document = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!((&document["games"], document["players"].as_array().unwrap().len()), (&6.into(), 3));
}

#[test]
fn the_thesis_is_reproduced() {
    let arguments = [
        "reproduce",
        "defense",
        "--games",
        "2",
        "--time",
        "20n",
        "--opponents",
        "novice",
        "--max-moves",
        "8",
        "--memory",
        "1",
        "--quiet",
    ];
    let text = stdout(&arguments);
    for line in
        ["defense against novice", "kagami against novice", "the thesis, table 4.2, against MeinStein"]
    {
        assert!(text.contains(line), "{text}");
    }
    let document = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!(document["tables"].as_array().unwrap().len(), 2);
}

#[test]
fn who_and_what_is_wrong_is_told() {
    let wrong = run(&["match", "strong", "grandmaster"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("\"grandmaster\" is no player: expected"), "{}", wrong.stderr);
    refused(&["match", "strong", "gtp:/no/such/engine"], "engine: /no/such/engine: there is no such program");
    let message = "--openings: \"nosuch\" is no set of openings: \
                   expected dif, played, even, empty, names such as X-K9,T-K11 or a file";
    refused(&["match", "strong", "club", "--openings", "nosuch"], message);
    let sprt = run(&["match", "strong", "club", "--sprt", "30,0"]);
    assert!(sprt.code == Some(2) && sprt.stderr.contains("no test"), "{}", sprt.stderr);
}

#[test]
#[cfg(unix)]
fn a_match_that_is_interrupted_keeps_its_results() {
    let files = Files::new();
    let out = files.name("out");
    let mut command = std::process::Command::new(lambda6(&[]).get_program());
    command.args(["match", "casual", "defense", "--time", "20n", "--games", "100000", "--max-moves", "8"]);
    command.args(["--memory", "1", "--quiet", "--out", &out]);
    let child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let log = files.path("out/results.jsonl");
    while fs::read_to_string(&log).unwrap_or_default().lines().count() < 3 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("score: "));
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.ends_with('\n'));
    log.lines().for_each(|line| {
        serde_json::from_str::<Value>(line).unwrap();
    });
}
