//! Values of moves by the evaluation, for ordering candidates. A wrong value
//! costs time but cannot make a proof wrong.

use crate::{Budget, Why, evaluation::Evaluation, win_search::find_defences};
use lambda6_rules::{Game, Move, Side};
use lambda6_threats::{Board, Defences, Play, ThreatCount};

/// The value of one spare stone of the defender, in thousandths.
const SPARE_STONE: i32 = 700;

/// The value of a position that is won.
const WON: i32 = 20_000;

/// The evaluation on a board of its own, which follows the search's.
pub(super) struct MoveJudge {
    evaluation: Evaluation,
    stones: Box<[Option<Side>]>,
    defences: Defences,
}

impl MoveJudge {
    pub(super) fn new(game: Game) -> MoveJudge {
        MoveJudge {
            evaluation: Evaluation::new(game),
            stones: vec![None; game.area()].into(),
            defences: Defences::default(),
        }
    }

    /// Goes to the position on the board.
    pub(super) fn follow(&mut self, board: &Board) {
        for square in board.game().squares() {
            let (here, there) = (&mut self.stones[square.index()], board.at(square));
            if *here != there {
                self.evaluation.replace(square, *here, there);
                *here = there;
            }
        }
    }

    /// The value of the current position for the attacker, who is to move.
    pub(super) fn value(&self, attacker: Side) -> i32 {
        self.evaluation.evaluate(attacker)
    }

    /// The value of a move for the attacker: the smallest value over the defences
    /// that meet its threats. The board is left unchanged.
    pub(super) fn value_after(
        &mut self,
        board: &mut Board,
        attacker: Side,
        mv: &Move,
        budget: &Budget<'_>,
    ) -> Result<i32, Why> {
        let MoveJudge { evaluation, defences, .. } = self;
        board.play(attacker, mv, |board| find_defences(budget, board, attacker, defences))?;
        let defender = attacker.other();
        Ok(evaluation.play(attacker, mv, |evaluation| match defences.count() {
            ThreatCount::More => WON,
            ThreatCount::Exactly(0) => -evaluation.evaluate(defender),
            ThreatCount::Exactly(_) => {
                let p = usize::from(evaluation.game().p());
                let after = |defence: &Move| {
                    let value =
                        evaluation.play(defender, defence, |evaluation| evaluation.evaluate(attacker));
                    value - SPARE_STONE * (p - defence.len()) as i32
                };
                defences.iter().map(after).min().unwrap_or(WON)
            }
        }))
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
        let mut judge = MoveJudge::new(game);
        for (side, name) in
            [(Side::Black, "j10"), (Side::White, "i9"), (Side::White, "c4"), (Side::Black, "k10")]
        {
            board.place(side, at(name));
            judge.follow(&board);
        }
        board.remove(Side::White, at("c4"));
        judge.follow(&board);
        let mut fresh = MoveJudge::new(game);
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
