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
//! they need be. Where the depth is limited [`FullSearch`](crate::full::FullSearch)
//! is the one to use; and elsewhere too, for it takes less: see there.

use crate::{
    Budget, Observer, Progress, Verdict, Why,
    candidates::{Candidates, Generator, How},
    full::{Defence, Options},
    pn_table::{INFINITE, Number, Numbers, PnTable},
    strategy::{Winner, connecting, extract, find_within},
};
use rules::{Game, Move, Side, Square};
use std::ops::ControlFlow;
use threats::{Board, Defences, ThreatCount};

/// The search. It keeps its memory between calls.
pub struct DfpnSearch {
    generator: Generator,
    table: PnTable,
    plies: Vec<Ply>,
    /// Changes the keys from search to search: entries hold for one attacker, one
    /// way to defend and one choice of free stones.
    salt: u64,
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
    /// For each defence where its squares end, and what is known behind it.
    defences: Vec<(usize, Numbers)>,
}

/// Thresholds: a position is searched while its numbers are below both.
type Bounds = Numbers;

struct Run<'s, 'b, 'o> {
    search: &'s mut DfpnSearch,
    board: &'s mut Board,
    attacker: Side,
    options: Options,
    budget: &'s mut Budget<'b>,
    observer: &'o mut dyn Observer,
    narrowed: bool,
    line: Vec<Move>,
    /// Moves tried at which the observer is told next.
    next_report: u64,
}

/// Moves between two reports.
const REPORT_EVERY: u64 = 1 << 16;

/// No bounds: searched until it is settled.
const NO_BOUNDS: Bounds = Numbers { proof: INFINITE, disproof: INFINITE };

/// Told from positions in which the attacker is to move.
const DEFENDER_TO_MOVE: u64 = 0x8cb9_2ba7_2f3d_8dd7;

impl DfpnSearch {
    /// A search for boards of this game, with a table of this many bytes.
    pub fn new(game: Game, table_bytes: usize) -> DfpnSearch {
        DfpnSearch {
            generator: Generator::new(game),
            table: PnTable::with_bytes(table_bytes),
            plies: Vec::new(),
            salt: 0,
        }
    }

    /// Searches for a win of `attacker`, who is to move on `board`. The board is
    /// left as it was. A limit on depth is not kept.
    pub fn solve(
        &mut self,
        board: &mut Board,
        attacker: Side,
        options: Options,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Verdict {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.generator.forget();
        let mut run = Run {
            search: self,
            board,
            attacker,
            options,
            budget,
            observer,
            narrowed: false,
            line: Vec::new(),
            next_report: 0,
        };
        match run.prove(0) {
            Ok(true) => match extract(&mut run) {
                Ok(win) => Verdict::Win(Box::new(win)),
                Err(why) => Verdict::Unknown(why),
            },
            Ok(false) => Verdict::Unknown(if run.narrowed { Why::Narrowed } else { Why::Exhausted }),
            Err(why) => Verdict::Unknown(why),
        }
    }
}

impl Run<'_, '_, '_> {
    fn key(&self) -> u64 {
        self.board.key(self.attacker) ^ self.search.salt
    }

    /// Searches the position with the attacker to move until it is settled.
    fn prove(&mut self, ply: usize) -> Result<bool, Why> {
        if self.board.has_threat(self.attacker) {
            return Ok(true);
        }
        Ok(self.attack(ply, NO_BOUNDS)?.proof == 0)
    }

    fn report(&mut self) {
        if self.budget.nodes() >= self.next_report {
            self.next_report = self.budget.nodes() + REPORT_EVERY;
            self.observer.report(&Progress {
                depth: self.line.len() as u32 / 2,
                nodes: self.budget.nodes(),
                elapsed: self.budget.elapsed(),
                line: &self.line,
                numbers: None,
                left: None,
            });
        }
    }

