//! The values of small games. `data/values.tsv` has what this search found, with
//! the number of positions that it took.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use lambda6_search::{Budget, Limits, NoClock, value::value};
use rules::Game;
use std::sync::atomic::AtomicBool;

/// Finds the values of the games that took so many positions or fewer.
fn check(most: u64) {
    let mut games = 0;
    for line in include_str!("data/values.tsv").lines().skip(1) {
        let words: Vec<&str> = line.split('\t').collect();
        let [m, n, k, p, q, expected, positions] = words[..] else { panic!("not a value: {line}") };
        if positions.parse::<u64>().unwrap() <= most {
            let game: Game = [m, n, k, p, q].join(" ").parse().unwrap();
            let stop = AtomicBool::new(false);
            let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
            let found = value(game, 1 << 24, &mut budget).unwrap();
            assert_eq!(found.name(), expected, "{game:?}");
            games += 1;
        }
    }
    println!("{games} games");
    assert!(games >= 100);
}

#[test]
fn quick_games_have_their_values() {
    check(2_000);
}

#[test]
#[ignore = "takes a minute"]
fn all_games_have_their_values() {
    check(u64::MAX);
}
