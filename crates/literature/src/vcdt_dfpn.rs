//! VCDT by depth-first proof-number search (df-pn): it goes on where least is
//! left to prove, whatever the depth.
//!
//! Positions with the attacker to move are won by one move, so that their proof
//! number is the least of those behind the moves, and their disproof number the
//! sum; behind a move every defence must be lost, and it is the other way round.
//! A position is searched until its numbers reach thresholds that say when
//! another has become more promising. Those are set twice as high as they need be
//! (1 + epsilon with an epsilon of 1), so that the search does not jump to and fro
//! and search again each time what the table has lost.
//!
//! Stones are only ever added, so no position comes back in a line, and what the
//! numbers say holds however it was reached.
//!
//! The length of a win does not matter to it, and wins are often longer than
//! they need be. Where the depth is limited the plain search is the one to use.

use crate::{
    numbers::{INFINITE, Numbers, share, sum},
    work_table::WorkTable,
};
use lambda6_rules::{Game, Move, Side, Square, stone_key};
use lambda6_search::{
    Budget, Candidates, How, Observer, Progress, Silent, VcdtMoves, Why, WinSearch, connecting,
    find_defences,
    vcdt::{Defence, VcdtOptions},
};
use lambda6_threats::{Board, Defences, Play, ThreatCount};
use std::ops::ControlFlow;

/// The search. It keeps its memory between calls.
pub struct VcdtDfpn {
    options: VcdtOptions,
    moves: VcdtMoves,
    table: WorkTable<Entry>,
    plies: Vec<Ply>,
    /// Changes the keys from search to search: entries hold for one attacker.
    salt: u64,
}

/// What is known of a position: its numbers, and the move that wins.
#[derive(Clone, Copy)]
struct Entry {
    numbers: Numbers,
    winning: PackedMove,
}

impl Default for Entry {
    fn default() -> Entry {
        Entry { numbers: Numbers::NEW, winning: PackedMove::default() }
    }
}

/// A move in half the bytes; no stones for none.
#[derive(Clone, Copy, Default)]
struct PackedMove {
    squares: [u16; lambda6_rules::MAX_P],
    len: u8,
}

impl PackedMove {
    fn new(mv: Option<&Move>) -> PackedMove {
        let mut packed = PackedMove::default();
        for (slot, square) in packed.squares.iter_mut().zip(mv.into_iter().flat_map(Move::iter)) {
            *slot = square.index() as u16;
            packed.len += 1;
        }
        packed
    }

    fn get(self) -> Option<Move> {
        let mut mv = Move::NULL;
        for &square in &self.squares[..usize::from(self.len)] {
            mv.push(Square::new(square.into()));
        }
        Some(mv).filter(|mv| !mv.is_empty())
    }
}

/// Memory for one attacking move of the line and its defences.
#[derive(Default)]
struct Ply {
    moves: Candidates,
    theirs: Defences,
    ours: Defences,
    /// What is known of the positions behind the moves, in their order.
    behind: Vec<Numbers>,
    /// The squares of the defences, one after the other.
    squares: Vec<Square>,
    /// For each defence where its squares begin and end.
    defences: Vec<(usize, usize)>,
    /// What is known of the positions behind the defences, in their order.
    behind_defences: Vec<Numbers>,
}

struct Run<'s, 'b, 'o> {
    search: &'s mut VcdtDfpn,
    board: &'s mut Board,
    attacker: Side,
    budget: &'s mut Budget<'b>,
    observer: &'o mut dyn Observer,
    narrowed: bool,
    line: Vec<Move>,
    /// Moves tried at which the observer is told next.
    next_report: u64,
}

/// Moves between two reports.
const REPORT_EVERY: u64 = 1 << 16;

/// Told from positions in which the attacker is to move.
const DEFENDER_TO_MOVE: u64 = 0x8cb9_2ba7_2f3d_8dd7;

impl VcdtDfpn {
    /// A search for boards of this game, with a table of this many bytes.
    pub fn new(game: Game, options: VcdtOptions, table_bytes: usize) -> VcdtDfpn {
        VcdtDfpn {
            options,
            moves: VcdtMoves::new(game),
            table: WorkTable::with_bytes(table_bytes),
            plies: Vec::new(),
            salt: 0,
        }
    }
}

