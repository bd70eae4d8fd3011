//! Wins by full threats with as few replies as possible.
//!
//! A shortest win is not the smallest: a move with one defence and a long line
//! takes fewer replies than a short one with four defences each time. The number
//! of replies is deepened instead of the depth. A win of n replies is looked for
//! where none of n - 1 is known to be: a move with c critical defences needs a
//! reply to each, which bounds what each of them may take.

use super::tree::Proof;
use super::walk;
use crate::{
    Budget, Why,
    full::{Values, complete},
};
use rules::{Game, Move, Side, Square};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use threats::{Attack, Board, Defences, FreeStones, ThreatCount, defence};

/// More replies than any win may have.
const NEVER: u32 = 1 << 28;

/// Free stones that are tried.
const PARTNERS: usize = 5;

/// What is known of a position.
#[derive(Clone, Default)]
struct Known {
    /// There is no win of so few replies.
    none: u32,
    /// The win of `none + 1`.
    proof: Option<Rc<Proof>>,
}

pub(crate) struct SmallSearch {
    attack: Attack,
    free: FreeStones,
    values: Values,
    known: FxHashMap<u64, Known>,
    most: usize,
}

/// A move of the attacker, and how many critical defences there are.
struct Candidate {
    mv: Move,
    defences: usize,
}

impl SmallSearch {
    pub(crate) fn new(game: Game, bytes: usize) -> SmallSearch {
        SmallSearch {
            attack: Attack::new(game),
            free: FreeStones::new(game),
            values: Values::new(game),
            known: FxHashMap::default(),
            most: bytes / 64,
        }
    }

