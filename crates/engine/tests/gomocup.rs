//! The player behind Gomocup's protocol, at every level. The limits are nodes, so that
//! nothing depends on the speed of the machine.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use lambda6_engine::{Notices, PlayerThinker, drive, gomocup::Gomocup};
use lambda6_player::{Level, PlayerOptions, TimeControl};
use std::{io::Cursor, sync::Arc};

/// The lines that the engine answers, without those for its author.
fn talk(level: Level, input: &str) -> Vec<String> {
    let options = PlayerOptions { level, table_bytes: 1 << 20, ..PlayerOptions::default() };
    let mut session = Gomocup::new(TimeControl::Nodes(200));
    let mut output = Vec::new();
    let notices: Notices = Arc::new(|_| ());
    let thinker = Box::new(PlayerThinker::new(options));
    drive(&mut session, thinker, Cursor::new(input.to_string()), &mut output, &notices).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.lines().filter(|line| !line.starts_with("DEBUG")).map(str::to_string).collect()
}

fn last(level: Level, input: &str) -> String {
    talk(level, input).pop().unwrap()
}

/// Own stones on row 7, columns 4 to 7, with an opponent's stone on column 3: only 8,7
/// completes five.
const FOUR: &str = "BOARD\n4,7,1\n5,7,1\n6,7,1\n7,7,1\n3,7,2\n0,0,2\n0,2,2\n0,4,2\nDONE\n";

/// The same with the colours exchanged: only 8,7 stops the opponent.
const THEIR_FOUR: &str = "BOARD\n4,7,2\n5,7,2\n6,7,2\n7,7,2\n3,7,1\n0,0,1\n0,2,1\nDONE\n";

#[test]
fn every_level_wins_and_defends() {
    for level in Level::ALL {
        for size in [15, 20] {
            assert_eq!(last(level, &format!("START {size}\n{FOUR}")), "8,7", "{level} {size}");
            assert_eq!(last(level, &format!("START {size}\n{THEIR_FOUR}")), "8,7", "{level} {size}");
        }
    }
}

#[test]
fn every_level_answers_at_once_when_it_must() {
    for level in Level::ALL {
        let answers = talk(level, &format!("START 15\r\nINFO timeout_turn 0\r\n{THEIR_FOUR}"));
        assert_eq!(answers, ["OK", "8,7"], "{level}");
    }
}

#[test]
fn a_blocked_square_is_never_chosen() {
    for level in Level::ALL {
        for board in [FOUR, THEIR_FOUR] {
            for ask in [board.to_string(), board.replace("BOARD", "YXBOARD") + "YXNBEST 3\n"] {
                let answer = last(level, &format!("START 15\nYXBLOCK\n8,7\nDONE\n{ask}"));
                let (x, y) = answer.split_once(',').unwrap();
                assert!(x.parse::<u8>().unwrap() < 15 && y.parse::<u8>().unwrap() < 15, "{answer}");
                assert_ne!(answer, "8,7", "{level}");
            }
        }
        // All squares of the smallest board but one, then that one too.
        let squares = (0..25).map(|i| format!("{},{}", i % 5, i / 5)).filter(|square| square != "3,1");
        let block = format!("START 5\nYXBLOCK {} DONE\n", squares.collect::<Vec<_>>().join(" "));
        assert_eq!(last(level, &format!("{block}BEGIN\n")), "3,1", "{level}");
        let refused = last(level, &format!("{block}YXBLOCK 3,1 DONE\nBEGIN\n"));
        assert_eq!(refused, "ERROR every legal move is excluded", "{level}");
    }
}

#[test]
fn several_moves_are_compared() {
    let answers = talk(Level::Strong, "START 15\nYXBOARD\n7,7,2\nDONE\nYXNBEST 4\n");
    assert_eq!(answers.len(), 6, "{answers:?}");
    let squares: Vec<&str> = answers[1..5]
        .iter()
        .enumerate()
        .map(|(i, line)| line.strip_prefix(&format!("MESSAGE {}: ", i + 1)).unwrap())
        .map(|rest| rest.split_once(" score ").unwrap().0)
        .collect();
    // The best is played, and all are different.
    assert_eq!(squares[0], answers[5]);
    assert!((1..4).all(|i| !squares[..i].contains(&squares[i])), "{squares:?}");
}

#[test]
fn stones_for_even_chances_are_placed() {
    for level in [Level::Club, Level::Strong] {
        let answers = talk(level, "START 15\nYXBALANCETWO 0\nTURN 7,7\n");
        let (first, second) = answers[2].split_once(' ').unwrap();
        assert_ne!(first, second);
        let again = talk(level, &format!("START 15\nYXBALANCETWO 0\nTURN {first}\nTURN {second}\n"));
        let expected = [
            format!("ERROR TURN {first}: there is a black stone"),
            format!("ERROR TURN {second}: there is a white stone"),
        ];
        assert_eq!(again[3..], expected);
    }
}

#[test]
fn games_are_played_to_their_end_on_every_kind_of_board() {
    for start in ["START 5", "START 64", "RECTSTART 5,64", "RECTSTART 9,7"] {
        // The opponent's stones in the first row are answered until the row is full.
        let turns: String = (0..5).map(|x| format!("TURN {x},0\n")).collect();
        for line in talk(Level::Casual, &format!("{start}\n{turns}")) {
            let square = line.split_once(',').is_some_and(|(x, y)| {
                [x, y].iter().all(|number| number.parse::<u8>().is_ok_and(|number| number < 64))
            });
            // The engine may have taken one of the squares itself.
            assert!(square || line == "OK" || line.starts_with("ERROR TURN "), "{start}: {line}");
        }
    }
}
