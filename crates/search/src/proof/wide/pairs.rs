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
        // None that is searched for has fewer replies than the smallest.
        let least = self.pool.first().map_or(0, |win| win.replies());
        let most = best.as_ref().map_or(u32::MAX, |win| win.replies());
        if most > least {
            best = self.lines.smallest([s, t], depth + 1, most)?.map(Rc::new).or(best);
            best.iter().for_each(|win| {
                self.paired.insert((s, t), Rc::clone(win));
            });
        }
        if best.is_none() {
            best = self.find_borne(s, t, &pair, &without, depth + 1)?;
        }
        if best.is_some() {
            return Ok(best);
        }
        let Some(depth) = self.depth_against(&pair, depth + DEEPER)? else { return Ok(None) };
        let aim = Aim { compared: 1, tries: u64::MAX, ..self.aim() };
        Ok(self.lines.find(&pair, depth, &aim)?.map(Rc::new))
    }

    /// Looks for a win against no stone that bears a pair.
    fn find_borne(
        &mut self,
        s: Square,
        t: Square,
        pair: &Move,
        without: &Squares<W>,
        depth: u8,
    ) -> Result<Option<Rc<Win<W>>>, Why> {
        let aim = Aim { without: *without, reply: 1, looks: 1, priced: Squares::EMPTY, ..self.aim() };
        let Some(win) = self.lines.find(&Move::NULL, depth, &aim)? else { return Ok(None) };
        if !win.bears(s, t) && !self.lines.still_wins(&win, pair)? {
            return Ok(None);
        }
        let win = Rc::new(win);
        let at = self.pool.partition_point(|known| known.replies() <= win.replies());
        self.pool.insert(at, Rc::clone(&win));
        Ok(Some(win))
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