    /// The attacker, who has no threat yet, to move.
    fn attack(&mut self, ply: usize, bounds: Bounds) -> Result<Numbers, Why> {
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
            self.search.generator.note_win(mv);
        }
        self.search.table.set(key, numbers, self.budget.nodes() - before, mv.as_ref());
        Ok(numbers)
    }

    /// The numbers, and the move that wins.
    fn try_moves(
        &mut self,
        here: &mut Ply,
        ply: usize,
        bounds: Bounds,
    ) -> Result<(Numbers, Option<Move>), Why> {
        self.budget.count()?;
        self.report();
        self.find_defences(&mut here.theirs, self.attacker.other())?;
        if here.theirs.count() == ThreatCount::More {
            return Ok((Numbers::FAILED, None));
        }
        let generator = &mut self.search.generator;
        let go_on = &mut || self.budget.goes_on();
        match generator.attack.overwhelming_while(self.board, self.attacker, &here.theirs, go_on) {
            ControlFlow::Continue(None) => {}
            ControlFlow::Continue(won) => return Ok((Numbers::WON, won)),
            ControlFlow::Break(()) => return Err(self.budget.why_ended()),
        }
        let Ply { moves, theirs, .. } = &mut *here;
        let how = How { partners: self.options.partners, killer: None };
        self.narrowed |= generator.fill(self.board, self.attacker, theirs, how, self.budget, moves)?;
        here.behind.clear();
        for i in 0..here.moves.len() {
            // The key of the position behind a move: that of the stones on it.
            let key = here.moves.get(i).iter().fold(self.key() ^ DEFENDER_TO_MOVE, |key, square| {
                key ^ rules::stone_key(self.attacker, square)
            });
            let mut numbers = self.search.table.get(key);
            if numbers == Numbers::NEW {
                // The moves come in a good order: each counts for a little more
                // than the one before. Without that a position of 200 moves is
                // gone through breadth first.
                numbers.proof += i as Number;
            }
            here.behind.push(numbers);
        }
        loop {
            let Chosen { index, second, sum, least } =
                Chosen::of(here.behind.iter().map(|n| n.proof), here.behind.iter().map(|n| n.disproof));
            let numbers = Numbers { proof: least, disproof: if least == 0 { INFINITE } else { sum } };
            if numbers.proof == 0 {
                return Ok((numbers, Some(here.moves.get(index))));
            }
            if numbers.is_settled() || numbers.proof >= bounds.proof || numbers.disproof >= bounds.disproof {
                return Ok((numbers, None));
            }
            let known = here.behind[index].disproof;
            let inner =
                Numbers { proof: bounds.proof.min(twice(second)), disproof: bounds.disproof - sum + known };
            let mv = here.moves.get(index);
            here.behind[index] = self.defend(&mv, here, ply, inner)?;
        }
    }

    /// The defender to move behind this move.
    fn defend(&mut self, mv: &Move, here: &mut Ply, ply: usize, bounds: Bounds) -> Result<Numbers, Why> {
        self.budget.count()?;
        let attacker = self.attacker;
        let before = self.budget.nodes();
        let key = self.key() ^ DEFENDER_TO_MOVE;
        mv.iter().for_each(|square| self.board.place(attacker, square));
        self.line.push(*mv);
        let numbers = self.try_defences(here, ply, bounds);
        self.line.pop();
        mv.iter().for_each(|square| self.board.remove(attacker, square));
        let numbers = numbers?;
        let key = mv.iter().fold(key, |key, square| key ^ rules::stone_key(attacker, square));
        self.search.table.set(key, numbers, self.budget.nodes() - before, None);
        Ok(numbers)
    }

    fn try_defences(&mut self, here: &mut Ply, ply: usize, bounds: Bounds) -> Result<Numbers, Why> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        self.find_defences(&mut here.ours, attacker)?;
        here.squares.clear();
        here.defences.clear();
        match self.options.defence {
            Defence::Normal => {
                for defence in here.ours.iter() {
                    here.squares.extend(defence.iter());
                    here.defences.push((here.squares.len(), Numbers::NEW));
                }
            }
            Defence::Conservative if here.ours.iter().len() > 0 => {
                self.narrowed |= here.ours.iter().len() > 1;
                here.ours.conservative(&mut here.squares);
                here.defences.push((here.squares.len(), Numbers::NEW));
            }
            Defence::Conservative => {}
        }
        let mut start = 0;
        for (end, numbers) in &mut here.defences {
            let squares = &here.squares[start..*end];
            squares.iter().for_each(|&square| self.board.place(defender, square));
            *numbers = if self.board.has_threat(attacker) {
                Numbers::WON
            } else {
                self.search.table.get(self.board.key(attacker) ^ self.search.salt)
            };
            squares.iter().for_each(|&square| self.board.remove(defender, square));
            start = *end;
        }
        loop {
            let Chosen { index, second, sum, least } = Chosen::of(
                here.defences.iter().map(|d| d.1.disproof),
                here.defences.iter().map(|d| d.1.proof),
            );
            let numbers = Numbers { proof: if least == 0 { INFINITE } else { sum }, disproof: least };
            if numbers.is_settled() || numbers.proof >= bounds.proof || numbers.disproof >= bounds.disproof {
                return Ok(numbers);
            }
            let known = here.defences[index].1.proof;
            let inner =
                Numbers { proof: bounds.proof - sum + known, disproof: bounds.disproof.min(twice(second)) };
            let start = if index == 0 { 0 } else { here.defences[index - 1].0 };
            let squares = &here.squares[start..here.defences[index].0];
            squares.iter().for_each(|&square| self.board.place(defender, square));
            let mut shown = Move::NULL;
            for &square in squares.iter().take(usize::from(self.board.game().p())) {
                shown.push(square);
            }
            self.line.push(shown);
            let found = self.attack(ply + 1, inner);
            self.line.pop();
            squares.iter().for_each(|&square| self.board.remove(defender, square));
            here.defences[index].1 = found?;
        }
    }
}

