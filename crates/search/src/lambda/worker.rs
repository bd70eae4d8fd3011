//! What a thread searches with: full threats, single threats, and the moves that
//! are tried where these do not win.
//!
//! Where moves without a threat are allowed, most of the defender's moves still
//! lose to single threats. In the tree such a win has to be put together among all
//! the moves without a threat that are candidates too, on every level; a search of
//! its own for single threats finds it at once, or says that there is none. Before
//! there was one, the third move of TX-H8 was not settled after 202 million moves;
//! with it, 20 million do.

use super::{
    LambdaOptions, LambdaSearch,
    attack::Generator,
    tree::{EFFORTS, Effort},
};
use crate::{
    Budget, Method, Why,
    forced::{Forced, Proof},
};
use rules::{Game, Move, Side};
use threats::Board;

/// What a thread has to itself.
pub(super) struct Worker {
    pub(super) forced: Forced,
    pub(super) generator: Generator,
    pub(super) method: Method,
    /// For single threats, where the search itself allows more.
    inner: Option<Box<LambdaSearch>>,
}

/// What is known of a position with the attacker to move.
pub(super) enum Settled {
    Won(Proof),
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
        Worker { forced: Forced::new(game, bytes), generator: Generator::new(game, order), method, inner }
    }

    pub(super) fn forget(&mut self) {
        self.forced.forget();
        if let Some(inner) = &mut self.inner {
            inner.forget();
        }
    }

    /// The reply in a position that threats have won.
    pub(super) fn known(&self, key: u64) -> Option<Move> {
        let full = self.forced.get(key).map(|proof| proof.reply);
        full.or_else(|| self.inner.as_ref()?.known_reply(key))
    }

    /// The reply where full threats win.
    pub(super) fn reply(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Move>, Why> {
        let key = board.key(attacker);
        if self.forced.get(key).is_none() {
            let (_, Effort { full, .. }) = EFFORTS[EFFORTS.len() - 2];
            if !self.forced.wins(board, attacker, full, None, budget)? {
                return Ok(None);
            }
            self.forced.note(board, attacker, budget)?;
        }
        Ok(self.forced.get(key).map(|proof| proof.reply))
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
        if self.forced.get(key).is_some() || self.forced.wins(board, attacker, effort.full, depth, budget)? {
            let zones = self.forced.note(board, attacker, budget)?;
            let won = |proof: &Proof| Settled::Won(Proof { reply: proof.reply, zones });
            return Ok(self.forced.get(key).map_or(Settled::Open, won));
        }
        let Some(inner) = self.inner.as_mut().filter(|_| effort.single > 0) else { return Ok(Settled::Open) };
        let mut part = budget.part(effort.single, depth);
        let won = inner.win_inside(board, attacker, hints, &mut part);
        budget.absorb(&part)?;
        Ok(match won {
            Ok(Some(proof)) => Settled::Won(proof),
            Ok(None) => Settled::NotByThreats,
            Err(_) => Settled::Open,
        })
    }
}
