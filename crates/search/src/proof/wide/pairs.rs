//! The pairs of stones that have to be answered, and the answers.

use super::{
    super::walk::{self, with},
    Aim, DEEPER, Squares, Wide, Win,
    singles::Singles,
};
use crate::{Method, Why, Zones};
use rules::{Move, Square};
use std::rc::Rc;

/// Moves looked at for the answer to a pair: its zones do not matter.
const LOOKS: u64 = 200;

impl<const W: usize> Wide<'_, '_, W> {
    /// The pairs that the walk asks about, in its order.
    pub(super) fn pairs(&self, null: &Win<W>, singles: &Singles<W>) -> Vec<(Square, Square)> {
        let zones: Vec<Zones> = singles.zones.iter().map(|zone| self.zones(zone, zone)).collect();
        let of_single: Vec<(Square, &Zones)> = singles.stones.iter().copied().zip(&zones).collect();
        let of_null = self.zones(&null.first, &null.second);
        let attacker = self.lines.graph.attacker;
        walk::pairs(self.board(), attacker, Method::Mutual, &Move::NULL, &of_null, &of_single)
    }

    /// How many of them have no stone in the first zone of the win against none.
    pub(super) fn outer_pairs(&self, null: &Win<W>, singles: &Singles<W>) -> usize {
        let outside = |s: &Square| !null.first.contains(*s);
        self.pairs(null, singles).iter().filter(|(s, t)| outside(s) && outside(t)).count()
    }

    /// The first two zones, to be walked by.
    fn zones(&self, first: &Squares<W>, second: &Squares<W>) -> Zones {
        Zones::from_words(self.board().game(), first.words(), second.words())
    }

    /// An answer to two stones: a known win that bears them, the smallest, or one
    /// that is searched for. Nobody asks for its zones.
    pub(super) fn answer_pair(&mut self, s: Square, t: Square, depth: u8) -> Result<Option<Rc<Win<W>>>, Why> {
        self.lines.graph.budget.interrupted()?;
        let pair = with(&Move::NULL, &[s, t]);
        let without: Squares<W> = [s, t].into_iter().collect();
        let known = self.borne(s, t, &pair, &without)?;
        // None that is searched for has fewer replies than the smallest.
        let least = self.pool.first().map(|win| win.replies());
        if known.as_ref().is_some_and(|known| Some(known.replies()) == least) {
            return Ok(known);
        }
        let bound = known.as_ref().map_or(i64::MAX, |known| i64::from(known.replies()));
        let looks = self.effort.looks.min(LOOKS);
        let aim = Aim { without, reply: 1, bound, looks, priced: Squares::EMPTY, ..self.aim() };
        if let Some(win) = self.lines.find(&Move::NULL, depth + 1, &aim)?
            && (win.bears(s, t) || self.lines.still_wins(&win, &pair)?)
        {
            let win = Rc::new(win);
            let at = self.pool.partition_point(|known| known.replies() <= win.replies());
            self.pool.insert(at, Rc::clone(&win));
            return Ok(Some(win));
        }
        if known.is_some() {
            return Ok(known);
        }
        let Some(depth) = self.depth_against(&pair, depth + DEEPER)? else { return Ok(None) };
        let aim = Aim { compared: 1, tries: u64::MAX, ..self.aim() };
        Ok(self.lines.find(&pair, depth, &aim)?.map(Rc::new))
    }

    /// The smallest known win that bears a pair. The pool is in order of replies.
    fn borne(
        &mut self,
        s: Square,
        t: Square,
        pair: &Move,
        without: &Squares<W>,
    ) -> Result<Option<Rc<Win<W>>>, Why> {
        for i in 0..self.pool.len() {
            if !self.pool[i].first.meets(without) {
                let win = Rc::clone(&self.pool[i]);
                if win.bears(s, t) || self.lines.still_wins(&win, pair)? {
                    return Ok(Some(win));
                }
            }
        }
        Ok(None)
    }
}
