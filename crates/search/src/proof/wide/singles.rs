//! The wins against single stones.

use super::{
    Aim, DEEPER, Squares, Wide, Win,
    choose::{Choice, Choices, HOT, WARM},
};
use crate::Why;
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

impl<const W: usize> Wide<'_, '_, W> {
    /// Chooses wins against the stones in the first zone of the win against none, wins of
    /// their own among them if that is wanted.
    pub(super) fn singles(
        &mut self,
        null: &Rc<Win<W>>,
        depth: u8,
        own: bool,
    ) -> Result<Option<Singles<W>>, Why> {
        let stones: Vec<Square> = null.first.iter().collect();
        let largest = self.pool.iter().map(|win| win.replies()).max().unwrap_or(1);
        let smallest = self.pool.iter().map(|win| win.replies()).min().unwrap_or(1);
        let mut choices = Choices::new(&stones, self.area(), largest);
        let mut wins = self.pool.clone();
        for (i, win) in wins.iter().enumerate() {
            self.offer(&mut choices, i, win)?;
        }
        self.offer_owned(&mut choices, &mut wins);
        for (i, &s) in stones.iter().enumerate() {
            if choices.open[i].is_empty() {
                let Some(win) = self.answer_single(s, depth)? else { return Ok(None) };
                let (replies, zone) = (win.replies(), win.first);
                choices.offer(i, Choice { win: wins.len(), replies, zone });
                wins.push(win);
            }
        }
        choices.anneal(self.effort.changes, HOT, &self.lines.graph.budget)?;
        self.suit(&mut choices, &mut wins, depth + 1)?;
        choices.anneal(self.effort.changes, WARM, &self.lines.graph.budget)?;
        if own {
            self.own(&mut choices, &mut wins, depth + 1)?;
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
    /// against the others best.
    fn suit(
        &mut self,
        choices: &mut Choices<'_, W>,
        wins: &mut Vec<Rc<Win<W>>>,
        depth: u8,
    ) -> Result<(), Why> {
        for i in choices.dearest_first() {
            let mut aim = self.cheaper(choices, i);
            aim.without.insert(choices.stones[i]);
            let Some(win) = self.lines.find(&Move::NULL, depth, &aim)? else { continue };
            let win = Rc::new(win);
            self.offer(choices, wins.len(), &win)?;
            wins.push(Rc::clone(&win));
            self.pool.push(win);
            choices.prefer_last(i);
        }
        Ok(())
    }

    /// What is wanted of another win against a stone: that it costs less than the one
    /// that is used, with the others as they are.
    pub(super) fn cheaper(&self, choices: &Choices<'_, W>, stone: usize) -> Aim<W> {
        let mut aim = self.aim();
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
