//! What a protocol is: lines come in, steps come out. A session does no input
//! and output, has no threads and no clock; [`drive`](crate::drive()) has.

use player::{Choice, PlayLimits};
use rules::{Move, Position};
use std::time::Duration;

/// What a session wants done.
#[derive(Clone, Debug)]
pub enum Step {
    /// Write this to the other side, with a line feed behind it.
    Say(String),
    /// Tell this to the person at the terminal: the protocol has no words for
    /// it.
    Note(String),
    /// Think. Nothing but urgent lines comes in until [`Session::thought`].
    Think(Task),
    /// The thinking under way shall end now: with the best move so far.
    Hurry,
    /// The same, and the program ends as soon as the thought has been handled,
    /// which must not take long.
    HurryAndQuit,
    /// End.
    Quit,
}

/// What to think about.
#[derive(Clone, Debug)]
pub struct Task {
    /// The position.
    pub position: Position,
    /// The opponent's last stones, if there are any: some levels look there.
    pub last: Option<Move>,
    /// How long.
    pub limits: PlayLimits,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move, or why there is none.
    pub choice: Result<Choice, String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// One side of a conversation.
pub trait Session {
    /// A line has come, without its line feed. Any text at all.
    fn line(&mut self, line: &str) -> Vec<Step>;

    /// Whether the line cannot wait until the thinking is over. Such lines are
    /// handed to [`Session::line`] while it goes on.
    fn is_urgent(&self, line: &str) -> bool;

    /// The thinking is over.
    fn thought(&mut self, thought: Thought) -> Vec<Step>;
}
