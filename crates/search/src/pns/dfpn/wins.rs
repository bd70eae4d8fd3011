//! What df-pn knows of its wins: their zones, and the replies of a certificate. A
//! win that has been forgotten is searched again.

use super::{DfpnSearch, NO_THRESHOLD, Proof};
use crate::{Why, Zones, tree::replies};
use rules::{Move, stone_key};
use std::sync::Arc;
use threats::Board;

impl DfpnSearch<'_, '_> {
    pub(super) fn needed(&mut self, board: &mut Board, with_zones: bool) -> Result<replies::Needed, Why> {
        let attacker = self.attacker;
        let base = board.key(attacker);
        replies::needed(board, attacker, with_zones, &mut Known { search: self, base })
    }

    /// The zones of a win, which is searched again if it has been forgotten.
    fn zones(&mut self, board: &mut Board) -> Result<Arc<Zones>, Why> {
        let key = board.key(self.attacker);
        if !self.proofs.contains_key(&key)
            && self.settle(board)?.is_none()
            && self.or(board, NO_THRESHOLD, 0)?.0 != 0
        {
            return Err(Why::Narrowed);
        }
        let Some(proof) = self.proofs.get(&key) else { return Err(Why::Narrowed) };
        if let Some(zones) = &proof.zones {
            return Ok(Arc::clone(zones));
        }
        let zones = match proof.reply {
            None => self.evaluator.zones(board, self.attacker, self.budget)?,
            Some(reply) => {
                let attacker = self.attacker;
                reply.iter().for_each(|square| board.place(attacker, square));
                let zones = self.zones_and(board);
                reply.iter().for_each(|square| board.remove(attacker, square));
                let mut zones = zones?;
                zones.add_move(&reply);
                zones
            }
        };
        let zones = Arc::new(zones);
        if let Some(proof) = self.proofs.get_mut(&key) {
            proof.zones = Some(Arc::clone(&zones));
        }
        Ok(zones)
    }

    fn zones_and(&mut self, board: &mut Board) -> Result<Zones, Why> {
        loop {
            let needed = self.needed(board, true)?;
            if needed.moves.is_empty() {
                return Ok(needed.zones);
            }
            for mv in needed.moves {
                if self.after(board, mv, NO_THRESHOLD, 0)?.0 != 0 {
                    return Err(Why::Narrowed);
                }
            }
        }
    }

    /// The reply that a certificate asks for: a known one, or one found now.
    pub(in crate::pns) fn reply(&mut self, board: &mut Board) -> Result<Move, Why> {
        self.budget.interrupted()?;
        let key = board.key(self.attacker);
        if !self.proofs.contains_key(&key) {
            // Most of what is not here was settled by an evaluation above.
            if let Some(reply) = self.evaluator.reply(board, self.attacker, self.budget)? {
                return Ok(reply);
            }
            if self.settle(board)?.is_none() {
                self.or(board, NO_THRESHOLD, 0)?;
            }
        }
        match self.proofs.get(&key) {
            Some(Proof { reply: Some(reply), .. }) => Ok(*reply),
            Some(_) => self.evaluator.reply(board, self.attacker, self.budget)?.ok_or(Why::Narrowed),
            None => Err(Why::Narrowed),
        }
    }
}

/// The answers that are known.
struct Known<'g, 's, 'b> {
    search: &'g mut DfpnSearch<'s, 'b>,
    /// The key of the position with the attacker to move.
    base: u64,
}

impl replies::Answers for Known<'_, '_, '_> {
    fn is_won(&mut self, defence: &Move) -> bool {
        let defender = self.search.attacker.other();
        let key = defence.iter().fold(self.base, |key, square| key ^ stone_key(defender, square));
        self.search.proofs.contains_key(&key)
    }

    fn zones(&mut self, board: &mut Board, defence: &Move) -> Result<Arc<Zones>, Why> {
        let defender = self.search.attacker.other();
        defence.iter().for_each(|square| board.place(defender, square));
        let zones = self.search.zones(board);
        defence.iter().for_each(|square| board.remove(defender, square));
        zones
    }
}
