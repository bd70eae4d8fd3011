//! Searches for VCDT by their names: one search, or two in turn.

use crate::{
    VcdtDfpn,
    dbs::{DbsOptions, DbsSearch, Filter, NoSuchFilter},
};
use lambda6_rules::{Game, Move, Side};
use lambda6_search::{
    Budget, Observer, Why, WinSearch,
    vcdt::{Defence, VcdtOptions, VcdtSolver},
};
use lambda6_threats::Board;
use std::{fmt, str::FromStr};

/// How VCDT is searched. For games with other than two stones a move, always
/// plainly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum VcdtVariant {
    /// Every move, with a table: [`VcdtSolver`].
    #[default]
    Plain,
    /// Dependency-based search with one filter: [`DbsSearch`]. Where F4 or F5
    /// come to their end without a win the plain search follows, so that what it
    /// finds is found; F1 to F3 miss wins.
    Filtered(Filter),
    /// Both in turn: first F4 with a small budget, then the plain search with a
    /// larger, then again with more. Whatever the plain search finds is found. It
    /// gains where there are many areas and loses where the win takes normal
    /// defences.
    Mixed,
    /// Every move, by proof numbers: [`VcdtDfpn`]. Where the depth is limited,
    /// plainly.
    Dfpn,
}

impl VcdtVariant {
    /// The name: `plain`, `f1` to `f5`, `mixed` or `dfpn`.
    pub fn name(self) -> &'static str {
        match self {
            VcdtVariant::Plain => "plain",
            VcdtVariant::Filtered(filter) => filter.name(),
            VcdtVariant::Mixed => "mixed",
            VcdtVariant::Dfpn => "dfpn",
        }
    }
}

impl fmt::Display for VcdtVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for VcdtVariant {
    type Err = VcdtVariantParseError;

    fn from_str(text: &str) -> Result<VcdtVariant, VcdtVariantParseError> {
        match text {
            "mixed" => Ok(VcdtVariant::Mixed),
            "dfpn" => Ok(VcdtVariant::Dfpn),
            "plain" => Ok(VcdtVariant::Plain),
            _ => text
                .parse()
                .map(VcdtVariant::Filtered)
                .map_err(|_: NoSuchFilter| VcdtVariantParseError(text.chars().take(20).collect())),
        }
    }
}

/// There is no such way to search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a way to search VCDT: expected plain, f1, f2, f3, f4, f5, mixed or dfpn")]
pub struct VcdtVariantParseError(String);

/// The searches of a variant, with their memory.
pub(crate) struct VariantSearch {
    plain: VcdtSolver,
    /// Where the plain search does not do all, the other.
    other: Option<Other>,
    /// Whether the other search found the win.
    by_other: bool,
}

enum Other {
    /// Dependency-based search.
    Dbs {
        search: Box<DbsSearch>,
        /// When the plain search has its turn.
        then: Then,
    },
    Dfpn(Box<VcdtDfpn>),
}

/// When the plain search has its turn beside the filtered one.
#[derive(Clone, Copy)]
enum Then {
    Never,
    /// When the filtered search has come to its end.
    AtTheEnd,
    /// By turns.
    InTurn,
}

/// The moves that the filtered search may try in the first turn.
const FIRST_TURN: u64 = 1 << 15;

/// How many times more the plain search may try in the same turn. Its moves
/// take about half as long.
const PLAIN_SHARE: u64 = 4;

/// How much longer each turn is than the one before.
const GROWTH: u64 = 4;

