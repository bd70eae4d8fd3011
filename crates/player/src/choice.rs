//! What the player answers and what it tells on the way.

use crate::Status;
use rules::{Game, Move, Outcome};
use std::time::Duration;

/// A move with what was found out about it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move. It has as many stones as the rules ask for.
    pub mv: Move,
    /// How the position stands when it is played.
    pub status: Status,
    /// The same as a number, for the side to move: thousandths of the logarithm
    /// of the odds of winning (see [`chance`]). Beyond [`WON`] in either
    /// direction the search sees the end.
    pub score: i32,
    /// Moves looked ahead.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// What is expected to follow, from this move on.
    pub line: Vec<Move>,
    /// When a win is proved, of either side: its strategy and certificate.
    pub win: Option<Box<search::Win>>,
}

/// Scores from here on mean that the search sees a forced win (or, negative, a
/// loss). Only a [`Status::Win`] is proved.
pub const WON: i32 = 900_000;

/// The chance of winning that a score stands for.
pub fn chance(score: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / 1000.0).exp())
}

/// One of the moves under consideration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Its score for the side to move, as far as it is known; no more than this
    /// if the move was refuted.
    pub score: i32,
}

/// How far the player has got.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// Moves looked ahead.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// The score of the best move, for the side to move.
    pub score: i32,
    /// How the position stands.
    pub status: Status,
    /// The principal line.
    pub line: &'a [Move],
    /// The moves compared, the best first.
    pub candidates: &'a [Candidate],
}

/// Somebody who watches the player think.
pub trait Watch {
    /// Called when something new is known: after each round of the search.
    fn report(&mut self, info: &Info<'_>);
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn report(&mut self, _: &Info<'_>) {}
}

/// The answer to a job: the best move outside a list.
#[derive(Clone, Debug)]
pub enum JobAnswer {
    /// The best of the other moves.
    Best(Choice),
    /// Every move outside the list loses.
    OthersLose {
        /// What proves it.
        proof: OthersLose,
        /// Positions searched.
        nodes: u64,
    },
}

/// Why every move outside a list loses: wins of the opponent that together cover
/// all of them.
#[derive(Clone, Debug, Default)]
pub struct OthersLose {
    /// A move and the opponent's win after it, with its certificate. The null
    /// move stands for every move: its certificate is that of the position
    /// itself, with the losing side to move.
    pub wins: Vec<(Move, Box<search::Win>)>,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The game is over.
    #[error("the game is over: {}", match .0 {
        Outcome::Win(side) => format!("{side} has won"),
        Outcome::Draw => "the board is full".to_string(),
    })]
    GameOver(Outcome),
    /// A player made for another game.
    #[error("the player is for {expected:?}, the position is of {found:?}")]
    OtherGame {
        /// The player's game.
        expected: Game,
        /// The position's.
        found: Game,
    },
    /// Every move is excluded.
    #[error("every legal move is excluded")]
    NothingLeft,
    /// A limit that leaves nothing to search.
    #[error("impossible limits: {0}")]
    Limits(&'static str),
}
