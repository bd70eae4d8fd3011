//! Plays a plan out against the defences that there really are.

use super::super::{bits::Squares, zones::zones};
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

impl Stage {
    /// The win by these moves in this order with these stones of the defender on the board.
    /// None where they do not win: a defence strikes back, or the stones are in the way.
    pub(super) fn play<const W: usize>(
        &mut self,
        board: &mut Board,
        attacker: Side,
        stones: &Move,
        moves: &[Move],
    ) -> Option<Answer<W>> {
        if self.plies.len() < moves.len() {
            self.plies.resize_with(moves.len(), Defences::default);
        }
        let answer = Answer { list: Vec::new(), first: Squares::EMPTY, second: Squares::EMPTY };
        let mut scene = Scene { board, attacker, answer };
        scene.against(stones, |scene| scene.reply(moves, &mut self.plies)).then_some(scene.answer)
    }
}

struct Scene<'s, const W: usize> {
    board: &'s mut Board,
    attacker: Side,
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

    /// Whether the moves win from here.
    fn reply(&mut self, moves: &[Move], plies: &mut [Defences]) -> bool {
        let (Some((reply, rest)), Some((ours, plies))) = (moves.split_first(), plies.split_first_mut())
        else {
            return false;
        };
        if reply.iter().any(|square| !self.board.is_empty(square)) {
            return false;
        }
        reply.iter().for_each(|square| self.board.place(self.attacker, square));
        let wins = !self.board.has_threat(self.attacker.other()) && {
            ours.find(self.board, self.attacker);
            self.answer.list.push(*reply);
            let (first, second) = zones(self.board, self.attacker, reply);
            self.answer.first.add(&first);
            self.answer.second.add(&second);
            ours.count() != ThreatCount::Exactly(0)
                && ours.iter().all(|defence| self.against(defence, |scene| scene.reply(rest, plies)))
        };
        reply.iter().for_each(|square| self.board.remove(self.attacker, square));
        wins
    }
}
