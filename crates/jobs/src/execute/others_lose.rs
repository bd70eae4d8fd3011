//! Proves that all moves of a position but some lose.
//!
//! A solver drives the checker's walk as its source of replies. At the root the
//! walk asks before each of the defender's moves whether the move is excepted.
//! There the solver tries to refute the move; a move that it cannot refute is
//! excepted and stays a possible defence.

use crate::JobProof;
use lambda6_checker::{Rejection, walk_except};
use lambda6_proof::convert;
use lambda6_rules::{Move, Position, Side, Square};
use lambda6_search::{Method, Why};
use std::collections::VecDeque;

/// A proof that all moves but some lose.
pub(super) struct Refutation {
    /// Sets of stones: a move that contains none of them loses.
    pub(super) left: Vec<Move>,
    /// The proof of that.
    pub(super) proof: JobProof,
}

/// Finds a win of the opponent in a position: its replies in the order of the
/// checker's walk, or `None`.
pub(super) type FindWin<'a> = dyn FnMut(&Position) -> Result<Option<Vec<Move>>, Why> + 'a;

/// Refutes as many moves as possible. `None` if a pass is not refuted, or if more
/// than `most` sets of stones are left.
pub(super) fn refute(
    position: &Position,
    known: &[Move],
    method: Method,
    most: usize,
    find_win: &mut FindWin<'_>,
) -> Result<Option<Refutation>, Why> {
    let attacker = opponent(position);
    let Ok(header) = convert::checker_header(position, attacker, method) else { return Ok(None) };
    let mut source = Source {
        position,
        known,
        most,
        find_win,
        left: Vec::new(),
        replies: Vec::new(),
        queue: VecDeque::new(),
    };
    match walk_except(&header, &mut source) {
        Ok(_) => {
            let Source { left, replies, .. } = source;
            let proof = JobProof { attacker, method, except: left.clone(), replies };
            Ok(Some(Refutation { left, proof }))
        }
        Err(Failed::Rejected) => Ok(None),
        Err(Failed::Why(why)) => Err(why),
    }
}

enum Failed {
    /// The walk accepts no proof: the side to move connects, or nothing is left
    /// to be claimed.
    Rejected,
    Why(Why),
}

impl From<Rejection> for Failed {
    fn from(_: Rejection) -> Failed {
        Failed::Rejected
    }
}

/// The source of replies for the checker's walk.
struct Source<'a, 'r> {
    position: &'a Position,
    known: &'a [Move],
    most: usize,
    find_win: &'a mut FindWin<'r>,
    left: Vec<Move>,
    replies: Vec<Move>,
    /// The remaining replies of the last win found.
    queue: VecDeque<Move>,
}

impl Source<'_, '_> {
    fn refuted(&mut self, stones: &Move) -> Result<bool, Failed> {
        let mut after = self.position.clone();
        if after.play_partial(stones).is_err() || after.outcome().is_some() {
            return Ok(false);
        }
        match (self.find_win)(&after).map_err(Failed::Why)? {
            Some(replies) => {
                self.queue = replies.into();
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

impl lambda6_checker::Replies for Source<'_, '_> {
    type Error = Failed;

    fn next(&mut self, _: u64, _: &lambda6_checker::Board) -> Result<lambda6_checker::Move, Failed> {
        let reply = self.queue.pop_front().ok_or(Failed::Rejected)?;
        self.replies.push(reply);
        convert::checker_move(&reply).ok_or(Failed::Rejected)
    }

    fn excepts(&mut self, stones: lambda6_checker::Move, _: &lambda6_checker::Board) -> Result<bool, Failed> {
        let mv = convert::rules_move(&stones).ok_or(Failed::Rejected)?;
        if is_left(&self.left, &mv) {
            return Ok(true);
        }
        if !self.known.contains(&mv) && self.refuted(&mv)? {
            return Ok(false);
        }
        // Without a win against a pass no other move can be refuted.
        if mv.is_empty() || self.left.len() == self.most {
            return Err(Failed::Rejected);
        }
        self.left.push(mv);
        Ok(true)
    }
}

/// The whole moves that contain one of the sets, those that are sets themselves
/// first. `None` if there are more than `most`.
pub(super) fn expand(position: &Position, left: &[Move], most: usize) -> Option<Vec<Move>> {
    let stones = position.stones_to_place();
    let mut moves: Vec<Move> = left.iter().copied().filter(|mv| mv.len() == stones).collect();
    for set in left.iter().filter(|set| set.len() < stones) {
        let mut sets = vec![*set];
        while sets.first().is_some_and(|set| set.len() < stones) {
            let mut larger: Vec<Move> = Vec::new();
            for set in &sets {
                for square in position.empty_squares().filter(|&square| !set.contains(square)) {
                    let mut more = *set;
                    more.push(square);
                    larger.push(more.sorted());
                }
                if larger.len() > 4 * most {
                    return None;
                }
            }
            larger.sort_unstable();
            larger.dedup();
            sets = larger;
        }
        sets.retain(|mv| !moves.contains(mv));
        moves.extend(sets);
        if moves.len() > most {
            return None;
        }
    }
    Some(moves)
}

/// Whether a whole move contains one of the sets.
pub(super) fn is_left(left: &[Move], mv: &Move) -> bool {
    left.iter().any(|set| set.iter().all(|square| mv.contains(square)))
}

/// The side that is not to move.
pub(super) fn opponent(position: &Position) -> Side {
    position.to_move().other()
}

/// A whole move that is not excluded.
pub(super) fn any(position: &Position, excluded: &[Move]) -> Option<Move> {
    let squares: Vec<Square> = position.empty_squares().collect();
    let mut moves = squares.windows(position.stones_to_place().max(1)).filter_map(Move::new);
    moves.find(|mv| !excluded.contains(mv))
}
