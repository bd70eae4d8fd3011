//! Positions with forced wins, found by self-play: a benchmark for searches without
//! records of games.
//!
//! Two simple players play from a seed. Before every move a search says whether
//! the side to move has a forced win, and if so of what kind ([`Traits`]). The positions kept are spread over classes, depths and traits.
//! Everything is limited by moves tried and nothing by time, and there is no
//! floating point: a seed gives the same set on every machine.

mod make;
mod quotas;
mod selfplay;
mod solution;
mod themes;

pub use make::{MakeOptions, Making, Puzzle, make};
pub use solution::{Solution, Traits, shortest, winning_first_moves};
pub use themes::{
    DEFENCE_NODES, Theme, ThemeParseError, ThemedPuzzle, holds, make_theme, only_defence, refuting_nodes,
};
