//! One question to the player, and how the levels that search no tree answer it.

use crate::{
    Candidate, Choice, Info, Player, Status,
    alpha_beta::{FOUND_WIN, WIN},
    defense,
    kagami::{KagamiMove, kagami},
    status_of,
    tactics::{combinations, complete, winning_stones},
};
use lambda6_proof::{Class, Solver, SolverOptions, Verdict};
use lambda6_rules::{Move, Position, Side, Square};
use lambda6_search::{Control, Limits, Observer, Silent};
use lambda6_threats::Play;
use std::cmp::Reverse;

/// The fewest nodes for making the proof of a win that was found.
const PROOF_NODES: u64 = 20_000;

/// Moves tried in search of an attack of the verified defensive strategy in go-moku.
const ATTACK_NODES: u64 = 10_000;

/// A position and what may be answered.
pub struct Question<'a> {
    pub player: &'a mut Player,
    pub position: &'a Position,
    pub excluded: &'a [Move],
    pub control: Control<'a>,
}

impl<'a> Question<'a> {
    /// The control of the searches inside: the levels limit their depth.
    pub fn search_control(&self) -> Control<'a> {
        self.control.with(Limits { depth: None, ..self.control.limits })
    }

    /// A choice with the status of its score.
    pub fn choice(&self, mv: Move, score: i32, depth: u32) -> Choice {
        let side = self.position.to_move();
        let status = status_of(score, side, &self.player.thread.evaluation);
        Choice { mv, status, score, depth, nodes: self.player.thread.nodes.max(1), line: vec![mv], win: None }
    }

    /// A move that needs no search: a row that can be completed, or the first
    /// stone in the middle of the board.
    pub fn without_search(&mut self) -> Option<Choice> {
        let game = self.position.game();
        let side = self.position.to_move();
        let stones = self.position.stones_to_place();
        if let Some(win) = winning_stones(&self.player.thread.board, side, stones) {
            let mv = self.filled(win);
            let mut choice = self.choice(mv, WIN - 1, 1);
            self.prove(&mut choice, side);
            return Some(choice);
        }
        if self.position.empty_count() == game.area() {
            let middle = game.square((game.cols() - 1) / 2, game.rows() / 2);
            let mv = self.filled(Move::single(middle));
            return Some(self.choice(mv, 0, 0));
        }
        None
    }

    /// A move filled up with the squares of the highest appeal to as many stones
    /// as the rules demand.
    pub fn filled(&mut self, mv: Move) -> Move {
        let side = self.position.to_move();
        let thread = &mut self.player.thread;
        let evaluation = &thread.evaluation;
        complete(&mut thread.board, side, mv, self.position.stones_to_place(), |board| {
            let empty = board.game().squares().filter(|&square| board.is_empty(square));
            empty.max_by_key(|&square| (evaluation.appeal(side, square), Reverse(square)))
        })
    }

    /// Asks the solver for a certificate of a win that a search has seen. If it
    /// finds one, the choice gets it and the status of a proved win.
    pub fn prove(&mut self, choice: &mut Choice, winner: Side) {
        let first = self.position.empty_count() == self.position.game().area();
        if first || !self.player.thread.solves() && choice.score < WIN - 1 {
            return;
        }
        let class = if choice.score == WIN - 1 { Class::Vcdt } else { Class::Vcst };
        let table_bytes = self.player.options.table_bytes / 4;
        let options = SolverOptions { table_bytes, ..SolverOptions::for_class(class) };
        let mut solver = Solver::new(self.position.game(), options);
        let Limits { nodes, time, .. } = self.control.limits;
        let limits = Limits { nodes: Some(nodes.unwrap_or(u64::MAX).max(PROOF_NODES)), time, depth: None };
        let mut budget = self.control.with(limits).budget();
        let report = solver.solve(self.position, winner, &mut budget, &mut Silent);
        let Ok(report) = report else { return };
        self.player.thread.nodes += report.nodes;
        if let Verdict::Win(win) = report.verdict {
            choice.status = Status::Win(winner);
            choice.line = win.line().to_vec();
            choice.nodes = self.player.thread.nodes;
            choice.win = Some(win);
        }
    }

    /// The best `count` moves by the defensive strategy alone.
    pub fn by_defense(&mut self, last: &[Square], count: usize) -> Vec<Choice> {
        let side = self.position.to_move();
        let stones = self.position.stones_to_place();
        let most = count + self.excluded.len();
        let list = defense::alternatives(&mut self.player.thread.board, side, stones, last, most);
        self.evaluated(list.into_iter().map(|(mv, _)| mv).collect(), count)
    }

    /// Choices with the evaluation as their scores.
    fn evaluated(&mut self, mut moves: Vec<Move>, count: usize) -> Vec<Choice> {
        moves.retain(|mv| !self.excluded.contains(mv));
        if moves.is_empty() {
            moves.extend(self.any_move());
        }
        moves.truncate(count);
        let side = self.position.to_move();
        moves
            .into_iter()
            .map(|mv| {
                let thread = &mut self.player.thread;
                let score = -thread.play(side, mv, |thread| thread.evaluation.evaluate(side.other()));
                self.choice(mv, score, 0)
            })
            .collect()
    }

    /// Any legal move that is not excluded.
    pub fn any_move(&mut self) -> Option<Move> {
        let stones = self.position.stones_to_place();
        let squares: Vec<Square> = self.position.empty_squares().collect();
        let mut found = None;
        let mut visit = |mv: &Move| {
            let outside = !self.excluded.contains(mv);
            if outside {
                found = Some(*mv);
            }
            outside
        };
        combinations(&squares, stones, Move::NULL, &mut visit);
        found
    }

    /// The first move of a win by fours and threes. Threat-space search in Connect6 has single
    /// threats in reserve; with one stone a move a search for fours alone sees no attack.
    fn attack_with_threes(&mut self) -> Option<Move> {
        let side = self.position.to_move();
        if self.position.game().p() > 1 {
            return None;
        }
        let nodes = self.control.limits.nodes.map_or(ATTACK_NODES, |nodes| nodes.clamp(1, ATTACK_NODES));
        let limits = Limits { nodes: Some(nodes), time: self.control.limits.time, depth: None };
        let mut budget = self.control.with(limits).budget();
        let Player { thread, vcst, .. } = &mut *self.player;
        let found = vcst.winning_move(&thread.board, side, &mut budget);
        thread.nodes += budget.nodes();
        let (mv, _) = found.ok().flatten()?;
        (!mv.is_empty()).then_some(mv)
    }

    /// The best `count` moves by the verified defensive strategy.
    pub fn by_kagami(&mut self, last: &[Square], count: usize) -> Vec<Choice> {
        let control = self.search_control();
        let (position, excluded) = (self.position, self.excluded);
        let found = match self.attack_with_threes() {
            Some(mv) => KagamiMove::Attack(mv),
            None => kagami(&mut self.player.thread, position, last, excluded, control),
        };
        match found {
            KagamiMove::Attack(mv) if !excluded.contains(&mv) => {
                let mv = self.filled(mv);
                let mut choice = self.choice(mv, FOUND_WIN, 1);
                self.prove(&mut choice, position.to_move());
                vec![choice]
            }
            KagamiMove::Attack(_) => self.by_defense(last, count),
            KagamiMove::Defence(moves) => self.evaluated(moves, count),
        }
    }

    /// Reports a choice.
    pub fn report(&self, choice: &Choice, observer: &mut dyn Observer<Info>) {
        report_choice(choice, self.player.thread.nodes, self.control, observer);
    }
}

/// Reports one choice.
pub fn report_choice(choice: &Choice, nodes: u64, control: Control<'_>, observer: &mut dyn Observer<Info>) {
    observer.report(&Info {
        depth: choice.depth,
        nodes: nodes.max(1),
        elapsed: control.clock.elapsed(),
        score: choice.score,
        status: choice.status,
        line: choice.line.clone(),
        candidates: vec![Candidate { mv: choice.mv, score: choice.score }],
    });
}
