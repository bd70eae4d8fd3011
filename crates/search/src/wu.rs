//! V_Wu: the verifier of 2006, with which Connect(6,2,3) was solved first.
//!
//! The attacker has one move of any kind, and full threats (double threats in
//! Connect6) from then on: the win against a pass of the defender's must be one by
//! full threats, and so must those against a single stone and against a whole
//! move. Each of these wins has one zone, and the defender's next stone must lie in
//! it. That is the walk of `rzop` with replies of one kind: of the zones in a row
//! that it keeps, the one that counts where `u` stones are left is the u-th. So a
//! win has a certificate of that method, and every win of V_Wu is one of V_C6.

use crate::{
    Budget, Observer, Progress, Strategy, Verdict, Why, Win,
    forced::Forced,
    full::{Defence, Options, Partners},
    lambda::Generator,
};
use rules::{Game, Move, Side, Square};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use threats::{Board, Defences, ThreatCount};

/// Moves tried in each search for full threats, round after round. Most first
/// moves fail against a pass, and most wins are found with few moves.
const ROUNDS: [u64; 4] = [400, 4_000, 40_000, 400_000];

/// The search. It keeps its memory between calls.
pub struct WuSearch {
    forced: Forced,
    generator: Generator,
    /// What the first move may be: from 2 on one that makes a threat, from 3 on
    /// any.
    order: u8,
    /// The first move of the win that was found, and where it was found.
    first: Option<(u64, Move)>,
}

impl WuSearch {
    /// A search for boards of this game, with tables of about this many bytes.
    pub fn new(game: Game, order: u8, partners: Partners, table_bytes: usize) -> WuSearch {
        let mut forced = Forced::new(game, table_bytes);
        forced.set_options(Options { defence: Defence::Normal, partners });
        WuSearch { forced, generator: Generator::new(game, order), order, first: None }
    }

    /// Searches for a win of `attacker`. The board is left as it was.
    pub fn solve(
        &mut self,
        board: &mut Board,
        to_move: Side,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Verdict {
        self.forced.forget();
        self.first = None;
        let mut run = Run { search: self, board, attacker, budget, observer, nodes: 0, cut: false };
        match run.rounds(to_move) {
            // The line and the replies are told by the certificate.
            Ok(true) => Verdict::Win(Box::new(Win {
                line: Vec::new(),
                strategy: Strategy::default(),
                certificate: None,
            })),
            Ok(false) if run.budget.limits().depth.is_some() => Verdict::Unknown(Why::Depth),
            Ok(false) => Verdict::Unknown(Why::Narrowed),
            Err(why) => Verdict::Unknown(why),
        }
    }

    /// The reply in a position of the win that was found. What has been forgotten
    /// is searched again.
    pub(crate) fn reply(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Move, Why> {
        let key = board.key(attacker);
        if let Some((_, first)) = self.first.filter(|&(of, _)| of == key) {
            return Ok(first);
        }
        if self.forced.get(key).is_none() {
            let nodes = ROUNDS[ROUNDS.len() - 1];
            if self.forced.wins(board, attacker, nodes, None, budget)? {
                self.forced.note(board, attacker, budget)?;
            }
        }
        self.forced.get(key).map(|proof| proof.reply).ok_or(Why::Narrowed)
    }
}

struct Run<'s, 'b, 'o> {
    search: &'s mut WuSearch,
    board: &'s mut Board,
    attacker: Side,
    budget: &'s mut Budget<'b>,
    observer: &'o mut dyn Observer,
    /// Moves tried in each search for full threats of this round.
    nodes: u64,
    /// Such a search did not come to its end.
    cut: bool,
}

impl Run<'_, '_, '_> {
    fn rounds(&mut self, to_move: Side) -> Result<bool, Why> {
        let mut moves = None;
        for nodes in ROUNDS {
            (self.nodes, self.cut) = (nodes, false);
            let won = if to_move == self.attacker {
                self.attack(&mut moves)?
            } else {
                self.defend(self.budget.limits().depth)?
            };
            // More moves change nothing where no search wanted them.
            if won || !self.cut {
                return Ok(won);
            }
        }
        Ok(false)
    }

