//! The pairs of stones that have to be answered, and the answers.

use super::{
    super::walk::{self, with},
    Aim, DEEPER, Squares, Wide, Win,
    singles::Singles,
};
use crate::{Method, Why, Zones};
use rules::{Move, Square};
use std::rc::Rc;

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
        if let Some(win) = self.paired.get(&(s, t)) {
            return Ok(Some(Rc::clone(win)));
        }
        let pair = with(&Move::NULL, &[s, t]);
        let without: Squares<W> = [s, t].into_iter().collect();
        let mut best = self.borne(s, t, &pair, &without)?;
        let bound = |best: &Option<Rc<Win<W>>>| best.as_ref().map_or(i64::MAX, |win| win.replies().into());
        // None that is searched for has fewer replies than the smallest.
        let least = self.pool.first().map_or(0, |win| win.replies().into());
        if bound(&best) > least && (best.is_none() || self.effort.smaller > 0) {
            let looks = self.effort.smaller.max(1);
            let aim =
                Aim { without, reply: 1, bound: bound(&best), looks, priced: Squares::EMPTY, ..self.aim() };
            if let Some(win) = self.lines.find(&Move::NULL, depth + 1, &aim)?
                && (win.bears(s, t) || self.lines.still_wins(&win, &pair)?)
            {
                let win = Rc::new(win);
                let at = self.pool.partition_point(|known| known.replies() <= win.replies());
                self.pool.insert(at, Rc::clone(&win));
                best = Some(win);
            }
        }
        if bound(&best) > least && self.effort.own > 0 {
            best = self.own_pair(s, t, depth + 1, bound(&best))?.or(best);
            best.iter().for_each(|win| {
                self.paired.insert((s, t), Rc::clone(win));
            });
        }
        if best.is_some() {
            return Ok(best);
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
