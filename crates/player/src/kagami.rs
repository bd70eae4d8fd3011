//! The defensive strategy verified by threat-space search.
//!
//! The strategy's moves are tried in order, at most 50, until one leaves the
//! opponent no win by double threats; if none does, the first is played. An
//! attack by double threats that wins is played at once. (The thesis searches
//! for it last; the move is the same.)

use crate::{
    defense,
    mind::{Fuse, Mind},
};
use rules::{Move, Position, Square};

/// Defensive moves that are tried.
pub const ALTERNATIVES: usize = 50;

/// Solver moves for one question, when nothing else limits it.
const SOLVER: u64 = 20_000;

/// What the level found.
pub enum Kagami {
    /// A winning attack.
    Attack(Move),
    /// A move that leaves the opponent no win, or the strategy's first: in
    /// either case the moves tried, in order, this one first.
    Defence(Vec<Move>),
}

/// The level's move.
pub fn kagami(
    mind: &mut Mind,
    position: &Position,
    last: &[Square],
    excluded: &[Move],
    fuse: &Fuse<'_>,
) -> Kagami {
    let side = position.to_move();
    let stones = position.stones_to_place();
    let nodes = fuse.limits.nodes.map_or(SOLVER, |nodes| (nodes / 20).clamp(1, SOLVER));
    if stones == usize::from(position.game().p())
        && let Ok(Some(_)) = mind.double_threats(side, nodes, fuse)
        && let Some(mv) = mind.attack(side, fuse)
    {
        return Kagami::Attack(mv);
    }
    let most = ALTERNATIVES + excluded.len();
    let list = defense::alternatives(&mut mind.board, side, stones, last, most);
    let mut moves: Vec<Move> =
        list.into_iter().map(|(mv, _)| mv).filter(|mv| !excluded.contains(mv)).collect();
    moves.truncate(ALTERNATIVES);
    for i in 0..moves.len() {
        let mv = moves[i];
        mind.place(side, &mv);
        let lost = mind.double_threats(side.other(), nodes, fuse);
        mind.remove(side, &mv);
        match lost {
            Ok(Some(_)) => {}
            Ok(None) => {
                moves[..=i].rotate_right(1);
                break;
            }
            Err(_) => break,
        }
    }
    Kagami::Defence(moves)
}
