use crate::{Files, json, lambda6, refused, run, run_with_input, stdout};
use std::{
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

const PUZZLES: &str = include_str!("../../data/puzzles.tsv");

/// The moves of a puzzle.
pub(crate) fn puzzle(id: &str) -> &'static str {
    let row = PUZZLES.lines().find(|line| line.split('\t').next() == Some(id)).unwrap();
    row.split('\t').next_back().unwrap()
}

/// A position that takes a search of Black's wins long.
const LONG: &str = "j10 i8h9 k11l10";

#[test]
fn a_win_is_proved_with_a_line_and_a_certificate() {
    let text = stdout(&["solve", puzzle("p040"), "--class", "vcdt"]);
    let facts: Vec<(&str, &str)> = text.lines().map(|line| line.split_once(": ").unwrap()).collect();
    let names: Vec<&str> = facts.iter().map(|(name, _)| *name).collect();
    let expected = ["verdict", "class", "line", "length", "nodes", "time", "moves per second", "certificate"];
    assert_eq!(names, expected);
    let fact = |name: &str| facts.iter().find(|(known, _)| *known == name).unwrap().1;
    assert_eq!((fact("verdict"), fact("length")), ("Win: black", "4"));
    assert_eq!(fact("line").split(' ').count(), 9);
    assert!(fact("certificate").ends_with(" replies (mutual)"));
}

#[test]
fn json_says_the_same() {
    let found = json(&["solve", puzzle("p040"), "--json"]);
    assert_eq!(found["kind"], "solve");
    assert_eq!(found["verdict"], "win");
    assert_eq!(found["attacker"], "black");
    assert_eq!(found["length"], 4);
    assert_eq!(found["line"].as_array().unwrap().len(), 9);
    assert!(found["replies"].as_u64().unwrap() > 0);
    let run = run(&["solve", puzzle("p040"), "--nodes", "0", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &found["verdict"], &found["why"]), (Some(1), &"unknown".into(), &"nodes".into()));
    assert!(found["line"].as_array().unwrap().is_empty());
}

#[test]
fn the_certificate_is_written_and_holds() {
    let files = Files::new();
    for method in ["rzop", "srzop1", "srzop2", "mutual"] {
        for name in ["win.proof", "win.proof.zst"] {
            let path = files.name(name);
            stdout(&["solve", puzzle("p155"), "--method", method, "--proof", &path, "--force"]);
            let checked =
                lambda6_checker::check_file(&path, |_| std::ops::ControlFlow::Continue(())).unwrap();
            assert_eq!(checked.header.method.to_string(), method);
            assert!(checked.summary.replies > 10);
        }
    }
    let compressed = std::fs::read(files.path("win.proof.zst")).unwrap();
    assert_eq!(compressed[..4], [0x28, 0xb5, 0x2f, 0xfd]);
    assert_eq!(files.list().len(), 2, "{:?}", files.list());
}

/// Each verifier has its method; that of 2006 has the first one's.
#[test]
fn a_verifier_can_be_chosen_by_its_name() {
    let files = Files::new();
    let path = files.name("win.proof");
    for (verifier, method) in [
        ("wu", "rzop"),
        ("c6", "rzop"),
        ("ck", "rzop"),
        ("c6-o1", "srzop1"),
        ("c6-o2", "srzop2"),
        ("mutual", "mutual"),
    ] {
        stdout(&["solve", puzzle("p155"), "--verifier", verifier, "--proof", &path, "--force"]);
        let checked = lambda6_checker::check_file(&path, |_| std::ops::ControlFlow::Continue(())).unwrap();
        assert_eq!(checked.header.method.to_string(), method, "{verifier}");
    }
    // Double threats after the first move do not do here.
    let code = |verifier| run(&["solve", puzzle("p164"), "--verifier", verifier]).code;
    assert_eq!((code("wu"), code("c6")), (Some(1), Some(0)));
    refused(
        &["solve", puzzle("p155"), "--verifier", "wu", "--search", "pns"],
        "--verifier wu: it is a search of its own, expected no --search",
    );
    let run = run(&["solve", puzzle("p155"), "--verifier", "c6", "--method", "rzop"]);
    assert!(run.code == Some(2) && run.stderr.contains("cannot be used with"), "{}", run.stderr);
}

#[test]
fn a_file_in_the_way_is_found_before_the_search() {
    let files = Files::new();
    let path = files.write("win.proof", "mine");
    refused(&["solve", LONG, "--proof", &path], &format!("{path}: exists already (--force replaces it)"));
    let missing = files.name("missing/win.proof");
    let message = format!("{missing}: cannot be written: there is no such directory");
    refused(&["solve", LONG, "--proof", &missing], &message);
}

