//! The plans there are: moves that win in one order whatever the defender answers.
//!
//! Where the defender may have all squares of its critical defences at once, one
//! position follows a move and not several, and the same moves in another order lead to
//! the same position. So all wins of that kind are a graph of few positions: 2,000
//! for the five moves of Connect(6,2,3), where wins that may depend on the defences have
//! 92,000. A win in it is one against each defence alone, for then the defender has fewer
//! stones; but for those with which it strikes back, which is seen when the win is
//! played out.

use super::super::{
    bits::Squares,
    zones::{Counters, taken},
};
use super::forecast::{Effect, Forecaster};
use crate::{
    Budget, Why,
    candidates::{Candidates, Generator, How},
    full::Partners,
};
use rules::{Move, Side, Square};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use threats::{Board, Defences, ThreatCount};

pub(super) type NodeId = u32;

/// Free stones that are tried.
const PARTNERS: usize = 1;

/// A move of a plan.
pub(super) struct Leg<const W: usize> {
    pub(super) reply: Move,
    /// What it takes, and the threats it makes where the defender has all those stones: no
    /// win with this move has less in its zone.
    pub(super) zone: Squares<W>,
    /// What no win with it goes without, and the fewest replies of one.
    pub(super) must: Squares<W>,
    pub(super) fewest: u32,
    /// The critical defences, what they do to the lines together, and what follows if the
    /// defender may have them all. There is none where the move ends the line.
    pub(super) defences: Box<[Move]>,
    pub(super) effects: Box<[Effect]>,
    pub(super) next: NodeId,
}

struct Node<const W: usize> {
    /// The moves that win.
    legs: Box<[Leg<W>]>,
    /// The zones of them and of all that follows.
    reach: Squares<W>,
    /// What no win goes without, and the fewest replies of one.
    must: Squares<W>,
    fewest: u32,
}

/// All plans of at most so many moves.
pub(super) struct Outline<const W: usize> {
    nodes: Vec<Node<W>>,
    /// By the stones, which tell how many moves have been made too.
    ids: FxHashMap<u64, NodeId>,
    pub(super) depth: u8,
}

impl<const W: usize> Outline<W> {
    /// An error where the budget ends it.
    pub(super) fn new(
        board: &mut Board,
        attacker: Side,
        generator: &mut Generator,
        forecaster: &Forecaster<W>,
        depth: u8,
        budget: &mut Budget<'_>,
    ) -> Result<Outline<W>, Why> {
        let mut outline = Outline { nodes: Vec::new(), ids: FxHashMap::default(), depth };
        Builder { outline: &mut outline, board, attacker, generator, forecaster, budget }.node(depth)?;
        Ok(outline)
    }

    /// The first position, which is the last to be worked out.
    pub(super) fn root(&self) -> NodeId {
        self.nodes.len() as NodeId - 1
    }

    /// The moves that win, those that end the line first.
    pub(super) fn legs(&self, node: NodeId) -> &[Leg<W>] {
        &self.nodes[node as usize].legs
    }

    /// The zones of all plans from a position.
    pub(super) fn reach(&self, node: NodeId) -> &Squares<W> {
        &self.nodes[node as usize].reach
    }

    /// The fewest replies from a position.
    pub(super) fn fewest(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].fewest
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The moves of the shortest plan.
    pub(super) fn shortest(&self) -> u8 {
        let mut moves = vec![0u8; self.nodes.len()];
        // What follows has been worked out before.
        for (i, node) in self.nodes.iter().enumerate() {
            let of_leg =
                |leg: &Leg<W>| 1 + if leg.defences.is_empty() { 0 } else { moves[leg.next as usize] };
            moves[i] = node.legs.iter().map(of_leg).min().unwrap_or(0);
        }
        moves.last().copied().unwrap_or(0)
    }

    /// Whether there is a plan.
    pub(super) fn wins(&self) -> bool {
        !self.legs(self.root()).is_empty()
    }

    /// Calls `found` with the moves of every plan in every order, and with a forecast of its
    /// zones, until it breaks.
    pub(super) fn for_each_plan(
        &self,
        board: &Board,
        forecaster: &mut Forecaster<W>,
        found: &mut impl FnMut(&[&Leg<W>], &Forecaster<W>) -> ControlFlow<()>,
    ) {
        let _ = self.visit(self.root(), board, forecaster, &mut Vec::new(), found);
    }

