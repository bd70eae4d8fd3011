//! The attacker's replies in a win that was found.

use lambda6_rules::{Move, Side};
use lambda6_search::connecting;
use lambda6_threats::Board;
use rustc_hash::FxHashMap;

/// The winning moves of one search.
#[derive(Clone, Debug)]
pub(super) enum Replies {
    /// Against conservative defences one line wins whatever the defender does: see
    /// the [module](super). With full moves on both sides the number of empty
    /// squares says how far the game has got.
    Line {
        /// The attacker's moves.
        moves: Vec<Move>,
        /// The empty squares before the first.
        empty: usize,
    },
    /// Against normal defences: the winning moves by the keys of the positions.
    /// A clash of keys gives a wrong reply, never a wrong claim, since the checker
    /// walks all defences.
    Table(FxHashMap<u64, Move>),
}

impl Replies {
    /// The reply where `attacker` is to move on this board, if it is one of the
    /// win.
    pub(super) fn get(&self, board: &Board, attacker: Side) -> Option<Move> {
        if let Some(row) = connecting(board, attacker) {
            return Some(row);
        }
        let reply = match self {
            Replies::Line { moves, empty } => {
                let played = empty.checked_sub(board.empty_count())?;
                moves.get(played / (2 * usize::from(board.game().p())))?
            }
            Replies::Table(replies) => replies.get(&board.key(attacker))?,
        };
        Some(*reply).filter(|mv| mv.iter().all(|square| board.is_empty(square)))
    }
}
