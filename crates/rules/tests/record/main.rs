//! Records: what is read and written, what is refused, and that nothing is
//! lost on the way.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

// As the fuzz targets call the crate.
extern crate lambda6_rules as rules;

mod bad_input;
mod examples;
#[allow(unreachable_pub, reason = "the fuzz targets see these functions from outside")]
#[path = "../../../../fuzz/src/records.rs"]
mod fuzz;
mod random;
mod round_trip;
mod trees;

use rules::{
    Game, Move,
    record::{self, ReadOptions, Record, RecordError},
};

fn read(text: &str) -> Record {
    record::read(text.as_bytes(), &ReadOptions::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn refusal(bytes: impl AsRef<[u8]>) -> RecordError {
    let error = record::read(bytes.as_ref(), &ReadOptions::default()).unwrap_err();
    assert!(error.place.is_some(), "{error}");
    error
}

fn moves(game: Game, text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| game.parse_move(word).unwrap()).collect()
}
