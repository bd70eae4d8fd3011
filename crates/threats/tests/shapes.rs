//! The shape table against the names that players use, and against the exact
//! count on boards with one line.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use lambda6_rules::{Game, Side};
use lambda6_threats::{Board, Shapes, ThreatCount, defence};

/// The board of one row that a picture shows: X and O stones, dots empty.
fn row(picture: &str) -> Board {
    let game = Game::new(picture.len() as u32, 1, 6, 2, 1).unwrap();
    let mut board = Board::new(game);
    for (square, stone) in game.squares().zip(picture.chars()) {
        match stone {
            'X' => board.place(Side::Black, square),
            'O' => board.place(Side::White, square),
            _ => {}
        }
    }
    board
}

fn name(picture: &str) -> String {
    let board = row(picture);
    let shapes = Shapes::new(board.game());
    let line = board.geometry().lines().next().unwrap();
    let connections: Vec<_> = board.connections(Side::Black, line).collect();
    assert_eq!(connections.len(), 1, "{picture}");
    shapes.shape(&connections[0]).name()
}

#[test]
fn shapes_have_the_names_that_players_give_them() {
    for (picture, expected) in [
        ("....XXXX....", "live-4"),
        ("..XXXX..", "live-4"),
        ("OXXXX.....", "dead-4"),
        ("O.XXXX..O", "dead-4"),
        ("....XXX....", "live-3"),
        ("OXXX......", "dead-3"),
        ("....XX.....", "live-2"),
        ("OXX.......", "dead-2"),
        (".....X.....", "live-1"),
        ("O..X...O", "dead-1"),
        (".XXXXX.", "live-5"),
        ("OXXXXX.", "dead-5"),
        ("..XXXXXX..", "connected"),
    ] {
        assert_eq!(name(picture), expected, "{picture}");
    }
}

#[test]
fn connections_are_cut_at_the_other_side_and_need_room() {
    let board = row("XX.O......XO..X..O.....");
    let line = board.geometry().lines().next().unwrap();
    let cuts: Vec<_> = board.connections(Side::Black, line).map(|c| (c.start, c.len, c.code)).collect();
    assert_eq!(cuts, [(4, 7, 0b100_0000)]);
}

#[test]
fn on_one_line_the_table_counts_threats_exactly() {
    let game = Game::new(13, 1, 6, 2, 1).unwrap();
    let shapes = Shapes::new(game);
    for code in 1..1u64 << 13 {
        let mut board = Board::new(game);
        for square in game.squares().filter(|s| code >> s.index() & 1 != 0) {
            board.place(Side::Black, square);
        }
        let line = board.geometry().lines().next().unwrap();
        let connection = board.connections(Side::Black, line).next().unwrap();
        let shape = shapes.shape(&connection);
        assert_eq!(shape.is_connected(), board.has_row(Side::Black));
        if !shape.is_connected() {
            let expected = match shape.threats {
                threats @ 0..=2 => ThreatCount::Exactly(threats),
                _ => ThreatCount::More,
            };
            assert_eq!(defence::count(&board, Side::Black), expected, "{code:b}");
        }
    }
}

#[test]
fn long_lines_have_shapes_too() {
    let mut picture = ".".repeat(40);
    picture.replace_range(30..34, "XXXX");
    assert_eq!(name(&picture), "live-4");
    picture.replace_range(34..35, "O");
    picture.replace_range(29..30, "O");
    let board = row(&picture);
    let line = board.geometry().lines().next().unwrap();
    assert_eq!(board.connections(Side::Black, line).count(), 0);
}
