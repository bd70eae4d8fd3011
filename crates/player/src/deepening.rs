//! Iterative deepening at the root: rounds of growing depth. The best move of
//! each round is verified with VCST searches of the opponent's answers before it
//! is believed, and once more with what is left of the limits at the end.

use crate::{
    Info, WON,
    alpha_beta::{AlphaBeta, AlphaBetaNode, FOUND_WIN, INFINITE, LOSING, MAX_PLY},
    root::{RootMove, RootResult, RootSearch},
    search_thread::Interrupted,
};
use lambda6_rules::Side;
use lambda6_search::{Limits, Observer};
use lambda6_threats::Play;
use std::{cmp::Reverse, sync::atomic::Ordering};

/// The most best moves that are checked after a round.
const CHECKS: usize = 8;

/// The most stages of rounds and verification, and the part of the limits that
/// another stage needs.
const STAGES: u32 = 8;
const WORTHWHILE: f64 = 0.2;

/// The part of what is left that verifies the best move: for VCST, and of the
/// rest for quiet wins. What is left then is for the next move if that one is
/// refuted.
const VCST_PART: f64 = 0.4;
const QUIET_PART: f64 = 0.7;

/// The part of the time of a stage after which no further round begins: a round
/// takes several times as long as the one before.
const LATE: f64 = 0.55;

