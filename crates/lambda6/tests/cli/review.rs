use crate::{Files, json, lambda6, refused, run, stdout};
use std::fs;

const GAME: &str = "j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13";

/// A position that Black wins by double threats, and then two moves far away from it.
const MISSED: &str = "j10 l10k9 i7k7 i9j9 h9j7 l7m9 l9k8 i6h7 a1b3 s1r3";

/// Two games as Little Golem writes them.
const COLLECTION: &str = "(;FF[4]EV[a.cup]PB[anna]PW[ben]SO[somewhere];B[j10];W[i10h9];B[i11k11])\n\
    (;FF[4]PB[ben]PW[anna]RE[B+Resign];B[j10]\n;W[i8h9];B[k11l10])\n";

#[test]
fn a_lost_game_has_its_turning_point_and_its_proof() {
    let files = Files::new();
    let proofs = files.name("proofs");
    let review = json(&["review", GAME, "--nodes", "2000", "--json", "--proofs", &proofs]);
    let game = &review["games"][0];
    assert_eq!((&review["complete"], &game["winner"]), (&true.into(), &"white".into()));
    assert_eq!(game["positions"].as_array().unwrap().len(), 10);
    let last = &game["positions"][9];
    assert_eq!((&last["certainty"], &last["winner"]), (&"proved".into(), &"white".into()));
    let proof = game["proofs"].as_array().unwrap().last().unwrap();
    assert_eq!(proof["after"], 9);
    assert!(stdout(&["check", proof["file"].as_str().unwrap()]).contains(": valid: white wins"));
}

#[test]
fn a_missed_win_is_in_the_text_the_sgf_and_the_page() {
    let files = Files::new();
    let (sgf, html) = (files.name("game.sgf"), files.name("game.html"));
    let text = stdout(&["review", MISSED, "--nodes", "500", "--sgf", &sgf, "--html", &html]);
    assert!(text.contains("Missed: black wins in 3 (proved): "), "{text}");
    assert!(text.contains("1 missed win"), "{text}");
    let sgf = fs::read_to_string(&sgf).unwrap();
    assert!(sgf.contains("BM[2]") && sgf.contains("SBKV[") && sgf.contains("CR["), "{sgf}");
    // The record reads back with its variations, and the main line is the game.
    let converted = run(&["convert", &files.name("game.sgf"), "--lossy", "--to", "move-list"]);
    assert!(
        converted.stdout.contains("\n10.s1r3\n") && !converted.stdout.contains("11."),
        "{}",
        converted.stdout
    );
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.contains("connect-proof 1") && !page.contains("src=") && !page.contains("https:"));
}

#[test]
fn the_same_review_comes_from_any_number_of_threads() {
    let review = |threads| json(&["review", GAME, "--nodes", "300", "--threads", threads, "--json"]);
    assert_eq!(review("1"), review("3"));
}

#[test]
fn a_file_of_games_has_sums_for_each_player() {
    let files = Files::new();
    let file = files.write("games.sgf", COLLECTION);
    let arguments = ["review", &file, "--nodes", "100", "--json"];
    let review = json(&arguments);
    let names: Vec<&str> =
        review["players"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["anna", "ben"]);
    assert_eq!((&review["players"][1]["games"], &review["players"][1]["won"]), (&2.into(), &1.into()));
    assert_eq!(json(&[&arguments[..], &["--number", "2"]].concat())["games"][0]["number"], 2);
    refused(&["review", &file, "--number", "3"], &format!("--number 3: {file} has 2 games"));
    let text = stdout(&["review", &file, "--nodes", "100", "--sgf", &files.name("reviewed.sgf")]);
    assert!(text.contains("game 2: ben - anna, 3 moves, black wins"), "{text}");
    // Both games are in the file that was written, and can be reviewed again.
    let again = json(&["review", &files.name("reviewed.sgf"), "--nodes", "100", "--json"]);
    assert_eq!(again["games"].as_array().unwrap().len(), 2);
}

#[test]
fn a_game_that_cannot_be_read_is_left_out_of_many() {
    let files = Files::new();
    let file = files.write("games.sgf", format!("{COLLECTION}(;FF[4];B[j10];W[j10a1])\n"));
    let run = run(&["review", &file, "--nodes", "50", "--json"]);
    assert_eq!(run.code, Some(0));
    let expected = format!("warning: {file}: game 3 is left out: line 4, column ");
    assert!(run.stderr.starts_with(&expected), "{}", run.stderr);
}

#[test]
fn a_review_goes_on_from_its_file() {
    let files = Files::new();
    let state = files.name("state.review");
    let arguments = ["review", GAME, "--nodes", "200", "--json", "--resume", &state];
    let first = run(&arguments);
    assert_eq!((first.code, first.stderr.as_str()), (Some(0), ""));
    // As if it had been stopped: one position is missing.
    let text = fs::read_to_string(&state).unwrap();
    let mut line: serde_json::Value = serde_json::from_str(&text).unwrap();
    line["review"]["positions"].as_array_mut().unwrap().remove(3);
    fs::write(&state, format!("{line}\n")).unwrap();
    let again = run(&arguments);
    let told = format!("{state}: loaded 9 positions of 1 games, 1 are left\n");
    assert_eq!((again.code, again.stderr.as_str()), (Some(0), told.as_str()));
    let positions = |text: &str| {
        let document: serde_json::Value = serde_json::from_str(text).unwrap();
        document["games"][0]["positions"].as_array().unwrap().len()
    };
    assert_eq!((positions(&first.stdout), positions(&again.stdout)), (10, 10));
    // A file of something else is refused with its line.
    let other = files.write("other.review", "{\"kind\":\"x\"}\n");
    let run = run(&["review", GAME, "--resume", &other]);
    assert!(run.code == Some(2) && run.stderr.contains("other.review: line 1"), "{}", run.stderr);
}

#[test]
#[cfg(unix)]
fn ctrl_c_keeps_what_was_reviewed_and_says_how_to_go_on() {
    use std::process::{Command, Stdio};
    let files = Files::new();
    let file = files.write("game.txt", GAME);
    // Far more time than the test has.
    let mut command = Command::new(env!("CARGO_BIN_EXE_lambda6"));
    command.args(["review", &file, "--time", "600", "--threads", "1"]).current_dir(files.path(""));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let done = child.wait_with_output().unwrap();
    let told = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{told}");
    assert!(told.contains("positions left; to go on: the same command with --resume game.review"), "{told}");
    assert!(files.path("game.review").exists());
}

#[test]
fn what_cannot_be_done_is_refused_before_the_work() {
    let files = Files::new();
    let missing = files.name("missing/game.html");
    for option in ["--html", "--sgf", "--resume"] {
        let message = format!("{missing}: cannot be written: there is no such directory");
        refused(&["review", GAME, option, &missing], &message);
    }
    let file = files.write("games.sgf", COLLECTION);
    let html = files.name("a.html");
    refused(
        &["review", &file, "--html", &html],
        "--html: there are 2 games, expected one (--number N takes one)",
    );
    refused(&["review", "nofile.sgf"], "nofile.sgf: there is no such file");
    assert_eq!(lambda6(&["review", GAME, "--nodes", "0"]).output().unwrap().status.code(), Some(2));
}
