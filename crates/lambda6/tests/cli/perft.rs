use crate::{json, refused, stdout};
use serde::Deserialize;

#[derive(Deserialize)]
struct Data {
    count: Vec<Count>,
}

#[derive(Deserialize)]
struct Count {
    name: String,
    position: String,
    positions: Vec<u64>,
}

#[test]
fn the_counts_are_those_of_the_data_file() {
    let data: Data = toml::from_str(include_str!("../data/perft.toml")).unwrap();
    for count in data.count {
        let depth = count.positions.len().to_string();
        let document = json(&["perft", &count.position, "--depth", &depth, "--json"]);
        for (index, expected) in count.positions.iter().enumerate() {
            let level = &document["levels"][index];
            assert_eq!(level["depth"], index + 1, "{}", count.name);
            assert_eq!(level["positions"], *expected, "{}, depth {}", count.name, index + 1);
        }
    }
}

#[test]
fn the_table_has_a_row_a_depth() {
    let expected = "\
depth                positions
    1                        8
    2                       56
    3                      336
";
    assert_eq!(stdout(&["perft", "--game", "tictactoe", "b2", "--depth", "3"]), expected);
}

#[test]
fn json_names_the_game() {
    let document = json(&["perft", "--game", "tictactoe", "b2", "--depth", "1", "--json"]);
    let expected = serde_json::json!({
        "kind": "perft",
        "schema": 1,
        "game": {"m": 3, "n": 3, "k": 3, "p": 1, "q": 1, "name": "tic-tac-toe"},
        "levels": [{"depth": 1, "positions": 8}],
    });
    assert_eq!(document, expected);
}

#[test]
fn numbers_beyond_64_bits_are_exact() {
    let document = stdout(&["perft", "game: 64 64 9 8 1", "--depth", "2", "--json"]);
    // 4096 * C(4095, 8)
    assert!(document.contains("\"positions\":7978097212030803619635793920"), "{document}");
}

#[test]
fn bad_positions_are_refused() {
    refused(&["perft", "nofile", "--depth", "2"], "nofile: there is no such file");
}
