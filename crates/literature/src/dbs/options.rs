//! What to search, and what it took.

use super::Filter;
use lambda6_search::vcdt::Defence;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DbsOptions {
    /// Which moves are searched.
    pub filter: Filter,
    /// How the defender answers. The graph and its filters are made for
    /// [`Defence::Conservative`]; against normal defences they find wins that
    /// it misses, for more moves.
    pub defence: Defence,
    /// Moves of the attacker in a line, at most 60.
    pub depth: u32,
    /// Moves searched in one position.
    pub branching: usize,
    /// Free stones tried beside a stone that makes two threats.
    pub partners: usize,
    /// Search depth after depth instead of the last one at once.
    pub deepen: bool,
    /// Remember positions that failed. What fails under a filter may fail for
    /// the line that led there, so that this loses wins.
    pub table: bool,
    /// Where a filter comes to its end without a win, go on with what
    /// [`Filter::falls_back_on`] says.
    pub fall_back: bool,
    /// Build the graph for [`Filter::Plain`] too, which does not need it: to
    /// measure what the graph costs.
    pub graph: bool,
}

impl Default for DbsOptions {
    fn default() -> DbsOptions {
        DbsOptions {
            filter: Filter::F4,
            defence: Defence::Conservative,
            depth: 10,
            branching: 50,
            partners: 8,
            deepen: true,
            table: false,
            fall_back: true,
            graph: false,
        }
    }
}

/// What a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DbsStats {
    /// Macro-moves searched.
    pub moves: u64,
    /// Hyperedges made.
    pub hyperedges: u64,
    /// The filter alone did not find a win.
    pub fell_back: bool,
}

/// Why there is no such search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DbsError {
    /// Half-moves and pairs are for two stones a move.
    #[error("dependency-based search is for games with two stones a move, not {p}")]
    Stones {
        /// Stones a move.
        p: u8,
    },
}
