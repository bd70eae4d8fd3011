//! The defensive strategy verified by threat-space search.
//!
//! The strategy's moves are tried in order, at most 50, until one leaves the
//! opponent no VCDT win; if none does, the first is played. A VCDT win of the
//! side to move is played at once. (The thesis searches for it last; the move is
//! the same.)

use crate::{defense, search_thread::SearchThread};
use lambda6_rules::{Move, Position, Square};
use lambda6_search::Control;
use lambda6_threats::Play;

/// The most defensive moves that are tried.
const ALTERNATIVES: usize = 50;

/// Solver nodes for one VCDT search, when the limits allow them.
const SOLVER_NODES: u64 = 20_000;

/// What the level plays.
pub enum KagamiMove {
    /// The first move of a VCDT win.
    Attack(Move),
    /// The moves tried, the one to play first: it leaves the opponent no VCDT
    /// win, or it is the strategy's first.
    Defence(Vec<Move>),
}

/// The level's move.
pub fn kagami(
    thread: &mut SearchThread,
    position: &Position,
    last: &[Square],
    excluded: &[Move],
    control: Control<'_>,
) -> KagamiMove {
    let side = position.to_move();
    let stones = position.stones_to_place();
    let nodes = control.limits.nodes.map_or(SOLVER_NODES, |nodes| (nodes / 20).clamp(1, SOLVER_NODES));
    if stones == usize::from(position.game().p())
        && let Ok(Some(_)) = thread.vcdt_length(side, nodes, control)
        && let Some(mv) = thread.vcdt_move(side, control)
    {
        return KagamiMove::Attack(mv);
    }
    let most = ALTERNATIVES + excluded.len();
    let list = defense::alternatives(&mut thread.board, side, stones, last, most);
    let mut moves: Vec<Move> =
        list.into_iter().map(|(mv, _)| mv).filter(|mv| !excluded.contains(mv)).collect();
    moves.truncate(ALTERNATIVES);
    for i in 0..moves.len() {
        let lost = thread.play(side, moves[i], |after| after.vcdt_length(side.other(), nodes, control));
        match lost {
            Ok(Some(_)) => {}
            Ok(None) => {
                moves[..=i].rotate_right(1);
                break;
            }
            Err(_) => break,
        }
    }
    KagamiMove::Defence(moves)
}
