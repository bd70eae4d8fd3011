//! Wins by VCDT with as few replies as possible.
//!
//! The shortest win is not the smallest: a long line with one defence against each move
//! has fewer replies than a short line with four. The search therefore deepens by the
//! number of replies: it looks for a win of n replies when there is none of n - 1. A
//! move with c critical defences needs c replies at least, which bounds the replies
//! left for each.

use crate::proof_tree::{AnswerList, ReplyTree};
use lambda6_rules::{Game, Move, Side};
use lambda6_search::{
    Budget, Candidates, How, VcdtMoves, Why, Zones, connecting, vcdt::Partners, walk::critical_defences,
};
use lambda6_threats::{Board, Defences, Play, ThreatCount};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Infinity: more replies than any win may have.
const NEVER: u32 = 1 << 28;

/// Free stones tried as partners of a square that makes a double threat alone.
const PARTNERS: usize = 5;

/// What is known of a position.
#[derive(Clone, Default)]
struct KnownReplies {
    /// There is no win of so few replies.
    none: u32,
    /// The win of `none + 1`.
    tree: Option<Rc<ReplyTree>>,
}

/// The search. It keeps what it knows between calls.
pub(crate) struct FewestReplies {
    generator: VcdtMoves,
    known: FxHashMap<u64, KnownReplies>,
    most: usize,
}

impl FewestReplies {
    pub(crate) fn new(game: Game, bytes: usize) -> FewestReplies {
        FewestReplies { generator: VcdtMoves::new(game), known: FxHashMap::default(), most: bytes / 64 }
    }

    /// The win with the fewest replies, at most `bound`. An error when the budget
    /// is used up first.
    pub(crate) fn best(
        &mut self,
        board: &mut Board,
        attacker: Side,
        bound: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Rc<ReplyTree>>, Why> {
        let key = board.key(attacker);
        let mut known = self.known.get(&key).cloned().unwrap_or_default();
        while known.tree.is_none() && known.none < bound {
            match self.within(board, attacker, known.none + 1, budget)? {
                Ok(tree) => known.tree = Some(tree),
                Err(least) => known.none = least - 1,
            }
            if self.known.len() >= self.most {
                self.known.clear();
            }
            self.known.insert(key, known.clone());
        }
        Ok(known.tree.filter(|tree| tree.replies <= u64::from(bound)))
    }

    /// A win of at most `bound` replies, or else how many a win has at least: more
    /// than `bound`.
    fn within(
        &mut self,
        board: &mut Board,
        attacker: Side,
        bound: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Result<Rc<ReplyTree>, u32>, Why> {
        budget.count()?;
        if board.has_threat(attacker) {
            return Ok(Ok(connect(board, attacker)));
        }
        let mut theirs = Defences::default();
        theirs.find(board, attacker.other());
        if theirs.count() == ThreatCount::More {
            return Ok(Err(NEVER));
        }
        if bound == 1 {
            let mv = self.generator.attack.overwhelming(board, attacker, &theirs);
            return Ok(mv.and_then(|mv| last(board, attacker, mv)).ok_or(2));
        }
        let mut least = NEVER;
        for (defences, mv) in self.moves(board, attacker, &theirs, budget)? {
            if defences + 1 > bound as usize {
                least = least.min(defences as u32 + 1);
                break;
            }
            budget.count()?;
            match self.with(board, attacker, &mv, bound - 1, budget)? {
                Ok(tree) => return Ok(Ok(tree)),
                Err(more) => least = least.min(more.saturating_add(1).min(NEVER)),
            }
        }
        Ok(Err(least))
    }

    /// The moves, those with the fewest defences first, each with the number of its defences.
    fn moves(
        &mut self,
        board: &mut Board,
        attacker: Side,
        theirs: &Defences,
        budget: &Budget<'_>,
    ) -> Result<Vec<(usize, Move)>, Why> {
        let mut candidates = Candidates::default();
        let how = How { partners: Partners::Useful(PARTNERS), killer: None };
        self.generator.fill(board, attacker, theirs, how, budget, &mut candidates)?;
        let mut ours = Defences::default();
        let mut count = |mv: Move| {
            board.play(attacker, mv, |board| {
                ours.find(board, attacker);
                if ours.count() == ThreatCount::More { 0 } else { ours.iter().len() }
            })
        };
        let mut moves: Vec<(usize, Move)> = Vec::new();
        moves.extend((0..candidates.len()).map(|i| candidates.get(i)).map(|mv| (count(mv), mv)));
        moves.sort_by_key(|&(defences, _)| defences);
        Ok(moves)
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
    ) -> Result<Result<Rc<ReplyTree>, u32>, Why> {
        let answers = board.play(attacker, mv, |board| self.answers(board, attacker, bound, budget))?;
        Ok(answers.map(|(zones, answers)| ReplyTree::new(*mv, zones, answers)))
    }

    /// The answers to the defences against the move on the board, with at most `bound`
    /// replies in all, or else how many they have at least.
    fn answers(
        &mut self,
        board: &mut Board,
        attacker: Side,
        bound: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Result<(Zones, AnswerList), u32>, Why> {
        let defender = attacker.other();
        let Some((mut zones, defences)) = critical_defences(board, attacker) else { return Ok(Err(NEVER)) };
        let keys: Vec<u64> = defences
            .iter()
            .map(|mv| {
                mv.iter().fold(board.key(attacker), |key, s| key ^ lambda6_rules::stone_key(defender, s))
            })
            .collect();
        let least = |known: &FxHashMap<u64, KnownReplies>, key: &u64| {
            known.get(key).map_or(1, |known| known.none + 1)
        };
        let mut sum: u32 = keys.iter().map(|key| least(&self.known, key)).sum::<u32>().min(NEVER);
        // The defence about which least is known is the likeliest to fail.
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(least(&self.known, &keys[i])));
        let mut answers: Vec<Option<Rc<ReplyTree>>> = vec![None; keys.len()];
        for i in order {
            if sum > bound {
                return Ok(Err(sum));
            }
            let own = least(&self.known, &keys[i]);
            let most = bound - (sum - own);
            let tree = board.play(defender, defences[i], |board| self.best(board, attacker, most, budget))?;
            let Some(tree) = tree else {
                let more = least(&self.known, &keys[i]).max(most + 1);
                return Ok(Err((sum - own).saturating_add(more).min(NEVER)));
            };
            sum = sum - own + tree.replies as u32;
            answers[i] = Some(tree);
        }
        let answers: AnswerList =
            defences.into_iter().zip(answers).filter_map(|(mv, answer)| Some((mv, answer?))).collect();
        answers.iter().for_each(|(_, answer)| zones.union(&answer.zones));
        Ok(Ok((zones, answers)))
    }
}

/// The win by connecting at once.
fn connect(board: &mut Board, attacker: Side) -> Rc<ReplyTree> {
    let reply = connecting(board, attacker).unwrap_or(Move::NULL);
    board.play(attacker, reply, |board| ReplyTree::row(board, attacker, reply))
}

/// The win by a reply that makes more threats than can be met.
fn last(board: &mut Board, attacker: Side, mv: Move) -> Option<Rc<ReplyTree>> {
    let after = board.play(attacker, mv, |board| critical_defences(board, attacker));
    let (zones, _) = after.filter(|(_, defences)| defences.is_empty())?;
    Some(ReplyTree::new(mv, zones, Vec::new()))
}
