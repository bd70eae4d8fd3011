//! Programs that fail in every way, as small scripts. No test depends on the speed
//! of the machine: only the program that hangs has a clock.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use lambda6_contest::{
    Contest, ContestError, Entrant, Failure, Standing, Time, Who, openings,
    referee::{Reason, Terms},
};
use lambda6_player::{Level, PlayerOptions, TimeControl};
use lambda6_rules::Game;
use std::{fs, os::unix::fs::PermissionsExt, path::Path, sync::atomic::AtomicBool, time::Duration};

/// A script that speaks Cloudict's protocol and runs `on_next` when it is asked for
/// a move. The shell reads it, so the file need not be executable.
fn script(directory: &Path, name: &str, on_next: &str) -> String {
    let path = directory.join(name);
    let text = format!(
        "echo \"some noise\"\nwhile read -r word rest; do\ncase \"$word\" in\n\
         next) {on_next} ;;\nquit) exit 0 ;;\nesac\ndone\n"
    );
    fs::write(&path, text).unwrap();
    format!("cloudict:/bin/sh {}", path.display())
}

fn contest(program: &str, time: Time, directory: Option<&Path>) -> Contest {
    let level = Entrant::new(Who::Level(Level::Defense), Time::Control(TimeControl::Nodes(20)));
    let program = Entrant::new(program.parse().unwrap(), time);
    Contest {
        game: Game::CONNECT6,
        entrants: vec![program, level],
        openings: openings::named("X-K9,T-K11", Game::CONNECT6).unwrap(),
        games: 2,
        parallel: 1,
        terms: Terms {
            max_moves: Some(12),
            player: PlayerOptions { table_bytes: 1 << 20, ..PlayerOptions::default() },
            ..Terms::default()
        },
        sprt: None,
        seed: 0,
        directory: directory.map(Path::to_path_buf),
    }
}

fn play(contest: &Contest) -> Standing {
    contest.run(&AtomicBool::new(false), &mut |_, _| ()).unwrap()
}

/// The program loses all games for this reason, and its transcript is kept.
#[track_caller]
fn loses(on_next: &str, time: Time, failure: Failure, transcript: &str) {
    let directory = tempfile::tempdir().unwrap();
    let program = script(directory.path(), "program", on_next);
    let out = directory.path().join("out");
    let standing = play(&contest(&program, time, Some(&out)));
    assert_eq!(standing.played().len(), 2);
    for game in standing.played() {
        assert_eq!((game.reason, game.half_points()), (Reason::Failed(failure), 0), "{:?}", game.failure);
        let kept = fs::read_to_string(game.transcript.as_ref().unwrap()).unwrap();
        assert!(kept.contains(transcript) && kept.contains("> black JJ"), "{kept}");
    }
    assert_eq!(fs::read_dir(out.join("games")).unwrap().count(), 2);
    assert_eq!(standing.failures().filter(|(_, loser)| *loser == 0).count(), 2);
}

#[test]
fn a_program_that_crashes_loses() {
    loses("echo oops >&2; exit 3", Time::Unlimited, Failure::Crash, "exit status: 3");
}

#[test]
fn a_program_that_hangs_loses_on_time_and_is_ended() {
    let soon = Time::Control(TimeControl::PerMove(Duration::from_millis(50)));
    loses("exec sleep 1000", soon, Failure::Time, "no move within");
}

#[test]
fn illegal_moves_lose() {
    // On a stone, the same square twice, too few stones.
    for answer in ["JJAA", "AAAA", "AA"] {
        loses(&format!("echo move {answer}"), Time::Unlimited, Failure::Illegal, &format!("< move {answer}"));
    }
}

#[test]
fn garbage_loses() {
    for answer in ["'?!'", "ZZZZ", "A", "AABBCC"] {
        let said = format!("< move {}", answer.trim_matches('\''));
        loses(&format!("echo move {answer}"), Time::Unlimited, Failure::Garbage, &said);
    }
}

#[test]
fn noise_is_skipped_and_the_end_is_a_crash() {
    let noise = "i=0; while [ $i -lt 9000 ]; do echo noise $i; i=$((i+1)); done; exit 0";
    loses(noise, Time::Unlimited, Failure::Crash, "lines left out");
}

