//! Growing a tree: evaluating positions, opening moves, zones of what is proved.

use super::{
    arena::{Full, Kind, SearchNodeId, SearchTree, State},
    evaluate::{Evaluator, REST_OF_REPLIES, assess_and},
    replies::{KnownAnswers, Needed, needed},
    stage_moves::{Stage, StageMoves},
};
use lambda6_rules::{Game, Move, Side, Square, stone_key};
use lambda6_search::{Budget, MoveValues, Why, Zones};
use lambda6_threats::{Board, Play};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cmp::Reverse, sync::Arc};

/// Replies of the defender beyond the critical defences that wait for an answer
/// at a time. One that is refuted settles the position, so that there is no use
/// in opening all at once.
pub(crate) const OPEN_REPLIES: usize = 3;

/// The proof number of the other moves where the one that won a like position is
/// tried first.
pub(crate) const REST_OF_HINT: u32 = 3;

/// What evaluates positions and lists moves, with its memory.
pub(crate) struct Tools {
    pub(crate) evaluator: Evaluator,
    pub(crate) moves: StageMoves,
    values: MoveValues,
}

impl Tools {
    /// Tools for boards of this game. The evaluation tries so many moves in a
    /// position, and has so many bytes.
    pub(crate) fn new(game: Game, effort: u64, table_bytes: usize) -> Tools {
        Tools {
            evaluator: Evaluator::new(game, effort, table_bytes),
            moves: StageMoves::new(game),
            values: MoveValues::new(game),
        }
    }

    /// Puts the replies of the defender first that are most likely to refute:
    /// those on the squares that are worth most to the attacker.
    pub(crate) fn strongest_first(&mut self, board: &Board, attacker: Side, moves: &mut [Move]) {
        self.values.forget();
        moves.sort_by_cached_key(|mv| {
            let worth: u32 = mv.iter().map(|square| self.values.of(board, attacker, square)).sum();
            (Reverse(worth), *mv)
        });
    }
}

/// A tree with all that it grows by.
pub(crate) struct Growth<'s, 'b> {
    pub(crate) tree: &'s mut SearchTree,
    pub(crate) stages: &'s [Stage],
    pub(crate) tools: &'s mut Tools,
    pub(crate) budget: &'s mut Budget<'b>,
}

impl Growth<'_, '_> {
    /// Adds the root: the position on the board.
    pub(crate) fn plant(&mut self, board: &mut Board, to_move: Side) -> Result<(), Why> {
        let kind = if to_move == self.attacker() { Kind::Or } else { Kind::And };
        self.add(board, kind).map(|_| ())
    }

    fn attacker(&self) -> Side {
        self.tree.attacker()
    }

    /// The side to move in a node of this kind.
    fn mover(&self, kind: Kind) -> Side {
        match kind {
            Kind::Or => self.attacker(),
            Kind::And => self.attacker().other(),
        }
    }

    /// Adds the position on the board, evaluated.
    fn add(&mut self, board: &mut Board, kind: Kind) -> Result<SearchNodeId, Why> {
        if !self.tree.has_room() {
            return Err(Why::Nodes);
        }
        self.budget.count()?;
        let (state, rest) = match kind {
            Kind::Or => (self.tools.evaluator.assess_or(board, self.tree.attacker(), self.budget)?, 1),
            Kind::And => assess_and(board, self.attacker()),
        };
        self.tree.add(board.key(self.mover(kind)), kind, state, rest).map_err(|Full| Why::Nodes)
    }

    /// Opens the position after a move: finds its node or adds one.
    fn open(&mut self, board: &mut Board, parent: SearchNodeId, mv: Move) -> Result<SearchNodeId, Why> {
        let mover = self.mover(self.tree.node(parent).kind());
        board.play(mover, mv, |board| self.open_here(board, parent, mv))
    }

