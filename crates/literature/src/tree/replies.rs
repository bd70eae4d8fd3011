//! The defender's moves that need an answer.
//!
//! A defender with stones to spare has tens of thousands of moves. The tree
//! answers those that the walk of [`Method::Mutual`] asks for, so a position of
//! the defender that is proved is proved against *every* move.

use lambda6_rules::{Move, Side};
use lambda6_search::{
    Method, Why, Zones,
    walk::{DefenderWalk, Defending, Question, WalkOrder},
};
use lambda6_threats::Board;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What a search knows of the answers to the defender's moves.
pub(crate) trait KnownAnswers {
    /// The board before the defender's move.
    fn board(&self) -> &Board;

    /// Whether the attacker wins after these stones, with the others passed on.
    fn is_won(&mut self, stones: &Move) -> bool;

    /// The zones of that win.
    fn zones(&mut self, stones: &Move) -> Result<Arc<Zones>, Why>;
}

/// The defender's moves that still need an answer; if none does, the zones of
/// the position.
pub(crate) struct Needed {
    pub(crate) moves: Vec<Move>,
    pub(crate) zones: Zones,
}

/// Finds out what needs an answer where the defender is to move and neither has
/// a row nor the defender a threat. `with_zones` asks for the zones of the whole:
/// without, those of moves that have no spare stone are left alone.
pub(crate) fn needed(
    attacker: Side,
    with_zones: bool,
    answers: &mut dyn KnownAnswers,
) -> Result<Needed, Why> {
    let mut walk = match DefenderWalk::begin(answers.board(), attacker, Method::Mutual, WalkOrder::Checker) {
        // The caller has looked.
        Defending::Escapes => return Err(Why::Narrowed),
        Defending::Beaten(zones) => return Ok(Needed { moves: Vec::new(), zones }),
        Defending::Walk(walk) => walk,
    };
    // Passing on the spare stones refutes most moves that fail: every defence
    // is met that way before any zone is looked into.
    let mut moves: Vec<Move> = walk.waiting_stones().filter(|stones| !answers.is_won(stones)).collect();
    if !moves.is_empty() {
        return Ok(Needed { moves, zones: walk.into_zones() });
    }
    let mut singles: FxHashSet<Move> = FxHashSet::default();
    while let Some(first) = walk.next_question() {
        // All single stones of one null move together: zones are asked for when
        // all of them are won.
        let mut group: Vec<Question> = vec![first];
        while let Some(sibling) = walk.next_sibling(&first) {
            group.push(sibling);
        }
        let before = moves.len();
        moves.extend(
            group.iter().map(|q| answered_first(q.stones, &singles)).filter(|mv| !answers.is_won(mv)),
        );
        if moves.len() > before {
            continue;
        }
        for question in group {
            if question.spare == 1 {
                singles.insert(question.stones);
            }
            if question.spare == 0 && !with_zones {
                walk.answer_without_zones(question);
                continue;
            }
            let zones = answers.zones(&question.stones)?;
            walk.answer(question, answers.board(), &zones, &mut |_| 0);
        }
    }
    Ok(Needed { moves, zones: walk.into_zones() })
}

/// A pair of stones with the one first whose answer led to it: the win against
/// that stone tells what to try against both.
fn answered_first(stones: Move, singles: &FxHashSet<Move>) -> Move {
    let &[ref before @ .., a, b] = stones.squares() else { return stones };
    let Some(before) = Move::new(before) else { return stones };
    let swapped = singles.contains(&before.with(b)) && !singles.contains(&before.with(a));
    if swapped { before.with(b).with(a) } else { stones }
}
