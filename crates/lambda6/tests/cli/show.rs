use crate::{Files, json, refused, run, run_with_input, stdout};

const TX_H9: &str = include_str!("../data/show_tx_h9.txt");

#[test]
fn a_connect6_position_is_drawn_with_its_opening() {
    assert_eq!(stdout(&["show", "j10 i8h9"]), TX_H9);
    assert_eq!(stdout(&["show", "TX-H9"]), TX_H9);
    assert_eq!(stdout(&["show", "1.j10 2.i8h9 3.k11l10", "--at", "2"]), TX_H9);
}

#[test]
fn files_and_standard_input_are_read_alike() {
    let files = Files::new();
    for content in
        ["j10 i8h9\n", "TX-H9\n", "(;FF[4]PB[a]PW[b];B[j10];W[i8h9])", "(;GM[511];B[JJ];W[IL];W[HK])"]
    {
        let path = files.write("game", content);
        assert_eq!(stdout(&["show", &path]), TX_H9, "{content}");
        assert_eq!(run_with_input(&["show", "-"], content).stdout, TX_H9, "{content}");
    }
    // The rows of letter pairs count from the top unless the user knows better.
    let path = files.write("mirrored", "(;GM[511];B[JJ];W[IH];W[HI])");
    assert_eq!(stdout(&["show", &path, "--rows", "bottom"]), TX_H9);
    assert_ne!(stdout(&["show", &path]), TX_H9);
}

#[test]
fn a_name_that_could_be_moves_is_a_file_if_there_is_one() {
    let files = Files::new();
    files.write("j10", "a1");
    let output = crate::lambda6(&["show", "j10", "--json"]).current_dir(files.path("")).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"black\":[\"a1\"]"));
}

#[test]
fn a_won_game_shows_its_row() {
    let expected = include_str!("../data/show_won.txt");
    assert_eq!(stdout(&["show", "--game", "tic-tac-toe", "a1 a2 b1 b2 c1", "--ascii"]), expected);
}

#[test]
fn a_setup_needs_no_game_that_reaches_it() {
    let setup = "game: 19 19 6 2 1\nblack: j10 j12 i11\nwhite:\nto-move: white\n";
    let text = stdout(&["show", setup]);
    let facts = "game: 19 19 6 2 1 (connect6)\nstones: 3 black, 0 white\nto move: white, 2 stones\n\
                 threats: none of black's, none of white's\n\
                 note: no game reaches 3 black and 0 white stones with white to move \
                 (Black places 1 first, then each side 2)\n";
    assert!(text.ends_with(facts), "{text}");
}

#[test]
fn the_head_of_a_certificate_is_a_setup() {
    let files = Files::new();
    let path = files.write(
        "proof",
        "connect-proof 1\ngame: 19 19 6 2 1\nblack: j10\nwhite: i8 h9\nto-move: black\n\
         attacker: black\nmethod: srzop2\nreplies: 1\n\nk11l10\n",
    );
    let document = json(&["show", &path, "--json"]);
    assert_eq!(document["white"], serde_json::json!(["h9", "i8"]));
    assert_eq!(document["opening"], "TX-H9");
}

#[test]
fn json_has_everything_that_the_drawing_has() {
    let expected = serde_json::json!({
        "kind": "show",
        "schema": 1,
        "game": {"m": 19, "n": 19, "k": 6, "p": 2, "q": 1, "name": "connect6"},
        "black": ["k11", "j10", "l10"],
        "white": ["h9", "i8"],
        "to_move": "white",
        "stones_to_place": 2,
        "start": null,
        "moves": ["j10", "i8h9", "k11l10"],
        "left_out": null,
        "opening": "TX-H9",
        "outcome": null,
        "reachable": true,
        "threats": {"black": 0, "white": 0},
        "rows": null,
        "marks": {
            "black_threats": [],
            "white_threats": [],
            "defences": [],
            "black_single_cells": [],
            "black_double_cells": [],
            "white_single_cells": [],
            "white_double_cells": [],
        },
    });
    assert_eq!(json(&["show", "j10 i8h9 k11l10", "--json"]), expected);
}

#[test]
fn json_says_how_a_game_from_a_setup_ended() {
    let text = "game: 3 3 3 1 1\nblack: a1 b1\nwhite: a2 b2\nto-move: black\n\nc1\n";
    let document = json(&["show", text, "--json"]);
    assert_eq!(
        document["start"],
        serde_json::json!({
            "black": ["a1", "b1"], "white": ["a2", "b2"], "to_move": "black"
        })
    );
    assert_eq!(document["moves"], serde_json::json!(["c1"]));
    assert_eq!(document["outcome"], "black");
    assert_eq!(document["stones_to_place"], 0);
    assert_eq!(document["threats"], serde_json::Value::Null);
    assert_eq!(document["marks"], serde_json::json!({"winning_row": ["a1b1c1"]}));
    let drawn = "game: tictactoe\n\nb2 a1 a2 c2 b1 b3 a3 c1 c3";
    assert_eq!(json(&["show", drawn, "--json"])["outcome"], "draw");
}

