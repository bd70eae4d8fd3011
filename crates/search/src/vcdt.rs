//! Wins by full threats (VCDT), by one search or by two in turn.

use crate::{
    Budget, Observer, Verdict, Why,
    dbs::{DbsOptions, DbsSearch, Filter, NoSuchFilter},
    dfpn_vcdt::DfpnSearch,
    full::{Defence, FullSearch, Options},
};
use rules::{Game, Move, Side};
use std::{fmt, str::FromStr};
use threats::Board;

/// How VCDT is searched. For games with other than two stones a move, always
/// plainly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Vcdt {
    /// Every move, with a table: [`FullSearch`].
    #[default]
    Plain,
    /// Dependency-based search with one filter: [`DbsSearch`]. Where F4 or F5
    /// come to their end without a win the plain search follows, so that what it
    /// finds is found; F1 to F3 miss wins.
    Filtered(Filter),
    /// Both in turn: first F4 with a small budget, then the plain search with a
    /// larger, then again with more. Whatever the plain search finds is found.
    ///
    /// On four sets of positions with wins (92 of real games that are hard, 1,669
    /// that are not, 40 of random games) both solved the same. This one tried
    /// 0.2 to 0.7 times the moves, in 0.7 to 1.2 times the processor time: it
    /// gains where there are many areas and loses where the win takes normal
    /// defences. That is not enough to make it the default.
    Mixed,
    /// Every move, by proof numbers: [`DfpnSearch`]. Where the depth is limited,
    /// plainly.
    Dfpn,
}

impl Vcdt {
    /// The name: `plain`, `f1` to `f5`, `mixed` or `dfpn`.
    pub fn name(self) -> &'static str {
        match self {
            Vcdt::Plain => "plain",
            Vcdt::Filtered(filter) => filter.name(),
            Vcdt::Mixed => "mixed",
            Vcdt::Dfpn => "dfpn",
        }
    }
}

impl fmt::Display for Vcdt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Vcdt {
    type Err = VcdtParseError;

    fn from_str(text: &str) -> Result<Vcdt, VcdtParseError> {
        match text {
            "mixed" => Ok(Vcdt::Mixed),
            "dfpn" => Ok(Vcdt::Dfpn),
            "plain" => Ok(Vcdt::Plain),
            _ => text
                .parse()
                .map(Vcdt::Filtered)
                .map_err(|_: NoSuchFilter| VcdtParseError(text.chars().take(20).collect())),
        }
    }
}

/// There is no such way to search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a way to search VCDT: expected plain, f1, f2, f3, f4, f5, mixed or dfpn")]
pub struct VcdtParseError(String);

/// The searches, with their memory.
pub(crate) struct VcdtSearch {
    full: FullSearch,
    /// None where the plain search does all.
    dbs: Option<DbsSearch>,
    /// The same.
    dfpn: Option<DfpnSearch>,
}

/// The moves that the filtered search may try in the first turn.
const FIRST_TURN: u64 = 1 << 15;

/// How many times more the plain search may try in the same turn. Its moves
/// take about half as long.
const PLAIN_SHARE: u64 = 4;

/// How much longer each turn is than the one before.
const GROWTH: u64 = 4;

impl VcdtSearch {
    pub(crate) fn new(game: Game, vcdt: Vcdt, table_bytes: usize) -> VcdtSearch {
        let dbs = match vcdt {
            Vcdt::Plain | Vcdt::Dfpn => None,
            Vcdt::Filtered(_) | Vcdt::Mixed => DbsSearch::new(game, table_bytes / 4).ok(),
        };
        let dfpn = (vcdt == Vcdt::Dfpn).then(|| DfpnSearch::new(game, table_bytes / 4 * 3));
        let plain_bytes = match (&dbs, &dfpn) {
            (None, None) => table_bytes,
            (Some(_), _) => table_bytes / 4 * 3,
            (None, Some(_)) => table_bytes / 4,
        };
        VcdtSearch { full: FullSearch::new(game, plain_bytes), dbs, dfpn }
    }

    pub(crate) fn solve(
        &mut self,
        board: &mut Board,
        attacker: Side,
        (vcdt, full, dbs): (Vcdt, Options, DbsOptions),
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Verdict {
        if let (Vcdt::Dfpn, Some(search), None) = (vcdt, &mut self.dfpn, budget.limits().depth) {
            return search.solve(board, attacker, full, budget, observer);
        }
        match (vcdt, &mut self.dbs) {
            (Vcdt::Filtered(filter), Some(search)) => {
                // The plain search does what the filter leaves, and more than
                // what the filter would fall back on: it defends normally.
                let follows = dbs.fall_back && !filter.falls_back_on().is_empty();
                let options = DbsOptions { filter, fall_back: false, ..dbs };
                match search.solve(board, attacker, options, budget, observer) {
                    Verdict::Unknown(Why::Narrowed | Why::Depth) if follows => {
                        self.full.solve(board, attacker, full, budget, observer)
                    }
                    verdict => verdict,
                }
            }
            (Vcdt::Mixed, Some(search)) => {
                let dbs = DbsOptions {
                    filter: Filter::F4,
                    defence: Defence::Conservative,
                    // The plain search does the rest.
                    fall_back: false,
                    ..dbs
                };
                let mut turns = Turns { full: (&mut self.full, full), dbs: (search, dbs), board, attacker };
                turns.take(budget, observer).unwrap_or_else(Verdict::Unknown)
            }
            _ => self.full.solve(board, attacker, full, budget, observer),
        }
    }

    /// The winning move in a position of a win that was found.
    pub(crate) fn reply(
        &mut self,
        board: &mut Board,
        attacker: Side,
        full: Options,
        budget: &mut Budget<'_>,
    ) -> Result<Move, Why> {
        self.full.reply(board, attacker, full, budget)
    }
}

struct Turns<'a> {
    full: (&'a mut FullSearch, Options),
    dbs: (&'a mut DbsSearch, DbsOptions),
    board: &'a mut Board,
    attacker: Side,
}

impl Turns<'_> {
    fn take(&mut self, budget: &mut Budget<'_>, observer: &mut dyn Observer) -> Result<Verdict, Why> {
        let depth = budget.limits().depth;
        let mut turn = FIRST_TURN;
        loop {
            let mut part = budget.part(turn, depth);
            let filtered = self.dbs.0.solve(self.board, self.attacker, self.dbs.1, &mut part, observer);
            if let Verdict::Win(_) = filtered {
                budget.absorb(&part).ok();
                return Ok(filtered);
            }
            budget.absorb(&part)?;
            // A filtered search that came to its end will not find more.
            let ended = !matches!(filtered, Verdict::Unknown(Why::Nodes));
            let mut part = budget.part(if ended { u64::MAX } else { turn * PLAIN_SHARE }, depth);
            let plain = self.full.0.solve(self.board, self.attacker, self.full.1, &mut part, observer);
            let absorbed = budget.absorb(&part);
            if ended || !matches!(plain, Verdict::Unknown(Why::Nodes)) {
                return Ok(plain);
            }
            absorbed?;
            turn = turn.saturating_mul(GROWTH);
        }
    }
}
