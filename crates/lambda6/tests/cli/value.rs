use crate::{json, refused, run, stdout};

#[test]
fn small_games_have_their_values() {
    for (game, expected) in [("3 3 3 1 1", "D"), ("3 3 3 2 1", "B"), ("3 3 3 3 1", "W"), ("4 4 3 1 1", "B")] {
        let mut arguments = vec!["value"];
        arguments.extend(game.split(' '));
        assert_eq!(stdout(&arguments).trim_end(), expected, "{game}");
    }
    let document = json(&["value", "3", "3", "3", "1", "1", "--json"]);
    assert_eq!(document["value"], "draw");
}

#[test]
fn no_time_is_an_answer_of_its_own() {
    let run = run(&["value", "6", "5", "4", "1", "1", "--time", "0"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), "unknown: the time was up\n"));
}

#[test]
fn what_is_no_small_game_is_refused() {
    refused(&["value", "3", "3", "3", "0", "1"], "p = 0 is out of range: expected 1 to 8");
    assert_eq!(run(&["value", "19", "19", "6", "2", "1"]).code, Some(2));
    assert_eq!(run(&["value", "3", "3"]).code, Some(2));
}
