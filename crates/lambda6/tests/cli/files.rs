//! Files that cannot be read or written: one wording, and before any work is done.

use crate::{Files, refused, run, run_with_input, stdout};

const WIN: &str = "j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13";

#[test]
fn a_file_that_is_not_there_has_one_message_in_every_command() {
    let files = Files::new();
    let (file, directory) = (files.name("no.txt"), files.name(""));
    for arguments in [
        vec!["show"],
        vec!["puzzles", "solve"],
        vec!["tree", "show"],
        vec!["review"],
        vec!["check"],
        vec!["proof", "show"],
        vec!["search", "status"],
        vec!["search", "watch"],
        vec!["search", "pause"],
        vec!["solve", "j10", "--attacker", "white", "--like"],
    ] {
        let told = |path: &str| {
            let run = run(&[&arguments[..], &[path]].concat());
            assert_eq!(run.code, Some(2), "{arguments:?}");
            run.stderr.lines().next().unwrap().to_string()
        };
        assert_eq!(told(&file), format!("error: {file}: there is no such file"), "{arguments:?}");
        let expected = format!("error: {directory}: is a directory, expected a file");
        assert_eq!(told(&directory), expected, "{arguments:?}");
    }
}

#[test]
fn a_path_that_cannot_be_written_is_refused_before_the_search() {
    let files = Files::new();
    let missing = files.name("missing/win.proof");
    let message = format!("{missing}: cannot be written: there is no such directory");
    // A search that would not end by itself within the test.
    let open = ["solve", "j10 i8h9 k11l10", "--attacker", "black", "--class", "lambda5", "--threads", "1"];
    for option in ["--proof", "--resume"] {
        refused(&[&open[..], &[option, &missing]].concat(), &message);
    }
    refused(&["puzzles", "make", "--count", "100000", "--output", &missing], &message);
}

#[test]
fn resume_tells_what_it_loaded() {
    let files = Files::new();
    let state = files.name("win.state");
    let position = ["solve", "--game", "go-moku", "h8 i9 h9 h10 i8 g8 j7", "--attacker", "black"];
    let limits = ["--class", "lambda3", "--threads", "1", "--nodes", "20000", "--resume", &state];
    let arguments = [&position[..], &limits[..]].concat();
    let first = run(&arguments);
    assert_eq!(first.code, Some(1));
    assert_eq!(first.stderr, format!("{state}: nothing to resume from yet, the search begins\n"));
    let again = run(&arguments);
    let told = again.stderr.strip_prefix(&format!("{state}: resumed with ")).unwrap();
    let moves: usize = told.split(' ').next().unwrap().parse().unwrap();
    assert!(moves > 0 && told.trim_end().ends_with("winning moves"), "{told}");
}

/// The search itself reports now and then; the command reports at its own interval.
#[test]
fn report_every_is_kept_while_the_search_is_silent() {
    let open = ["solve", "j10 i8h9 k11l10", "--attacker", "black", "--class", "lambda5", "--threads", "1"];
    let run = run(&[&open[..], &["--time", "2", "--report-every", "0.1"]].concat());
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.lines().count() >= 3, "{}", run.stderr);
    assert!(run.stderr.lines().all(|line| line.contains(" moves tried")), "{}", run.stderr);
}

#[test]
fn a_search_that_proves_nothing_says_which_class_to_try() {
    let text = run(&["solve", WIN, "--class", "vcdt"]).stdout;
    assert!(text.contains("\nnext: ") && text.contains("--class vcst"), "{text}");
}

#[test]
fn gtp_answers_in_order_though_quit_is_in_the_pipe() {
    let script = "1 genmove b\n2 name\n3 genmove w\n4 final_score\n5 quit\n6 name\n";
    let run = run_with_input(&["engine", "--protocol", "gtp", "--time", "5000n"], script);
    assert_eq!(run.code, Some(0));
    let heads: Vec<&str> = run.stdout.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(heads.len(), 5, "{}", run.stdout);
    assert!(heads.iter().zip(1..).all(|(line, id)| line.starts_with(&format!("={id}"))), "{}", run.stdout);
}

#[test]
fn a_first_move_may_have_more_stones_than_the_others() {
    let shown = stdout(&["show", "--game", "19 19 6 2 3", "j10k10l10 a1b1"]);
    assert!(shown.contains("game: 19 19 6 2 3") && shown.contains("stones: 3 black, 2 white"), "{shown}");
    // Three in a row at once; two more on a board where nobody can stop them.
    assert_eq!(stdout(&["value", "3", "3", "3", "1", "3"]), "B\n");
    assert_eq!(stdout(&["value", "3", "3", "3", "1", "2"]), "B\n");
    let short = run(&["show", "--game", "19 19 6 2 3", "j10k10 a1b1"]);
    assert!(short.code == Some(2) && short.stderr.contains("2 of 3 stones"), "{}", short.stderr);
}
