//! The graph of all plans: moves that win in one order whatever the defender answers.
//!
//! After each move the defender is given the squares of *all* its critical defences at
//! once. So one position follows a move instead of several, and the same moves in another
//! order lead to the same position: all plans of a position are a graph of few nodes.
//! A plan wins against each single defence too, since the defender then has fewer
//! stones. The exception is a defence that makes a threat of the defender's; that shows
//! when the plan is played out.

use super::{
    move_zones::{taken_by, taken_by_last},
    plan_zones::{DefenceEffect, ZoneTracker},
    square_set::SquareSet,
};
use lambda6_rules::{Move, Side, Square};
use lambda6_search::{Budget, Candidates, How, VcdtMoves, Why, vcdt::Partners};
use lambda6_threats::{Board, Defences, Play, ThreatCount};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

pub(super) type PlanNodeId = u32;

/// Free stones tried as partners of a square that makes a double threat alone.
const PARTNERS: usize = 1;

/// A move of a plan.
pub(super) struct PlanMove<const W: usize> {
    pub(super) reply: Move,
    /// The squares of the move and of its threats, with the defender owning the squares
    /// of all defences before. The zone of every plan with this move contains them.
    pub(super) zone: SquareSet<W>,
    /// The number of critical defences, what they do to the lines, and the node after
    /// them. A move without defences ends the plan.
    pub(super) defences: u32,
    pub(super) effects: Box<[DefenceEffect]>,
    pub(super) next: PlanNodeId,
}

impl<const W: usize> PlanMove<W> {
    pub(super) fn is_last(&self) -> bool {
        self.defences == 0
    }
}

struct PlanNode<const W: usize> {
    /// The moves that win.
    moves: Box<[PlanMove<W>]>,
    /// The zones of these moves and of all that follow.
    reach: SquareSet<W>,
}

/// All plans of at most `depth` moves.
pub(super) struct PlanGraph<const W: usize> {
    nodes: Vec<PlanNode<W>>,
    /// By the key of the stones. They determine the number of moves made, so a node is
    /// always met with the same number of moves to go.
    ids: FxHashMap<u64, PlanNodeId>,
    pub(super) depth: u8,
}

impl<const W: usize> PlanGraph<W> {
    /// Builds the graph. An error when the budget ends first.
    pub(super) fn new(
        board: &mut Board,
        attacker: Side,
        generator: &mut VcdtMoves,
        tracker: &ZoneTracker<W>,
        depth: u8,
        budget: &mut Budget<'_>,
    ) -> Result<PlanGraph<W>, Why> {
        let mut graph = PlanGraph { nodes: Vec::new(), ids: FxHashMap::default(), depth };
        Builder { graph: &mut graph, attacker, generator, tracker, budget }.node(board, depth)?;
        Ok(graph)
    }

    /// The first position. Nodes are numbered after what follows them.
    pub(super) fn root(&self) -> PlanNodeId {
        self.nodes.len() as PlanNodeId - 1
    }

    /// The moves that win, those that end the plan first.
    pub(super) fn moves(&self, node: PlanNodeId) -> &[PlanMove<W>] {
        &self.nodes[node as usize].moves
    }

    /// The squares in the zone of some plan from a position.
    pub(super) fn reach(&self, node: PlanNodeId) -> &SquareSet<W> {
        &self.nodes[node as usize].reach
    }

    /// Whether there is a plan.
    pub(super) fn wins(&self) -> bool {
        !self.moves(self.root()).is_empty()
    }

    /// Calls `found` with the moves of every plan, in every order, and with the tracker
    /// after them, until it breaks.
    pub(super) fn for_each_plan(
        &self,
        board: &Board,
        tracker: &mut ZoneTracker<W>,
        found: &mut impl FnMut(&[&PlanMove<W>], &ZoneTracker<W>) -> ControlFlow<()>,
    ) {
        let _ = self.visit(self.root(), board, tracker, &mut Vec::new(), found);
    }