const FOUR_AGAINST_THREE: &str = "\
game: 9 9 6 2 1
black: b5 c5 d5 e5 a9
white: d7 e7 f7 i1
to-move: white
";

#[test]
fn threats_defences_and_threat_cells_are_marked() {
    let text = stdout(&["show", FOUR_AGAINST_THREE, "--ascii"]);
    assert_eq!(text, include_str!("../data/show_threats.txt"));
}

#[test]
fn json_lists_threats_defences_and_threat_cells_of_both_sides() {
    let document = json(&["show", FOUR_AGAINST_THREE, "--json"]);
    assert_eq!(document["threats"], serde_json::json!({"black": 1, "white": 0}));
    let marks = &document["marks"];
    assert_eq!(marks["black_threats"], serde_json::json!(["a5f5", "f5g5"]));
    assert_eq!(marks["white_threats"], serde_json::json!([]));
    assert_eq!(marks["defences"], serde_json::json!(["a5g5", "f5"]));
    assert_eq!(marks["white_single_cells"], serde_json::json!(["a7", "b7", "h7", "i7"]));
    assert_eq!(marks["white_double_cells"], serde_json::json!(["c7", "g7"]));
    assert_eq!(marks["black_single_cells"], serde_json::json!([]));
}

#[test]
fn games_with_many_stones_a_move_are_drawn_without_counting_threats() {
    let document = json(&["show", "game: 64 64 9 8 1\n\nj10", "--json"]);
    assert_eq!(document["threats"], serde_json::Value::Null);
    assert_ne!(document["marks"]["black_threats"], serde_json::json!([]));
}

#[test]
fn a_half_move_at_the_end_is_left_out_and_said() {
    let text = stdout(&["show", "(;GM[511];B[JJ];W[IL])"]);
    assert!(text.contains("stones: 1 black, 0 white\n"), "{text}");
    assert!(text.ends_with("note: the record ends within a move: i8 is left out\n"), "{text}");
    let text = stdout(&["show", "(;GM[511];B[JJ];W[IL])", "--at", "0"]);
    assert!(!text.contains("left out"), "{text}");
}

#[test]
fn large_boards_are_drawn() {
    let text = stdout(&["show", "game: 59 59 6 2 1\n\nad30"]);
    assert!(text.contains("59 59 6 2 1\nstones: 1 black"), "{text}");
    assert_eq!(text.lines().take_while(|line| !line.is_empty()).count(), 61);
}

#[test]
fn at_beyond_the_end_is_refused() {
    refused(
        &["show", "j10 i8h9", "--at", "3"],
        "\"j10 i8h9\": move 3 was asked for, but the main line has 2",
    );
}

#[test]
fn options_of_another_game_are_refused() {
    let files = Files::new();
    let setup = files.write("setup", "game: 19 19 6 2 1\nto-move: black\n");
    refused(
        &["show", &setup, "--game", "go-moku"],
        &format!("{setup}: this is a setup of the game Connect(19,19,6,2,1), expected Connect(15,15,5,1,1)"),
    );
    refused(
        &["show", "TX-H9", "--game", "go-moku"],
        "\"TX-H9\": opening names are for Connect(19,19,6,2,1) only, not for Connect(15,15,5,1,1) \
         (and there is no file of that name)",
    );
    assert!(run(&["show", "j10", "--game", "chess"]).stderr.contains("\"chess\" is not a game"));
}

#[test]
fn rows_of_go_moku_are_named() {
    let setup = "game: 15 15 5 1 1\nblack: g8 h8 i8 e5 f5\nwhite: a1 b1 c1 d1 o9\nto-move: black\n";
    let text = run_with_input(&["show", "-"], setup).stdout;
    assert!(text.contains("black's rows: open three g8h8i8\n"), "{text}");
    assert!(text.contains("white's rows: four a1b1c1d1\n"), "{text}");
    assert!(text.contains("makes a four"), "{text}");
    let found: serde_json::Value =
        serde_json::from_str(&run_with_input(&["show", "-", "--json"], setup).stdout).unwrap();
    assert_eq!(found["rows"]["black"][0]["name"], "open three");
    assert_eq!(found["rows"]["black"][0]["next"], serde_json::json!(["f8", "j8"]));
    assert!(json(&["show", "j10", "--json"])["rows"].is_null());
}
