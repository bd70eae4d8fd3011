//! The searches of one thread: VCDT, VCST, and the generator of candidates for
//! positions that neither wins.
//!
//! Where moves without a threat are allowed, most of the defender's moves still
//! lose to VCST. The tree would have to assemble such a win among all candidates
//! without a threat, on every level. An inner search for VCST alone finds it
//! directly or reports that there is none.

use super::{
    LambdaOptions, LambdaSearch,
    attacker_moves::AttackerMoves,
    tree::{EFFORTS, Effort},
    width::Width,
};
use crate::{
    Budget, Method, Why,
    vcdt::VcdtOptions,
    vcdt_zones::{VcdtOutcome, ZonedVcdt, ZonedWin},
};
use lambda6_rules::{Game, Move, Side, Square};
use lambda6_threats::Board;

/// The state of one thread.
pub(super) struct Worker {
    pub(super) vcdt: ZonedVcdt,
    pub(super) generator: AttackerMoves,
    pub(super) method: Method,
    /// For moves that make a threat (p = 1: that threaten to make one), where the search
    /// itself allows more.
    inner: Option<Box<LambdaSearch>>,
    width: Width,
}

/// The result of a search for threats.
pub(super) enum Settled {
    Won(ZonedWin),
    /// The search was interrupted.
    Open,
    /// All moves of this order were tried, and do not win.
    NotByOrder(u8),
}

/// The order of the inner search: that of moves which make a threat, and at least 2,
/// since VCDT has a search of its own.
fn inner_order(game: Game) -> u8 {
    game.p().max(2)
}

impl Worker {
    pub(super) fn new(
        game: Game,
        LambdaOptions { order, method, .. }: LambdaOptions,
        bytes: usize,
    ) -> Worker {
        let inside = LambdaOptions { order: inner_order(game), method, threads: 1, exhaustive: false };
        let inner = (order > inside.order).then(|| Box::new(LambdaSearch::new(game, inside, bytes / 2)));
        let bytes = if inner.is_some() { bytes / 2 } else { bytes };
        Worker {
            vcdt: ZonedVcdt::new(game, VcdtOptions::default(), bytes),
            generator: AttackerMoves::new(game, order),
            method,
            inner,
            width: Width::narrow(game),
        }
    }

    /// Sets how many moves are tried.
    pub(super) fn set_width(&mut self, width: Width) {
        if width == self.width {
            return;
        }
        self.width = width;
        self.vcdt.set_options(VcdtOptions { partners: width.partners, ..VcdtOptions::default() });
        self.generator.set_width(width);
        if let Some(inner) = &mut self.inner {
            inner.workers.iter_mut().for_each(|worker| worker.set_width(width));
        }
    }

    /// Moves of the attacker tried when the defender passes, after so many failures.
    pub(super) fn pass_nodes(&self, failures: u8) -> Option<u64> {
        self.width.pass_nodes.get(usize::from(failures)).copied()
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

    /// The win of a position that threats have won.
    pub(super) fn zoned(&self, key: u64) -> Option<ZonedWin> {
        let vcdt = self.vcdt.get(key).cloned();
        vcdt.or_else(|| self.inner.as_ref()?.known_win(key))
    }

    /// Whether threats win, the `hints` tried first. Wins of positions without one of
    /// the `removable` stones of the defender are looked up.
    pub(super) fn settle(
        &mut self,
        board: &mut Board,
        attacker: Side,
        effort: Effort,
        depth: Option<u32>,
        (hints, removable): (&[Move], &[Square]),
        budget: &mut Budget<'_>,
    ) -> Result<Settled, Why> {
        let key = board.key(attacker);
        let vcdt = match self.vcdt.get(key) {
            Some(_) => VcdtOutcome::Won,
            None => self.vcdt.look(board, attacker, effort.vcdt, depth, budget)?,
        };
        if vcdt == VcdtOutcome::Won {
            let zones = self.vcdt.zones(board, attacker, budget)?;
            let won = |proof: &ZonedWin| Settled::Won(ZonedWin { reply: proof.reply, zones });
            return Ok(self.vcdt.get(key).map_or(Settled::Open, won));
        }
        let Some(inner) = self.inner.as_mut().filter(|_| effort.vcst > 0) else {
            return Ok(if vcdt == VcdtOutcome::Refuted { Settled::NotByOrder(1) } else { Settled::Open });
        };
        let mut part = budget.part(effort.vcst, depth);
        let won = inner.win_inside(board, attacker, hints, removable, &mut part);
        budget.absorb(&part)?;
        Ok(match won {
            Ok(Some(proof)) => Settled::Won(proof),
            Ok(None) => Settled::NotByOrder(inner.options.order),
            Err(_) => Settled::Open,
        })
    }
}