    fn visit<'g>(
        &'g self,
        node: PlanNodeId,
        board: &Board,
        tracker: &mut ZoneTracker<W>,
        path: &mut Vec<&'g PlanMove<W>>,
        found: &mut impl FnMut(&[&PlanMove<W>], &ZoneTracker<W>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for mv in self.moves(node) {
            path.push(mv);
            tracker.push(board, &mv.reply);
            let go_on = if mv.is_last() {
                found(path, tracker)
            } else {
                tracker.defend(&mv.effects);
                self.visit(mv.next, board, tracker, path, found)
            };
            tracker.pop();
            path.pop();
            go_on?;
        }
        ControlFlow::Continue(())
    }
}

struct Builder<'g, 'b, const W: usize> {
    graph: &'g mut PlanGraph<W>,
    attacker: Side,
    generator: &'g mut VcdtMoves,
    tracker: &'g ZoneTracker<W>,
    budget: &'g mut Budget<'b>,
}

impl<const W: usize> Builder<'_, '_, W> {
    /// The node of the position on the board, with so many moves to go.
    fn node(&mut self, board: &mut Board, depth: u8) -> Result<PlanNodeId, Why> {
        let key = board.key(self.attacker);
        if let Some(&known) = self.graph.ids.get(&key) {
            return Ok(known);
        }
        let moves = self.moves(board, depth)?;
        let mut reach = SquareSet::EMPTY;
        for mv in &moves {
            reach.add(&mv.zone);
            if !mv.is_last() {
                reach.add(self.graph.reach(mv.next));
            }
        }
        let id = self.graph.nodes.len() as PlanNodeId;
        self.graph.nodes.push(PlanNode { moves: moves.into(), reach });
        self.graph.ids.insert(key, id);
        Ok(id)
    }

    fn moves(&mut self, board: &mut Board, depth: u8) -> Result<Vec<PlanMove<W>>, Why> {
        let mut moves = Vec::new();
        let mut theirs = Defences::default();
        theirs.find(board, self.attacker.other());
        if depth == 0 || theirs.count() == ThreatCount::More || board.has_threat(self.attacker) {
            return Ok(moves);
        }
        self.generator.attack.all_overwhelming(
            board,
            self.attacker,
            &theirs,
            usize::MAX,
            |reply, threats| {
                let zone = taken_by_last(board, &reply, threats);
                moves.push(PlanMove { reply, zone, defences: 0, effects: Box::default(), next: 0 });
            },
        );
        for _ in 0..=moves.len() {
            self.budget.count()?;
        }
        if depth == 1 {
            return Ok(moves);
        }
        let mut candidates = Candidates::default();
        let how = How { partners: Partners::Useful(PARTNERS), killer: None };
        self.generator.fill(board, self.attacker, &theirs, how, self.budget, &mut candidates)?;
        for reply in (0..candidates.len()).map(|i| candidates.get(i)) {
            self.budget.count()?;
            moves.extend(board.play(self.attacker, reply, |board| self.longer_move(board, reply, depth))?);
        }
        Ok(moves)
    }

    /// A move that is on the board, if it wins and does not end the plan.
    fn longer_move(&mut self, board: &mut Board, reply: Move, depth: u8) -> Result<Option<PlanMove<W>>, Why> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if board.has_threat(defender) {
            return Ok(None);
        }
        let mut ours = Defences::default();
        ours.find(board, attacker);
        if ours.iter().len() == 0 {
            return Ok(None);
        }
        let zone = taken_by(board, attacker, &reply);
        let mut squares: Vec<Square> = Vec::new();
        ours.conservative(&mut squares);
        let next = board.play(defender, &squares, |board| self.node(board, depth - 1))?;
        if self.graph.moves(next).is_empty() {
            return Ok(None);
        }
        let (defences, effects) = (ours.iter().len() as u32, self.tracker.effects(ours.iter()));
        Ok(Some(PlanMove { reply, zone, defences, effects, next }))
    }
}
