//! Victory by continuous double threats: every move of the attacker makes at
//! least `p` threats, so that the defender has no stone to spare. The name is
//! that of Connect6; with one stone a move go-moku players call it VCF.
//!
//! The search is depth first, with iterative deepening over the attacker's
//! moves. Wins by double threats are short and wide: each round costs many times
//! the one before, and the values of stones order moves better than proof
//! numbers do.

use crate::{
    Budget, Observer, Progress, Table, Why, WinSearch,
    candidates::{Candidates, How, VcdtMoves},
    table::Known,
    win_search::{connecting, find_defences},
};
use lambda6_rules::{Game, Move, Side, Square};
use lambda6_threats::{Board, Defences, Play, ThreatCount};
use std::ops::ControlFlow;

/// How the defender answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Defence {
    /// With each critical defence in turn: exact.
    #[default]
    Normal,
    /// With the squares of all defences at once. Sound, because a win against
    /// all stones is a win against each defence; fast, because one line
    /// remains. It misses wins.
    Conservative,
}

/// Where free stones are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Partners {
    /// On every empty square.
    All,
    /// On the squares where they extend a segment of the attacker or block one
    /// of the defender; this many of the best.
    Useful(usize),
}

/// What to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VcdtOptions {
    /// How the defender answers.
    pub defence: Defence,
    /// Where free stones are tried.
    pub partners: Partners,
}

impl Default for VcdtOptions {
    fn default() -> VcdtOptions {
        VcdtOptions { defence: Defence::Normal, partners: Partners::Useful(24) }
    }
}

/// The search. It keeps its memory between calls.
pub struct VcdtSearch {
    moves: VcdtMoves,
    plies: Vec<Ply>,
    table: Table,
}

/// Memory for one attacking move of the line.
#[derive(Default)]
struct Ply {
    moves: Candidates,
    squares: Vec<Square>,
    theirs: Defences,
    ours: Defences,
    killer: Option<Move>,
}

/// The deepest line: a depth fits the table's byte.
const MAX_DEPTH: u32 = 200;

/// The state of one search.
struct Run<'s, 'b, 'o> {
    search: &'s mut VcdtSearch,
    board: &'s mut Board,
    attacker: Side,
    options: VcdtOptions,
    budget: &'s mut Budget<'b>,
    /// `None` for a search within another search.
    observer: Option<&'o mut dyn Observer>,
    /// A line was cut at the depth limit.
    cut: bool,
    /// Free stones were left out, or defences taken together.
    narrowed: bool,
    line: Vec<Move>,
    /// Of this round.
    depth: u32,
    salt: u64,
}

impl VcdtSearch {
    /// A search for boards of this game, with a table of this many bytes.
    pub fn new(game: Game, table_bytes: usize) -> VcdtSearch {
        VcdtSearch { moves: VcdtMoves::new(game), plies: Vec::new(), table: Table::with_bytes(table_bytes) }
    }

    /// Whether `attacker`, to move, wins; an error when the budget ran out.
    pub fn wins(
        &mut self,
        board: &mut Board,
        attacker: Side,
        options: VcdtOptions,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Why> {
        Run::new(self, board, attacker, options, budget, None).deepen()
    }

    /// The winning move in a position that [`VcdtSearch::wins`] has won; what has
    /// been forgotten is searched again.
    pub fn reply(
        &mut self,
        board: &mut Board,
        attacker: Side,
        options: VcdtOptions,
        budget: &mut Budget<'_>,
    ) -> Result<Move, Why> {
        Run::new(self, board, attacker, options, budget, None).reply_here()
    }
}

impl<'s, 'b, 'o> Run<'s, 'b, 'o> {
    fn new(
        search: &'s mut VcdtSearch,
        board: &'s mut Board,
        attacker: Side,
        options: VcdtOptions,
        budget: &'s mut Budget<'b>,
        observer: Option<&'o mut dyn Observer>,
    ) -> Run<'s, 'b, 'o> {
        // What is known of a position depends on who attacks and how.
        let partners = match options.partners {
            Partners::All => u64::MAX,
            Partners::Useful(most) => most as u64,
        };
        let salt = (attacker.index() as u64 * 2 + options.defence as u64 + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ partners.wrapping_mul(0xd1b5_4a32_d192_ed03);
        Run {
            search,
            board,
            attacker,
            options,
            budget,
            observer,
            cut: false,
            narrowed: false,
            line: Vec::new(),
            depth: 0,
            salt,
        }
    }

