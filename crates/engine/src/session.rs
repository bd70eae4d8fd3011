//! A protocol as a state machine: lines come in, steps come out. A session does
//! no input and output, has no threads and reads no clock;
//! [`drive`](crate::drive()) does that.

use crate::{CoordError, ThinkError};
use lambda6_player::Choice;
use lambda6_rules::{Move, PlayError, Position, Side};
use lambda6_search::Limits;
use std::time::Duration;

/// What a session wants done.
#[derive(Clone, Debug)]
pub enum Step {
    /// Write this to the other side, followed by a line feed.
    Say(String),
    /// Show this to the person at the terminal: the protocol has no message for
    /// it.
    Note(String),
    /// Think. Only urgent lines come in until [`Session::thought`].
    Think(Task),
    /// Stop thinking, with the best move so far.
    Stop,
    /// Stop thinking, and end the program as soon as the thought is handled, or
    /// when that takes too long.
    StopAndQuit,
    /// End.
    Quit,
}

/// A question for a [`Thinker`](crate::Thinker).
#[derive(Clone, Debug)]
pub struct Task {
    /// The position.
    pub position: Position,
    /// The opponent's last stones, if there are any: some levels need them.
    pub last: Option<Move>,
    /// The limits of the search.
    pub limits: Limits,
}

/// The answer to a [`Task`].
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move, or why there is none.
    pub choice: Result<Choice, ThinkError>,
    /// The time that it took.
    pub elapsed: Duration,
}

/// One side of a conversation.
pub trait Session {
    /// Handles a line, without its line feed. Any text is allowed.
    fn line(&mut self, line: &str) -> Vec<Step>;

    /// Whether the line must be handled while the engine thinks.
    fn is_urgent(&self, line: &str) -> bool;

    /// Handles the end of thinking.
    fn thought(&mut self, thought: Thought) -> Vec<Step>;
}

/// Why a command of the letter protocols cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The protocol has no such command.
    #[error("unknown command {0:?}")]
    Unknown(String),
    /// `new` without a side.
    #[error("expected new black or new white, found {0:?}")]
    Side(String),
    /// A depth that is not a positive number.
    #[error("expected a depth from 1 on, found {0:?}")]
    Depth(String),
}

/// The beginning of a text, short enough for a message.
pub(crate) fn short(text: &str) -> String {
    text.trim().chars().take(40).collect()
}

/// Why a session cannot play a move, its own or the opponent's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MoveError {
    #[error(transparent)]
    Square(#[from] CoordError),
    #[error(transparent)]
    Illegal(#[from] PlayError),
    #[error(transparent)]
    Think(#[from] ThinkError),
    #[error("a move before `new black` or `new white`")]
    NoGame,
    #[error("it is {0}'s turn, which is this engine")]
    OwnTurn(Side),
}
