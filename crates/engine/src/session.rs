//! A protocol as a state machine: lines come in, steps come out. A session does
//! no input and output, has no threads and reads no clock;
//! [`drive`](crate::drive()) does that.

use crate::{CoordError, ThinkError};
use lambda6_player::{Choice, Info, PlayError};
use lambda6_rules::{Move, Position, Side};
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
    /// Hand the line in once more when the thinking has ended and the lines before it are handled.
    Again,
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
    /// What is asked.
    pub wanted: Wanted,
    /// Moves that must not be chosen.
    pub excluded: Vec<Move>,
    /// The most memory for tables, if that is less than the thinker's own.
    pub table_bytes: Option<usize>,
    /// The time between two calls of [`Session::progress`]; none without it.
    pub report_every: Option<Duration>,
}

/// What a [`Task`] asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// So many of the best moves.
    Best(usize),
    /// Moves after which the chances are even.
    Balance(Balance),
}

/// Moves of both sides in turn after which the chances are as wished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// The number of moves; the first is of the side to move.
    pub moves: usize,
    /// The score that is wished for the side to move, in the units of
    /// [`Choice::score`].
    pub score: i32,
}

impl Task {
    /// The task of choosing the best move.
    pub fn new(position: Position, last: Option<Move>, limits: Limits) -> Task {
        let (wanted, excluded) = (Wanted::Best(1), Vec::new());
        Task { position, last, limits, wanted, excluded, table_bytes: None, report_every: None }
    }
}

/// The answer to a [`Task`].
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move, or why there is none. For a [`Balance`] its line begins with all
    /// the moves that were asked for.
    pub choice: Result<Choice, ThinkError>,
    /// The next best moves, if several were asked for.
    pub others: Vec<Choice>,
    /// The time that it took.
    pub elapsed: Duration,
}

impl Thought {
    /// The thought with these choices, best first.
    pub fn new(found: Result<Vec<Choice>, ThinkError>, elapsed: Duration) -> Thought {
        let mut others = Vec::new();
        let choice = found.and_then(|choices| {
            let mut choices = choices.into_iter();
            let best = choices.next().ok_or(ThinkError::Player(PlayError::NothingLeft))?;
            others.extend(choices);
            Ok(best)
        });
        Thought { choice, others, elapsed }
    }
}

/// One side of a conversation.
pub trait Session {
    /// Handles a line, without its line feed. Any text is allowed.
    fn line(&mut self, line: &str) -> Vec<Step>;

    /// Whether the line must be handled while the engine thinks.
    fn is_urgent(&self, line: &str) -> bool;

    /// Handles a report on the thinking under way, for tasks that ask for reports.
    fn progress(&mut self, info: &Info) -> Vec<Step> {
        let _ = info;
        Vec::new()
    }

    /// Handles the end of the input while the engine thinks.
    fn ended(&mut self) -> Vec<Step> {
        Vec::new()
    }

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
    Illegal(#[from] lambda6_rules::PlayError),
    #[error(transparent)]
    Think(#[from] ThinkError),
    #[error("a move before `new black` or `new white`")]
    NoGame,
    #[error("it is {0}'s turn, which is this engine")]
    OwnTurn(Side),
}
