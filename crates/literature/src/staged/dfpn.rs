//! Depth-first proof-number search: it goes to the most proving node as
//! proof-number search does, but keeps numbers in a table of a fixed size
//! instead of a tree.
//!
//! It stays in a subtree until its numbers have grown past thresholds. With the
//! 1 + epsilon trick they are a quarter above those of the next best move, not
//! one, so that it does not run to and fro between two subtrees, each time
//! searching again what the table has lost.
//!
//! Wins are kept apart from numbers, with their replies and zones. When there is
//! no room for another they are all forgotten; those still of use are found
//! again.

mod zones;

use super::{Searched, TreeOptions, grown::without_knowledge};
use crate::{
    numbers::{INFINITE, Numbers, share, sum},
    tree::{OPEN_REPLIES, REST_OF_HINT, REST_OF_REPLIES, Stage, State, Tools, assess_and, needed},
    work_table::WorkTable,
};
use lambda6_rules::{Game, Move, Side, Square, stone_key};
use lambda6_search::{Budget, Observer, Progress, Silent, Why, WinSearch, Zones};
use lambda6_threats::{Board, Play};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What the zones of a win take on a board of 19 by 19, with what is around them.
const ZONES_BYTES: usize = 240;

/// Visits between two reports.
const REPORT_EVERY: usize = 1024;

/// The search. It keeps its memory between calls.
pub(crate) struct TreeDfpn {
    options: TreeOptions,
    stages: Vec<Stage>,
    tools: Tools,
    numbers: WorkTable<TableNumbers>,
    /// What keys of numbers are mixed with: those of earlier searches, whose
    /// attacker or moves may have been others, are not found.
    salt: u64,
    wins: FxHashMap<u64, KnownWin>,
    most_wins: usize,
    /// The stage that the search is in.
    stage: usize,
    /// Positions looked into.
    visited: usize,
}

/// What is known of a position.
#[derive(Clone, Copy)]
struct TableNumbers {
    numbers: Numbers,
    /// Moves of the attacker that have been opened.
    opened: u16,
}

impl Default for TableNumbers {
    fn default() -> TableNumbers {
        TableNumbers { numbers: Numbers::NEW, opened: 0 }
    }
}

/// A position that the attacker, to move, has been shown to win.
struct KnownWin {
    /// The move, unless the evaluation knows it.
    reply: Option<Move>,
    zones: Option<Arc<Zones>>,
}

/// A move and what is known of the position after it.
struct Child {
    mv: Move,
    numbers: Numbers,
}

struct Run<'s, 'b, 'o> {
    search: &'s mut TreeDfpn,
    board: &'s mut Board,
    attacker: Side,
    budget: &'s mut Budget<'b>,
    observer: &'o mut dyn Observer,
}

impl TreeDfpn {
    /// Half of the bytes are for numbers, most of the rest for wins.
    pub(super) fn new(game: Game, options: TreeOptions, table_bytes: usize) -> TreeDfpn {
        // A map grows to twice its size before it is full.
        let win_bytes = 2 * size_of::<(u64, KnownWin)>() + ZONES_BYTES;
        TreeDfpn {
            options,
            stages: options.kind.stages(options.class),
            tools: Tools::new(game, options.effort, table_bytes / 8),
            numbers: WorkTable::with_bytes(table_bytes / 2),
            salt: 0,
            wins: FxHashMap::default(),
            most_wins: table_bytes / 8 * 3 / win_bytes,
            stage: 0,
            visited: 0,
        }
    }

    /// What the last search left behind.
    pub(super) fn searched(&self) -> Searched {
        Searched { nodes: self.visited, stage: self.stage + 1, ..Searched::default() }
    }
}

