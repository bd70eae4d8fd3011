//! Prints the moves of a game record, one a line.
//!
//! `cargo run --example moves -- game.sgf`

use lambda6_rules::record::{self, ReadOptions};
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("usage: moves FILE")?;
    let record = record::read(&fs::read(path)?, &ReadOptions::default())?;
    let mut side = record.start().to_move();
    for (number, mv) in (1..).zip(record.main_line()) {
        println!("{number}. {side} {}", record.game().move_name(&mv));
        side = side.other();
    }
    if let Some(outcome) = record.position_at(None)?.outcome() {
        println!("{outcome:?}");
    }
    Ok(())
}
