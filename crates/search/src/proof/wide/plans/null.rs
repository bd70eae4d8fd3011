//! The win against no stone, whose zone is to have what is worth having.

use super::super::bits::Squares;
use super::{
    course::Branch,
    forecast::Forecaster,
    outline::{Leg, NodeId, Outline},
};
use threats::Board;

/// Looks for a tree of an outline whose zones cost little: in each position it takes the move that
/// would cost least if only what is wanted came of it and of what follows, and last moves by
/// their zones with all that has been chosen before.
pub(super) struct Broad<'o, const W: usize> {
    pub(super) outline: &'o Outline<W>,
    pub(super) forecaster: &'o mut Forecaster<W>,
    pub(super) board: &'o Board,
    /// What each square costs in the first zone, which may be less than nothing, and what one
    /// costs that only the second has.
    pub(super) price: &'o [i32],
    pub(super) second: i32,
}

/// The first and the second zone of what has been chosen.
type Zones<const W: usize> = (Squares<W>, Squares<W>);

impl<const W: usize> Broad<'_, W> {
    pub(super) fn find(&mut self) -> Option<Branch> {
        self.branch(self.outline.root(), &mut (Squares::EMPTY, Squares::EMPTY))
    }

    fn branch(&mut self, node: NodeId, zones: &mut Zones<W>) -> Option<Branch> {
        let legs = self.outline.legs(node);
        let leg = if legs.iter().all(|leg| leg.defences.is_empty()) {
            legs.iter().min_by_key(|leg| self.cost_told(leg, zones))?
        } else {
            legs.iter().min_by_key(|leg| self.at_best(leg, &zones.0))?
        };
        self.forecaster.push(self.board, &leg.reply);
        zones.0.add(&self.forecaster.first());
        zones.1.add(&self.forecaster.second());
        let mut kids = Vec::with_capacity(leg.defences.len());
        for defence in &leg.defences {
            let mark = self.forecaster.meet(defence);
            kids.extend(self.branch(leg.next, zones));
            self.forecaster.take_back(mark);
        }
        self.forecaster.pop();
        Some(Branch { reply: leg.reply, kids })
    }

    fn cost(&self, squares: Squares<W>) -> i64 {
        squares.iter().map(|square| i64::from(self.price[square.index()])).sum()
    }

    /// What the zones cost with those of a move.
    fn cost_told(&mut self, leg: &Leg<W>, zones: &Zones<W>) -> i64 {
        let (mut first, mut second) = *zones;
        self.forecaster.push(self.board, &leg.reply);
        first.add(&self.forecaster.first());
        second.add(&self.forecaster.second());
        self.forecaster.pop();
        self.cost(first) + i64::from(self.second) * i64::from(second.minus(&first).count())
    }

    /// What a move and all that may follow would cost if only what is wanted came of it.
    fn at_best(&self, leg: &Leg<W>, before: &Squares<W>) -> i64 {
        let new = leg.zone.minus(before);
        if leg.defences.is_empty() {
            return self.cost(new);
        }
        let later = self.outline.reach(leg.next).minus(&new).minus(before);
        let wanted = |square: rules::Square| i64::from(self.price[square.index()].min(0));
        self.cost(new) + later.iter().map(wanted).sum::<i64>()
    }
}
