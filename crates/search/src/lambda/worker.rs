//! What a thread searches with: VCDT, VCST, and the generator of the moves that
//! are tried where these do not win.
//!
//! Where moves without a threat are allowed, most of the defender's moves still
//! lose to VCST. In the tree such a win would have to be put together among all
//! the candidates without a threat, on every level; an inner search for VCST alone
//! finds it at once, or says that there is none.

use super::{
    LambdaOptions, LambdaSearch,
    attacker_moves::AttackerMoves,
    tree::{EFFORTS, Effort},
};
use crate::{
    Budget, Method, Why,
    vcdt::VcdtOptions,
    vcdt_zones::{ZonedVcdt, ZonedWin},
};
use lambda6_rules::{Game, Move, Side};
use lambda6_threats::Board;

/// What a thread has to itself.
pub(super) struct Worker {
    pub(super) vcdt: ZonedVcdt,
    pub(super) generator: AttackerMoves,
    pub(super) method: Method,
    /// For VCST, where the search itself allows more.
    inner: Option<Box<LambdaSearch>>,
}

/// What is known of a position with the attacker to move.
pub(super) enum Settled {
    Won(ZonedWin),
    /// The search was ended.
    Open,
    /// All threats were tried, and do not win.
    NotByThreats,
}

impl Worker {
    pub(super) fn new(
        game: Game,
        LambdaOptions { order, method, .. }: LambdaOptions,
        bytes: usize,
    ) -> Worker {
        let inside = LambdaOptions { order: 2, method, threads: 1 };
        let inner = (order > inside.order).then(|| Box::new(LambdaSearch::new(game, inside, bytes / 2)));
        let bytes = if inner.is_some() { bytes / 2 } else { bytes };
        Worker {
            vcdt: ZonedVcdt::new(game, VcdtOptions::default(), bytes),
            generator: AttackerMoves::new(game, order),
            method,
            inner,
        }
    }

    pub(super) fn forget(&mut self) {
        self.vcdt.forget();
        if let Some(inner) = &mut self.inner {
            inner.forget();
        }
    }

    /// The reply in a position that threats have won.
    pub(super) fn known(&self, key: u64) -> Option<Move> {
        let vcdt = self.vcdt.get(key).map(|win| win.reply);
        vcdt.or_else(|| self.inner.as_ref()?.known_reply(key))
    }

    /// The reply where VCDT wins.
    pub(super) fn reply(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Move>, Why> {
        let key = board.key(attacker);
        if self.vcdt.get(key).is_none() {
            let (_, Effort { vcdt, .. }) = EFFORTS[EFFORTS.len() - 2];
            if !self.vcdt.wins(board, attacker, vcdt, None, budget)? {
                return Ok(None);
            }
            self.vcdt.zones(board, attacker, budget)?;
        }
        Ok(self.vcdt.get(key).map(|proof| proof.reply))
    }

    /// Whether threats win, the `hints` tried first.
    pub(super) fn settle(
        &mut self,
        board: &mut Board,
        attacker: Side,
        effort: Effort,
        depth: Option<u32>,
        hints: &[Move],
        budget: &mut Budget<'_>,
    ) -> Result<Settled, Why> {
        let key = board.key(attacker);
        if self.vcdt.get(key).is_some() || self.vcdt.wins(board, attacker, effort.vcdt, depth, budget)? {
            let zones = self.vcdt.zones(board, attacker, budget)?;
            let won = |proof: &ZonedWin| Settled::Won(ZonedWin { reply: proof.reply, zones });
            return Ok(self.vcdt.get(key).map_or(Settled::Open, won));
        }
        let Some(inner) = self.inner.as_mut().filter(|_| effort.vcst > 0) else { return Ok(Settled::Open) };
        let mut part = budget.part(effort.vcst, depth);
        let won = inner.win_inside(board, attacker, hints, &mut part);
        budget.absorb(&part)?;
        Ok(match won {
            Ok(Some(proof)) => Settled::Won(proof),
            Ok(None) => Settled::NotByThreats,
            Err(_) => Settled::Open,
        })
    }
}