    fn why(&self) -> Why {
        match (self.cut, self.narrowed) {
            (true, _) => Why::Depth,
            (false, true) => Why::Narrowed,
            (false, false) => Why::Exhausted,
        }
    }

    fn deepen(&mut self) -> Result<bool, Why> {
        let most = self.budget.limits().depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        for depth in 0..=most {
            self.cut = false;
            self.narrowed = false;
            self.depth = depth;
            if self.attack(0, depth)? {
                return Ok(true);
            }
            if !self.cut {
                return Ok(false);
            }
        }
        Ok(false)
    }

    fn key(&self) -> u64 {
        self.board.key(self.attacker) ^ self.salt
    }

    fn report(&mut self, mv: Move) {
        let Some(observer) = &mut self.observer else { return };
        observer.report(&Progress {
            depth: self.depth,
            nodes: self.budget.nodes(),
            elapsed: self.budget.elapsed(),
            line: vec![mv],
            numbers: None,
            left: None,
        });
    }

    /// The attacker to move, with `depth` moves that make threats to come before
    /// the one that connects.
    fn attack(&mut self, ply: usize, depth: u32) -> Result<bool, Why> {
        if self.board.has_threat(self.attacker) {
            return Ok(true);
        }
        if depth == 0 {
            self.cut = true;
            return Ok(false);
        }
        let key = self.key();
        match self.search.table.get(key) {
            Some(Known::Win(_)) => return Ok(true),
            Some(Known::Fail { depth: searched, cut }) if !cut || u32::from(searched) >= depth => {
                self.cut |= cut;
                // The table does not record whether moves were left out.
                self.narrowed |=
                    self.options.partners != Partners::All || self.options.defence == Defence::Conservative;
                return Ok(false);
            }
            _ => {}
        }
        if self.search.plies.len() <= ply {
            self.search.plies.resize_with(ply + 1, Ply::default);
        }
        let outer_cut = std::mem::replace(&mut self.cut, false);
        let mut here = std::mem::take(&mut self.search.plies[ply]);
        let won = self.try_moves(&mut here, ply, depth);
        let won = match won {
            Ok(Some(mv)) => {
                self.search.table.set(key, Known::Win(mv));
                here.killer = Some(mv);
                self.search.moves.note_win(&mv);
                Ok(true)
            }
            Ok(None) => {
                self.search.table.set(key, Known::Fail { depth: depth as u8, cut: self.cut });
                Ok(false)
            }
            Err(why) => Err(why),
        };
        self.search.plies[ply] = here;
        self.cut |= outer_cut;
        won
    }