impl VariantSearch {
    pub(crate) fn new(
        game: Game,
        variant: VcdtVariant,
        plain: VcdtOptions,
        dbs: DbsOptions,
        table_bytes: usize,
    ) -> VariantSearch {
        // The plain search does what a filter leaves, and more than what the
        // filter would fall back on: it defends normally.
        let with_dbs = |options, then| {
            let options = DbsOptions { fall_back: false, ..options };
            DbsSearch::new(game, options, table_bytes / 4)
                .ok()
                .map(|search| Other::Dbs { search: Box::new(search), then })
        };
        let other = match variant {
            VcdtVariant::Plain => None,
            VcdtVariant::Dfpn => Some(Other::Dfpn(Box::new(VcdtDfpn::new(game, plain, table_bytes / 4 * 3)))),
            VcdtVariant::Filtered(filter) => {
                let follows = dbs.fall_back && !filter.falls_back_on().is_empty();
                let then = if follows { Then::AtTheEnd } else { Then::Never };
                with_dbs(DbsOptions { filter, ..dbs }, then)
            }
            VcdtVariant::Mixed => {
                let (filter, defence) = (Filter::F4, Defence::Conservative);
                with_dbs(DbsOptions { filter, defence, ..dbs }, Then::InTurn)
            }
        };
        let plain_bytes = match &other {
            None => table_bytes,
            Some(Other::Dbs { .. }) => table_bytes / 4 * 3,
            Some(Other::Dfpn(_)) => table_bytes / 4,
        };
        VariantSearch { plain: VcdtSolver::new(game, plain, plain_bytes), other, by_other: false }
    }
}

impl WinSearch for VariantSearch {
    fn search(
        &mut self,
        board: &mut Board,
        to_move: Side,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Why> {
        self.by_other = false;
        let other: &mut dyn WinSearch = match &mut self.other {
            // A defender to move has stones to spare, which VCDT never leaves.
            _ if to_move != attacker => return Err(Why::Exhausted),
            Some(Other::Dbs { search, then: Then::InTurn }) => {
                let mut turns = Turns { searches: [&mut **search, &mut self.plain], board, attacker };
                self.by_other = turns.take(budget, observer)? == DBS;
                return Ok(());
            }
            Some(Other::Dbs { search, .. }) => &mut **search,
            Some(Other::Dfpn(search)) if budget.limits().depth.is_none() => &mut **search,
            Some(Other::Dfpn(_)) | None => {
                return self.plain.search(board, to_move, attacker, budget, observer);
            }
        };
        let found = other.search(board, to_move, attacker, budget, observer);
        self.by_other = found.is_ok();
        match (found, &self.other) {
            (Err(Why::Narrowed | Why::Depth), Some(Other::Dbs { then: Then::AtTheEnd, .. })) => {
                self.plain.search(board, to_move, attacker, budget, observer)
            }
            (found, _) => found,
        }
    }

    fn reply(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<Move, Why> {
        let known = match &mut self.other {
            Some(Other::Dbs { search, .. }) if self.by_other => search.reply(board, attacker, budget),
            Some(Other::Dfpn(search)) if self.by_other => search.reply(board, attacker, budget),
            _ => Err(Why::Narrowed),
        };
        match known {
            Err(Why::Narrowed) => self.plain.reply(board, attacker, budget),
            known => known,
        }
    }
}

/// The filtered search and the plain one.
struct Turns<'a> {
    searches: [&'a mut dyn WinSearch; 2],
    board: &'a mut Board,
    attacker: Side,
}

const DBS: usize = 0;
const PLAIN: usize = 1;

impl Turns<'_> {
    /// Lets each search have its turn until one has found a win: which it was.
    fn take(&mut self, budget: &mut Budget<'_>, observer: &mut dyn Observer) -> Result<usize, Why> {
        let depth = budget.limits().depth;
        let mut turn = FIRST_TURN;
        loop {
            let mut part = budget.part(turn, depth);
            let filtered = self.search(DBS, &mut part, observer);
            let absorbed = budget.absorb(&part);
            if filtered.is_ok() {
                return Ok(DBS);
            }
            absorbed?;
            // A filtered search that came to its end will not find more.
            let ended = filtered != Err(Why::Nodes);
            let mut part = budget.part(if ended { u64::MAX } else { turn * PLAIN_SHARE }, depth);
            let plain = self.search(PLAIN, &mut part, observer);
            let absorbed = budget.absorb(&part);
            if ended || plain != Err(Why::Nodes) {
                return plain.map(|()| PLAIN);
            }
            absorbed?;
            turn = turn.saturating_mul(GROWTH);
        }
    }

    fn search(
        &mut self,
        which: usize,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Why> {
        self.searches[which].search(self.board, self.attacker, self.attacker, budget, observer)
    }
}
