//! Wins against a single stone that are found with the stone on the board.
//!
//! A win against no stone is one against a stone outside its zone. That leaves wins
//! out: one that makes more threats than it needs, and the stone is in the way of
//! some of them, is a win all the same, and its zone is without them. To find
//! such wins all that follows is worked out anew with the stone there, so only
//! the stones that cost most get one.

use super::{
    Wide, Win,
    choose::{Choice, Choices},
};
use crate::Why;
use rules::Move;
use std::rc::Rc;

/// Moves tried to work out what follows a stone.
const CLOSE: u64 = 2_000_000;

impl<const W: usize> Wide<'_, '_, W> {
    /// Looks for wins of their own against so many stones, those that cost most.
    pub(super) fn own(
        &mut self,
        choices: &mut Choices<'_, W>,
        wins: &mut Vec<Rc<Win<W>>>,
        stones: usize,
        depth: u8,
    ) -> Result<(), Why> {
        for i in choices.dearest_first().into_iter().take(stones) {
            let aim = self.cheaper(choices, i);
            let stone = Move::single(choices.stones[i]);
            let known = self.lines.graph.len();
            self.lines.close(&stone, depth, CLOSE)?;
            let found = self.lines.find(&stone, depth, &aim)?;
            self.lines.forget(known);
            let Some(win) = found else { continue };
            choices.offer(i, Choice { win: wins.len(), replies: win.replies(), zone: win.first });
            wins.push(Rc::new(win));
            choices.prefer_last(i);
        }
        Ok(())
    }
}
