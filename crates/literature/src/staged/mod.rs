//! Proof-number search in stages, and the searches it was compared with, all over
//! the [`tree`](crate::tree).
//!
//! | name | the attacker's moves | which position is looked at next |
//! |---|---|---|
//! | `pns` | the best squares, threats or not | the most proving one |
//! | `pns-1` | threats and the others together | the same |
//! | `pns-2a` | double threats; then the others | the same |
//! | `pns-2b` | threats; then the others | the same |
//! | `pns-3` | double threats; single threats; then the others | the same |
//! | `dfpn` | as `pns-2b` | the same, depth-first and in bounded memory |
//! | `dfs` | threats | the last one opened, to a depth |
//! | `bfs` | threats | the first one opened |
//! | `mcts` | as `pns-2b` | the one with the best bound, after playouts |
//!
//! A stage begins when the one before has failed as a whole: the root is
//! refuted with the moves on offer. Nodes without a move left are opened again
//! then, and all numbers follow.

mod breadth_first;
mod depth_first;
mod dfpn;
mod grown;
mod monte_carlo;
mod most_proving;
mod search;
mod selection;
mod stages;

pub(crate) use search::TreeSearch;
pub use search::{Searched, TreeOptions};

use std::{fmt, str::FromStr};

/// The searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeKind {
    /// Standard proof-number search.
    Pns,
    /// One stage with all moves.
    Pns1,
    /// Two stages, type I.
    Pns2a,
    /// Two stages, type II.
    Pns2b,
    /// Three stages.
    Pns3,
    /// Depth-first proof-number search.
    Dfpn,
    /// Depth-first search with a depth limit.
    Dfs,
    /// Breadth-first search.
    Bfs,
    /// Monte-Carlo tree search in two stages, type II.
    Mcts,
}

impl TreeKind {
    /// All of them.
    pub const ALL: [TreeKind; 9] = [
        TreeKind::Pns,
        TreeKind::Pns1,
        TreeKind::Pns2a,
        TreeKind::Pns2b,
        TreeKind::Pns3,
        TreeKind::Dfpn,
        TreeKind::Dfs,
        TreeKind::Bfs,
        TreeKind::Mcts,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            TreeKind::Pns => "pns",
            TreeKind::Pns1 => "pns-1",
            TreeKind::Pns2a => "pns-2a",
            TreeKind::Pns2b => "pns-2b",
            TreeKind::Pns3 => "pns-3",
            TreeKind::Dfpn => "dfpn",
            TreeKind::Dfs => "dfs",
            TreeKind::Bfs => "bfs",
            TreeKind::Mcts => "mcts",
        }
    }
}

impl fmt::Display for TreeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no such search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a search: expected {names}", names = TreeKind::ALL.map(TreeKind::name).join(", "))]
pub struct TreeKindParseError(String);

impl FromStr for TreeKind {
    type Err = TreeKindParseError;

    fn from_str(text: &str) -> Result<TreeKind, TreeKindParseError> {
        let known = TreeKind::ALL.into_iter().find(|kind| kind.name() == text);
        known.ok_or_else(|| TreeKindParseError(text.chars().take(20).collect()))
    }
}