    fn visit<'o>(
        &'o self,
        node: NodeId,
        board: &Board,
        forecaster: &mut Forecaster<W>,
        way: &mut Vec<&'o Leg<W>>,
        found: &mut impl FnMut(&[&Leg<W>], &Forecaster<W>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for leg in self.legs(node) {
            way.push(leg);
            forecaster.push(board, &leg.reply);
            let go_on = if !leg.defences.is_empty() {
                forecaster.strike(&leg.effects);
                self.visit(leg.next, board, forecaster, way, found)
            } else {
                found(way, forecaster)
            };
            forecaster.pop();
            way.pop();
            go_on?;
        }
        ControlFlow::Continue(())
    }
}

struct Builder<'o, 'b, const W: usize> {
    outline: &'o mut Outline<W>,
    board: &'o mut Board,
    attacker: Side,
    generator: &'o mut Generator,
    forecaster: &'o Forecaster<W>,
    budget: &'o mut Budget<'b>,
}

impl<const W: usize> Builder<'_, '_, W> {
    /// The position on the board, with so many moves to go.
    fn node(&mut self, depth: u8) -> Result<NodeId, Why> {
        let key = self.board.key(self.attacker);
        if let Some(&known) = self.outline.ids.get(&key) {
            return Ok(known);
        }
        let legs = self.legs(depth)?;
        let mut reach = Squares::EMPTY;
        for leg in &legs {
            reach.add(&leg.zone);
            if !leg.defences.is_empty() {
                reach.add(self.outline.reach(leg.next));
            }
        }
        let must = legs.iter().map(|leg| leg.must).reduce(|all, must| all.and(&must));
        let must = must.unwrap_or(Squares::EMPTY);
        let fewest = legs.iter().map(|leg| leg.fewest).min().unwrap_or(0);
        let id = self.outline.nodes.len() as NodeId;
        self.outline.nodes.push(Node { legs: legs.into(), reach, must, fewest });
        self.outline.ids.insert(key, id);
        Ok(id)
    }

    fn legs(&mut self, depth: u8) -> Result<Vec<Leg<W>>, Why> {
        let mut legs = Vec::new();
        let mut theirs = Defences::default();
        theirs.find(self.board, self.attacker.other());
        if depth == 0 || theirs.count() == ThreatCount::More || self.board.has_threat(self.attacker) {
            return Ok(legs);
        }
        let board = &*self.board;
        let none = Counters::default();
        self.generator.attack.all_overwhelming(
            board,
            self.attacker,
            &theirs,
            usize::MAX,
            |reply, threats| {
                let (zone, _) = none.zones_with(board, &reply, threats);
                let (defences, effects) = (Box::default(), Box::default());
                legs.push(Leg { reply, zone, must: zone, fewest: 1, defences, effects, next: 0 });
            },
        );
        for _ in 0..=legs.len() {
            self.budget.count()?;
        }
        if depth == 1 {
            return Ok(legs);
        }
        let mut moves = Candidates::default();
        let how = How { partners: Partners::Useful(PARTNERS), killer: None };
        self.generator.fill(self.board, self.attacker, &theirs, how, self.budget, &mut moves)?;
        let (mut ours, mut squares) = (Defences::default(), Vec::new());
        for reply in (0..moves.len()).map(|i| moves.get(i)) {
            self.budget.count()?;
            reply.iter().for_each(|square| self.board.place(self.attacker, square));
            let leg = self.leg(reply, depth, &mut ours, &mut squares);
            reply.iter().for_each(|square| self.board.remove(self.attacker, square));
            legs.extend(leg?);
        }
        Ok(legs)
    }

    /// A move that is on the board, if it wins and does not end the line.
    fn leg(
        &mut self,
        reply: Move,
        depth: u8,
        ours: &mut Defences,
        squares: &mut Vec<Square>,
    ) -> Result<Option<Leg<W>>, Why> {
        if self.board.has_threat(self.attacker.other()) {
            return Ok(None);
        }
        ours.find(self.board, self.attacker);
        if ours.iter().len() == 0 {
            return Ok(None);
        }
        let zone = taken(self.board, self.attacker, &reply);
        ours.conservative(squares);
        squares.iter().for_each(|&square| self.board.place(self.attacker.other(), square));
        let next = self.node(depth - 1);
        squares.iter().for_each(|&square| self.board.remove(self.attacker.other(), square));
        let Node { legs, must, fewest, .. } = &self.outline.nodes[next? as usize];
        if legs.is_empty() {
            return Ok(None);
        }
        let defences: Box<[Move]> = ours.iter().copied().collect();
        let fewest = fewest.saturating_mul(defences.len() as u32).saturating_add(1);
        let mut all = zone;
        all.add(must);
        let effects = self.forecaster.effects(ours.iter());
        Ok(Some(Leg { reply, zone, must: all, fewest, defences, effects, next: next? }))
    }
}