#[track_caller]
fn unknown(arguments: &[&str], why: &str) {
    let run = run(&[&["solve"], arguments].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{arguments:?}");
    assert!(run.stdout.starts_with(&format!("verdict: Unknown: {why}\n")), "{arguments:?}: {}", run.stdout);
    assert!(run.stdout.contains("\nreason: "), "{}", run.stdout);
}

#[test]
fn limits_of_0_are_reached_at_once() {
    let moves = puzzle("p155");
    for class in ["vcdt", "vcst"] {
        unknown(&[moves, "--class", class, "--nodes", "0"], "nodes");
        unknown(&[moves, "--class", class, "--time", "0"], "time");
    }
    unknown(&[puzzle("p040"), "--class", "vcdt", "--depth", "0"], "depth");
    unknown(&[puzzle("p040"), "--class", "vcst", "--depth", "3"], "depth");
    stdout(&["solve", puzzle("p040"), "--class", "vcst", "--depth", "4"]);
}

#[test]
fn a_side_without_stones_has_no_forced_win() {
    for options in [&["--class", "vcdt"][..], &["--class", "vcst"], &["--class", "vcst", "--exhaustive"]] {
        let run = run(&[&["solve", "j10", "--attacker", "white"], options].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{options:?}");
    }
    let none = "game: 19 19 6 2 1\nblack:\nwhite: a1 b2\nto-move: black\n";
    assert_eq!(run_with_input(&["solve", "-"], none).code, Some(1));
}

#[test]
fn a_game_that_nobody_can_win() {
    unknown(&["--game", "3 3 5 1 1", "b2", "--class", "vcdt"], "exhausted");
    unknown(&["--game", "3 3 5 1 1", "b2", "--exhaustive"], "exhausted");
    unknown(&["--game", "4 4 5 2 1", "b2", "--attacker", "black", "--exhaustive"], "exhausted");
}

#[test]
fn games_of_many_stones_a_move_keep_the_time_limit() {
    let won = stdout(&["solve", "--game", "8 8 8 8 1", "b2"]);
    assert!(won.contains("length: 1\n"), "{won}");
    let begin = Instant::now();
    let stones = ["--game", "19 19 9 4 1", "j10 i8h9k12k13 k11l10j11i10 a1b1c1d1"];
    unknown(&[&stones[..], &["--time", "0.2"]].concat(), "time");
    assert!(begin.elapsed() < Duration::from_secs(5));
}

#[test]
fn what_cannot_be_searched_is_an_error() {
    refused(&["solve", "a1 a19b19 b1c1 c19d19 d1e1 s19r19 f1g1"], "the game is over: black has won");
    refused(
        &["solve", "game: connect6\nto-move: black\n"],
        "the board is empty: the first move places 1, a search places 2; play a first move",
    );
    refused(
        &["solve", "--game", "3 3 3 1 1", "b2 a1 c1 a3 a2 c2 b3 b1 c3"],
        "the game is over: the board is full",
    );
    for (option, value) in [
        ("--attacker", "red"),
        ("--class", "vcnt"),
        ("--time", "-1"),
        ("--time", "soon"),
        ("--nodes", "many"),
        ("--memory", "0"),
        ("--method", "magic"),
        ("--verifier", "magic"),
        ("--defence", "none"),
        ("--game", "19 19 1 2 1"),
    ] {
        let run = run(&["solve", "j10", &format!("{option}={value}")]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{option} {value}");
        assert!(run.stderr.contains(option), "{}", run.stderr);
    }
}

#[test]
fn both_defences_prove_wins() {
    for defence in ["normal", "conservative"] {
        stdout(&["solve", puzzle("p001"), "--defence", defence, "--class", "vcdt"]);
    }
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_the_search_at_once_and_claims_nothing() {
    let child = Command::new(env!("CARGO_BIN_EXE_lambda6"))
        .args(["solve", "--game", "19 19 9 4 1", "j10 i8h9k12k13 k11l10j11i10 a1b1c1d1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(500));
    let begin = Instant::now();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    // 50 ms on a machine that has nothing else to do.
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("verdict: Unknown: stopped\n"), "{text}");
}

#[test]
fn nothing_but_data_goes_to_standard_output() {
    let output = lambda6(&["solve", LONG, "--attacker", "black", "--nodes", "50000"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.is_empty());
}

/// A search that proves nothing names the classes of the game, and what to try next.
#[test]
fn classes_have_the_names_of_the_game() {
    let go_moku = |class: &str| {
        let run = run(&["solve", "--game", "go-moku", "h8 a1 i9 a3", "--class", class, "--nodes", "2000"]);
        assert_eq!(run.code, Some(1), "{class}");
        run.stdout
    };
    for class in ["vcf", "vcdt"] {
        let text = go_moku(class);
        assert!(text.contains("class: vcf\nmoves: fours\n"), "{text}");
        assert!(text.contains("next: --class vct: fours and threes"), "{text}");
    }
    let found = json(&["solve", "--game", "go-moku", "h8 a1 h9 a3 h10 a5", "--class", "vct", "--json"]);
    assert_eq!((&found["verdict"], &found["class"]), (&"win".into(), &"vct".into()));
    let help = stdout(&["solve", "--help"]);
    for text in ["vcf      fours", "vcdt     moves that make 2 threats", "vcdt     moves that make 3 threats"]
    {
        assert!(help.contains(text), "{text}: {help}");
    }
    let run = run(&["solve", "j10", "--class", "vcq"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("vcf or vcdt, vct or vcst, lambda3, lambda4 or lambda5"), "{}", run.stderr);
}

#[test]
fn the_proof_of_a_similar_position_is_of_use() {
    let files = Files::new();
    let path = files.name("like.proof");
    let solve = |moves: &str, more: &[&str]| {
        let solve = ["solve", "--game", "go-moku", moves, "--attacker", "black", "--class", "lambda3"];
        json(&[&solve[..], &["--threads", "1", "--json"], more].concat())
    };
    solve("h8 a1 i9 c12", &["--proof", &path]);
    let nodes = |found: serde_json::Value| {
        assert_eq!(found["verdict"], "win");
        found["nodes"].as_u64().unwrap()
    };
    let (without, with) = (solve("h8 a2 i9 c12", &[]), solve("h8 a2 i9 c12", &["--like", &path]));
    assert!(nodes(with) < nodes(without));
    let other = format!("--like {path}: black wins 15 15 5 1 1 there, expected that black wins 19 19 6 2 1");
    refused(&["solve", "j10 k11l12", "--class", "lambda3", "--like", &path], &other);
    let none = files.name("none.proof");
    refused(&["solve", "j10", "--like", &none], &format!("{none}: there is no such file"));
}
