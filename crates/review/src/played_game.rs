//! The game that is reviewed.

use lambda6_rules::{
    Game, Move, PlayError, Position, Side,
    record::{Record, RecordError},
};

/// A game: its moves and the positions between them.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// One more than there are moves.
    positions: Vec<Position>,
    moves: Vec<Move>,
    winner: Option<Side>,
}

/// Why moves are not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayedGameError {
    /// A move that the rules do not allow.
    #[error("move {number}: {why}")]
    Move {
        /// Counted from 1.
        number: usize,
        /// What is wrong with it.
        why: PlayError,
    },
    /// There is nothing to review.
    #[error("the game has no moves")]
    Empty,
    /// A record that does not hold together.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl PlayedGame {
    /// The game of these moves from a position. `winner` is the side that the record says
    /// has won.
    pub fn new(
        start: Position,
        moves: Vec<Move>,
        winner: Option<Side>,
    ) -> Result<PlayedGame, PlayedGameError> {
        if moves.is_empty() {
            return Err(PlayedGameError::Empty);
        }
        let mut positions = vec![start];
        for (at, mv) in moves.iter().enumerate() {
            let mut position = positions[at].clone();
            position.play(mv).map_err(|why| PlayedGameError::Move { number: at + 1, why })?;
            positions.push(position);
        }
        Ok(PlayedGame { positions, moves, winner })
    }

    /// The main line of a record. A half move at its end is left out.
    pub fn of(record: &Record) -> Result<PlayedGame, PlayedGameError> {
        let winner = match record.info.result.trim().bytes().next() {
            Some(b'B' | b'b') => Some(Side::Black),
            Some(b'W' | b'w') => Some(Side::White),
            _ => None,
        };
        PlayedGame::new(record.start().clone(), record.main_line(), winner)
    }

    /// The game that is played, with its rules.
    pub fn game(&self) -> Game {
        self.positions[0].game()
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The positions: before the first move, after it, and so on.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The side that plays the move with this index, from 0.
    pub fn mover(&self, index: usize) -> Side {
        self.positions[index].to_move()
    }

    /// The side that has won by a row or, failing that, as the record says.
    pub fn winner(&self) -> Option<Side> {
        use lambda6_rules::Outcome;
        match self.positions[self.moves.len()].outcome() {
            Some(Outcome::Win(side)) => Some(side),
            Some(Outcome::Draw) => None,
            None => self.winner,
        }
    }
}
