//! Wins of positions that have one stone of the defender less.
//!
//! A win bears extra stones of the defender outside its zones: where the position
//! without one of the defender's stones is won, and the stone lies outside the first
//! zone of that win, the position on the board is won by the same move. After the win
//! against a pass has been found, most answers to the defender's other moves need
//! therefore be searched only where the defender's stone matters. Where it lies inside
//! the zone, the same move is tried first.
//!
//! Like everything that a search finds, such a win is claimed only with a certificate.

use super::{LambdaSearch, lock, run::Run, stones_of, symmetry::Turn};
use crate::vcdt_zones::ZonedWin;
use lambda6_rules::{Move, Side, Square, stone_key};
use lambda6_threats::Board;

/// What positions with a stone less tell of a position.
pub(super) enum FewerStones {
    /// The position is won.
    Won(ZonedWin),
    /// These moves win without one of the stones.
    Hints(Vec<Move>),
}

impl Run<'_, '_> {
    /// The defender's stones that may be taken away: those on the path, and those that
    /// led to the root of an inner search.
    pub(super) fn removable(&self) -> Vec<Square> {
        let defender = self.attacker.other();
        let path = self.path.iter().filter(|&&(_, side, _)| side == defender);
        let path = path.flat_map(|(_, _, mv)| mv.iter());
        self.task.removable.iter().copied().chain(path).collect()
    }

    /// What is known of the position on the board without one of these stones.
    pub(super) fn fewer_stones(&self, key: u64, removable: &[Square]) -> FewerStones {
        let defender = self.attacker.other();
        let mut hints = Vec::new();
        for &square in removable {
            let Some(win) = self.win_without(key, square) else { continue };
            if let Some(zones) = win.zones.with_stone(square) {
                return FewerStones::Won(ZonedWin { reply: win.reply, zones });
            }
            debug_assert_eq!(self.board.at(square), Some(defender));
            if !win.reply.contains(square) && !hints.contains(&win.reply) {
                hints.push(win.reply);
            }
        }
        FewerStones::Hints(hints)
    }

    /// The win that is known without the stone, if there is one.
    fn win_without(&self, key: u64, square: Square) -> Option<ZonedWin> {
        let defender = self.attacker.other();
        if let Some(win) = self.known_win(key ^ stone_key(defender, square)) {
            return Some(win);
        }
        let symmetries = self.task.symmetries;
        if symmetries.is_trivial() {
            return None;
        }
        // A stone counted twice is as good as none.
        let images = self.images_of_stones(defender, &Move::NULL, Some((defender, square)));
        images.into_iter().find_map(|(turn, key): (Turn, u64)| {
            let win = self.known_win(key)?;
            Some(symmetries.turn_proof(symmetries.inverse(turn), &win))
        })
    }

    /// A win that is remembered with its zones.
    pub(super) fn known_win(&self, key: u64) -> Option<ZonedWin> {
        let shared = lock(self.task.shared).zones.get(&key).cloned();
        shared.or_else(|| self.worker.zoned(key))
    }
}

impl LambdaSearch {
    /// The reply where a position without one or two of the defender's stones is won
    /// and bears them.
    pub(super) fn reply_with_fewer_stones(&self, board: &Board, attacker: Side) -> Option<Move> {
        let (key, defender) = (board.key(attacker), attacker.other());
        let stones = stones_of(board, defender);
        let without = |squares: &[Square]| {
            let key = squares.iter().fold(key, |key, &square| key ^ stone_key(defender, square));
            let win = self.known_win(key)?;
            win.zones.bear(squares).then_some(win.reply)
        };
        let pairs = || {
            let pairs = stones.iter().enumerate();
            pairs.flat_map(|(i, &first)| stones[i + 1..].iter().map(move |&second| [first, second]))
        };
        stones
            .iter()
            .find_map(|&square| without(&[square]))
            .or_else(|| pairs().find_map(|pair| without(&pair)))
    }

    /// A win that is remembered with its zones.
    pub(super) fn known_win(&self, key: u64) -> Option<ZonedWin> {
        let known = lock(&self.shared).zones.get(&key).cloned();
        known.or_else(|| self.workers.iter().find_map(|worker| worker.zoned(key)))
    }
}
