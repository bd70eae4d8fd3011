//! How searches end.

use crate::{Certificate, Strategy, Why};
use rules::Move;

/// What a search found out.
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

/// A proved win.
#[derive(Clone, Debug)]
pub struct Win {
    /// A longest line: the attacker's moves and the defences that hold out
    /// longest against them, from the side to move on. A defender to move with
    /// nothing to meet passes. It ends with the attacker's `k` in a row.
    pub line: Vec<Move>,
    /// The replies to every defence.
    pub strategy: Strategy,
    /// What proves it to others. [`Solver`](crate::Solver) claims no win without.
    pub certificate: Option<Certificate>,
}

impl Win {
    /// The attacker's moves in the longest line.
    pub fn depth(&self) -> usize {
        self.line.len().div_ceil(2)
    }
}