    /// The attacker's winning move, if there is one of this depth.
    fn try_moves(&mut self, here: &mut Ply, ply: usize, depth: u32) -> Result<Option<Move>, Why> {
        self.budget.count()?;
        find_defences(self.budget, self.board, self.attacker.other(), &mut here.theirs)?;
        if here.theirs.count() == ThreatCount::More {
            return Ok(None);
        }
        let (attack, go_on) = (&mut self.search.moves.attack, &mut || self.budget.goes_on());
        match attack.overwhelming_while(self.board, self.attacker, &here.theirs, go_on) {
            ControlFlow::Continue(None) => {}
            ControlFlow::Continue(won) => return Ok(won),
            ControlFlow::Break(()) => return Err(self.budget.why_ended()),
        }
        if depth == 1 {
            // Any move that makes threats might win with one more move.
            self.cut = true;
            return Ok(None);
        }
        self.generate(here, depth)?;
        for i in 0..here.moves.len() {
            let mv = here.moves.get(i);
            self.budget.count()?;
            if ply == 0 {
                self.report(mv);
            }
            if self.wins_with(&mv, here, ply, depth)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Fills in the moves to try, the most promising first.
    fn generate(&mut self, here: &mut Ply, depth: u32) -> Result<(), Why> {
        // In the last moves of a line there is no time to use a promoted
        // segment.
        let partners = match self.options.partners {
            Partners::Useful(most) if depth <= 2 => Partners::Useful(most / 2),
            partners => partners,
        };
        let how = How { partners, killer: here.killer };
        let generator = &mut self.search.moves;
        self.narrowed |=
            generator.fill(self.board, self.attacker, &here.theirs, how, self.budget, &mut here.moves)?;
        Ok(())
    }

    /// Whether a move that leaves the defender no stone to spare wins against every
    /// defence.
    fn wins_with(&mut self, mv: &Move, here: &mut Ply, ply: usize, depth: u32) -> Result<bool, Why> {
        let attacker = self.attacker;
        self.line.push(*mv);
        let won = self.play(attacker, mv, |run| {
            find_defences(run.budget, run.board, attacker, &mut here.ours)?;
            match run.options.defence {
                Defence::Normal => run.answer_each(here, ply, depth),
                Defence::Conservative => run.answer_all(here, ply, depth),
            }
        });
        self.line.pop();
        won
    }

    fn answer_each(&mut self, here: &mut Ply, ply: usize, depth: u32) -> Result<bool, Why> {
        for defence in here.ours.iter() {
            let defence = *defence;
            let won = self.after_defence(defence.squares(), defence, ply, depth);
            if won != Ok(true) {
                return won;
            }
        }
        Ok(true)
    }

    fn answer_all(&mut self, here: &mut Ply, ply: usize, depth: u32) -> Result<bool, Why> {
        if here.ours.count() == ThreatCount::More {
            return Ok(true);
        }
        // Two defences at once have more stones than a move: a refutation by
        // them may not be a refutation by either.
        self.narrowed |= here.ours.iter().len() > 1;
        here.ours.conservative(&mut here.squares);
        let squares = std::mem::take(&mut here.squares);
        let shown = here.ours.iter().next().copied().unwrap_or(Move::NULL);
        let won = self.after_defence(&squares, shown, ply, depth);
        here.squares = squares;
        won
    }

    fn after_defence(
        &mut self,
        squares: &[Square],
        shown: Move,
        ply: usize,
        depth: u32,
    ) -> Result<bool, Why> {
        self.line.push(shown);
        let won = self.play(self.attacker.other(), squares, |run| run.attack(ply + 1, depth - 1));
        self.line.pop();
        won
    }

    fn reply_here(&mut self) -> Result<Move, Why> {
        if let Some(row) = connecting(self.board, self.attacker) {
            return Ok(row);
        }
        for depth in 0..=MAX_DEPTH {
            if let Some(Known::Win(mv)) = self.search.table.get(self.key()) {
                return Ok(mv);
            }
            self.attack(0, depth)?;
        }
        Err(Why::Depth)
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

/// VCDT with fixed options, as a search whose wins can be certified.
pub struct VcdtSolver {
    search: VcdtSearch,
    options: VcdtOptions,
}

impl VcdtSolver {
    /// A search for boards of this game, with a table of this many bytes.
    pub fn new(game: Game, options: VcdtOptions, table_bytes: usize) -> VcdtSolver {
        VcdtSolver { search: VcdtSearch::new(game, table_bytes), options }
    }
}

impl WinSearch for VcdtSolver {
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
        self.search.table.new_search();
        self.search.moves.forget();
        let mut run = Run::new(&mut self.search, board, attacker, self.options, budget, Some(observer));
        if run.deepen()? { Ok(()) } else { Err(run.why()) }
    }

    fn reply(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<Move, Why> {
        self.search.reply(board, attacker, self.options, budget)
    }
}
