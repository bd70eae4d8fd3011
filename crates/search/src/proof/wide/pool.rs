//! Wins against no stone, to choose from.

use super::{Aim, DEEPER, Squares, Wide, Win};
use crate::Why;
use rules::{Move, Square};
use std::rc::Rc;

impl<const W: usize> Wide<'_, '_, W> {
    /// Fills the pool. False where a stone is met that full threats do not answer: it
    /// is soon found, for it takes the place of something.
    pub(super) fn fill(&mut self, depth: u8) -> Result<bool, Why> {
        let aim = self.aim();
        let Some(first) = self.lines.find(&Move::NULL, depth, &aim)? else { return Ok(false) };
        let squares = first.first;
        self.pool.push(Rc::new(first));
        for s in squares.iter() {
            let aim = Aim { without: [s].into_iter().collect(), ..self.aim() };
            if let Some(win) = self.lines.find(&Move::NULL, depth, &aim)? {
                self.keep(win);
            } else if self.depth_against(&Move::single(s), depth + DEEPER)?.is_none() {
                return Ok(false);
            }
        }
        self.lines.close(&Move::NULL, depth + 1, self.extent.close)?;
        self.differ(depth + 1)?;
        Ok(true)
    }

    pub(super) fn keep(&mut self, win: Win<W>) {
        if !self.pool.iter().any(|known| known.first == win.first) {
            self.pool.push(Rc::new(win));
        }
    }

    /// For pairs that no win bears, adds wins that bear them.
    fn differ(&mut self, depth: u8) -> Result<(), Why> {
        let mut hopeless = vec![Squares::<W>::EMPTY; self.area()];
        while self.pool.len() < self.extent.wins {
            let mut all = Squares::EMPTY;
            self.pool.iter().for_each(|win| all.add(&win.first));
            // For each square those with which a win bears it.
            let mut borne = hopeless.clone();
            for win in &self.pool {
                let outside = all.minus(&win.first);
                outside.iter().for_each(|s| borne[s.index()].add(&outside));
            }
            let mut aim = self.aim();
            let mut open = Vec::new();
            for s in all.iter() {
                for t in all.minus(&borne[s.index()]).iter().filter(|&t| s < t) {
                    // The more such pairs a square is part of, the better to keep out of
                    // its way.
                    aim.price[s.index()] += 1;
                    aim.price[t.index()] += 1;
                    open.push((s, t));
                }
            }
            let price = |&&(s, t): &&(Square, Square)| aim.price[s.index()] + aim.price[t.index()];
            let Some(&(s, t)) = open.iter().max_by_key(price) else { break };
            aim.without = [s, t].into_iter().collect();
            match self.lines.find(&Move::NULL, depth, &aim)? {
                Some(win) => self.pool.push(Rc::new(win)),
                None => hopeless[s.index()].insert(t),
            }
        }
        Ok(())
    }
}
