//! The answers of the player and its progress reports.

use crate::Status;
use lambda6_rules::{Game, Move, Outcome};
use std::time::Duration;

/// A move with what the search knows of it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move. It has as many stones as the rules demand.
    pub mv: Move,
    /// The status of the position if this move is played.
    pub status: Status,
    /// The score for the side to move: thousandths of the logarithm of the odds
    /// of winning (see [`chance`]). Beyond [`WON`] in either direction the search
    /// sees the end of the game.
    pub score: i32,
    /// The depth of the search in moves.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// The expected line, which begins with this move.
    pub line: Vec<Move>,
    /// A proved win of either side, with its certificate.
    pub win: Option<Box<lambda6_proof::Win>>,
}

/// Scores from here on mean that the search sees a forced win (or, negative, a
/// loss). Only a [`Status::Win`] is proved.
pub const WON: i32 = 900_000;

/// Scores from here on mean that the search sees a win against every defence that
/// it tried; no evaluation comes near. From [`WON`] on it has tried all that matter.
pub const DOUBTFUL_WIN: i32 = crate::alpha_beta::LOSING;

/// The chance of winning of a score.
pub fn chance(score: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / 1000.0).exp())
}

/// One of the moves under consideration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Its score for the side to move; an upper bound if the move was refuted.
    pub score: i32,
}

/// The report of a player on the search under way, after each round. Observers
/// receive it as [`Observer<Info>`](lambda6_search::Observer).
#[derive(Clone, Debug)]
pub struct Info {
    /// The depth of the search in moves.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// The score of the best move, for the side to move.
    pub score: i32,
    /// The status of the position.
    pub status: Status,
    /// The principal line.
    pub line: Vec<Move>,
    /// The moves compared, best first.
    pub candidates: Vec<Candidate>,
}

/// The answer to a job.
#[derive(Clone, Debug)]
pub enum JobAnswer {
    /// The best of the moves that are not excluded.
    Best(Choice),
    /// Every move that is not excluded loses.
    OthersLose {
        /// The opponent's win against every move of the position.
        win: Box<lambda6_proof::Win>,
        /// Positions searched.
        nodes: u64,
    },
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
    /// The player is for another game.
    #[error("the player is for {expected:?}, the position is of {found:?}")]
    OtherGame {
        /// The player's game.
        expected: Game,
        /// The position's game.
        found: Game,
    },
    /// Every move is excluded.
    #[error("every legal move is excluded")]
    NothingLeft,
    /// A limit that leaves nothing to search.
    #[error("impossible limits: {0}")]
    Limits(&'static str),
}
