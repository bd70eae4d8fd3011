//! The evaluation of positions: a VCDT search with conservative defences and a
//! small budget. It settles most of what matters, and takes no memory of the
//! tree.

use super::arena::State;
use lambda6_rules::{Game, Move, Side};
use lambda6_search::{
    Budget, Why, Zones, connecting,
    vcdt::{Defence, VcdtOptions},
    vcdt_zones::{ZonedVcdt, ZonedWin, zones_after},
};
use lambda6_threats::{Board, Defences, Play, ThreatCount, defence};

/// Searches that were won once are won again with little; this is to notice
/// when the table has forgotten too much.
const REPLY_EFFORT: u64 = 200_000;

/// VCDT search as the trees use it.
pub(crate) struct Evaluator {
    vcdt: ZonedVcdt,
    /// Moves tried at most in one position.
    effort: u64,
}

fn conservative() -> VcdtOptions {
    VcdtOptions { defence: Defence::Conservative, ..VcdtOptions::default() }
}

impl Evaluator {
    pub(crate) fn new(game: Game, effort: u64, table_bytes: usize) -> Evaluator {
        Evaluator { vcdt: ZonedVcdt::new(game, conservative(), table_bytes), effort }
    }

    /// What a position is with `attacker` to move. An error ends the search.
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
        let won = self.effort > 0 && self.vcdt.wins(board, attacker, self.effort, None, budget)?;
        Ok(if won { State::Threats } else { State::Open })
    }

    /// The winning move in a position that was won so or that follows from one;
    /// `None` if it is not found again.
    pub(crate) fn reply(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Move>, Why> {
        if let Some(row) = connecting(board, attacker) {
            return Ok(Some(row));
        }
        let mut reply = None;
        for options in [conservative(), VcdtOptions::default()] {
            self.vcdt.set_options(options);
            let found = self.vcdt.wins(board, attacker, REPLY_EFFORT, None, budget);
            if found == Ok(true) {
                reply = Some(self.vcdt.reply(board, attacker, budget));
            }
            self.vcdt.set_options(conservative());
            if found? {
                break;
            }
        }
        reply.transpose()
    }

    /// The zones of a position won by VCDT: the same rules as the checker's.
    /// Where a reply is not found again, every square is in.
    pub(crate) fn zones(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Zones, Why> {
        let key = board.key(attacker);
        if let Some(win) = self.vcdt.get(key) {
            return Ok(win.zones.clone());
        }
        let Some(reply) = self.reply(board, attacker, budget)? else {
            return Ok(Zones::all(board.game()));
        };
        let mut zones = board.play(attacker, reply, |board| {
            zones_after(board, attacker, &mut |board| self.zones(board, attacker, budget))
        })?;
        zones.add_move(&reply);
        self.vcdt.remember(key, ZonedWin { reply, zones: zones.clone() });
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