/// A limit on depth is not kept.
impl WinSearch for VcdtDfpn {
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
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.moves.forget();
        let mut run = Run::new(self, board, attacker, budget, observer);
        match run.prove()? {
            true => Ok(()),
            false if run.narrowed => Err(Why::Narrowed),
            false => Err(Why::Exhausted),
        }
    }

    fn reply(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<Move, Why> {
        if let Some(row) = connecting(board, attacker) {
            return Ok(row);
        }
        let key = board.key(attacker) ^ self.salt;
        let known = |search: &VcdtDfpn| search.table.get(key).and_then(|entry| entry.winning.get());
        if known(self).is_none() {
            Run::new(self, board, attacker, budget, &mut Silent).prove()?;
        }
        known(self).ok_or(Why::Narrowed)
    }
}

impl<'s, 'b, 'o> Run<'s, 'b, 'o> {
    fn new(
        search: &'s mut VcdtDfpn,
        board: &'s mut Board,
        attacker: Side,
        budget: &'s mut Budget<'b>,
        observer: &'o mut dyn Observer,
    ) -> Run<'s, 'b, 'o> {
        Run { search, board, attacker, budget, observer, narrowed: false, line: Vec::new(), next_report: 0 }
    }

    fn key(&self) -> u64 {
        self.board.key(self.attacker) ^ self.search.salt
    }

    fn known(&self, key: u64) -> Numbers {
        self.search.table.get(key).unwrap_or_default().numbers
    }

    /// Searches the position with the attacker to move until it is settled.
    fn prove(&mut self) -> Result<bool, Why> {
        Ok(self.board.has_threat(self.attacker) || self.attack(0, Numbers::NO_BOUNDS)?.proof == 0)
    }

    fn report(&mut self) {
        if self.budget.nodes() >= self.next_report {
            self.next_report = self.budget.nodes() + REPORT_EVERY;
            self.observer.report(&Progress {
                depth: self.line.len() as u32 / 2,
                nodes: self.budget.nodes(),
                elapsed: self.budget.elapsed(),
                line: self.line.clone(),
                numbers: None,
                left: None,
            });
        }
    }

    /// The attacker, who has no threat yet, to move.
    fn attack(&mut self, ply: usize, bounds: Numbers) -> Result<Numbers, Why> {
        if self.search.plies.len() <= ply {
            self.search.plies.resize_with(ply + 1, Ply::default);
        }
        let mut here = std::mem::take(&mut self.search.plies[ply]);
        let key = self.key();
        let before = self.budget.nodes();
        let found = self.try_moves(&mut here, ply, bounds);
        self.search.plies[ply] = here;
        let (numbers, mv) = found?;
        if let Some(mv) = &mv {
            self.search.moves.note_win(mv);
        }
        let entry = Entry { numbers, winning: PackedMove::new(mv.as_ref()) };
        self.search.table.set(key, entry, self.budget.nodes() - before);
        Ok(numbers)
    }

    /// The numbers, and the move that wins.
    fn try_moves(
        &mut self,
        here: &mut Ply,
        ply: usize,
        bounds: Numbers,
    ) -> Result<(Numbers, Option<Move>), Why> {
        self.budget.count()?;
        self.report();
        find_defences(self.budget, self.board, self.attacker.other(), &mut here.theirs)?;
        if here.theirs.count() == ThreatCount::More {
            return Ok((Numbers::FAILED, None));
        }
        let VcdtDfpn { moves, options, .. } = &mut *self.search;
        let go_on = &mut || self.budget.goes_on();
        match moves.attack.overwhelming_while(self.board, self.attacker, &here.theirs, go_on) {
            ControlFlow::Continue(None) => {}
            ControlFlow::Continue(won) => return Ok((Numbers::WON, won)),
            ControlFlow::Break(()) => return Err(self.budget.why_ended()),
        }
        let how = How { partners: options.partners, killer: None };
        self.narrowed |=
            moves.fill(self.board, self.attacker, &here.theirs, how, self.budget, &mut here.moves)?;
        self.recall_moves(here);
        loop {
            let chosen = Chosen::of(here.behind.iter().map(|n| (n.proof, n.disproof)));
            let numbers = Numbers { proof: chosen.least, disproof: chosen.sum_of_others() };
            if numbers.reaches(bounds) {
                let winning = (numbers.proof == 0).then(|| here.moves.get(chosen.index));
                return Ok((numbers, winning));
            }
            let inner = Numbers {
                proof: bounds.proof.min(twice(chosen.second)),
                disproof: share(bounds.disproof, chosen.sum, here.behind[chosen.index].disproof),
            };
            let mv = here.moves.get(chosen.index);
            here.behind[chosen.index] = self.defend(&mv, here, ply, inner)?;
        }
    }

    /// The key of the position behind a move of the attacker, the defender to move.
    fn key_behind(&self, mv: &Move) -> u64 {
        let stones = mv.iter().map(|square| stone_key(self.attacker, square));
        stones.fold(self.key() ^ DEFENDER_TO_MOVE, |key, stone| key ^ stone)
    }

    /// Fills in what is known of the positions behind the moves.
    fn recall_moves(&self, here: &mut Ply) {
        here.behind.clear();
        for i in 0..here.moves.len() {
            let mut numbers = self.known(self.key_behind(&here.moves.get(i)));
            if numbers == Numbers::NEW {
                // The moves come in a good order: each counts for a little more
                // than the one before. Without that a position of 200 moves is
                // gone through breadth first.
                numbers.proof += i as u32;
            }
            here.behind.push(numbers);
        }
    }

    /// The defender to move behind this move.
    fn defend(&mut self, mv: &Move, here: &mut Ply, ply: usize, bounds: Numbers) -> Result<Numbers, Why> {
        self.budget.count()?;
        let (before, key) = (self.budget.nodes(), self.key_behind(mv));
        self.line.push(*mv);
        let numbers = self.play(self.attacker, mv, |run| run.try_defences(here, ply, bounds));
        self.line.pop();
        let entry = Entry { numbers: numbers?, ..Entry::default() };
        self.search.table.set(key, entry, self.budget.nodes() - before);
        Ok(entry.numbers)
    }

    fn try_defences(&mut self, here: &mut Ply, ply: usize, bounds: Numbers) -> Result<Numbers, Why> {
        find_defences(self.budget, self.board, self.attacker, &mut here.ours)?;
        self.list_defences(here);
        loop {
            let chosen = Chosen::of(here.behind_defences.iter().map(|n| (n.disproof, n.proof)));
            let numbers = Numbers { proof: chosen.sum_of_others(), disproof: chosen.least };
            if numbers.reaches(bounds) {
                return Ok(numbers);
            }
            let inner = Numbers {
                proof: share(bounds.proof, chosen.sum, here.behind_defences[chosen.index].proof),
                disproof: bounds.disproof.min(twice(chosen.second)),
            };
            let (start, end) = here.defences[chosen.index];
            let squares = &here.squares[start..end];
            let most = squares.len().min(usize::from(self.board.game().p()));
            self.line.push(Move::new(&squares[..most]).unwrap_or(Move::NULL));
            let found = self.play(self.attacker.other(), squares, |run| run.attack(ply + 1, inner));
            self.line.pop();
            here.behind_defences[chosen.index] = found?;
        }
    }

    /// Fills in the defences, and what is known of the positions behind them.
    fn list_defences(&mut self, here: &mut Ply) {
        here.squares.clear();
        here.defences.clear();
        here.behind_defences.clear();
        match self.search.options.defence {
            Defence::Normal => {
                for defence in here.ours.iter() {
                    let start = here.squares.len();
                    here.squares.extend(defence.iter());
                    here.defences.push((start, here.squares.len()));
                }
            }
            Defence::Conservative if here.ours.iter().len() > 0 => {
                self.narrowed |= here.ours.iter().len() > 1;
                here.ours.conservative(&mut here.squares);
                here.defences.push((0, here.squares.len()));
            }
            Defence::Conservative => {}
        }
        let attacker = self.attacker;
        for &(start, end) in &here.defences {
            let numbers = self.play(attacker.other(), &here.squares[start..end], |run| {
                if run.board.has_threat(attacker) { Numbers::WON } else { run.known(run.key()) }
            });
            here.behind_defences.push(numbers);
        }
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

/// Which of several positions to go on with.
struct Chosen {
    index: usize,
    /// Its number: the least of all.
    least: u32,
    /// The next to it.
    second: u32,
    /// The numbers of the other kind added up.
    sum: u32,
}

impl Chosen {
    /// The first of those with the least number, and the sum of the others.
    fn of(numbers: impl Iterator<Item = (u32, u32)> + Clone) -> Chosen {
        let mut chosen = Chosen { index: 0, least: INFINITE, second: INFINITE, sum: 0 };
        for (index, (number, _)) in numbers.clone().enumerate() {
            if number < chosen.least {
                (chosen.index, chosen.second, chosen.least) = (index, chosen.least, number);
            } else if number < chosen.second {
                chosen.second = number;
            }
        }
        chosen.sum = sum(numbers.map(|(_, other)| other));
        chosen
    }

    /// The sum, which is infinite where the least is 0: the position is settled.
    fn sum_of_others(&self) -> u32 {
        if self.least == 0 { INFINITE } else { self.sum }
    }
}

/// 1 + epsilon times a number, and one more, with an epsilon of 1.
fn twice(number: u32) -> u32 {
    number.saturating_mul(2).saturating_add(1)
}
