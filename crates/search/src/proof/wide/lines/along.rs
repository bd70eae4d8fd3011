//! A win that begins as somebody tells.

use super::{Aim, Lines, NodeId, Squares, Sum, Win};
use crate::Why;
use rules::Move;

/// How often it is looked for again, with all the rest known.
const AGAIN: u32 = 3;

impl<const W: usize> Lines<'_, '_, W> {
    /// A win against no stone: `told` tells the reply after some defences, which it is given
    /// by their numbers, and the last so many moves are those that suit the aim best. None
    /// where that is no win.
    pub(in super::super) fn along(
        &mut self,
        depth: u8,
        last: u8,
        told: &dyn Fn(&[usize]) -> Option<Move>,
        aim: &Aim<W>,
    ) -> Result<Option<Win<W>>, Why> {
        let told = |defences: &[usize]| {
            let left = usize::from(depth).saturating_sub(defences.len());
            if left > usize::from(last) { told(defences) } else { None }
        };
        self.begin(aim);
        let root = self.graph.root(&Move::NULL, depth);
        let sum = Sum { first: Squares::EMPTY, second: Squares::EMPTY, cost: 0 };
        let mut moves = Vec::new();
        if self.lay(root, &mut Vec::new(), &told, aim, sum, &mut moves)?.is_none() {
            return Ok(None);
        }
        for _ in 0..AGAIN {
            let before = moves.clone();
            self.lay_again(&mut moves, last, aim)?;
            if moves == before {
                break;
            }
        }
        self.win(moves).map(Some)
    }

    /// Chooses the last moves of a win anew, the rest of it as it is.
    pub(in super::super) fn lay_anew(&mut self, win: Win<W>, last: u8, aim: &Aim<W>) -> Result<Win<W>, Why> {
        self.begin(aim);
        let mut moves = win.moves;
        self.lay_again(&mut moves, last, aim)?;
        self.win(moves)
    }

    /// Where what follows a move ends.
    fn end_of(&mut self, moves: &[(NodeId, u32)], at: usize) -> Result<usize, Why> {
        let (node, index) = moves[at];
        let kids = self.graph.steps(node)?[index as usize].kids.len();
        (0..kids).try_fold(at + 1, |next, _| self.end_of(moves, next))
    }

    /// Chooses the last moves anew, in one position after the other, with all the rest
    /// as it is.
    fn lay_again(&mut self, moves: &mut Vec<(NodeId, u32)>, last: u8, aim: &Aim<W>) -> Result<(), Why> {
        let mut zones = self.zones_of(moves)?;
        let mut at = 0;
        while at < moves.len() {
            let node = moves[at].0;
            if self.graph.depth_of(node) != last {
                at += 1;
                continue;
            }
            let end = self.end_of(moves, at)?;
            let now = aim.sum(zones.iter()).cost;
            let others = aim.sum(zones[..at].iter().chain(&zones[end..]));
            let mut more = Vec::new();
            let len = match self.pick(node, aim, &others, i64::MAX, &mut more)? {
                Some(sum) if sum.cost < now => {
                    let len = more.len();
                    zones.splice(at..end, self.zones_of(&more)?);
                    moves.splice(at..end, more);
                    len
                }
                _ => end - at,
            };
            at += len;
        }
        Ok(())
    }

    fn lay(
        &mut self,
        node: NodeId,
        defences: &mut Vec<usize>,
        told: &dyn Fn(&[usize]) -> Option<Move>,
        aim: &Aim<W>,
        mut sum: Sum<W>,
        moves: &mut Vec<(NodeId, u32)>,
    ) -> Result<Option<Sum<W>>, Why> {
        let Some(reply) = told(defences) else { return self.pick(node, aim, &sum, i64::MAX, moves) };
        let steps = self.graph.steps(node)?;
        let Some(index) = steps.iter().position(|step| step.reply == reply) else { return Ok(None) };
        let step = &steps[index];
        sum.cost = aim.with(&sum, &step.first, step);
        sum.first.add(&step.first);
        sum.second.add(&step.second);
        moves.push((node, index as u32));
        for (i, &(_, kid)) in step.kids.iter().enumerate() {
            defences.push(i);
            let Some(more) = self.lay(kid, defences, told, aim, sum, moves)? else { return Ok(None) };
            sum = more;
            defences.pop();
        }
        Ok(Some(sum))
    }
}