    fn open_here(&mut self, board: &mut Board, parent: SearchNodeId, mv: Move) -> Result<SearchNodeId, Why> {
        let kind = match self.tree.node(parent).kind() {
            Kind::Or => Kind::And,
            Kind::And => Kind::Or,
        };
        let key = board.key(self.mover(kind));
        if let Some(known) = self.tree.find(key) {
            self.tree.link(parent, mv, known);
            return Ok(known);
        }
        let child = self.add(board, kind)?;
        self.tree.link(parent, mv, child);
        let mut like = self.tree.node(parent).like;
        if kind == Kind::Or
            && let Some(&last) = mv.squares().last()
        {
            let stone = stone_key(self.attacker().other(), last);
            if self.is_proved(key ^ stone) {
                like = stone;
            }
        }
        self.tree.node_mut(child).like = like;
        Ok(child)
    }

    fn is_proved(&self, key: u64) -> bool {
        self.tree.find(key).is_some_and(|id| self.tree.node(id).is_proved())
    }

    /// Opens what waits in a node, or a part of it, and brings the numbers up to
    /// date. The board is at the node's position and is left as it was.
    pub(crate) fn expand(&mut self, board: &mut Board, id: SearchNodeId) -> Result<(), Why> {
        let result = match self.tree.node(id).kind() {
            Kind::Or => self.expand_or(board, id),
            Kind::And => self.expand_and(board, id),
        };
        self.tree.update(id);
        result
    }

    fn expand_or(&mut self, board: &mut Board, id: SearchNodeId) -> Result<(), Why> {
        if let Some(hint) = self.hint(board, id) {
            self.open(board, id, hint)?;
            self.tree.node_mut(id).rest = REST_OF_HINT;
            return Ok(());
        }
        let mut moves = Vec::new();
        loop {
            let node = self.tree.node(id);
            let (number, mut next) = (node.stage, node.opened as usize);
            let stage = self.stages[usize::from(number)];
            self.tools.moves.list(board, self.tree.attacker(), stage.offer, &mut moves, self.budget)?;
            let mut count = 0;
            while let Some(&mv) = moves.get(next)
                && count < stage.batch
            {
                next += 1;
                if self.tree.node(id).children.iter().any(|edge| edge.mv == mv) {
                    continue;
                }
                count += 1;
                let child = self.open(board, id, mv)?;
                if self.tree.node(child).is_proved() {
                    break;
                }
            }
            let ended = next >= moves.len();
            let last = number >= self.tree.stage;
            let node = self.tree.node_mut(id);
            node.opened = next as u32;
            node.batches += 1;
            node.rest = stage.limit.saturating_mul(node.batches.into());
            node.more = !(ended && last);
            if ended && !last {
                (node.stage, node.opened, node.batches) = (number + 1, 0, 0);
            }
            if count > 0 || !node.more {
                return Ok(());
            }
        }
    }

    /// The move that won a position like this one, once.
    fn hint(&mut self, board: &mut Board, id: SearchNodeId) -> Option<Move> {
        let node = self.tree.node_mut(id);
        if node.like == 0 || node.hinted {
            return None;
        }
        node.hinted = true;
        let like = self.tree.find(self.tree.node(id).key() ^ self.tree.node(id).like)?;
        let mv = self.tree.winning(like)?.mv;
        let attacker = self.attacker();
        let free = mv.iter().all(|square| board.is_empty(square));
        let legal = free && board.play(attacker, mv, |board| !board.has_threat(attacker.other()));
        legal.then_some(mv)
    }

    fn expand_and(&mut self, board: &mut Board, id: SearchNodeId) -> Result<(), Why> {
        let p = usize::from(board.game().p());
        loop {
            let first = self.tree.node(id).children.is_empty();
            let Needed { mut moves, .. } = self.needed(board, id, false)?;
            if moves.is_empty() {
                self.tree.node_mut(id).more = false;
                return Ok(());
            }
            // What has been opened is not opened again.
            moves.retain(|mv| self.tree.node(id).children.iter().all(|edge| edge.mv != *mv));
            if moves.is_empty() {
                return Ok(());
            }
            let spare = moves.iter().any(|mv| mv.len() < p);
            if !first {
                self.tools.strongest_first(board, self.tree.attacker(), &mut moves);
            }
            let mut open = 0;
            for mv in moves {
                let child = self.open(board, id, mv)?;
                let child = self.tree.node(child);
                open += usize::from(!child.is_proved());
                if child.is_refuted() || !first && open >= OPEN_REPLIES {
                    break;
                }
            }
            if open > 0 {
                let node = self.tree.node_mut(id);
                node.more = spare || !first;
                node.rest = REST_OF_REPLIES;
                return Ok(());
            }
        }
    }