impl WinSearch for TreeDfpn {
    fn search(
        &mut self,
        board: &mut Board,
        to_move: Side,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Why> {
        // Stages are fewer than the searches are apart.
        self.salt += 16;
        self.wins.clear();
        (self.stage, self.visited) = (0, 0);
        let mut naive = self.options.naive.then(|| without_knowledge(board));
        let board = naive.as_mut().unwrap_or(board);
        Run { search: self, board, attacker, budget, observer }.stages(to_move)
    }

    fn reply(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<Move, Why> {
        Run { search: self, board, attacker, budget, observer: &mut Silent }.reply_here()
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

impl Run<'_, '_, '_> {
    /// Searches until the position is proved, stage by stage.
    fn stages(&mut self, to_move: Side) -> Result<(), Why> {
        loop {
            let numbers = if to_move == self.attacker {
                self.search_or(Numbers::NO_BOUNDS, 0)?
            } else {
                match assess_and(self.board, self.attacker).0 {
                    State::Open => self.and(Numbers::NO_BOUNDS, 0)?,
                    state if state.is_won() => Numbers::WON,
                    _ => Numbers::FAILED,
                }
            };
            if numbers.proof == 0 {
                return Ok(());
            }
            if self.search.stage + 1 >= self.search.stages.len() {
                return Err(Why::Narrowed);
            }
            self.search.stage += 1;
        }
    }

    /// The key under which numbers are kept: they hold for the stage only.
    fn key(&self, to_move: Side) -> u64 {
        let stage = self.search.salt + self.search.stage as u64;
        self.board.key(to_move) ^ stage.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn visit(&mut self) -> Result<(), Why> {
        self.search.visited += 1;
        self.budget.count()?;
        if self.search.visited.is_multiple_of(REPORT_EVERY) {
            self.budget.interrupted()?;
            self.observer.report(&Progress {
                depth: self.search.stage as u32 + 1,
                nodes: self.budget.nodes(),
                elapsed: self.budget.elapsed(),
                line: Vec::new(),
                numbers: None,
                left: None,
            });
        }
        Ok(())
    }

    fn remember_win(&mut self, key: u64, reply: Option<Move>) {
        if self.search.wins.len() >= self.search.most_wins {
            self.search.wins.clear();
        }
        self.search.wins.insert(key, KnownWin { reply, zones: None });
    }

    /// Searches the position with the attacker to move, if it is not settled.
    fn search_or(&mut self, bounds: Numbers, like: u64) -> Result<Numbers, Why> {
        match self.settle()? {
            Some(numbers) => Ok(numbers),
            None => self.or(bounds, like),
        }
    }

    /// The numbers of a position with the attacker to move that is settled
    /// without a search, or that has been searched.
    fn settle(&mut self) -> Result<Option<Numbers>, Why> {
        let key = self.board.key(self.attacker);
        if self.search.wins.contains_key(&key) {
            return Ok(Some(Numbers::WON));
        }
        let table_key = self.key(self.attacker);
        // A win whose reply is forgotten has to be found again.
        if let Some(known) = self.search.numbers.get(table_key).filter(|known| known.numbers.proof > 0) {
            return Ok((known.numbers.disproof == 0).then_some(Numbers::FAILED));
        }
        let evaluator = &mut self.search.tools.evaluator;
        let numbers = match evaluator.assess_or(self.board, self.attacker, self.budget)? {
            State::Open => Numbers::NEW,
            state if state.is_won() => {
                self.remember_win(key, None);
                return Ok(Some(Numbers::WON));
            }
            _ => Numbers::FAILED,
        };
        self.search.numbers.set(table_key, TableNumbers { numbers, opened: 0 }, 1);
        Ok(Some(numbers).filter(|numbers| numbers.is_settled()))
    }

    /// The attacker to move, in a position that is not settled. `like` is the
    /// difference to the key of a position whose winning move is tried first.
    fn or(&mut self, bounds: Numbers, like: u64) -> Result<Numbers, Why> {
        self.visit()?;
        let start = self.search.visited;
        let (key, table_key) = (self.board.key(self.attacker), self.key(self.attacker));
        let known = self.search.numbers.get(table_key).unwrap_or_default();
        let mut offered = self.offered(key, like)?;
        offered.opened = usize::from(known.opened).min(offered.moves.len());
        if offered.opened == 0 {
            offered.open_more();
        }
        let mut children: Vec<Child> = Vec::new();
        loop {
            for &mv in &offered.moves[children.len()..offered.opened] {
                let numbers = self.numbers_behind(mv);
                children.push(Child { mv, numbers });
            }
            let rest = offered.rest();
            let least =
                children.iter().map(|child| child.numbers.proof).chain(rest).min().unwrap_or(INFINITE);
            let rest_disproof = rest.map(|_| 1);
            let disproof = sum(children.iter().map(|child| child.numbers.disproof).chain(rest_disproof));
            let best = children.iter().position(|child| child.numbers.proof == least);
            if let (0, Some(best)) = (least, best) {
                self.remember_win(key, Some(children[best].mv));
                return Ok(Numbers::WON);
            }
            let proof = if disproof == 0 { INFINITE } else { least };
            let numbers = Numbers { proof, disproof };
            if numbers.reaches(bounds) {
                let known = TableNumbers { numbers, opened: offered.opened as u16 };
                self.search.numbers.set(table_key, known, (self.search.visited - start) as u64);
                return Ok(numbers);
            }
            let Some(best) = best else {
                // The least is what waits.
                offered.open_more();
                continue;
            };
            let second = least_but(best, &children, |child| child.numbers.proof);
            let second = rest.into_iter().fold(second, u32::min);
            let inner = Numbers {
                proof: bounds.proof.min(above(second)),
                disproof: share(bounds.disproof, disproof, children[best].numbers.disproof),
            };
            let mv = children[best].mv;
            children[best].numbers = self.play(self.attacker, mv, |run| run.and(inner, like))?;
        }
    }

    /// The moves on offer, none opened yet.
    fn offered(&mut self, key: u64, like: u64) -> Result<Offered, Why> {
        let TreeDfpn { wins, stages, stage, tools, .. } = &mut *self.search;
        let hint = Some(like).filter(|&like| like != 0).and_then(|like| wins.get(&(key ^ like))?.reply);
        let hint = hint.filter(|mv| mv.iter().all(|square| self.board.is_empty(square)));
        let mut moves: Vec<Move> = hint.into_iter().collect();
        for stage in &stages[..=*stage] {
            let mut more = Vec::new();
            tools.moves.list(self.board, self.attacker, stage.offer, &mut more, self.budget)?;
            moves.extend(more.into_iter().filter(|&mv| Some(mv) != hint));
        }
        Ok(Offered { moves, hinted: hint.is_some(), opened: 0, stage: stages[*stage] })
    }

    /// What is known of the position after a move of the attacker.
    fn numbers_behind(&mut self, mv: Move) -> Numbers {
        let attacker = self.attacker;
        self.play(attacker, mv, |run| {
            let known = run.search.numbers.get(run.key(attacker.other()));
            match (known, assess_and(run.board, attacker)) {
                // That it was proved counts only while the win is remembered.
                (Some(known), (State::Open, _)) if known.numbers.proof > 0 => known.numbers,
                (_, (State::Open, rest)) => Numbers { proof: rest, disproof: 1 },
                (_, (state, _)) if state.is_won() => Numbers::WON,
                _ => Numbers::FAILED,
            }
        })
    }

    /// The defender to move, in a position that is not settled.
    fn and(&mut self, bounds: Numbers, like: u64) -> Result<Numbers, Why> {
        self.visit()?;
        let start = self.search.visited;
        let table_key = self.key(self.attacker.other());
        let numbers = self.replies(bounds, like)?;
        let known = TableNumbers { numbers, opened: 0 };
        self.search.numbers.set(table_key, known, (self.search.visited - start) as u64);
        Ok(numbers)
    }

    fn replies(&mut self, bounds: Numbers, like: u64) -> Result<Numbers, Why> {
        let p = usize::from(self.board.game().p());
        let mut first = true;
        loop {
            let mut moves = needed(self.attacker, false, self)?.moves;
            if moves.is_empty() {
                return Ok(Numbers::WON);
            }
            let spare = !first || moves.iter().any(|mv| mv.len() < p);
            if !first {
                self.search.tools.strongest_first(self.board, self.attacker, &mut moves);
            }
            let most = if first { usize::MAX } else { OPEN_REPLIES };
            let Some(mut children) = self.open_replies(&moves, most)? else { return Ok(Numbers::FAILED) };
            first = false;
            let rest = if spare { REST_OF_REPLIES } else { 0 };
            while !children.is_empty() {
                let proof = sum(children.iter().map(|child| child.numbers.proof).chain([rest]));
                let disproof = children.iter().map(|child| child.numbers.disproof).min().unwrap_or(INFINITE);
                if disproof == 0 {
                    return Ok(Numbers::FAILED);
                }
                let numbers = Numbers { proof, disproof };
                if numbers.reaches(bounds) {
                    return Ok(numbers);
                }
                let best = children.iter().position(|child| child.numbers.disproof == disproof).unwrap_or(0);
                let second = least_but(best, &children, |child| child.numbers.disproof);
                let inner = Numbers {
                    proof: share(bounds.proof, proof, children[best].numbers.proof),
                    disproof: bounds.disproof.min(above(second)),
                };
                children[best].numbers = self.after(children[best].mv, inner, like)?;
                if children[best].numbers.proof == 0 {
                    children.remove(best);
                }
            }
        }
    }

    /// Opens replies of the defender until so many are not won; `None` when one
    /// of them refutes.
    fn open_replies(&mut self, moves: &[Move], most: usize) -> Result<Option<Vec<Child>>, Why> {
        let mut children = Vec::new();
        for &mv in moves {
            // Evaluated if it is new.
            let numbers = self.play(self.attacker.other(), mv, |run| {
                let known = |run: &Run<'_, '_, '_>| run.search.numbers.get(run.key(run.attacker));
                Ok(run.settle()?.unwrap_or_else(|| known(run).unwrap_or_default().numbers))
            })?;
            if numbers.disproof == 0 {
                return Ok(None);
            }
            if numbers.proof > 0 {
                children.push(Child { mv, numbers });
            }
            if children.len() >= most {
                break;
            }
        }
        Ok(Some(children))
    }

    /// Searches the position after a reply of the defender.
    fn after(&mut self, mv: Move, bounds: Numbers, like: u64) -> Result<Numbers, Why> {
        let defender = self.attacker.other();
        self.play(defender, mv, |run| {
            let key = run.board.key(run.attacker);
            let stone = mv.squares().last().map(|&last| stone_key(defender, last));
            let like = stone.filter(|stone| run.search.wins.contains_key(&(key ^ stone))).unwrap_or(like);
            run.search_or(bounds, like)
        })
    }
}

/// The attacker's moves in one position.
struct Offered {
    moves: Vec<Move>,
    /// The first is one that won a like position.
    hinted: bool,
    opened: usize,
    stage: Stage,
}

impl Offered {
    /// Opens the move that won a like position alone, then a batch at a time.
    fn open_more(&mut self) {
        self.opened += if self.hinted && self.opened == 0 { 1 } else { self.stage.batch };
        self.opened = self.opened.min(self.moves.len());
    }

    /// The proof number of the moves that wait, if some do.
    fn rest(&self) -> Option<u32> {
        let batches = self.opened.div_ceil(self.stage.batch) as u32;
        (self.opened < self.moves.len()).then(|| match (self.hinted, self.opened) {
            (true, 1) => REST_OF_HINT,
            _ => self.stage.limit.saturating_mul(batches),
        })
    }
}

/// The least number of all children but one.
fn least_but(but: usize, children: &[Child], number: impl Fn(&Child) -> u32) -> u32 {
    let others = children.iter().enumerate().filter(|&(i, _)| i != but);
    others.map(|(_, child)| number(child)).min().unwrap_or(INFINITE)
}

/// A quarter more than the second best number, and one at least.
fn above(second: u32) -> u32 {
    second.saturating_add((second / 4).max(1))
}
