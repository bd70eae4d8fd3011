//! Plays a win out against the defences that there really are.

use super::super::{bits::Squares, zones::zones};
use super::course::Course;
use rules::{Move, Side};
use threats::{Board, Defences, ThreatCount};

/// A win: the replies in the order of the walk, and its zones.
#[derive(Clone, Debug)]
pub(super) struct Answer<const W: usize> {
    pub(super) list: Vec<Move>,
    pub(super) first: Squares<W>,
    pub(super) second: Squares<W>,
}

/// Plays, with memory for the defences of each move of a line.
#[derive(Default)]
pub(super) struct Stage {
    plies: Vec<Defences>,
}

/// The most moves of a line.
const MOST_MOVES: usize = 16;

impl Stage {
    /// The win that goes on in this way with these stones of the defender on the board. None
    /// where it is none: a defence strikes back, or the stones are in the way.
    pub(super) fn play<const W: usize>(
        &mut self,
        board: &mut Board,
        attacker: Side,
        stones: &Move,
        course: &Course,
    ) -> Option<Answer<W>> {
        self.plies.resize_with(MOST_MOVES, Defences::default);
        let answer = Answer { list: Vec::new(), first: Squares::EMPTY, second: Squares::EMPTY };
        let mut scene = Scene { board, attacker, course, way: Vec::new(), answer };
        scene.against(stones, |scene| scene.reply(&mut self.plies)).then_some(scene.answer)
    }
}

struct Scene<'s, const W: usize> {
    board: &'s mut Board,
    attacker: Side,
    course: &'s Course,
    /// The defences so far, by their numbers.
    way: Vec<usize>,
    answer: Answer<W>,
}

impl<const W: usize> Scene<'_, W> {
    fn against<T>(&mut self, stones: &Move, play: impl FnOnce(&mut Self) -> T) -> T {
        let defender = self.attacker.other();
        stones.iter().for_each(|square| self.board.place(defender, square));
        let done = play(self);
        stones.iter().for_each(|square| self.board.remove(defender, square));
        done
    }

    /// Whether it wins from here.
    fn reply(&mut self, plies: &mut [Defences]) -> bool {
        let (Some(reply), Some((ours, plies))) =
            (self.course.reply_after(&self.way), plies.split_first_mut())
        else {
            return false;
        };
        if reply.iter().any(|square| !self.board.is_empty(square)) {
            return false;
        }
        reply.iter().for_each(|square| self.board.place(self.attacker, square));
        let wins = !self.board.has_threat(self.attacker.other()) && {
            ours.find(self.board, self.attacker);
            self.answer.list.push(reply);
            let (first, second) = zones(self.board, self.attacker, &reply);
            self.answer.first.add(&first);
            self.answer.second.add(&second);
            ours.count() != ThreatCount::Exactly(0)
                && ours.iter().enumerate().all(|(i, defence)| {
                    self.way.push(i);
                    let wins = self.against(defence, |scene| scene.reply(plies));
                    self.way.pop();
                    wins
                })
        };
        reply.iter().for_each(|square| self.board.remove(self.attacker, square));
        wins
    }
}
