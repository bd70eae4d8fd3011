//! The smallest win against two stones.

use super::{Lines, NodeId, Squares, Step, Win};
use crate::Why;
use rules::{Move, Square};

/// By position: the round in which it was asked for the fewest replies, how many they
/// are, and with which move.
#[derive(Default)]
pub(super) struct Memory {
    known: Vec<(u32, u32, u32)>,
    round: u32,
}

/// The replies where no win is known.
const NONE: u32 = u32::MAX;

impl<const W: usize> Lines<'_, '_, W> {
    /// The win with the fewest replies against two stones, if it has fewer than that, of
    /// all wins of so many moves against no stone that keep clear of the two or bear one of them
    /// where it ends. Its zones are of no interest. None where not all wins have been
    /// worked out, or the two stones together are in its way: then no other is tried.
    pub(in super::super) fn smallest(
        &mut self,
        [s, t]: [Square; 2],
        depth: u8,
        bound: u32,
    ) -> Result<Option<Win<W>>, Why> {
        let root = self.graph.root(&Move::NULL, depth);
        if !self.graph.is_closed(root) {
            return Ok(None);
        }
        self.smallest.round += 1;
        self.smallest.known.resize(self.graph.len(), (0, NONE, 0));
        if self.fewest_against(root, &[s, t].into_iter().collect())? >= bound {
            return Ok(None);
        }
        let mut moves = Vec::new();
        self.collect(root, &mut moves)?;
        let win = self.win(moves)?;
        Ok(self.still_wins(&win, &Move::pair(s, t))?.then_some(win))
    }

    /// The fewest replies from a position.
    fn fewest_against(&mut self, node: NodeId, stones: &Squares<W>) -> Result<u32, Why> {
        let (round, fewest, _) = self.smallest.known[node as usize];
        if round == self.smallest.round {
            return Ok(fewest);
        }
        let steps = self.graph.steps(node)?;
        let least = self.graph.fewest(node).unwrap_or(1);
        let (mut best, mut with) = (NONE, 0);
        for (i, step) in steps.iter().enumerate() {
            if best == least {
                break;
            }
            if !bears(step, stones) {
                continue;
            }
            // What it takes at least, then what it takes.
            let mut sum =
                1 + step.kids.iter().map(|&(_, kid)| self.graph.fewest(kid).unwrap_or(1)).sum::<u32>();
            for &(_, kid) in &step.kids {
                if sum >= best {
                    break;
                }
                let fewest = self.fewest_against(kid, stones)?;
                sum = sum.saturating_add(fewest - self.graph.fewest(kid).unwrap_or(1));
            }
            if sum < best {
                (best, with) = (sum, i as u32);
            }
        }
        self.smallest.known[node as usize] = (self.smallest.round, best, with);
        Ok(best)
    }

    fn collect(&mut self, node: NodeId, moves: &mut Vec<(NodeId, u32)>) -> Result<(), Why> {
        let (_, _, index) = self.smallest.known[node as usize];
        moves.push((node, index));
        let steps = self.graph.steps(node)?;
        steps[index as usize].kids.iter().try_for_each(|&(_, kid)| self.collect(kid, moves))
    }
}

/// Whether a move stays what it is against two stones, as far as that is told without
/// playing it.
fn bears<const W: usize>(step: &Step<W>, stones: &Squares<W>) -> bool {
    let met = step.first.and(stones);
    let spare = |spare: &Squares<W>| met.minus(spare) == Squares::EMPTY;
    met == Squares::EMPTY
        // Of two stones in the way of a last move it is not known what they leave.
        || step.spare.as_deref().is_some_and(spare) && (met.count() == 1 || !step.kids.is_empty())
}
