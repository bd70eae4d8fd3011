//! A visit to a node. An attacker's node is settled or expanded; at a defender's
//! node some of the defender's moves are settled.

use super::{
    and_node::{AndNode, Item},
    fewer_stones::FewerStones,
    lock,
    run::Run,
    tree::{EFFORTS, Effort, Id, OrNode},
    worker::Settled,
};
use crate::{Why, Zones, vcdt_zones::ZonedWin};
use lambda6_rules::{Move, stone_key};
use std::ops::ControlFlow;

/// The most moves of the defender settled in one visit. The visit ends early at
/// the first that is not settled, since the rest may not be needed.
const CHECKS: usize = 24;

impl Run<'_, '_> {
    /// Moves of the attacker left within the depth limit.
    fn depth_left(&self) -> Option<u32> {
        let played = self.path.iter().filter(|&&(_, side, _)| side == self.attacker).count() as u32;
        self.budget.limits().depth.map(|most| most.saturating_sub(played))
    }

    /// Settles an attacker's node, or generates its candidates.
    pub(super) fn expand(&mut self, key: u64, or: &mut OrNode) -> Result<(), Why> {
        if self.path.is_empty() && or.effort == 0 {
            or.effort = EFFORTS.len() as u8 - 2;
        }
        // Threats were searched when this node became a child.
        let looked = or.effort == 1 && !or.expanded;
        if !looked && let Some(&(_, effort)) = EFFORTS.get(usize::from(or.effort)) {
            match self.settled(key, or.order, effort, &mut or.hints)? {
                Settled::Won(proof) => {
                    or.win(proof);
                    return Ok(());
                }
                Settled::Open => or.effort += 1,
                Settled::NotByOrder(order) => {
                    or.effort = OrNode::NO_MORE;
                    or.expanded |= or.order <= order;
                }
            }
        }
        if or.expanded {
            return Ok(());
        }
        // The last move of a line has to make double threats.
        if self.depth_left().is_some_and(|left| left <= 1) {
            or.effort = OrNode::NO_MORE;
            or.expanded = true;
            return Ok(());
        }
        if let Some(&known) = lock(self.task.shared).hints.get(&key) {
            or.hints.insert(0, known);
        }
        let Run { worker, board, attacker, budget, .. } = self;
        or.candidates = worker.generator.candidates(board, *attacker, or.order, &or.hints, budget)?;
        or.expanded = true;
        Ok(())
    }

    /// A win that is known of an image of the position on the board, turned. It is
    /// kept as the position's own, so that there is one answer from now on.
    fn win_of_image(&self, key: u64) -> Option<ZonedWin> {
        let symmetries = self.task.symmetries;
        if symmetries.is_trivial() || self.worker.vcdt.get(key).is_some() {
            return None;
        }
        let mut shared = lock(self.task.shared);
        let known =
            self.images(self.attacker.other(), &Move::NULL).into_iter().find_map(|(turn, image)| {
                let proof = shared.zones.get(&image).or_else(|| self.worker.vcdt.get(image))?;
                Some(symmetries.turn_proof(symmetries.inverse(turn), proof))
            })?;
        shared.keep(key, &known);
        Some(known)
    }

    /// The win in the position on the board, if it is known or threats win. Moves that
    /// are worth a try are added to the `hints`.
    fn settled(
        &mut self,
        key: u64,
        order: u8,
        effort: Effort,
        hints: &mut Vec<Move>,
    ) -> Result<Settled, Why> {
        debug_assert_eq!(key, self.board.key(self.attacker));
        let hint = {
            let shared = lock(self.task.shared);
            if let Some(proof) = shared.zones.get(&key) {
                return Ok(Settled::Won(proof.clone()));
            }
            shared.hints.get(&key).copied()
        };
        if let Some(proof) = self.win_of_image(key) {
            return Ok(Settled::Won(proof));
        }
        let removable = self.removable();
        let without = match self.fewer_stones(key, &removable) {
            FewerStones::Won(proof) => {
                lock(self.task.shared).keep(key, &proof);
                return Ok(Settled::Won(proof));
            }
            FewerStones::Hints(hints) => hints,
        };
        let effort = if order == 1 { Effort { vcst: 0, ..effort } } else { effort };
        let depth = self.depth_left();
        let mut first: Vec<Move> = hint.into_iter().chain(without).collect();
        first.retain(|mv| !hints.contains(mv));
        hints.splice(0..0, first);
        let Run { worker, board, attacker, budget, .. } = self;
        let settled = worker.settle(board, *attacker, effort, depth, (hints, &removable), budget)?;
        if let Settled::Won(proof) = &settled
            && self.worker.vcdt.get(key).is_none()
        {
            // Share the win with the other threads.
            lock(self.task.shared).keep(key, proof);
        }
        Ok(settled)
    }

