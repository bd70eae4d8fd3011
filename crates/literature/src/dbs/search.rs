//! The depth-first search over macro-moves.

use super::{
    DbsError, DbsOptions, DbsStats,
    candidates::Ranked,
    filters::{Filter, SplitCandidate},
    graph::{Graph, MAX_SLOTS, Slots},
    macro_moves::{Category, Split},
    replies::Replies,
};
use lambda6_rules::{Game, Move, Side, Square};
use lambda6_search::{Budget, Known, MoveValues, Observer, Progress, Table, Why, WinSearch, vcdt::Defence};
use lambda6_threats::{Attack, Board, Defences, FreeStones, Play, ThreatCount};
use rustc_hash::FxHashMap;

/// The search. It keeps its memory between calls.
pub struct DbsSearch {
    pub(super) options: DbsOptions,
    pub(super) attack: Attack,
    pub(super) free: FreeStones,
    pub(super) graph: Graph,
    pub(super) table: Table,
    pub(super) plies: Vec<Ply>,
    pub(super) values: MoveValues,
    /// Changes the table's keys from search to search, for entries hold for the
    /// options and the graph of one.
    pub(super) salt: u64,
    pub(super) stats: DbsStats,
    /// The win that was found last.
    replies: Replies,
}

/// Memory for one macro-move of the line.
#[derive(Default)]
pub(super) struct Ply {
    pub(super) sets: Vec<Move>,
    pub(super) moves: Vec<Ranked>,
    pub(super) splits: Vec<Split>,
    pub(super) squares: Vec<Square>,
    pub(super) theirs: Defences,
    pub(super) ours: Defences,
    pub(super) star: Vec<u64>,
    pub(super) star_known: bool,
    /// The attacker's stones that Z* is about.
    pub(super) last: Vec<Square>,
    pub(super) blocks: Vec<Square>,
    /// Single threats: what on the line they depend on.
    pub(super) cells: Vec<(Square, Slots)>,
    /// Single threats searched here, with whatever partner.
    pub(super) paired: Vec<Square>,
    /// The last move that won here.
    pub(super) killer: Option<Move>,
}

/// The deepest line: two primitive moves a macro-move fit the graph's slots.
const MAX_DEPTH: u32 = (MAX_SLOTS / 2) as u32 - 4;

pub(super) struct Run<'s, 'b, 'o> {
    pub(super) search: &'s mut DbsSearch,
    pub(super) board: &'s mut Board,
    pub(super) attacker: Side,
    pub(super) options: DbsOptions,
    pub(super) budget: &'s mut Budget<'b>,
    pub(super) observer: &'o mut dyn Observer,
    /// A line was cut at the depth limit.
    pub(super) cut: bool,
    /// Moves were left out.
    pub(super) narrowed: bool,
    /// The attacker's moves. After a win, the winning line.
    pub(super) line: Vec<Move>,
    /// The line has gone on in another area.
    pub(super) changed_area: bool,
    /// Against normal defences: the winning moves in positions that were won.
    pub(super) won: FxHashMap<u64, Move>,
}

impl DbsSearch {
    /// A search for boards of this game, with a table of this many bytes. Limits
    /// on depth in a budget hold beside the options'.
    pub fn new(game: Game, options: DbsOptions, table_bytes: usize) -> Result<DbsSearch, DbsError> {
        if game.p() != 2 {
            return Err(DbsError::Stones { p: game.p() });
        }
        Ok(DbsSearch {
            options,
            attack: Attack::new(game),
            free: FreeStones::new(game),
            graph: Graph::new(game),
            table: Table::with_bytes(table_bytes),
            plies: Vec::new(),
            values: MoveValues::new(game),
            salt: 0,
            stats: DbsStats::default(),
            replies: Replies::Table(FxHashMap::default()),
        })
    }

