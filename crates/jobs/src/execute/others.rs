//! The proof that every move but some loses.
//!
//! The checker's walk is driven with a solver as the source of replies. In the
//! first position the walk asks before each of the defender's moves whether it
//! is excepted: that is when the solver tries to refute it. What it cannot refute
//! is excepted, and is what the defender may still play.

use crate::{Proof, judge};
use checker::{Rejection, walk_except};
use rules::{Move, Position, Side, Square};
use search::{Method, Why};
use std::collections::VecDeque;

/// What is known about the moves of a position.
pub(super) struct Others {
    /// Sets of stones: moves that contain none of them lose.
    pub(super) left: Vec<Move>,
    /// The proof of that.
    pub(super) proof: Proof,
}

/// A win of the opponent after some stones: its replies, in the order of the
/// walk.
pub(super) type Refute<'a> = dyn FnMut(&Position) -> Result<Option<Vec<Move>>, Why> + 'a;

/// Finds out which moves lose. `None` if passing does not lose, or if `most`
/// sets are not enough to describe what is left.
pub(super) fn others(
    position: &Position,
    known: &[Move],
    method: Method,
    most: usize,
    refute: &mut Refute<'_>,
) -> Result<Option<Others>, Why> {
    let attacker = position.to_move().other();
    let Ok(header) = judge::header(position, attacker, method) else { return Ok(None) };
    let mut source = Source {
        position,
        known,
        most,
        refute,
        left: Vec::new(),
        replies: Vec::new(),
        queue: VecDeque::new(),
    };
    match walk_except(&header, &mut source) {
        Ok(_) => {
            let Source { left, replies, .. } = source;
            let proof = Proof { attacker, method, except: left.clone(), replies };
            Ok(Some(Others { left, proof }))
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

struct Source<'a, 'r> {
    position: &'a Position,
    known: &'a [Move],
    most: usize,
    refute: &'a mut Refute<'r>,
    left: Vec<Move>,
    replies: Vec<Move>,
    /// What the win found last replies next.
    queue: VecDeque<Move>,
}

impl Source<'_, '_> {
    fn refuted(&mut self, stones: &Move) -> Result<bool, Failed> {
        let mut after = self.position.clone();
        if after.play_partial(stones).is_err() || after.outcome().is_some() {
            return Ok(false);
        }
        match (self.refute)(&after).map_err(Failed::Why)? {
            Some(replies) => {
                self.queue = replies.into();
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

impl checker::Replies for Source<'_, '_> {
    type Error = Failed;

    fn next(&mut self, _: u64, _: &checker::Board) -> Result<checker::Move, Failed> {
        let reply = self.queue.pop_front().ok_or(Failed::Rejected)?;
        self.replies.push(reply);
        judge::of_move(&reply).ok_or(Failed::Rejected)
    }

    fn excepts(&mut self, stones: checker::Move, _: &checker::Board) -> Result<bool, Failed> {
        let squares: Vec<Square> = stones.squares().iter().map(|&s| Square::new(usize::from(s))).collect();
        let Some(mv) = Move::new(&squares) else { return Err(Failed::Rejected) };
        let contains = |set: &Move| set.iter().all(|square| mv.contains(square));
        if self.left.iter().any(contains) {
            return Ok(true);
        }
        if !self.known.contains(&mv) && self.refuted(&mv)? {
            return Ok(false);
        }
        // Without a win against a pass nothing can be said about the others.
        if mv.is_empty() || self.left.len() == self.most {
            return Err(Failed::Rejected);
        }
        self.left.push(mv);
        Ok(true)
    }
}

/// The whole moves that contain one of the sets, up to `most` of them: those
/// given whole first.
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

/// Some whole move that is not excluded.
pub(super) fn any(position: &Position, excluded: &[Move]) -> Option<Move> {
    let squares: Vec<Square> = position.empty_squares().collect();
    let mut moves = squares.windows(position.stones_to_place().max(1)).filter_map(Move::new);
    moves.find(|mv| !excluded.contains(mv))
}
