//! Positions that take long, and a clock that is up after some looks.

use super::position;
use lambda6_rules::{Game, Position, Side};
use lambda6_search::Clock;
use lambda6_threats::Board;
use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

/// Many stones of both sides spread so that there are threats to make and no win
/// at hand.
pub fn hard(game: Game, seed: u64) -> Position {
    let mut board = Board::new(game);
    let mut state = seed;
    let mut below = |end: u8| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u8 % end
    };
    for i in 0..game.area() / (8 + seed as usize % 8) {
        let square = game.square(below(game.cols()), below(game.rows()));
        let side = Side::ALL[i % 2];
        if board.is_empty(square) {
            board.place(side, square);
            if board.has_threat(side) {
                board.remove(side, square);
            }
        }
    }
    position(&board, Side::Black).unwrap()
}

/// A clock on which the time is up when it has been looked at so many times.
pub struct Looks(AtomicU32);

impl Looks {
    pub fn most(looks: u32) -> Looks {
        Looks(AtomicU32::new(looks))
    }
}

impl Clock for Looks {
    fn elapsed(&self) -> Duration {
        let less = |left: u32| Some(left.saturating_sub(1));
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        Duration::from_secs(if self.0.load(Ordering::Relaxed) == 0 { 2 } else { 0 })
    }
}
