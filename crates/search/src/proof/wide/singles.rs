//! The wins against single stones.

use super::{
    Aim, DEEPER, Squares, Wide, Win,
    choose::{AGAIN, Choice, Choices, HOT, WARM},
};
use crate::{Why, puzzle::Random};
use rules::{Move, Square};
use std::rc::Rc;

/// What was chosen.
pub(super) struct Singles<const W: usize> {
    /// The stones: the first zone of the win against no stone.
    pub(super) stones: Vec<Square>,
    /// For each the win, and its first zone with the stone.
    pub(super) wins: Vec<Rc<Win<W>>>,
    pub(super) zones: Vec<Squares<W>>,
    /// The replies of it all, by estimate.
    pub(super) cost: u64,
    /// By square: what it costs to have it among the stones rather than not.
    pub(super) worth: Vec<i32>,
}

/// What a win that is looked for with other prices may cost more than the one that is used.
const MORE: i64 = 2_000;

/// Hundredths of the price of a pair that count at most where it is not asked about.
const SHARE: u64 = 20;

impl<const W: usize> Wide<'_, '_, W> {
    /// Chooses wins against the stones in the first zone of the win against none: anew,
    /// or beginning with what was chosen before, when the stones were others.
    pub(super) fn singles(
        &mut self,
        null: &Rc<Win<W>>,
        depth: u8,
        before: Option<&Singles<W>>,
    ) -> Result<Option<Singles<W>>, Why> {
        let stones: Vec<Square> = null.first.iter().collect();
        let largest = self.pool.iter().map(|win| win.replies()).max().unwrap_or(1);
        let smallest = self.pool.iter().map(|win| win.replies()).min().unwrap_or(1);
        let mut choices = Choices::new(&stones, self.area(), largest);
        let mut wins = self.pool.clone();
        for (i, win) in wins.iter().enumerate() {
            self.offer(&mut choices, i, win)?;
        }
        for (&(s, t), win) in &self.paired {
            choices.bear_pair(s, t, win.replies());
        }
        for (i, &s) in stones.iter().enumerate() {
            if choices.open[i].is_empty() {
                let Some(win) = self.answer_single(s, depth)? else { return Ok(None) };
                let (replies, zone) = (win.replies(), win.first);
                choices.offer(i, Choice { win: wins.len(), replies, zone });
                wins.push(win);
            }
        }
        if let Some(before) = before {
            use_again(before, &mut choices, &wins);
        }
        choices.settle();
        let heat = if before.is_none() { HOT } else { AGAIN };
        choices.anneal(self.extent.changes, heat, &mut self.random, &self.lines.graph.budget)?;
        for _ in 0..self.extent.suits {
            self.suit(&mut choices, &mut wins, depth + 1)?;
            choices.anneal(self.extent.changes, WARM, &mut self.random, &self.lines.graph.budget)?;
        }
        let zones: Vec<_> = wins.iter().map(|win| (win.first, win.replies())).collect();
        let worth = choices.worth(&zones);
        let cost = choices.total() + u64::from(null.replies());
        let chosen = |i| choices.used(i);
        let singles = (0..stones.len()).map(|i| Rc::clone(&wins[chosen(i).win])).collect();
        let zones = (0..stones.len()).map(|i| chosen(i).zone).collect();
        let mut singles = Singles { wins: singles, zones, cost, worth, stones };
        let outer = self.outer_pairs(null, &singles);
        singles.cost += u64::from(smallest) * outer as u64;
        Ok(Some(singles))
    }

    /// For each stone, those that cost most first, looks for the win that suits those
    /// against the others best, and for some that would with other prices: for the
    /// others will change too.
    fn suit(
        &mut self,
        choices: &mut Choices<'_, W>,
        wins: &mut Vec<Rc<Win<W>>>,
        depth: u8,
    ) -> Result<(), Why> {
        for i in choices.dearest_first() {
            for number in 0..self.extent.each {
                let mut aim = self.cheaper(choices, i);
                if number > 0 {
                    other_prices(&mut aim, choices, &mut self.random);
                }
                let Some(win) = self.lines.find(&Move::NULL, depth, &aim)? else { continue };
                let win = Rc::new(win);
                self.offer(choices, wins.len(), &win)?;
                wins.push(Rc::clone(&win));
                self.pool.push(win);
                choices.prefer_last(i);
            }
        }
        Ok(())
    }

    /// What is wanted of another win against a stone: that it costs less than the one
    /// that is used, with the others as they are.
    fn cheaper(&self, choices: &Choices<'_, W>, stone: usize) -> Aim<W> {
        let mut aim = self.aim();
        aim.stone = Some(choices.stones[stone]);
        aim.without.insert(choices.stones[stone]);
        aim.priced = choices.priced(stone);
        aim.price.iter_mut().zip(choices.prices(stone)).for_each(|(price, &pair)| *price = pair as i32);
        (aim.reply, aim.bound) = (1, choices.cost_now(stone) as i64);
        aim
    }

    /// A win is there to be chosen against the stones that it bears.
    fn offer(&mut self, choices: &mut Choices<'_, W>, index: usize, win: &Win<W>) -> Result<(), Why> {
        self.lines.graph.budget.interrupted()?;
        let more = self.lines.strengthened(win)?;
        for i in 0..choices.stones.len() {
            let s = choices.stones[i];
            if !win.first.contains(s) {
                let mut zone = win.first;
                if let Some(more) = more.get(&s) {
                    zone.add(more);
                }
                zone.remove(s);
                choices.offer(i, Choice { win: index, replies: win.replies(), zone });
            }
        }
        let all: Squares<W> = self.board().game().squares().collect();
        choices.bear(&all.minus(&win.first), win.replies());
        Ok(())
    }

    /// An answer to a single stone, which no known win bears.
    fn answer_single(&mut self, s: Square, depth: u8) -> Result<Option<Rc<Win<W>>>, Why> {
        let stone = Move::single(s);
        let Some(depth) = self.depth_against(&stone, depth + DEEPER)? else { return Ok(None) };
        let aim = Aim { tries: u64::MAX, ..self.aim() };
        Ok(self.lines.find(&stone, depth, &aim)?.map(Rc::new))
    }
}

/// Uses the wins that were used before.
fn use_again<const W: usize>(before: &Singles<W>, choices: &mut Choices<'_, W>, wins: &[Rc<Win<W>>]) {
    for (stone, win) in before.stones.iter().zip(&before.wins) {
        let Some(i) = choices.stones.iter().position(|s| s == stone) else { continue };
        let same = |choice: &Choice<W>| Rc::ptr_eq(&wins[choice.win], win);
        if let Some(choice) = choices.open[i].iter().position(same) {
            choices.use_choice(i, choice);
        }
    }
}

/// Makes each price up to twice as high, or down to nothing, and has those stones cost
/// something too that make no pair with this one as it is: a share of what the pair takes.
fn other_prices<const W: usize>(aim: &mut Aim<W>, choices: &Choices<'_, W>, random: &mut Random) {
    let asked = aim.priced;
    choices.stones.iter().for_each(|&stone| aim.priced.insert(stone));
    aim.priced = aim.priced.minus(&aim.without);
    let share = random.below(SHARE + 1) as i32;
    let spread = 30 + random.below(70) as i32;
    for square in aim.priced.iter() {
        let price = &mut aim.price[square.index()];
        if !asked.contains(square) {
            *price = *price * share / 100;
        }
        *price = *price * (100 - spread + random.below(2 * spread as u64 + 1) as i32) / 100;
    }
    aim.bound += MORE;
}
