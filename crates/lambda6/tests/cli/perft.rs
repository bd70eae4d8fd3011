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
    /// Winning, full and partial ones; perhaps not for every depth.
    #[serde(default)]
    threat_moves: Vec<[u64; 3]>,
}

fn data() -> Vec<Count> {
    toml::from_str::<Data>(include_str!("../data/perft.toml")).unwrap().count
}

#[test]
fn positions_are_those_of_the_data_file() {
    for count in data() {
        let depth = count.positions.len().to_string();
        let document = json(&["perft", &count.position, "--depth", &depth, "--positions", "--json"]);
        for (index, expected) in count.positions.iter().enumerate() {
            let level = &document["levels"][index];
            assert_eq!(level["depth"], index + 1, "{}", count.name);
            assert_eq!(level["positions"], *expected, "{}, depth {}", count.name, index + 1);
            assert_eq!(level["threat_moves"], serde_json::Value::Null);
        }
    }
}

#[test]
fn threat_moves_are_those_of_the_data_file() {
    for count in data().iter().filter(|count| !count.threat_moves.is_empty()) {
        let depth = count.threat_moves.len().to_string();
        let document = json(&["perft", &count.position, "--depth", &depth, "--json"]);
        for (index, &[winning, full, partial]) in count.threat_moves.iter().enumerate() {
            let level = &document["levels"][index];
            let expected = serde_json::json!({"winning": winning, "full": full, "partial": partial});
            assert_eq!(level["threat_moves"], expected, "{}, depth {}", count.name, index + 1);
            assert_eq!(level["positions"], count.positions[index], "{}", count.name);
        }
    }
}

#[test]
fn the_table_has_a_row_a_depth() {
    let arguments = ["perft", "--game", "tictactoe", "b2", "--depth", "3"];
    let expected = "\
depth            positions      winning         full      partial
    1                    8            0            0            0
    2                   56            0           48            0
    3                  336            0           48            0
";
    assert_eq!(stdout(&arguments), expected);
    let expected = "\
depth            positions
    1                    8
    2                   56
    3                  336
";
    assert_eq!(stdout(&[&arguments[..], &["--positions"]].concat()), expected);
}

#[test]
fn json_names_the_game() {
    let document = json(&["perft", "--game", "tictactoe", "b2", "--depth", "1", "--json"]);
    let expected = serde_json::json!({
        "kind": "perft",
        "schema": 1,
        "game": {"m": 3, "n": 3, "k": 3, "p": 1, "q": 1, "name": "tic-tac-toe"},
        "levels": [{
            "depth": 1,
            "positions": 8,
            "threat_moves": {"winning": 0, "full": 0, "partial": 0},
        }],
    });
    assert_eq!(document, expected);
}

#[test]
fn numbers_beyond_64_bits_are_exact() {
    let document = stdout(&["perft", "game: 64 64 9 8 1", "--depth", "2", "--positions", "--json"]);
    // 4096 * C(4095, 8)
    assert!(document.contains("\"positions\":7978097212030803619635793920"), "{document}");
}

#[test]
fn bad_positions_are_refused() {
    refused(&["perft", "nofile", "--depth", "2"], "nofile: there is no such file");
}
