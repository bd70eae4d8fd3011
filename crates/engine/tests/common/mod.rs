//! Thinkers whose moves never change.

use lambda6_engine::{Task, ThinkError, Thinker, Wanted, completed};
use lambda6_player::{Candidate, Choice, Info, Status};
use lambda6_rules::{Move, Position, Square};
use lambda6_search::Observer;
use std::sync::atomic::{AtomicBool, Ordering};

/// The empty squares nearest to the centre, in order.
pub(crate) fn nearest(position: &Position) -> Move {
    let mut squares = from_centre(position);
    squares.truncate(position.stones_to_place());
    completed(position, Move::new(&squares).unwrap())
}

/// All empty squares, those nearest to the centre first.
fn from_centre(position: &Position) -> Vec<Square> {
    let game = position.game();
    let from_centre = |square| {
        let (col, row) = game.col_row(square);
        let step = |at: u8, size: u8| (2 * i32::from(at) + 1 - i32::from(size)).abs();
        let (x, y) = (step(col, game.cols()), step(row, game.rows()));
        (x.max(y), x + y)
    };
    let mut squares: Vec<_> = position.empty_squares().collect();
    squares.sort_by_key(|&square| from_centre(square));
    squares
}

/// What a task asks for: the nearest moves that are not excluded. A line goes on with
/// the next nearest.
#[allow(dead_code, reason = "not every test file uses it")]
pub(crate) fn choices(task: &Task) -> Vec<Choice> {
    let position = &task.position;
    if position.stones_to_place() != 1 {
        return vec![choice(nearest(position))];
    }
    let moves: Vec<Move> = from_centre(position).into_iter().map(Move::single).collect();
    let moves: Vec<Move> = moves.into_iter().filter(|mv| !task.excluded.contains(mv)).collect();
    match task.wanted {
        Wanted::Best(count) => moves.into_iter().take(count).map(choice).collect(),
        Wanted::Balance(balance) => {
            let line: Vec<Move> = moves.into_iter().take(balance.moves).collect();
            line.first().map(|&mv| Choice { line: line.clone(), ..choice(mv) }).into_iter().collect()
        }
    }
}

pub(crate) fn choice(mv: Move) -> Choice {
    Choice { mv, status: Status::Stable, score: 0, depth: 1, nodes: 7, line: vec![mv], win: None }
}

/// Plays nearest to the centre, at once.
#[allow(dead_code, reason = "not every test file uses it")]
pub(crate) struct Nearest;

impl Thinker for Nearest {
    fn think(
        &mut self,
        task: &Task,
        count: usize,
        _: &AtomicBool,
        observer: &mut dyn Observer<Info>,
    ) -> Result<Vec<Choice>, ThinkError> {
        let mv = nearest(&task.position);
        observer.report(&Info {
            depth: 1,
            nodes: 7,
            elapsed: std::time::Duration::ZERO,
            score: 0,
            status: Status::Stable,
            line: vec![mv],
            candidates: vec![Candidate { mv, score: 0 }; count.min(2)],
        });
        Ok(vec![choice(mv)])
    }
}

/// Plays the same moves, but thinks until it is stopped.
#[allow(dead_code, reason = "not every test file uses it")]
pub(crate) struct Endless;

impl Thinker for Endless {
    fn think(
        &mut self,
        task: &Task,
        _: usize,
        stop: &AtomicBool,
        _: &mut dyn Observer<Info>,
    ) -> Result<Vec<Choice>, ThinkError> {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        Ok(vec![choice(nearest(&task.position))])
    }
}
