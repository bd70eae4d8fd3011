//! The evaluation of a position with the attacker to move: a threat-space
//! search with conservative defences and a small budget. It settles what can be
//! settled by full threats, which is most of what matters, and takes no memory
//! of the tree.

use super::arena::State;
use crate::{
    Budget, Why, Zones,
    full::{Defence, FullSearch, Options},
    strategy,
};
use rules::{Game, Move, Side};
use rustc_hash::FxHashMap;
use threats::{Board, Defences, ThreatCount, defence};

/// Searches that were won once are won again with little; this is to notice
/// when the table has forgotten too much.
const REPLY_EFFORT: u64 = 200_000;

/// Threat-space search as the trees use it.
pub(crate) struct Evaluator {
    full: FullSearch,
    options: Options,
    /// Moves tried at most in one position.
    effort: u64,
    /// Zones of positions won by full threats.
    zones: FxHashMap<u64, Zones>,
    most_zones: usize,
}

impl Evaluator {
    pub(crate) fn new(game: Game, effort: u64, table_bytes: usize) -> Evaluator {
        let most_zones = table_bytes / 4 / (Zones::empty(game).bytes() + 16);
        Evaluator {
            full: FullSearch::new(game, table_bytes / 4 * 3),
            options: Options { defence: Defence::Conservative, ..Options::default() },
            effort,
            zones: FxHashMap::default(),
            most_zones,
        }
    }

    /// Whether `attacker`, to move, is seen to win. An error ends the search.
    fn wins(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<bool, Why> {
        if self.effort == 0 {
            return Ok(board.has_threat(attacker));
        }
        let mut part = budget.part(self.effort, None);
        let won = self.full.wins(board, attacker, self.options, &mut part);
        budget.absorb(&part)?;
        Ok(won == Ok(true))
    }

    /// What a position is with `attacker` to move.
    pub(crate) fn assess_or(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<State, Why> {
        if board.has_threat(attacker) {
            return Ok(State::Row);
        }
        // A threat of the defender's that cannot be met in one move stays.
        if board.empty_count() < usize::from(board.game().p())
            || defence::count(board, attacker.other()) == ThreatCount::More
        {
            return Ok(State::Lost);
        }
        Ok(if self.wins(board, attacker, budget)? { State::Threats } else { State::Open })
    }

    /// The winning move in a position that was won so or that follows from one;
    /// `None` if it is not found again.
    pub(crate) fn reply(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Move>, Why> {
        if board.has_threat(attacker) {
            return Ok(Some(connecting(board, attacker)));
        }
        for options in [self.options, Options::default()] {
            let mut part = budget.part(REPLY_EFFORT, None);
            let won = self.full.wins(board, attacker, options, &mut part);
            let reply = match won {
                Ok(true) => self.full.reply(board, attacker, options, &mut part).ok(),
                _ => None,
            };
            budget.absorb(&part)?;
            if reply.is_some() {
                return Ok(reply);
            }
        }
        Ok(None)
    }

    /// The zones of a position won by full threats: the same rules as the
    /// checker's. Where a reply is not found again, every square is in.
    pub(crate) fn zones(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Zones, Why> {
        let key = board.key(attacker);
        if let Some(zones) = self.zones.get(&key) {
            return Ok(zones.clone());
        }
        let Some(reply) = self.reply(board, attacker, budget)? else {
            return Ok(everywhere(board.game()));
        };
        reply.iter().for_each(|square| board.place(attacker, square));
        let zones = self.after(board, attacker, budget);
        reply.iter().for_each(|square| board.remove(attacker, square));
        let mut zones = zones?;
        zones.add_move(&reply);
        if self.zones.len() >= self.most_zones {
            self.zones.clear();
        }
        self.zones.insert(key, zones.clone());
        Ok(zones)
    }

    fn after(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<Zones, Why> {
        if board.has_row(attacker) {
            return Ok(of_row(board, attacker));
        }
        let defender = attacker.other();
        let mut zones = of_threats(board, attacker);
        let mut defences = Defences::default();
        defences.find(board, attacker);
        for defence in defences.iter() {
            defence.iter().for_each(|square| board.place(defender, square));
            let more = self.zones(board, attacker, budget);
            defence.iter().for_each(|square| board.remove(defender, square));
            zones.union(&more?);
        }
        Ok(zones)
    }
}

/// The proof number of replies that have not been found out yet, for each spare
/// stone. There are dozens, most of which are met alike. Where it is small, single
/// threats look as good as double ones and are tried too much.
pub(crate) const REST_OF_REPLIES: u32 = 30;

/// What a position is with the defender to move, and a first guess of how many
/// positions have to be proved: the defences and the spare stones.
pub(crate) fn assess_and(board: &Board, attacker: Side) -> (State, u32) {
    let p = board.game().p();
    if board.has_threat(attacker.other()) || board.empty_count() < usize::from(p) {
        return (State::Lost, 0);
    }
    let mut defences = Defences::default();
    defences.find(board, attacker);
    match defences.count() {
        ThreatCount::More => (State::Overwhelming, 0),
        ThreatCount::Exactly(threats) => {
            let spare = u32::from(p - threats);
            (State::Open, defences.iter().len().max(1) as u32 + spare * REST_OF_REPLIES)
        }
    }
}

/// The zones of a board on which the attacker has just connected.
pub(crate) fn of_row(board: &Board, attacker: Side) -> Zones {
    let mut zones = Zones::empty(board.game());
    zones.add_counter_segments(board, attacker.other(), 0);
    zones
}

/// What every zone has where the defender is to move and must meet threats.
pub(crate) fn of_threats(board: &Board, attacker: Side) -> Zones {
    let mut zones = Zones::empty(board.game());
    zones.add_threats(board, attacker);
    zones.add_counter_segments(board, attacker.other(), usize::from(board.game().p()));
    zones
}

/// Every square in every zone: true of any win.
fn everywhere(game: Game) -> Zones {
    let mut zones = Zones::empty(game);
    zones.union_shifted(&Zones::empty(game), usize::MAX / 2);
    zones
}

/// The stones that complete a row of a side that has a threat.
pub(crate) fn connecting(board: &Board, attacker: Side) -> Move {
    strategy::connecting(board, attacker).unwrap_or(Move::NULL)
}
