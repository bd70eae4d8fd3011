//! Results of searches for wins.

use crate::Certificate;
use lambda6_rules::{Game, Move, Outcome, Position, Side};
use lambda6_search::{Why, connecting};
use lambda6_threats::{Board, Play};
use std::time::Duration;

/// The result of a search.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The attacker wins.
    Win(Box<Win>),
    /// Nothing is proved: the reason tells how much was tried.
    Unknown(Why),
}

impl Verdict {
    /// The win, if one was proved.
    pub fn win(&self) -> Option<&Win> {
        match self {
            Verdict::Win(win) => Some(win),
            Verdict::Unknown(_) => None,
        }
    }
}

/// A proved win. It cannot be made without a certificate, and a certificate
/// exists only if the checker has accepted it.
#[derive(Clone, Debug)]
pub struct Win {
    line: Vec<Move>,
    certificate: Certificate,
}

impl Win {
    /// The win that a certificate proves.
    pub fn new(certificate: Certificate) -> Win {
        Win { line: line_to_the_row(&certificate), certificate }
    }

    /// A longest line: the attacker's moves and the defences that hold out
    /// longest against them, from the side to move on. A defender to move with
    /// nothing to meet passes. It ends with the attacker's `k` in a row.
    pub fn line(&self) -> &[Move] {
        &self.line
    }

    /// The proof.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// The proof, by itself.
    pub fn into_certificate(self) -> Certificate {
        self.certificate
    }

    /// The attacker's moves in the longest line.
    pub fn depth(&self) -> usize {
        self.line.len().div_ceil(2)
    }
}

/// The longest line of a proof, which may end with threats that cannot be met,
/// continued up to the row.
fn line_to_the_row(certificate: &Certificate) -> Vec<Move> {
    let attacker = certificate.attacker();
    let mut board = Board::from_position(certificate.position());
    let mut side = certificate.position().to_move();
    let mut line = certificate.line().to_vec();
    for mv in &line {
        board.place_all(side, mv);
        side = side.other();
    }
    if !board.has_row(attacker) {
        // The defender meets what it can; the attacker connects on what is left.
        let mut block = Move::NULL;
        for _ in 0..board.game().p() {
            let Some(square) = connecting(&board, attacker).and_then(|threat| threat.iter().next()) else {
                break;
            };
            board.place(attacker.other(), square);
            block.push(square);
        }
        line.push(block);
        line.extend(connecting(&board, attacker));
    }
    line
}

/// A verdict with its cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The result.
    pub verdict: Verdict,
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Time on the caller's clock when the search ended.
    pub elapsed: Duration,
}

/// Why a position cannot be searched at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The game is over.
    #[error("the game is over: {}", match .0 {
        Outcome::Win(side) => format!("{side} has won"),
        Outcome::Draw => "the board is full".to_string(),
    })]
    Over(Outcome),
    /// The board is empty, and the first move of the game places another number
    /// of stones than the moves of searches and certificates.
    #[error("the board is empty: the first move places {q}, a search places {p}; play a first move")]
    FirstMove {
        /// Stones of a move.
        p: u8,
        /// Stones of the first.
        q: u8,
    },
    /// A solver made for another game.
    #[error("the solver is for {expected:?}, the position is of {found:?}")]
    OtherGame {
        /// The solver's game.
        expected: Game,
        /// The position's.
        found: Game,
    },
    /// A search claimed a win that the checker refuses: a fault in the search.
    /// Nothing is claimed.
    #[error("a search was wrong and was caught: {0}")]
    Caught(String),
}

impl SolveError {
    /// Refuses positions that cannot be searched.
    pub fn refuse(position: &Position) -> Result<(), SolveError> {
        if let Some(outcome) = position.outcome() {
            return Err(SolveError::Over(outcome));
        }
        let game = position.game();
        let (p, q) = (game.p(), game.q());
        if position.empty_count() == game.area() && p != q {
            return Err(SolveError::FirstMove { p, q });
        }
        Ok(())
    }
}

/// Whether the attacker, to move, connects at once: such a win has depth 0.
pub(crate) fn connects_at_once(position: &Position, attacker: Side) -> bool {
    position.to_move() == attacker && Board::from_position(position).has_threat(attacker)
}
