//! Prints the threats of both sides, the defences of the side to move and the sets
//! of stones with which it makes threats, for a position of Connect6 given as moves:
//!
//! ```text
//! cargo run -p lambda6-threats --example threats -- 'j10 i8h9 k11l10'
//! ```

use lambda6_rules::{Game, Move, Position, Side};
use lambda6_threats::{Attack, Board, Defences, ThreatMoves, defence};
use std::{env, error::Error, process::ExitCode};

fn main() -> ExitCode {
    match print() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print() -> Result<(), Box<dyn Error>> {
    let game = Game::CONNECT6;
    let mut position = Position::new(game);
    for text in env::args().skip(1).flat_map(|text| text.split(' ').map(str::to_string).collect::<Vec<_>>()) {
        position.play(&game.parse_move(&text)?)?;
    }
    if let Some(outcome) = position.outcome() {
        return Err(format!("the game is over: {outcome:?}").into());
    }
    let mut board = Board::from_position(&position);
    for side in Side::ALL {
        let mut threats = Vec::new();
        defence::for_each_threat(&board, side, |threat| threats.push(*threat));
        println!("{side}: {:?}, {}", defence::count(&board, side), names(game, &threats));
    }
    let mover = position.to_move();
    let mut defences = Defences::default();
    defences.find(&board, mover.other());
    println!("defences of {mover}: {}", names(game, &defences.iter().copied().collect::<Vec<_>>()));
    let (mut attack, mut moves) = (Attack::new(game), ThreatMoves::default());
    attack.threat_moves(&mut board, mover, &mut moves);
    println!("{mover} connects with: {}", names(game, &moves.winning));
    println!("{mover} makes double threats with: {}", names(game, &moves.full));
    println!("{mover} makes a single threat with: {}", names(game, &moves.partial));
    Ok(())
}

fn names(game: Game, moves: &[Move]) -> String {
    let names: Vec<String> = moves.iter().map(|mv| game.move_name(mv)).collect();
    if names.is_empty() { "none".to_string() } else { names.join(" ") }
}
