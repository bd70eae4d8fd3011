//! What df-pn knows of its wins: their zones, and the replies of a certificate. A
//! win that has been forgotten is searched again.

use super::{KnownWin, Run};
use crate::{
    numbers::Numbers,
    tree::{KnownAnswers, needed},
};
use lambda6_rules::{Move, stone_key};
use lambda6_search::{Why, Zones};
use lambda6_threats::{Board, Play};
use std::sync::Arc;

impl Run<'_, '_, '_> {
    /// The zones of a win, which is searched again if it has been forgotten.
    fn zones(&mut self) -> Result<Arc<Zones>, Why> {
        let key = self.board.key(self.attacker);
        if !self.search.wins.contains_key(&key) && self.search_or(Numbers::NO_BOUNDS, 0)?.proof != 0 {
            return Err(Why::Narrowed);
        }
        let Some(win) = self.search.wins.get(&key) else { return Err(Why::Narrowed) };
        if let Some(zones) = &win.zones {
            return Ok(Arc::clone(zones));
        }
        let zones = match win.reply {
            None => self.search.tools.evaluator.zones(self.board, self.attacker, self.budget)?,
            Some(reply) => {
                let mut zones = self.play(self.attacker, reply, |run| run.zones_of_defences())?;
                zones.add_move(&reply);
                zones
            }
        };
        let zones = Arc::new(zones);
        if let Some(win) = self.search.wins.get_mut(&key) {
            win.zones = Some(Arc::clone(&zones));
        }
        Ok(zones)
    }

    /// The zones of a win with the defender to move.
    fn zones_of_defences(&mut self) -> Result<Zones, Why> {
        loop {
            let found = needed(self.attacker, true, self)?;
            if found.moves.is_empty() {
                return Ok(found.zones);
            }
            for mv in found.moves {
                if self.after(mv, Numbers::NO_BOUNDS, 0)?.proof != 0 {
                    return Err(Why::Narrowed);
                }
            }
        }
    }

    /// The reply that a certificate asks for: a known one, or one found now.
    pub(super) fn reply_here(&mut self) -> Result<Move, Why> {
        let key = self.board.key(self.attacker);
        if !self.search.wins.contains_key(&key) {
            // Most of what is not here was settled by an evaluation above.
            if let Some(reply) = self.evaluated_reply()? {
                return Ok(reply);
            }
            self.search_or(Numbers::NO_BOUNDS, 0)?;
        }
        match self.search.wins.get(&key) {
            Some(KnownWin { reply: Some(reply), .. }) => Ok(*reply),
            Some(_) => self.evaluated_reply()?.ok_or(Why::Narrowed),
            None => Err(Why::Narrowed),
        }
    }

    fn evaluated_reply(&mut self) -> Result<Option<Move>, Why> {
        self.search.tools.evaluator.reply(self.board, self.attacker, self.budget)
    }
}

impl KnownAnswers for Run<'_, '_, '_> {
    fn board(&self) -> &Board {
        self.board
    }

    fn is_won(&mut self, stones: &Move) -> bool {
        let defender = self.attacker.other();
        let stones = stones.iter().map(|square| stone_key(defender, square));
        let key = stones.fold(self.board.key(self.attacker), |key, stone| key ^ stone);
        self.search.wins.contains_key(&key)
    }

    fn zones(&mut self, stones: &Move) -> Result<Arc<Zones>, Why> {
        self.play(self.attacker.other(), stones, Run::zones)
    }
}
