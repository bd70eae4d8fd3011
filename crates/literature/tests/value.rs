//! The values of small games. `data/values.tsv` has what this search found, with
//! the number of positions that it took.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use lambda6_literature::small_games::value;
use lambda6_rules::Game;
use lambda6_search::{Budget, Limits};

/// Finds the values of the games that took so many positions or fewer, with a
/// table of so many bytes.
fn check(most: u64, bytes: usize) {
    let mut games = 0;
    for line in include_str!("data/values.tsv").lines().skip(1) {
        let words: Vec<&str> = line.split('\t').collect();
        let [m, n, k, p, q, expected, positions] = words[..] else { panic!("not a value: {line}") };
        if positions.parse::<u64>().unwrap() <= most {
            let game: Game = [m, n, k, p, q].join(" ").parse().unwrap();
            let mut budget = Budget::within(Limits::default());
            assert_eq!(value(game, bytes, &mut budget).unwrap().name(), expected, "{game:?}");
            assert_eq!(budget.nodes().to_string(), positions, "{game:?}");
            games += 1;
        }
    }
    println!("{games} games");
    assert!(games >= 100);
}

#[test]
fn quick_games_have_their_values() {
    check(2_000, 1 << 24);
}

#[test]
#[ignore = "takes a minute"]
fn all_games_have_their_values() {
    // The counts of the data are of a table of this size.
    check(u64::MAX, 64 << 20);
}