    /// What needs an answer in a position of the defender.
    fn needed(&mut self, board: &mut Board, id: SearchNodeId, with_zones: bool) -> Result<Needed, Why> {
        let attacker = self.attacker();
        let children = &self.tree.node(id).children;
        let children = children.iter().map(|edge| (self.tree.node(edge.node).key(), edge.node)).collect();
        let base = board.key(attacker);
        needed(attacker, with_zones, &mut ChildAnswers { growth: self, board, base, children })
    }

    /// The zones of a position that is proved.
    pub(crate) fn zones(&mut self, board: &mut Board, id: SearchNodeId) -> Result<Arc<Zones>, Why> {
        if let Some(zones) = &self.tree.node(id).zones {
            return Ok(Arc::clone(zones));
        }
        let attacker = self.attacker();
        let node = self.tree.node(id);
        let zones = match (node.kind(), node.state()) {
            (_, State::Row | State::Threats) => self.tools.evaluator.zones(board, attacker, self.budget)?,
            (_, State::Overwhelming) => Zones::of_threats(board, attacker),
            (Kind::Or, _) => {
                // A node is proved by a child if it is not by its state.
                let edge = self.tree.winning(id).ok_or(Why::Narrowed)?;
                let zones = board.play(attacker, edge.mv, |board| self.zones(board, edge.node))?;
                let mut zones = (*zones).clone();
                zones.add_move(&edge.mv);
                zones
            }
            (Kind::And, _) => self.needed(board, id, true)?.zones,
        };
        let zones = Arc::new(zones);
        self.tree.node_mut(id).zones = Some(Arc::clone(&zones));
        Ok(zones)
    }

    /// Makes a reply of the defender one that has to be answered, in a position
    /// that was thought to be proved without.
    pub(crate) fn demand(&mut self, board: &mut Board, id: SearchNodeId, defence: Move) -> Result<(), Why> {
        self.forget_zones(id);
        let result = self.open(board, id, defence);
        self.tree.update(id);
        result.map(|_| ())
    }

    /// Lets the tree find out what the evaluation was thought to know.
    pub(crate) fn doubt(&mut self, id: SearchNodeId) {
        self.forget_zones(id);
        let node = self.tree.node_mut(id);
        (node.state, node.more, node.rest) = (State::Open, true, 1);
        self.tree.update(id);
    }

    /// What is no longer proved, or not in the same way, has no zones; neither
    /// have those above.
    fn forget_zones(&mut self, id: SearchNodeId) {
        let (mut above, mut seen) = (vec![id], FxHashSet::default());
        while let Some(id) = above.pop() {
            if seen.insert(id) {
                self.tree.node_mut(id).zones = None;
                above.extend_from_slice(self.tree.node(id).parents());
            }
        }
    }
}

/// The answers that a node's children are.
struct ChildAnswers<'g, 's, 'b> {
    growth: &'g mut Growth<'s, 'b>,
    board: &'g mut Board,
    /// The key of the position with the attacker to move.
    base: u64,
    children: FxHashMap<u64, SearchNodeId>,
}

impl ChildAnswers<'_, '_, '_> {
    fn child(&self, defence: &Move) -> Option<SearchNodeId> {
        let defender = self.growth.attacker().other();
        let stones = |key, square: Square| key ^ stone_key(defender, square);
        self.children.get(&defence.iter().fold(self.base, stones)).copied()
    }
}

impl KnownAnswers for ChildAnswers<'_, '_, '_> {
    fn board(&self) -> &Board {
        self.board
    }

    fn is_won(&mut self, defence: &Move) -> bool {
        self.child(defence).is_some_and(|id| self.growth.tree.node(id).is_proved())
    }

    fn zones(&mut self, defence: &Move) -> Result<Arc<Zones>, Why> {
        let id = self.child(defence).ok_or(Why::Narrowed)?;
        let defender = self.growth.attacker().other();
        self.board.play(defender, defence, |board| self.growth.zones(board, id))
    }
}
