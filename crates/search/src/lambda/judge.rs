//! What a position promises, by the evaluation: which moves are tried first where
//! many could be.
//!
//! It steers and decides nothing: a search that is told nonsense here takes longer.

use crate::{Budget, Why, field::Field, strategy::find_within};
use rules::{Game, Move, Side};
use threats::{Board, Defences, ThreatCount};

/// What a stone is worth that the defender has to spare, in the evaluation's
/// thousandths.
const SPARE_STONE: i32 = 700;

/// The value of a position that is won.
const WON: i32 = 20_000;

/// The evaluation on a board of its own, which follows the search's.
pub(super) struct Judge {
    field: Field,
    stones: Box<[Option<Side>]>,
    defences: Defences,
}

impl Judge {
    pub(super) fn new(game: Game) -> Judge {
        Judge {
            field: Field::new(game),
            stones: vec![None; game.area()].into(),
            defences: Defences::default(),
        }
    }

    /// Goes to the position on the board.
    pub(super) fn follow(&mut self, board: &Board) {
        for square in board.game().squares() {
            let (here, there) = (&mut self.stones[square.index()], board.at(square));
            if *here != there {
                if let Some(side) = *here {
                    self.field.remove(side, square);
                }
                if let Some(side) = there {
                    self.field.place(side, square);
                }
                *here = there;
            }
        }
    }

    /// The value for the attacker, who is to move, of the position it is at.
    pub(super) fn value(&self, attacker: Side) -> i32 {
        self.field.evaluate(attacker)
    }

    /// The value for the attacker of a move there: when the defender has met its
    /// threats in the way that leaves the attacker least. The board is left as it
    /// was.
    pub(super) fn value_after(
        &mut self,
        board: &mut Board,
        attacker: Side,
        mv: &Move,
        budget: &Budget<'_>,
    ) -> Result<i32, Why> {
        mv.iter().for_each(|square| board.place(attacker, square));
        let found = find_within(budget, board, attacker, &mut self.defences);
        mv.iter().for_each(|square| board.remove(attacker, square));
        found?;
        let Judge { field, defences, .. } = self;
        let defender = attacker.other();
        mv.iter().for_each(|square| field.place(attacker, square));
        let value = match defences.count() {
            ThreatCount::More => WON,
            ThreatCount::Exactly(0) => -field.evaluate(defender),
            ThreatCount::Exactly(_) => {
                let p = usize::from(field.game().p());
                let after = |defence: &Move| {
                    defence.iter().for_each(|square| field.place(defender, square));
                    let value = field.evaluate(attacker);
                    defence.iter().for_each(|square| field.remove(defender, square));
                    value - SPARE_STONE * (p - defence.len()) as i32
                };
                defences.iter().map(after).min().unwrap_or(WON)
            }
        };
        mv.iter().for_each(|square| field.remove(attacker, square));
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, NoClock};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_evaluation_follows_the_board_and_prefers_what_builds_on_stones() {
        let game = Game::CONNECT6;
        let mut board = Board::new(game);
        let at = |name: &str| game.parse_square(name).unwrap();
        let mut judge = Judge::new(game);
        for (side, name) in
            [(Side::Black, "j10"), (Side::White, "i9"), (Side::White, "c4"), (Side::Black, "k10")]
        {
            board.place(side, at(name));
            judge.follow(&board);
        }
        board.remove(Side::White, at("c4"));
        judge.follow(&board);
        let mut fresh = Judge::new(game);
        fresh.follow(&board);
        assert_eq!(judge.value(Side::Black), fresh.value(Side::Black));
        let (limits, stop) = (Limits::default(), AtomicBool::new(false));
        let budget = Budget::new(limits, &NoClock, &stop);
        let mut after = |text: &str| {
            let mv = game.parse_move(text).unwrap();
            judge.value_after(&mut board, Side::Black, &mv, &budget).unwrap()
        };
        assert!(after("k12l11") > after("a1s19"));
        // A row of four that one stone on each side blocks, and the same far from all.
        assert!(after("l10m10") > after("a1s19"));
        assert_eq!(judge.value(Side::Black), fresh.value(Side::Black));
    }
}