#[test]
fn a_file_that_cannot_be_run_loses_and_one_that_is_not_there_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("plain");
    fs::write(&path, "no program").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let program = format!("cloudict:{}", path.display());
    let standing = play(&contest(&program, Time::Unlimited, Some(&directory.path().join("out"))));
    assert!(standing.played().iter().all(|game| game.reason == Reason::Failed(Failure::Crash)));
    let missing = contest("cloudict:/no/such/program", Time::Unlimited, None);
    let error = missing.run(&AtomicBool::new(false), &mut |_, _| ()).unwrap_err();
    assert!(matches!(error, ContestError::Entrant { .. }), "{error}");
}

/// A program that speaks Gomocup's protocol and runs `on_move` when it is asked for a
/// move.
#[track_caller]
fn fails_by_gomocup(on_start: &str, on_move: &str, failure: Failure, message: &str) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("brain");
    let text = format!(
        "while read -r word rest; do\ncase \"$word\" in\nSTART) {on_start} ;;\n\
         BEGIN|TURN|DONE) {on_move} ;;\nEND) exit 0 ;;\nesac\ndone\n"
    );
    fs::write(&path, text).unwrap();
    let program = format!("gomocup:/bin/sh {}", path.display());
    let mut plan = contest(&program, Time::Unlimited, Some(&directory.path().join("out")));
    plan.game = Game::GO_MOKU;
    plan.openings = openings::parse("h8 h9\n", Game::GO_MOKU).unwrap();
    let standing = play(&plan);
    assert_eq!(standing.played().len(), 2);
    for game in standing.played() {
        assert_eq!((game.reason, game.half_points()), (Reason::Failed(failure), 0), "{:?}", game.failure);
        let found = game.failure.as_ref().unwrap();
        assert!(found.contains(message), "{found}");
    }
}

#[test]
fn faults_of_gomocup_programs_say_what_was_expected() {
    let garbage = Failure::Garbage;
    fails_by_gomocup("echo ERROR too large", "exit", garbage, "START 15: the program answers");
    fails_by_gomocup("echo OK", "echo 7x7", garbage, "BOARD: expected a move x,y such as 7,7, found");
    fails_by_gomocup("echo OK", "echo 15,3", garbage, "BOARD: expected a move on the board");
    fails_by_gomocup("echo OK", "echo 7,7", Failure::Illegal, "h8 is occupied");
    fails_by_gomocup("echo OK", "echo MESSAGE bye; exit 4", Failure::Crash, "exit status: 4");
}

#[test]
fn openings_that_a_protocol_cannot_set_up_are_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let program = script(directory.path(), "program", "exit").replace("cloudict:", "sau:");
    let plan = contest(&program, Time::Unlimited, None);
    let error = plan.run(&AtomicBool::new(false), &mut |_, _| ()).unwrap_err();
    assert!(error.to_string().contains("cannot set up an opening"), "{error}");
}

#[test]
fn an_interrupted_contest_is_continued() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    let mut plan = contest("novice", Time::Control(TimeControl::Nodes(20)), Some(&out));
    let first = play(&plan);
    assert_eq!(first.played().len(), 2);
    plan.games = 4;
    plan.parallel = 2;
    let mut seen = Vec::new();
    let second = plan.run(&AtomicBool::new(false), &mut |game, _| seen.push(game.number)).unwrap();
    seen.sort_unstable();
    // Only what was missing is played.
    assert_eq!(seen, [2, 3]);
    assert_eq!(second.played()[..2], first.played()[..]);
    assert_eq!(second.tally(0, 1).pairs.iter().sum::<u64>(), 2);
    // Nothing is missing now.
    let third = plan.run(&AtomicBool::new(false), &mut |_, _| panic!("a game too many")).unwrap();
    assert_eq!(third.played().len(), 4);
    // Other terms are another contest.
    plan.entrants[0].time = Time::Unlimited;
    let error = plan.run(&AtomicBool::new(false), &mut |_, _| ()).unwrap_err();
    assert!(error.to_string().contains("is the log of another contest: entrants"), "{error}");
}

#[test]
fn by_nodes_a_contest_is_repeatable() {
    let plan = contest("casual", Time::Control(TimeControl::Nodes(50)), None);
    let moves =
        |standing: &Standing| standing.played().iter().map(|game| game.moves.clone()).collect::<Vec<_>>();
    assert_eq!(moves(&play(&plan)), moves(&play(&plan)));
}
