//! Wins against a single stone that are found with the stone on the board.
//!
//! A win against no stone is one against a stone outside its zone. That leaves wins
//! out: one that makes more threats than it needs, and the stone is in the way of
//! some of them, is a win all the same, and its zone is without them. To find
//! such wins all that follows is worked out anew with the stone there, which takes as
//! long as without a stone. The same goes for pairs.

use super::{
    Aim, Squares, Wide, Win,
    choose::{Choice, Choices, WARM},
};
use crate::{Why, puzzle::Random};
use rules::{Move, Square};
use std::rc::Rc;

/// Moves tried to work out what follows a stone.
const CLOSE: u64 = 2_000_000;

/// Stones that get wins of their own again, when all have had one.
const AGAIN: usize = 40;

/// Wins that are looked for against each: with the others as they are, and with other
/// prices, for the others will change too.
const WINS: u32 = 3;

/// What such a win may cost more than the one that is used.
const MORE: i64 = 250;

/// Moves looked at for the smallest win against a pair.
const PAIR_LOOKS: u64 = 20_000;

impl<const W: usize> Wide<'_, '_, W> {
    /// Looks for wins of their own against stones, those that cost most first, and
    /// chooses again.
    pub(super) fn own(
        &mut self,
        choices: &mut Choices<'_, W>,
        wins: &mut Vec<Rc<Win<W>>>,
        depth: u8,
    ) -> Result<(), Why> {
        let mut random = Random::new(7);
        let stones = if self.owned.is_empty() { usize::MAX } else { AGAIN };
        for i in choices.dearest_first().into_iter().take(stones) {
            let stone = Move::single(choices.stones[i]);
            let known = self.lines.graph.len();
            self.lines.close(&stone, depth, CLOSE)?;
            for number in 0..WINS {
                let mut aim = self.cheaper(choices, i);
                if number > 0 {
                    other_prices(&mut aim, &mut random);
                }
                let Some(win) = self.lines.find(&stone, depth, &aim)? else { continue };
                let win = Rc::new(self.lines.stretch(win, &Aim { tries: u64::MAX, ..aim })?);
                if choices.has_as_good(i, &win) {
                    continue;
                }
                self.owned.push((choices.stones[i], Rc::clone(&win)));
                choices.offer(i, Choice::of_own(wins.len(), &win));
                wins.push(win);
                choices.prefer_last(i);
            }
            self.lines.forget(known);
        }
        choices.anneal(self.effort.changes.saturating_mul(4), WARM, &self.lines.graph.budget)
    }

    /// The wins that were found before.
    pub(super) fn offer_owned(&self, choices: &mut Choices<'_, W>, wins: &mut Vec<Rc<Win<W>>>) {
        for (&(s, t), win) in &self.paired {
            choices.bear_pair(s, t, win.replies());
        }
        for (stone, win) in &self.owned {
            if let Some(i) = choices.stones.iter().position(|s| s == stone) {
                choices.offer(i, Choice::of_own(wins.len(), win));
                wins.push(Rc::clone(win));
            }
        }
    }

    /// The smallest win there is against two stones, if it has fewer replies than
    /// that.
    pub(super) fn own_pair(
        &mut self,
        s: Square,
        t: Square,
        depth: u8,
        bound: i64,
    ) -> Result<Option<Rc<Win<W>>>, Why> {
        let pair = Move::pair(s, t);
        let known = self.lines.graph.len();
        self.lines.close(&pair, depth, CLOSE)?;
        let (priced, looks, tries) = (Squares::EMPTY, PAIR_LOOKS, u64::MAX);
        let aim = Aim { reply: 1, bound, priced, looks, tries, ..self.aim() };
        let found = self.lines.find(&pair, depth, &aim)?;
        self.lines.forget(known);
        Ok(found.map(Rc::new))
    }
}

/// Makes each price up to twice as high, or down to nothing.
fn other_prices<const W: usize>(aim: &mut Aim<W>, random: &mut Random) {
    aim.bound += MORE;
    let spread = 30 + random.below(70) as i32;
    for price in &mut aim.price {
        *price = *price * (100 - spread + random.below(2 * spread as u64 + 1) as i32) / 100;
    }
}