impl RootSearch<'_> {
    /// The best moves: rounds of growing depth until a limit ends them, and a
    /// verification of the best. `None` when every legal move is excluded.
    pub fn deepen(&mut self, observer: &mut dyn Observer<Info>) -> Option<RootResult> {
        let mut moves = self.moves(false);
        if moves.is_empty() {
            return None;
        }
        let whole = self.control.limits;
        let reserve = self.settings.vcst.map_or(0.0, |vcst| f64::from(vcst.reserve) / 100.0);
        let mut depth = 0;
        for _ in 0..STAGES {
            let end = 1.0 - reserve * self.left();
            self.control.limits.time = whole.time.map(|time| time.mul_f64(end));
            self.control.limits.nodes = whole.nodes.map(|nodes| (nodes as f64 * end) as u64);
            let cut_short = self.rounds(&mut depth, &mut moves, observer);
            self.control.limits = whole;
            if self.verify_best(&mut moves) {
                self.report(depth, &moves, observer);
            }
            // What the verification has not used goes to further rounds.
            let stopped = self.control.stop.load(Ordering::Relaxed);
            if !cut_short || stopped || reserve == 0.0 || self.left() < WORTHWHILE {
                break;
            }
        }
        Some(RootResult { moves, depth })
    }

    /// Rounds of growing depth after the first `completed`. Returns whether the
    /// limits ended them.
    fn rounds(
        &mut self,
        completed: &mut u32,
        moves: &mut Vec<RootMove>,
        observer: &mut dyn Observer<Info>,
    ) -> bool {
        let begin = self.control.clock.elapsed();
        let mut wide = self.settings.vcst.is_none();
        let most = self.limits.depth.unwrap_or(MAX_PLY / 2).min(self.settings.depth).max(1);
        for depth in *completed + 1..=most {
            let done = self.round(depth, moves);
            sort(moves);
            if done.is_ok() {
                *completed = depth;
                self.check_best(moves);
            }
            self.report(depth, moves, observer);
            if moves[0].score <= -LOSING && !wide && done.is_ok() {
                wide = true;
                let done = self.widen(depth, moves);
                self.report(depth, moves, observer);
                if done.is_err() {
                    return true;
                }
            }
            if moves[0].score.abs() >= WON || moves.len() == 1 && depth >= 2 {
                return false;
            }
            let late = self.control.limits.time.is_some_and(|time| {
                let stage = time.saturating_sub(begin);
                self.control.clock.elapsed().saturating_sub(begin) > stage.mul_f64(LATE)
            });
            if done.is_err() || late {
                return true;
            }
        }
        false
    }

    /// Searches more moves when all moves so far lose.
    fn widen(&mut self, depth: u32, moves: &mut Vec<RootMove>) -> Result<(), Interrupted> {
        let mut more = self.moves(true);
        more.retain(|new| !moves.iter().any(|root| root.mv == new.mv));
        moves.extend(more);
        let done = self.round(depth, moves);
        sort(moves);
        self.check_best(moves);
        done
    }

    /// Searches for a VCST win and a quiet win of the opponent after the best
    /// move, with most of what is left; while the move is refuted, after the
    /// next. Returns whether the order of the moves has changed.
    fn verify_best(&mut self, moves: &mut [RootMove]) -> bool {
        let Some(vcst) = self.settings.vcst else { return false };
        let side = self.side();
        let mut changed = false;
        for _ in 0..moves.len() {
            let left = self.left();
            if moves[0].score.abs() >= WON || left <= 0.01 {
                break;
            }
            let used = self.control.clock.elapsed();
            let time = self.limits.time.map(|time| used + time.mul_f64(left * VCST_PART));
            let nodes = self.limits.nodes.map(|nodes| (nodes as f64 * left * VCST_PART) as u64);
            let nodes = nodes.or(time.is_none().then_some(vcst.nodes_unlimited));
            let mut board = self.thread.board.clone();
            board.place_all(side, moves[0].mv);
            let lost = self.vcst_win(&board, side.other(), Limits { nodes, time, depth: None }).is_some();
            if !lost && !self.loses_to_quiet_move(&mut moves[0]) {
                break;
            }
            moves[0].loses_by_vcst = Some(true);
            moves[0].score = if lost { -FOUND_WIN } else { -LOSING };
            sort(moves);
            changed = true;
        }
        changed
    }

    /// Whether a quiet win of the opponent after this move is found with a part
    /// of what is left.
    fn loses_to_quiet_move(&mut self, root: &mut RootMove) -> bool {
        if root.no_quiet_win {
            return false;
        }
        let end = self.part_of_rest(QUIET_PART);
        let side = self.side();
        let found = self.play(side, root.mv, |search| search.quiet_win(side.other(), end));
        root.no_quiet_win = found == Ok(None);
        matches!(found, Ok(Some(_)))
    }

    /// Whether the opponent has neither threats nor a VCDT win after a pass that
    /// the solver finds: then it has none after a move either.
    fn is_calm(&mut self) -> Result<bool, Interrupted> {
        let opponent = self.side().other();
        let nodes = self.settings.tree.solver[3];
        let threatened = self.thread.board.has_threat(opponent);
        Ok(!threatened && self.thread.vcdt_length(opponent, nodes, self.control)?.is_none())
    }

    /// Searches all moves to this depth. Scores of moves that were not reached
    /// stay as they were.
    fn round(&mut self, depth: u32, moves: &mut [RootMove]) -> Result<(), Interrupted> {
        let side = self.side();
        let calm = self.is_calm()?;
        // The scores of this round, best first.
        let mut best: Vec<i32> = Vec::new();
        for i in 0..moves.len() {
            if moves[i].loses_by_vcst == Some(true) {
                continue;
            }
            let alpha = if best.len() < self.count { -INFINITE } else { best[self.count - 1] };
            let score = self.play(side, moves[i].mv, |search| search.value(side, depth, alpha, i, calm));
            let mut score = match score {
                Ok(score) => score,
                Err(interrupted) => {
                    demote_unsearched(&mut moves[i..], &best);
                    return Err(interrupted);
                }
            };
            if score > alpha && score < WON && depth >= 3 && self.loses_by_vcst(&mut moves[i]) {
                score = -FOUND_WIN;
            }
            moves[i].score = score;
            moves[i].exact = score > alpha;
            if score > alpha {
                best.push(score);
                best.sort_unstable_by(|a, b| b.cmp(a));
            }
            if best.first().is_some_and(|&score| score >= WON) && self.count == 1 {
                moves[i + 1..].iter_mut().for_each(|root| root.score = root.score.min(0));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the opponent wins by VCST after a move; searched once for each
    /// move.
    fn loses_by_vcst(&mut self, root: &mut RootMove) -> bool {
        if let Some(lost) = root.loses_by_vcst {
            return lost;
        }
        let side = self.side();
        let mut board = self.thread.board.clone();
        board.place_all(side, root.mv);
        let lost = self.vcst_win_with_share(&board, side.other(), 0.5).is_some();
        root.loses_by_vcst = Some(lost);
        lost
    }

    /// Searches for a VCST win of the opponent after the first move; moves that
    /// lose go to the end.
    fn check_best(&mut self, moves: &mut [RootMove]) {
        for _ in 0..CHECKS.min(moves.len()) {
            let best = &mut moves[0];
            if best.score.abs() >= WON || !self.loses_by_vcst(best) {
                return;
            }
            best.score = -FOUND_WIN;
            sort(moves);
        }
    }

    /// The score of the move that was just placed, the `i`-th of the round.
    fn value(
        &mut self,
        side: Side,
        depth: u32,
        alpha: i32,
        i: usize,
        calm: bool,
    ) -> Result<i32, Interrupted> {
        let mut tree = AlphaBeta {
            thread: &mut *self.thread,
            table: self.table,
            control: self.control,
            settings: self.settings.tree,
            nominal_depth: depth,
            vcst: self.vcst.as_deref_mut(),
        };
        let deep = depth as i32 - 1;
        let node =
            AlphaBetaNode { side: side.other(), depth: deep, alpha: -INFINITE, beta: -alpha, ply: 1, calm };
        if alpha == -INFINITE {
            return Ok(-tree.search(node)?);
        }
        let less = i32::from(i >= 12 && deep >= 2);
        let mut score = -tree.search(AlphaBetaNode { depth: deep - less, alpha: -alpha - 1, ..node })?;
        if score > alpha {
            score = -tree.search(node)?;
        }
        Ok(score)
    }
}

/// Best first, exact scores before bounds; stable, so that refuted moves stay in
/// the order of the round before.
fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| (Reverse(root.score), !root.exact));
}

/// After a round that was cut short: the moves that it did not reach go behind
/// its best, whatever their earlier scores, unless the best is lost.
fn demote_unsearched(unsearched: &mut [RootMove], best: &[i32]) {
    if let Some(&top) = best.first()
        && top > -WON
    {
        for root in unsearched {
            root.score = root.score.min(top - 1);
            root.exact = false;
        }
    }
}