    fn change_salt(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    /// What the last search took.
    pub fn stats(&self) -> DbsStats {
        self.stats
    }
}

impl WinSearch for DbsSearch {
    fn search(
        &mut self,
        board: &mut Board,
        to_move: Side,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Why> {
        // A defender to move has stones to spare, which VCDT never leaves.
        if to_move != attacker {
            return Err(Why::Exhausted);
        }
        self.graph.clear();
        self.table.new_search();
        self.change_salt();
        self.stats = DbsStats::default();
        let (before, empty) = (budget.nodes(), board.empty_count());
        let mut run = Run::new(self, board, attacker, budget, observer);
        let won = run.stages();
        let Run { options, cut, line, won: table, .. } = run;
        (self.stats.moves, self.stats.hyperedges) = (budget.nodes() - before, self.graph.made());
        if !won? {
            return Err(if cut { Why::Depth } else { Why::Narrowed });
        }
        self.replies = match options.defence {
            Defence::Conservative => Replies::Line { moves: line, empty },
            Defence::Normal => Replies::Table(table),
        };
        Ok(())
    }

    fn reply(&mut self, board: &mut Board, attacker: Side, _: &mut Budget<'_>) -> Result<Move, Why> {
        self.replies.get(board, attacker).ok_or(Why::Narrowed)
    }
}

impl Play for Run<'_, '_, '_> {
    fn place(&mut self, side: Side, square: Square) {
        self.board.place(side, square);
    }

    fn remove(&mut self, side: Side, square: Square) {
        self.board.remove(side, square);
    }
}

impl<'s, 'b, 'o> Run<'s, 'b, 'o> {
    pub(super) fn new(
        search: &'s mut DbsSearch,
        board: &'s mut Board,
        attacker: Side,
        budget: &'s mut Budget<'b>,
        observer: &'o mut dyn Observer,
    ) -> Run<'s, 'b, 'o> {
        Run {
            options: search.options,
            search,
            board,
            attacker,
            budget,
            observer,
            cut: false,
            narrowed: false,
            line: Vec::new(),
            changed_area: false,
            won: FxHashMap::default(),
        }
    }

    /// One filter after the other, until one wins.
    fn stages(&mut self) -> Result<bool, Why> {
        if self.board.has_threat(self.attacker) {
            return Ok(true);
        }
        let first = self.options.filter;
        let rest = if self.options.fall_back { first.falls_back_on() } else { &[] };
        for &filter in std::iter::once(&first).chain(rest) {
            if filter != first {
                self.search.stats.fell_back = true;
                // What failed under one filter may not under the next.
                self.search.change_salt();
                self.options.filter = filter;
                self.options.graph = false;
            }
            if self.deepen()? {
                return Ok(true);
            }
            // Does not tell of positions that the table knew.
            if !self.narrowed && !self.options.table {
                break;
            }
        }
        Ok(false)
    }

    fn deepen(&mut self) -> Result<bool, Why> {
        let most = self.budget.limits().depth.unwrap_or(MAX_DEPTH).min(self.options.depth).min(MAX_DEPTH);
        let first = if self.options.deepen { 1 } else { most };
        for depth in first..=most {
            self.cut = false;
            self.narrowed = false;
            self.search.graph.new_round();
            self.observer.report(&Progress {
                depth,
                nodes: self.budget.nodes(),
                elapsed: self.budget.elapsed(),
                line: self.line.clone(),
                numbers: None,
                left: None,
            });
            if self.is_vcdt(0, depth)? {
                return Ok(true);
            }
            if !self.cut {
                break;
            }
        }
        Ok(false)
    }

    /// Whether the attacker, to move, wins with `depth` macro-moves at most.
    pub(super) fn is_vcdt(&mut self, ply: usize, depth: u32) -> Result<bool, Why> {
        if self.search.plies.len() <= ply {
            self.search.plies.resize_with(ply + 1, Ply::default);
        }
        let mut here = std::mem::take(&mut self.search.plies[ply]);
        let won = self.try_moves(&mut here, ply, depth);
        self.search.plies[ply] = here;
        won
    }