impl Winner for Run<'_, '_, '_> {
    fn board(&mut self) -> (&mut Board, Side) {
        (self.board, self.attacker)
    }

    fn find_defences(&self, defences: &mut Defences, side: Side) -> Result<(), Why> {
        find_within(self.budget, self.board, side, defences)
    }

    fn reply_here(&mut self) -> Result<Move, Why> {
        if let Some(row) = connecting(self.board, self.attacker) {
            return Ok(row);
        }
        if self.search.table.winning_move(self.key()).is_none() {
            self.prove(0)?;
        }
        self.search.table.winning_move(self.key()).ok_or(Why::Narrowed)
    }
}

/// Which of several positions to go on with.
struct Chosen {
    index: usize,
    /// Its number: the least of all.
    least: Number,
    /// The next to it.
    second: Number,
    /// The numbers of the other kind added up.
    sum: Number,
}

impl Chosen {
    /// The first of those with the least number, and the sum of `added`, which
    /// stays below what says that a position is settled.
    fn of(numbers: impl Iterator<Item = Number>, added: impl Iterator<Item = Number>) -> Chosen {
        let mut chosen = Chosen { index: 0, least: INFINITE, second: INFINITE, sum: 0 };
        for (index, number) in numbers.enumerate() {
            if number < chosen.least {
                (chosen.index, chosen.second, chosen.least) = (index, chosen.least, number);
            } else if number < chosen.second {
                chosen.second = number;
            }
        }
        chosen.sum = added.fold(0, |sum: Number, number| sum.saturating_add(number).min(INFINITE - 1));
        chosen
    }
}

/// 1 + epsilon times a number, and one more. Measured: an epsilon of 1 takes a
/// sixth to a third fewer moves than one of 1/4.
fn twice(number: Number) -> Number {
    (2 * number + 1).min(INFINITE)
}
