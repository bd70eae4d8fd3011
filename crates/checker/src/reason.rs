//! Why a proof is not accepted.

use std::fmt;

/// The walk failed: the claim is not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The reply at which it failed, counted from 1; 0 if before the first.
    pub reply: u64,
    /// What was wrong.
    pub reason: Reason,
}

/// What can be wrong with a reply, or with the list of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The header's stones do not make a position.
    Position(String),
    /// The defender has k in a row before the attacker's first move.
    AlreadyLost,
    /// The reply is not squares run together.
    Malformed,
    /// The board has no such square.
    OffBoard,
    /// There is a stone on this square already.
    Occupied(String),
    /// The reply has a square twice.
    Repeated,
    /// The reply has more than p squares.
    TooMany,
    /// The reply has fewer than p squares and does not win.
    TooFew,
    /// The defender can connect in one move.
    DefenderConnects,
    /// Fewer than p squares are empty, so the defender can no longer be beaten.
    BoardFull,
    /// The walk asks for a reply and there is none.
    RunOut,
    /// The walk is over and there is another reply.
    LeftOver,
    /// The number of replies is not this one, which the header gives.
    Count(u64),
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reply {}: {}", self.reply, self.reason)
    }
}

impl std::error::Error for Rejection {}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Position(what) => return write!(f, "not a position: {what}"),
            Reason::Occupied(square) => return write!(f, "there is a stone on {square} already"),
            Reason::Count(number) => return write!(f, "the header says that there are {number} replies"),
            Reason::AlreadyLost => "the defender has connected already",
            Reason::Malformed => "not squares run together, as in k11l10",
            Reason::OffBoard => "a square off the board",
            Reason::Repeated => "a square twice",
            Reason::TooMany => "more squares than a move has",
            Reason::TooFew => "fewer squares than a move has, and they do not win",
            Reason::DefenderConnects => "the defender can connect in one move",
            Reason::BoardFull => "the defender fills the board",
            Reason::RunOut => "the walk asks for it and there is none",
            Reason::LeftOver => "the walk is over and does not ask for it",
        })
    }
}