    fn try_moves(&mut self, here: &mut Ply, ply: usize, depth: u32) -> Result<bool, Why> {
        here.theirs.find(self.board, self.attacker.other());
        if depth == 0 || here.theirs.count() == ThreatCount::More {
            self.cut |= depth == 0;
            return Ok(false);
        }
        let position = self.board.key(self.attacker);
        let normal = self.options.defence == Defence::Normal;
        if normal && self.won.contains_key(&position) {
            return Ok(true);
        }
        if let Some(mv) = self.search.attack.overwhelming(self.board, self.attacker, &here.theirs) {
            if normal {
                self.won.insert(position, mv);
            }
            self.line.push(mv);
            return Ok(true);
        }
        if depth == 1 {
            // Any double threat could have been followed up.
            self.cut = true;
            return Ok(false);
        }
        let key = self.key();
        if self.options.table
            && let Some(Known::Fail { depth: searched, cut }) = self.search.table.get(key)
            && (!cut || u32::from(searched) >= depth)
        {
            self.cut |= cut;
            return Ok(false);
        }
        let outer_cut = std::mem::replace(&mut self.cut, false);
        let won = self.search_moves(here, ply, depth);
        if self.options.table && won == Ok(false) {
            self.search.table.set(key, Known::Fail { depth: depth as u8, cut: self.cut });
        }
        self.cut |= outer_cut;
        won
    }

    /// A filter judges a move by the line, above all by its last move: what is
    /// known of a position is known for that.
    fn key(&self) -> u64 {
        let key = self.board.key(self.attacker) ^ self.search.salt;
        match (self.options.filter, self.line.last()) {
            (Filter::Plain, _) | (_, None) => key,
            (_, Some(mv)) => mv.iter().fold(key, |key, square| {
                key ^ (square.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            }),
        }
    }

    fn search_moves(&mut self, here: &mut Ply, ply: usize, depth: u32) -> Result<bool, Why> {
        self.generate(here);
        // What a deeper node leaves in the generator is not what this one
        // needs: moves are split before any is searched.
        let attack = &self.search.attack;
        here.splits.clear();
        if self.uses_graph() {
            let split = |[a, b]: [Square; 2]| Split::of(attack, a, b);
            here.splits.extend(here.moves.iter().map(|ranked| split(ranked.squares())));
        }
        here.star_known = false;
        here.cells.clear();
        here.paired.clear();
        let killer = self.killer(here);
        let mut searched = 0;
        for i in 0..here.moves.len() {
            let candidate = here.splits.get(i).copied().map(|split| self.resolve(here, &split));
            let first_of_all = i == 0 && killer == Some(here.moves[i].mv());
            if let Some(candidate) = &candidate
                && !first_of_all
                && !self.will_search(here, candidate)
            {
                self.narrowed = true;
                continue;
            }
            searched += 1;
            if self.search_move(i, candidate, here, ply, depth)? {
                return Ok(true);
            }
            if searched == self.options.branching {
                self.narrowed = true;
                break;
            }
        }
        if searched > 0 || self.changed_area || self.options.filter != Filter::F5 {
            return Ok(false);
        }
        // The line has come to an end here, but what it has built may be worth
        // something to moves elsewhere.
        self.changed_area = true;
        let mut won = Ok(false);
        for i in 0..here.moves.len().min(self.options.branching) {
            let candidate = here.splits.get(i).copied().map(|split| self.resolve(here, &split));
            won = self.search_move(i, candidate, here, ply, depth);
            if won != Ok(false) {
                break;
            }
        }
        self.changed_area = false;
        won
    }

    fn search_move(
        &mut self,
        i: usize,
        candidate: Option<SplitCandidate>,
        here: &mut Ply,
        ply: usize,
        depth: u32,
    ) -> Result<bool, Why> {
        let mv = here.moves[i].mv();
        if candidate.is_some_and(|candidate| candidate.category == Category::Independent) {
            here.paired.extend(mv.iter());
        }
        self.budget.count()?;
        let won = self.wins_with(&mv, candidate.as_ref(), here, ply, depth)?;
        if won {
            here.killer = Some(mv);
        }
        Ok(won)
    }

    fn uses_graph(&self) -> bool {
        self.options.filter != Filter::Plain || self.options.graph
    }
}
