//! Plays games of the strongest level against itself, as data for `tune`.
//!
//! `cargo run --release -p lambda6-player --example selfplay -- GAMES NODES SEED > selfplay.tsv`
//!
//! The first moves are random moves of the novice level; then both sides search
//! NODES positions a move. The same arguments give the same games.

use lambda6_player::{Level, Player, PlayerOptions};
use lambda6_rules::{Game, Outcome, Position, Side};
use lambda6_search::{Control, Limits, NoClock, Silent};
use std::{error::Error, io::Write, sync::atomic::AtomicBool};

/// The number of moves by the novice level.
const OPENING: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = || arguments.next().unwrap_or(Ok(1));
    let (games, nodes, seed) = (next()?, next()?, next()?);
    let game = Game::CONNECT6;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let table_bytes = 4 << 20;
    println!("result\tmoves");
    for number in 0..games {
        let mut position = Position::new(game);
        let mut moves = Vec::new();
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
        let options = |level| PlayerOptions { level, table_bytes, seed, ..PlayerOptions::default() };
        let mut novice = Player::new(game, options(Level::Novice));
        let mut strong = Player::new(game, options(Level::Strong));
        while position.outcome().is_none() && moves.len() < 80 {
            let player = if moves.len() < OPENING { &mut novice } else { &mut strong };
            let stop = AtomicBool::new(false);
            let choice = player.choose(&position, Control::new(limits, &NoClock, &stop), &mut Silent)?;
            position.play(&choice.mv)?;
            moves.push(game.move_name(&choice.mv));
        }
        let result = match position.outcome() {
            Some(Outcome::Win(Side::Black)) => "BWin",
            Some(Outcome::Win(Side::White)) => "WWin",
            _ => "Draw",
        };
        println!("{result}\t{}", moves.join(" "));
        std::io::stdout().flush()?;
    }
    Ok(())
}
