//! Runs the defender's walk to its end with a source of answers.

use super::{DefenderWalk, Defending, WalkOrder};
use crate::{Method, Zones};
use lambda6_rules::{Move, Side};
use lambda6_threats::{Board, Play};

/// A source of answers to the defender's moves.
pub trait Answers {
    /// An answer with its data.
    type Answer;
    /// The reason why there is no answer.
    type Stop;

    /// The attacker's answer on the board, where the defender has played these
    /// stones and passed on the others.
    fn attack(&mut self, board: &mut Board, stones: &Move) -> Result<Self::Answer, Self::Stop>;

    /// The zones of the win that an answer begins.
    fn zones(answer: &Self::Answer) -> &Zones;

    /// The defender cannot be beaten here.
    fn refuse(&self) -> Self::Stop;
}

/// The answers in the order of the questions, each with the stones of the
/// defender that it answers.
pub type Answered<A> = Vec<(Move, <A as Answers>::Answer)>;

/// Walks the defender's moves on the board in the checker's order: the zones of
/// the win, and the answers.
pub fn answer_all<A: Answers>(
    board: &mut Board,
    attacker: Side,
    method: Method,
    answers: &mut A,
) -> Result<(Zones, Answered<A>), A::Stop> {
    let mut walk = match DefenderWalk::begin(board, attacker, method, WalkOrder::Checker) {
        Defending::Escapes => return Err(answers.refuse()),
        Defending::Beaten(zones) => return Ok((zones, Vec::new())),
        Defending::Walk(walk) => walk,
    };
    let mut answered = Vec::new();
    while let Some(question) = walk.next_question() {
        let stones = question.stones.sorted();
        let answer = board.play(attacker.other(), stones, |board| answers.attack(board, &stones))?;
        walk.answer(question, board, A::zones(&answer), &mut |_| 0);
        answered.push((stones, answer));
    }
    Ok((walk.into_zones(), answered))
}