    /// The win with the fewest replies, at most `bound`. An error when the budget
    /// is used up first.
    pub(crate) fn best(
        &mut self,
        board: &mut Board,
        attacker: Side,
        bound: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Rc<Proof>>, Why> {
        let key = board.key(attacker);
        let mut known = self.known.get(&key).cloned().unwrap_or_default();
        while known.proof.is_none() && known.none < bound {
            match self.within(board, attacker, known.none + 1, budget, None)? {
                Ok(proof) => known.proof = Some(proof),
                Err(least) => known.none = least - 1,
            }
            if self.known.len() >= self.most {
                self.known.clear();
            }
            self.known.insert(key, known.clone());
        }
        Ok(known.proof.filter(|proof| proof.replies <= u64::from(bound)))
    }

    /// Wins of at most `bound` replies, with different first moves: all that are
    /// found within the budget.
    pub(crate) fn all(
        &mut self,
        board: &mut Board,
        attacker: Side,
        bound: u32,
        budget: &mut Budget<'_>,
    ) -> Vec<Rc<Proof>> {
        let mut found = Vec::new();
        if bound >= 1 {
            // Running out of budget leaves what has been found.
            let _ = self.within(board, attacker, bound, budget, Some(&mut found));
        }
        found
    }

    /// A win of at most `bound` replies, or else how many a win has at least: more
    /// than `bound`. With `all`, every win by its first move.
    fn within(
        &mut self,
        board: &mut Board,
        attacker: Side,
        bound: u32,
        budget: &mut Budget<'_>,
        mut all: Option<&mut Vec<Rc<Proof>>>,
    ) -> Result<Result<Rc<Proof>, u32>, Why> {
        budget.count()?;
        if board.has_threat(attacker) {
            return Ok(Ok(connect(board, attacker)));
        }
        let mut theirs = Defences::default();
        theirs.find(board, attacker.other());
        if theirs.count() == ThreatCount::More {
            return Ok(Err(NEVER));
        }
        if bound == 1 && all.is_none() {
            let mv = self.attack.overwhelming(board, attacker, &theirs);
            return Ok(mv.and_then(|mv| last(board, attacker, mv)).ok_or(2));
        }
        let mut least = NEVER;
        for candidate in self.candidates(board, attacker, &theirs) {
            if candidate.defences + 1 > bound as usize {
                least = least.min(candidate.defences as u32 + 1);
                break;
            }
            budget.count()?;
            match (self.with(board, attacker, &candidate.mv, bound - 1, budget)?, &mut all) {
                (Ok(proof), Some(all)) => all.push(proof),
                (Ok(proof), None) => return Ok(Ok(proof)),
                (Err(more), _) => least = least.min(more.saturating_add(1).min(NEVER)),
            }
        }
        Ok(Err(least))
    }

    /// The moves, those with the fewest defences first.
    fn candidates(&mut self, board: &mut Board, attacker: Side, theirs: &Defences) -> Vec<Candidate> {
        let mut sets = Vec::new();
        if theirs.count().is_none() {
            self.attack.full_threats(board, attacker, &mut sets);
        } else {
            self.attack.full_threats_meeting(board, attacker, theirs, &mut sets);
        }
        let p = usize::from(board.game().p());
        let mut squares: Vec<Square> = Vec::new();
        if sets.iter().any(|set| set.len() < p) {
            self.free.find(board, attacker, &mut squares);
            squares.truncate(PARTNERS);
        }
        self.values.forget();
        let mut moves = Vec::new();
        for set in sets {
            complete(set, &squares, p, &mut |mv| moves.push(mv.sorted()));
        }
        moves.sort_unstable();
        moves.dedup();
        let mut scored: Vec<(usize, std::cmp::Reverse<u32>, Move)> = Vec::new();
        let mut ours = Defences::default();
        for mv in moves {
            let value: u32 = mv.iter().map(|square| self.values.of(board, attacker, square)).sum();
            mv.iter().for_each(|square| board.place(attacker, square));
            ours.find(board, attacker);
            let defences = if ours.count() == ThreatCount::More { 0 } else { ours.iter().count() };
            mv.iter().for_each(|square| board.remove(attacker, square));
            scored.push((defences, std::cmp::Reverse(value), mv));
        }
        scored.sort_unstable();
        scored.into_iter().map(|(defences, _, mv)| Candidate { mv, defences }).collect()
    }

    /// The win that begins with this move, with at most `bound` replies after it,
    /// or else how many it has after it at least.
    fn with(
        &mut self,
        board: &mut Board,
        attacker: Side,
        mv: &Move,
        bound: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Result<Rc<Proof>, u32>, Why> {
        mv.iter().for_each(|square| board.place(attacker, square));
        let answered = self.answers(board, attacker, bound, budget);
        mv.iter().for_each(|square| board.remove(attacker, square));
        Ok(answered?.map(|(zones, kids)| Proof::new(*mv, zones, kids)))
    }

    #[allow(clippy::type_complexity, reason = "the parts of a proof")]
    fn answers(
        &mut self,
        board: &mut Board,
        attacker: Side,
        bound: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Result<(crate::Zones, Vec<(Move, Rc<Proof>)>), u32>, Why> {
        let defender = attacker.other();
        let Some((mut zones, defences)) = walk::begin(board, attacker) else { return Ok(Err(NEVER)) };
        let keys: Vec<u64> = defences
            .iter()
            .map(|mv| mv.iter().fold(board.key(attacker), |key, s| key ^ rules::stone_key(defender, s)))
            .collect();
        let least =
            |known: &FxHashMap<u64, Known>, key: &u64| known.get(key).map_or(1, |known| known.none + 1);
        let mut sum: u32 = keys.iter().map(|key| least(&self.known, key)).sum::<u32>().min(NEVER);
        // The one about which least is known is the likeliest to fail.
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(least(&self.known, &keys[i])));
        let mut kids: Vec<Option<Rc<Proof>>> = vec![None; keys.len()];
        for i in order {
            if sum > bound {
                return Ok(Err(sum));
            }
            let own = least(&self.known, &keys[i]);
            defences[i].iter().for_each(|square| board.place(defender, square));
            let proof = self.best(board, attacker, bound - (sum - own), budget);
            defences[i].iter().for_each(|square| board.remove(defender, square));
            let Some(proof) = proof? else {
                let more = least(&self.known, &keys[i]).max(bound - (sum - own) + 1);
                return Ok(Err((sum - own).saturating_add(more).min(NEVER)));
            };
            sum = sum - own + proof.replies as u32;
            kids[i] = Some(proof);
        }
        let kids: Vec<(Move, Rc<Proof>)> =
            defences.into_iter().zip(kids).filter_map(|(mv, kid)| Some((mv, kid?))).collect();
        kids.iter().for_each(|(_, kid)| zones.union(&kid.zones));
        Ok(Ok((zones, kids)))
    }
}

/// The proof that connects on a threat.
fn connect(board: &mut Board, attacker: Side) -> Rc<Proof> {
    let mut reply = None;
    defence::for_each_threat(board, attacker, |threat| reply = reply.or(Some(*threat)));
    let reply = reply.unwrap_or(Move::NULL);
    reply.iter().for_each(|square| board.place(attacker, square));
    let proof = Proof::row(board, attacker, reply);
    reply.iter().for_each(|square| board.remove(attacker, square));
    proof
}

/// The proof whose only reply makes more threats than can be met.
fn last(board: &mut Board, attacker: Side, mv: Move) -> Option<Rc<Proof>> {
    mv.iter().for_each(|square| board.place(attacker, square));
    let zones = walk::begin(board, attacker).filter(|(_, defences)| defences.is_empty());
    mv.iter().for_each(|square| board.remove(attacker, square));
    zones.map(|(zones, _)| Proof::new(mv, zones, Vec::new()))
}