    /// The attacker to move: full threats, or one move of any kind before them.
    fn attack(&mut self, moves: &mut Option<Vec<Move>>) -> Result<bool, Why> {
        let depth = self.budget.limits().depth;
        if self.full_threats(depth)? {
            return Ok(true);
        }
        if self.search.order < 2 || depth.is_some_and(|most| most < 2) {
            return Ok(false);
        }
        let (attacker, order) = (self.attacker, self.search.order);
        let moves = match moves {
            Some(moves) => moves,
            None => moves.insert(self.search.generator.moves(self.board, attacker, order, self.budget)?),
        };
        for mv in moves.iter() {
            self.budget.count()?;
            self.report(mv);
            mv.iter().for_each(|square| self.board.place(attacker, square));
            let won = self.defend(depth.map(|most| most - 1));
            mv.iter().for_each(|square| self.board.remove(attacker, square));
            if won? {
                self.search.first = Some((self.board.key(attacker), *mv));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The defender to move: whether full threats win against everything that
    /// matters. Passes come before single stones and these before whole moves, the
    /// most disturbing of each first: what fails mostly fails early.
    fn defend(&mut self, depth: Option<u32>) -> Result<bool, Why> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        let p = usize::from(self.board.game().p());
        if self.board.has_row(defender) || self.board.has_threat(defender) || self.board.empty_count() < p {
            return Ok(false);
        }
        let mut defences = Defences::default();
        defences.find(self.board, attacker);
        let mut queue: VecDeque<Move> = match defences.count() {
            ThreatCount::More => return Ok(true),
            // With no threat there is nothing to meet: the empty set meets it.
            ThreatCount::Exactly(0) => [Move::NULL].into(),
            ThreatCount::Exactly(_) => defences.iter().map(|set| set.sorted()).collect(),
        };
        let mut met: FxHashSet<Move> = queue.iter().copied().collect();
        let mut rank = None;
        while let Some(stones) = queue.pop_front() {
            stones.iter().for_each(|square| self.board.place(defender, square));
            let squares = self.answer(p - stones.len(), depth);
            stones.iter().for_each(|square| self.board.remove(defender, square));
            let Some(mut squares) = squares? else { return Ok(false) };
            if squares.is_empty() {
                continue;
            }
            let rank = rank.get_or_insert_with(|| self.search.generator.disturbs(self.board, attacker));
            squares.sort_by_key(|&square| std::cmp::Reverse(rank(square)));
            for square in squares {
                let mut more = stones;
                more.push(square);
                if met.insert(more.sorted()) {
                    queue.push_back(more.sorted());
                }
            }
        }
        Ok(true)
    }

    /// Where full threats win: the squares of the zone, in one of which the next of
    /// the defender's `spare` stones must lie.
    fn answer(&mut self, spare: usize, depth: Option<u32>) -> Result<Option<Vec<Square>>, Why> {
        if !self.full_threats(depth)? {
            return Ok(None);
        }
        let zones = self.search.forced.note(self.board, self.attacker, self.budget)?;
        let squares = (spare > 0).then(|| zones.empty_squares(self.board, spare).collect());
        Ok(Some(squares.unwrap_or_default()))
    }

    fn full_threats(&mut self, depth: Option<u32>) -> Result<bool, Why> {
        if self.search.forced.get(self.board.key(self.attacker)).is_some() {
            return Ok(true);
        }
        let before = self.budget.nodes();
        let won = self.search.forced.wins(self.board, self.attacker, self.nodes, depth, self.budget)?;
        self.cut |= !won && self.budget.nodes() - before >= self.nodes;
        Ok(won)
    }

    fn report(&mut self, mv: &Move) {
        self.observer.report(&Progress {
            depth: 1,
            nodes: self.budget.nodes(),
            elapsed: self.budget.elapsed(),
            line: &[*mv],
            numbers: None,
            left: None,
        });
    }
}
