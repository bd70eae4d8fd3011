//! Other ends of a win.

use super::{Aim, Lines, NodeId, Squares, Sum, Win};
use crate::Why;

/// The first and the second zone of a move.
type Zones<const W: usize> = (Squares<W>, Squares<W>);

/// How often all ends of a win are looked at.
const ROUNDS: u32 = 8;

impl<const W: usize> Lines<'_, '_, W> {
    /// Ends a win in other ways where that suits the aim better, the rest of it as it is.
    /// A line may go on for a move where it could have ended: three replies more
    /// can bring a square that is wanted, or keep out of the way of one. To look
    /// for all wins that are so long would take too long. A reply costs one.
    pub(in super::super) fn stretch(&mut self, win: Win<W>, aim: &Aim<W>) -> Result<Win<W>, Why> {
        let aim = Aim { reply: 1, ..aim.clone() };
        let moves = win.moves.clone();
        let stretched = self.within(aim.tries, |lines| lines.stretched(moves, &aim).map(Some))?;
        Ok(stretched.unwrap_or(win))
    }

    fn stretched(&mut self, mut moves: Vec<(NodeId, u32)>, aim: &Aim<W>) -> Result<Win<W>, Why> {
        self.begin(aim);
        let mut zones = self.zones_of(&moves)?;
        for _ in 0..ROUNDS {
            let before = moves.clone();
            let mut at = 0;
            while at < moves.len() {
                at += self.stretch_one(&mut moves, &mut zones, at, aim)?;
            }
            if moves == before {
                break;
            }
        }
        self.win(moves)
    }

    /// Looks at one move of a win. Returns how many there are in its place.
    fn stretch_one(
        &mut self,
        moves: &mut Vec<(NodeId, u32)>,
        zones: &mut Vec<Zones<W>>,
        at: usize,
        aim: &Aim<W>,
    ) -> Result<usize, Why> {
        let (node, index) = moves[at];
        // Where a line ends early, going on has been looked at before.
        if self.graph.depth_of(node) > 1 || !self.graph.steps(node)?[index as usize].kids.is_empty() {
            return Ok(1);
        }
        let now = aim.sum(zones.iter()).cost + moves.len() as i64;
        let mut others = aim.sum(zones[..at].iter().chain(&zones[at + 1..]));
        let deeper = self.graph.deeper(node);
        // What is known of the replies of a position is known when it is worked out.
        self.graph.steps(deeper)?;
        others.cost += moves.len() as i64 - 1 + self.least(deeper);
        self.looks = aim.looks;
        let mut more = Vec::new();
        let found = self.pick(deeper, aim, &others, now, &mut more)?;
        if found.is_none_or(|sum| sum.cost >= now) {
            return Ok(1);
        }
        let len = more.len();
        zones.splice(at..=at, self.zones_of(&more)?);
        moves.splice(at..=at, more);
        Ok(len)
    }

    pub(super) fn zones_of(&mut self, moves: &[(NodeId, u32)]) -> Result<Vec<Zones<W>>, Why> {
        let mut zones = Vec::with_capacity(moves.len());
        for &(node, index) in moves {
            let step = &self.graph.steps(node)?[index as usize];
            zones.push((step.first, step.second));
        }
        Ok(zones)
    }
}

impl<const W: usize> Aim<W> {
    /// What moves with these zones cost together, replies left out.
    pub(super) fn sum<'z>(&self, zones: impl Iterator<Item = &'z Zones<W>>) -> Sum<W> {
        let mut sum = Sum { first: Squares::EMPTY, second: Squares::EMPTY, cost: 0 };
        for (first, second) in zones {
            sum.first.add(first);
            sum.second.add(second);
        }
        let priced = sum.first.and(&self.priced);
        sum.cost = priced.iter().map(|square| i64::from(self.price[square.index()])).sum();
        sum.cost += i64::from(self.second) * i64::from(sum.second.minus(&sum.first).count());
        sum
    }
}
