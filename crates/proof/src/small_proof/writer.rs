//! Writes the proof down: walks the defender's moves and answers them with the wins chosen.

use super::{
    SmallProof,
    plan_list::Plan,
    singles::{SingleWin, Singles},
};
use crate::proof_tree::ReplyTree;
use lambda6_rules::{Move, Side};
use lambda6_search::{
    Method, Why, Zones,
    walk::{Answers, answer_all},
};
use lambda6_threats::Board;
use std::{collections::BTreeMap, rc::Rc};

impl<const W: usize> SmallProof<'_, '_, W> {
    /// The replies of the proof with these wins. None where some stones have no answer.
    pub(super) fn write_down(
        &mut self,
        null: &Rc<ReplyTree>,
        singles: &Singles<W>,
    ) -> Result<Option<Vec<Move>>, Why> {
        let mut board = self.board.clone();
        let attacker = self.attacker;
        let mut writer = Writer { proof: self, null, singles, played: BTreeMap::new() };
        let answers = match answer_all(&mut board, attacker, Method::Mutual, &mut writer) {
            Ok((_, answers)) => answers,
            Err(Why::Narrowed) => return Ok(None),
            Err(why) => return Err(why),
        };
        let mut replies = Vec::new();
        answers.iter().for_each(|(_, answer)| answer.list(&mut replies));
        Ok(Some(replies))
    }
}

struct Writer<'w, 'r, 'b, const W: usize> {
    proof: &'w mut SmallProof<'r, 'b, W>,
    null: &'w Rc<ReplyTree>,
    singles: &'w Singles<W>,
    /// Plans that have been played out.
    played: BTreeMap<usize, Rc<ReplyTree>>,
}

impl<const W: usize> Answers for Writer<'_, '_, '_, W> {
    type Answer = Rc<ReplyTree>;
    type Stop = Why;

    fn attack(&mut self, board: &mut Board, stones: &Move) -> Result<Rc<ReplyTree>, Why> {
        self.proof.budget.interrupted()?;
        let mut squares = stones.iter();
        let plan = match (squares.next(), squares.next()) {
            (None, _) => return Ok(Rc::clone(self.null)),
            (Some(s), None) => match self.singles.win(s) {
                Some(SingleWin::Found(tree)) => return Ok(Rc::clone(tree)),
                Some(SingleWin::Plan(plan)) => Some(*plan),
                None => None,
            },
            (Some(s), Some(t)) => self.proof.list.against_pair(self.proof.board, s, t),
        };
        if let Some(tree) = plan.and_then(|plan| self.play(board, stones, plan)) {
            return Ok(tree);
        }
        let SmallProof { attacker, fallback, budget, .. } = &mut *self.proof;
        fallback.answer(board, *attacker, budget)?.ok_or(Why::Narrowed)
    }

    fn zones(answer: &Rc<ReplyTree>) -> &Zones {
        &answer.zones
    }

    fn refuse(&self) -> Why {
        Why::Narrowed
    }
}

impl<const W: usize> Writer<'_, '_, '_, W> {
    /// Plays a plan out against stones that are on the board. None where a defence refutes it.
    ///
    /// The replies are the same against all stones that the plan bears. So are the first zones
    /// against single stones outside its second zone; and the zones of answers to pairs are not
    /// used, since a pair is a whole move. In these cases a plan is played out once.
    fn play(&mut self, board: &mut Board, stones: &Move, plan: usize) -> Option<Rc<ReplyTree>> {
        let Plan { moves, zones, .. } = &self.proof.list.plans[plan];
        let same = stones.len() == 2 || stones.iter().all(|stone| !zones.zones.second.contains(stone));
        if let Some(tree) = self.played.get(&plan).filter(|_| same) {
            return Some(Rc::clone(tree));
        }
        let tree = play_out(board, self.proof.attacker, moves)?;
        if same {
            self.played.insert(plan, Rc::clone(&tree));
        }
        Some(tree)
    }
}

/// The win by these moves in this order, whatever the defender answers.
pub(super) fn play_out(board: &mut Board, attacker: Side, moves: &[Move]) -> Option<Rc<ReplyTree>> {
    let start = board.empty_count();
    let in_turn = 2 * usize::from(board.game().p());
    let mut reply =
        |board: &mut Board| moves.get((start - board.empty_count()) / in_turn).copied().ok_or(Why::Narrowed);
    ReplyTree::walk(board, attacker, Method::Mutual, &mut reply).ok()
}
