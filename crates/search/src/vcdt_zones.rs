//! VCDT wins with their zones. The searches that leave the defender spare
//! stones are built on these wins.

use crate::{
    Budget, Why, Zones,
    vcdt::{VcdtOptions, VcdtSearch},
};
use lambda6_rules::{Game, Move, Side};
use lambda6_threats::{Board, Defences, Play};
use rustc_hash::FxHashMap;

/// A win of the attacker, to move, as a search found it: the move and the zones
/// of the win. It is not checked.
#[derive(Clone, Debug)]
pub struct ZonedWin {
    /// The winning move.
    pub reply: Move,
    /// The zones of the whole win.
    pub zones: Zones,
}

/// What a search for VCDT within so many moves found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VcdtOutcome {
    /// VCDT wins.
    Won,
    /// Every move that the options allow was tried: more moves change nothing.
    Refuted,
    /// The moves or the depth ran out.
    Open,
}

/// A VCDT search that remembers its wins with their zones.
pub struct ZonedVcdt {
    vcdt: VcdtSearch,
    wins: FxHashMap<u64, ZonedWin>,
    most_wins: usize,
    options: VcdtOptions,
}

impl ZonedVcdt {
    /// A search for boards of this game, with about this many bytes: two thirds
    /// for the table of the search, the rest for wins.
    pub fn new(game: Game, options: VcdtOptions, bytes: usize) -> ZonedVcdt {
        ZonedVcdt {
            vcdt: VcdtSearch::new(game, bytes / 3 * 2),
            wins: FxHashMap::default(),
            most_wins: bytes / 3 / Zones::empty(game).bytes().max(64),
            options,
        }
    }

    /// Sets how VCDT is searched.
    pub fn set_options(&mut self, options: VcdtOptions) {
        self.options = options;
    }

    /// The win that is remembered of the position with this key.
    pub fn get(&self, key: u64) -> Option<&ZonedWin> {
        self.wins.get(&key)
    }

    /// Forgets all wins.
    pub fn forget(&mut self) {
        self.wins.clear();
    }

    /// Remembers a win. When memory is used up all are forgotten; those still of
    /// use are found again.
    pub fn remember(&mut self, key: u64, win: ZonedWin) {
        if self.wins.len() >= self.most_wins {
            self.wins.clear();
        }
        self.wins.insert(key, win);
    }

    /// Whether VCDT wins within this many moves tried and, if it is given, within
    /// this depth. The win is not remembered yet: computing zones costs more than
    /// most searches. An error when the whole budget is used up.
    pub fn wins(
        &mut self,
        board: &mut Board,
        attacker: Side,
        nodes: u64,
        depth: Option<u32>,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Why> {
        Ok(self.look(board, attacker, nodes, depth, budget)? == VcdtOutcome::Won)
    }

    /// The same, with the difference between a search that tried all moves and one
    /// that ran out of them.
    pub fn look(
        &mut self,
        board: &mut Board,
        attacker: Side,
        nodes: u64,
        depth: Option<u32>,
        budget: &mut Budget<'_>,
    ) -> Result<VcdtOutcome, Why> {
        let mut part = budget.part(nodes, depth);
        let won = self.vcdt.wins(board, attacker, self.options, &mut part);
        budget.absorb(&part)?;
        Ok(match won {
            Ok(true) => VcdtOutcome::Won,
            Ok(false) if depth.is_none() => VcdtOutcome::Refuted,
            Ok(false) | Err(_) => VcdtOutcome::Open,
        })
    }

    /// The zones of a win that [`ZonedVcdt::wins`] has found. The win and all
    /// positions on the way are remembered.
    pub fn zones(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Zones, Why> {
        let key = board.key(attacker);
        if let Some(win) = self.wins.get(&key) {
            return Ok(win.zones.clone());
        }
        let reply = self.reply(board, attacker, budget)?;
        let mut zones = board.play(attacker, reply, |board| {
            zones_after(board, attacker, &mut |board| self.zones(board, attacker, budget))
        })?;
        zones.add_move(&reply);
        self.remember(key, ZonedWin { reply, zones: zones.clone() });
        Ok(zones)
    }

    /// The winning move in a position that [`ZonedVcdt::wins`] has won; what has
    /// been forgotten is searched again.
    pub fn reply(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<Move, Why> {
        let mut part = budget.part(u64::MAX, None);
        let reply = self.vcdt.reply(board, attacker, self.options, &mut part);
        budget.absorb(&part)?;
        reply
    }
}

/// The zones of a win by VCDT after a move of the attacker. `zones_of` tells the
/// zones of the win after each critical defence.
pub fn zones_after(
    board: &mut Board,
    attacker: Side,
    zones_of: &mut dyn FnMut(&mut Board) -> Result<Zones, Why>,
) -> Result<Zones, Why> {
    if board.has_row(attacker) {
        return Ok(Zones::of_row(board, attacker));
    }
    let mut zones = Zones::of_threats(board, attacker);
    let mut defences = Defences::default();
    defences.find(board, attacker);
    for defence in defences.iter() {
        zones.union(&board.play(attacker.other(), defence, &mut *zones_of)?);
    }
    Ok(zones)
}
