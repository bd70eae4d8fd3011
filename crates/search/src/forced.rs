//! Wins by full threats together with their zones: what the searches that leave
//! the defender stones to spare stand on.

use crate::{
    Budget, Why, Zones,
    full::{FullSearch, Options},
};
use rules::{Game, Move, Side};
use rustc_hash::FxHashMap;
use threats::{Board, Defences};

/// A position that the attacker, to move, has been shown to win.
#[derive(Clone, Debug)]
pub(crate) struct Proof {
    pub(crate) reply: Move,
    pub(crate) zones: Zones,
}

/// The search for full threats, and the wins that have been noted.
pub(crate) struct Forced {
    full: FullSearch,
    proved: FxHashMap<u64, Proof>,
    /// The most wins that are remembered.
    most: usize,
    options: Options,
}

impl Forced {
    /// For boards of this game, with about this many bytes: two thirds for the
    /// table of the search, the rest for wins.
    pub(crate) fn new(game: Game, bytes: usize) -> Forced {
        Forced {
            full: FullSearch::new(game, bytes / 3 * 2),
            proved: FxHashMap::default(),
            most: bytes / 3 / Zones::empty(game).bytes().max(64),
            options: Options::default(),
        }
    }

    /// How full threats are searched.
    pub(crate) fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// What has been noted of the position with this key.
    pub(crate) fn get(&self, key: u64) -> Option<&Proof> {
        self.proved.get(&key)
    }

    /// All wins that are remembered.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &Proof)> {
        self.proved.iter().map(|(&key, proof)| (key, proof))
    }

    /// Forgets all wins.
    pub(crate) fn forget(&mut self) {
        self.proved.clear();
    }

    /// Keeps a win. When memory is used up all are forgotten; those still of use
    /// are found again.
    pub(crate) fn remember(&mut self, key: u64, proof: Proof) {
        if self.proved.len() >= self.most {
            self.proved.clear();
        }
        self.proved.insert(key, proof);
    }

    /// Whether full threats win within this many moves tried and, if it is given,
    /// with so many moves to the one that connects. Nothing is noted:
    /// zones cost more than most searches. An error when the whole budget is
    /// used up.
    pub(crate) fn wins(
        &mut self,
        board: &mut Board,
        attacker: Side,
        nodes: u64,
        depth: Option<u32>,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Why> {
        let mut part = budget.part(nodes, depth);
        let won = self.full.wins(board, attacker, self.options, &mut part);
        budget.absorb(&part)?;
        Ok(won == Ok(true))
    }

    /// Notes a win that [`Forced::wins`] has found, and all positions on the way,
    /// and returns its zones.
    pub(crate) fn note(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Zones, Why> {
        let key = board.key(attacker);
        if let Some(proof) = self.proved.get(&key) {
            return Ok(proof.zones.clone());
        }
        let defender = attacker.other();
        let mut part = budget.part(u64::MAX, None);
        let reply = self.full.reply(board, attacker, self.options, &mut part);
        budget.absorb(&part)?;
        let reply = reply?;
        reply.iter().for_each(|square| board.place(attacker, square));
        let mut zones = Zones::empty(board.game());
        let mut failure = None;
        if board.has_row(attacker) {
            zones.add_counter_segments(board, defender, 0);
        } else {
            add_base(&mut zones, board, attacker);
            let mut defences = Defences::default();
            defences.find(board, attacker);
            for defence in defences.iter() {
                defence.iter().for_each(|square| board.place(defender, square));
                match self.note(board, attacker, budget) {
                    Ok(more) => zones.union(&more),
                    Err(why) => failure = Some(why),
                }
                defence.iter().for_each(|square| board.remove(defender, square));
            }
        }
        reply.iter().for_each(|square| board.remove(attacker, square));
        if let Some(why) = failure {
            return Err(why);
        }
        zones.add_move(&reply);
        self.remember(key, Proof { reply, zones: zones.clone() });
        Ok(zones)
    }
}

/// What every zone has where the defender is to move and must meet threats: the
/// squares of the threats, and those of the segments with which the defender
/// could strike back.
pub(crate) fn add_base(zones: &mut Zones, board: &Board, attacker: Side) {
    zones.add_threats(board, attacker);
    zones.add_counter_segments(board, attacker.other(), usize::from(board.game().p()));
}