    /// Settles some of the defender's moves.
    pub(super) fn open(&mut self, id: Id, key: u64, and: &mut AndNode) -> Result<(), Why> {
        let attacker = self.attacker;
        and.begin(&self.board, attacker, self.worker.method);
        self.worker.generator.disturbs_anew();
        self.absorb_won_kids(and);
        for _ in 0..CHECKS {
            let Some(item) = and.next() else { break };
            if self.check(id, key, and, item)?.is_break() {
                break;
            }
        }
        and.settle();
        Ok(())
    }

    /// Answers the questions whose children have been won, and suggests the
    /// replies to the other children.
    fn absorb_won_kids(&mut self, and: &mut AndNode) {
        let symmetries = self.task.symmetries;
        let won: Vec<(Item, ZonedWin)> = {
            let shared = lock(self.task.shared);
            let won = and.won_kids(&shared.tree);
            won.filter_map(|(item, kid, turn)| {
                let win = shared.tree.proof(kid)?;
                Some((item, symmetries.turn_proof(symmetries.inverse(turn), win)))
            })
            .collect()
        };
        for (item, ZonedWin { reply, zones }) in won {
            self.refuted(and, &item, reply, &zones);
            let mut shared = lock(self.task.shared);
            for (kid, turn, set) in and.open_kids() {
                let turned = symmetries.turn_move(turn, &reply);
                if !reply.iter().any(|square| set.contains(square)) && shared.tree.suggest(kid, turned) {
                    shared.update(kid);
                }
            }
        }
    }

    /// Answers a question.
    fn refuted(&mut self, and: &mut AndNode, item: &Item, reply: Move, zones: &Zones) {
        let Run { worker, board, attacker, .. } = self;
        let rank = &mut |square| worker.generator.disturbs(board, *attacker, square);
        and.refuted(item, reply, zones, board, rank);
    }

    /// Looks at one question of the defender's walk: answers it, or makes it a
    /// child. Breaks where the visit is to end.
    fn check(&mut self, id: Id, key: u64, and: &mut AndNode, item: Item) -> Result<ControlFlow<()>, Why> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        let key = item.set.iter().fold(key, |key, square| key ^ stone_key(defender, square));
        let (least, turn) = self.least(key, defender, &item.set);
        if turn != 0
            && let Some(kid) = lock(self.task.shared).tree.open_or(least, item.order, id)
        {
            // An image of this position was examined before and is a child of
            // some node.
            and.add_kid(&item, kid, turn);
            return Ok(ControlFlow::Continue(()));
        }
        let effort = match item.order {
            1 => Effort { vcdt: self.worker.pass_nodes(and.effort).unwrap_or(u64::MAX), vcst: 0 },
            _ => self.worker.generator.priors().first_look,
        };
        let mut hints = and.replies.clone();
        let (settled, leaf) = self.with_move(defender, &item.set, |run| {
            let settled = run.settled(key, item.order, effort, &mut hints);
            let leaf = match settled {
                Ok(Settled::NotByOrder(order)) if order >= item.order => 0,
                Ok(Settled::Open | Settled::NotByOrder(_)) => run.worker.generator.leaf(&run.board, attacker),
                _ => 0,
            };
            (settled, leaf)
        });
        match settled {
            Ok(Settled::Won(ZonedWin { reply, zones })) => {
                self.refuted(and, &item, reply, &zones);
                return Ok(ControlFlow::Continue(()));
            }
            Ok(Settled::NotByOrder(order)) if order >= item.order => and.lose(),
            Ok(_) if item.order == 1 => {
                and.effort += 1;
                if self.worker.pass_nodes(and.effort).is_none() {
                    and.lose();
                } else {
                    and.put_back(item);
                }
            }
            Ok(_) => {
                let symmetries = self.task.symmetries;
                let hints: Vec<Move> = hints.iter().map(|reply| symmetries.turn_move(turn, reply)).collect();
                let effort = if let Ok(Settled::NotByOrder(_)) = settled { OrNode::NO_MORE } else { 1 };
                let kid = lock(self.task.shared).tree.kid(least, item.order, id, leaf, effort, &hints);
                and.add_kid(&item, kid, turn);
            }
            Err(why) => {
                and.put_back(item);
                return Err(why);
            }
        }
        Ok(ControlFlow::Break(()))
    }
}
