//! The wins by full threats in a position and after them, all of them, worked out
//! as far as somebody looks.
//!
//! Wins that differ by their zones are looked for again and again in the same
//! positions. What can be played there, and the zones that it brings, is worked
//! out once.

use super::{
    bits::Squares,
    zones::{Counter, Counters, zones},
};
use crate::{
    Budget, Why,
    candidates::{Candidates, Generator, How},
    full::Partners,
};
use rules::{Move, Side, Square, stone_key};
use rustc_hash::FxHashMap;
use std::{num::NonZeroU32, rc::Rc};
use threats::{Board, Defences, ThreatCount, spare_squares};

/// Free stones that are tried.
const PARTNERS: usize = 5;

/// Which position of the graph.
pub(super) type NodeId = u32;

/// A move, and what may follow. It wins where every defence leads to a position
/// from which a move wins.
pub(super) struct Step<const W: usize> {
    pub(super) reply: Move,
    /// The first and the second zone of the move itself: what it takes, the threats
    /// that it makes, and the segments with which the defender could strike back. When
    /// the position is closed the first has what no win with this move goes without.
    pub(super) first: Squares<W>,
    pub(super) second: Squares<W>,
    /// Where somebody wants to know: squares of the first zone at which one stone of the
    /// defender may do no harm. If the move ends the line, too many threats are left.
    pub(super) spare: Option<Box<Squares<W>>>,
    /// The defences and what they lead to. None where there are more threats than
    /// can be met.
    pub(super) kids: Vec<(Move, NodeId)>,
}

impl<const W: usize> Step<W> {
    /// What no win with this move goes without, with a stone on it or not.
    fn needed(&self) -> Squares<W> {
        self.spare.as_ref().map_or(self.first, |spare| self.first.minus(spare))
    }
}

/// A position with the attacker to move, by the way there from another.
struct Node<const W: usize> {
    /// The position before, and how it goes on from there. The first has the
    /// stones of the defender that are asked about for a defence.
    from: Option<NodeId>,
    reply: Move,
    defence: Move,
    key: u64,
    depth: u8,
    /// The moves to choose from, once they are worked out, and the fewest replies of a win
    /// from here, once they are known.
    steps: Option<Rc<Vec<Step<W>>>>,
    fewest: Option<NonZeroU32>,
    /// The lines on which the defender has segments that a stone more makes dangerous.
    weak: Box<[Counter]>,
    /// Whether all that follows has been worked out.
    closed: bool,
    /// What no win from here goes without, if so, and what none does even if the stone may
    /// be one that does no harm.
    must: Squares<W>,
    needed: Squares<W>,
}

impl<const W: usize> Node<W> {
    fn wins(&self) -> bool {
        self.steps.as_ref().is_some_and(|steps| !steps.is_empty())
    }
}

/// In how many moves a position is won, as far as that is known.
#[derive(Clone, Copy)]
struct Known {
    wins: u8,
    fails: u8,
}

/// Memory for one move of a line.
#[derive(Default)]
struct Ply {
    moves: Candidates,
    theirs: Defences,
    ours: Defences,
    killer: Option<Move>,
}

pub(super) struct Graph<'r, 'b, const W: usize> {
    pub(super) board: &'r mut Board,
    pub(super) attacker: Side,
    pub(super) budget: Budget<'b>,
    generator: Generator,
    known: FxHashMap<u64, Known>,
    nodes: Vec<Node<W>>,
    ids: FxHashMap<(u64, u8), NodeId>,
    plies: Vec<Ply>,
    counters: Counters,
    /// Moves that are kept of a position with one, two and more moves to go.
    width: [usize; 3],
    /// Whether the spare squares of last moves are told.
    spares: bool,
}

impl<'r, 'b, const W: usize> Graph<'r, 'b, W> {
    pub(super) fn new(
        board: &'r mut Board,
        attacker: Side,
        width: [usize; 3],
        spares: bool,
        budget: Budget<'b>,
    ) -> Graph<'r, 'b, W> {
        Graph {
            generator: Generator::new(board.game()),
            board,
            attacker,
            budget,
            known: FxHashMap::default(),
            nodes: Vec::new(),
            ids: FxHashMap::default(),
            plies: Vec::new(),
            counters: Counters::default(),
            width,
            spares,
        }
    }

    /// Whether spare squares are told of what is worked out from now on.
    pub(super) fn tell_spares(&mut self, spares: bool) {
        self.spares = spares;
    }

    /// Has `work` done with stones of the defender on the board.
    pub(super) fn against<T>(&mut self, stones: &Move, work: impl FnOnce(&mut Self) -> T) -> T {
        let defender = self.attacker.other();
        stones.iter().for_each(|square| self.board.place(defender, square));
        let done = work(self);
        stones.iter().for_each(|square| self.board.remove(defender, square));
        done
    }

    /// The fewest moves in which full threats win, if they do in so many.
    pub(super) fn depth(&mut self, most: u8) -> Result<Option<u8>, Why> {
        for depth in 1..=most {
            if self.wins(depth, 0)? {
                return Ok(Some(depth));
            }
        }
        Ok(None)
    }

    /// Whether full threats win in so many moves, the last of which makes more
    /// threats than can be met.
    fn wins(&mut self, depth: u8, ply: usize) -> Result<bool, Why> {
        if self.board.has_threat(self.attacker) {
            return Ok(true);
        }
        if depth == 0 {
            return Ok(false);
        }
        let key = self.board.key(self.attacker);
        let known = self.known.get(&key).copied().unwrap_or(Known { wins: u8::MAX, fails: 0 });
        if known.wins <= depth || known.fails >= depth {
            return Ok(known.wins <= depth);
        }
        if self.plies.len() <= ply {
            self.plies.resize_with(ply + 1, Ply::default);
        }
        let mut here = std::mem::take(&mut self.plies[ply]);
        let won = self.try_moves(&mut here, depth, ply);
        self.plies[ply] = here;
        let won = won?;
        let known = self.known.entry(key).or_insert(Known { wins: u8::MAX, fails: 0 });
        if won {
            known.wins = depth;
        } else {
            known.fails = depth;
        }
        Ok(won)
    }

    fn try_moves(&mut self, here: &mut Ply, depth: u8, ply: usize) -> Result<bool, Why> {
        self.budget.count()?;
        here.theirs.find(self.board, self.attacker.other());
        if here.theirs.count() == ThreatCount::More {
            return Ok(false);
        }
        if self.generator.attack.overwhelming(self.board, self.attacker, &here.theirs).is_some() {
            return Ok(true);
        }
        if depth == 1 {
            return Ok(false);
        }
        let how = How { partners: Partners::Useful(PARTNERS), killer: here.killer };
        self.generator.fill(self.board, self.attacker, &here.theirs, how, &self.budget, &mut here.moves)?;
        for i in 0..here.moves.len() {
            let mv = here.moves.get(i);
            self.budget.count()?;
            mv.iter().for_each(|square| self.board.place(self.attacker, square));
            here.ours.find(self.board, self.attacker);
            let won = self.answers(&here.ours, depth, ply);
            mv.iter().for_each(|square| self.board.remove(self.attacker, square));
            if won? {
                here.killer = Some(mv);
                self.generator.note_win(&mv);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether every defence is answered in a move less.
    fn answers(&mut self, defences: &Defences, depth: u8, ply: usize) -> Result<bool, Why> {
        if self.board.has_threat(self.attacker.other()) {
            return Ok(false);
        }
        for defence in defences.iter() {
            if !self.against(defence, |graph| graph.wins(depth - 1, ply + 1))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The position with these stones of the defender more, and so many moves to go.
    pub(super) fn root(&mut self, stones: &Move, depth: u8) -> NodeId {
        let key = self.key_with(self.board.key(self.attacker), self.attacker.other(), stones);
        self.node(None, Move::NULL, *stones, key, depth)
    }

    fn key_with(&self, key: u64, side: Side, stones: &Move) -> u64 {
        stones.iter().fold(key, |key, square| key ^ stone_key(side, square))
    }

    fn node(&mut self, from: Option<NodeId>, reply: Move, defence: Move, key: u64, depth: u8) -> NodeId {
        let nodes = &mut self.nodes;
        *self.ids.entry((key, depth)).or_insert_with(|| {
            nodes.push(Node {
                from,
                reply,
                defence,
                key,
                depth,
                steps: None,
                fewest: None,
                weak: Box::default(),
                closed: false,
                must: Squares::EMPTY,
                needed: Squares::EMPTY,
            });
            nodes.len() as NodeId - 1
        })
    }

    /// The same position with a move more to go.
    pub(super) fn deeper(&mut self, node: NodeId) -> NodeId {
        let Node { from, reply, defence, key, depth, .. } = self.nodes[node as usize];
        self.node(from, reply, defence, key, depth + 1)
    }

    pub(super) fn depth_of(&self, node: NodeId) -> u8 {
        self.nodes[node as usize].depth
    }

    /// The fewest replies of a win from here, if that is known: with two moves to go
    /// when they have been worked out, before that when all that follows has been.
    pub(super) fn fewest(&self, node: NodeId) -> Option<u32> {
        self.nodes[node as usize].fewest.map(NonZeroU32::get)
    }

    /// What a stone of the defender adds to the first zone of a move, from segments that
    /// it strengthens: with it they need a stone less.
    pub(super) fn strengthened(&self, node: NodeId, step: &Step<W>, stone: Square) -> Squares<W> {
        let mut more = Squares::EMPTY;
        // The second zone has all such segments.
        if step.second.contains(stone) {
            for counter in &self.nodes[node as usize].weak {
                counter.for_each_weak(self.board, &step.reply, Some(stone), |squares| more.add(&squares));
            }
        }
        more
    }

    /// The segments that the defender can strengthen after a move, by their empty squares.
    pub(super) fn for_each_weak(&self, node: NodeId, step: &Step<W>, mut found: impl FnMut(Squares<W>)) {
        for counter in &self.nodes[node as usize].weak {
            counter.for_each_weak(self.board, &step.reply, None, &mut found);
        }
    }

    /// Whether a position is the first one, with no stone of the defender more.
    pub(super) fn is_against_none(&self, node: NodeId) -> bool {
        let Node { from, defence, .. } = &self.nodes[node as usize];
        from.is_none() && defence.is_empty()
    }

    /// Whether there is a move, as far as is known.
    pub(super) fn is_won(&self, node: NodeId) -> bool {
        self.nodes[node as usize].wins()
    }

    pub(super) fn is_closed(&self, node: NodeId) -> bool {
        self.nodes[node as usize].closed
    }

    /// Works out all that follows a position which is on the board, leaves moves out that
    /// fail against some defence, and finds what no win goes without. An error when the
    /// budget ends it; what has been done by then stays.
    pub(super) fn close(&mut self, node: NodeId) -> Result<(), Why> {
        if self.is_closed(node) {
            return Ok(());
        }
        if self.nodes[node as usize].steps.is_none() {
            let steps = self.work_out(node)?;
            self.keep(node, steps);
        }
        let steps = self.nodes[node as usize].steps.clone().unwrap_or_default();
        for step in steps.iter() {
            self.close_kids(step)?;
        }
        drop(steps);
        let mut steps = self.nodes[node as usize].steps.take().unwrap_or_default();
        if let Some(steps) = Rc::get_mut(&mut steps) {
            let nodes = &self.nodes;
            steps.retain(|step| step.kids.iter().all(|&(_, kid)| nodes[kid as usize].wins()));
            for step in steps {
                let mut needed = step.first;
                for &(_, kid) in &step.kids {
                    step.first.add(&nodes[kid as usize].must);
                    needed.add(&nodes[kid as usize].needed);
                }
                if !step.kids.is_empty() && needed != step.first {
                    step.spare = Some(Box::new(step.first.minus(&needed)));
                }
            }
        }
        let must = steps.iter().map(|step| step.first).reduce(|all, first| all.and(&first));
        let needed = steps.iter().map(Step::needed).reduce(|all, needed| all.and(&needed));
        let replies = |step: &Step<W>| {
            step.kids.iter().try_fold(1u32, |sum, &(_, kid)| sum.checked_add(self.fewest(kid)?))
        };
        let fewest = steps.iter().filter_map(replies).min().and_then(NonZeroU32::new);
        let here = &mut self.nodes[node as usize];
        here.must = must.unwrap_or(Squares::EMPTY);
        here.needed = needed.unwrap_or(Squares::EMPTY);
        here.steps = Some(steps);
        here.fewest = fewest;
        here.closed = true;
        Ok(())
    }

    fn close_kids(&mut self, step: &Step<W>) -> Result<(), Why> {
        if step.kids.iter().all(|&(_, kid)| self.is_closed(kid)) {
            return Ok(());
        }
        let attacker = self.attacker;
        step.reply.iter().for_each(|square| self.board.place(attacker, square));
        let mut done = Ok(());
        for (defence, kid) in &step.kids {
            if done.is_ok() {
                done = self.against(defence, |graph| graph.close(*kid));
            }
        }
        step.reply.iter().for_each(|square| self.board.remove(attacker, square));
        done
    }

    fn keep(&mut self, node: NodeId, steps: Vec<Step<W>>) {
        let here = &mut self.nodes[node as usize];
        if here.depth <= 2 {
            let fewest = steps.iter().map(|step| 1 + step.kids.len() as u32).min();
            here.fewest = fewest.and_then(NonZeroU32::new);
        }
        here.steps = Some(Rc::new(steps));
    }

    /// How many positions there are so far.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The moves to choose from: those that end the line at once, and others, which may
    /// fail against some defence. Where the former have squares that are not wanted, it
    /// takes few replies more to go on with the latter.
    pub(super) fn steps(&mut self, node: NodeId) -> Result<Rc<Vec<Step<W>>>, Why> {
        if let Some(steps) = &self.nodes[node as usize].steps {
            return Ok(Rc::clone(steps));
        }
        let mut way = vec![node];
        while let Some(from) = self.nodes[way[way.len() - 1] as usize].from {
            way.push(from);
        }
        let (attacker, defender) = (self.attacker, self.attacker.other());
        for &at in way.iter().rev() {
            let Node { reply, defence, .. } = &self.nodes[at as usize];
            reply.iter().for_each(|square| self.board.place(attacker, square));
            defence.iter().for_each(|square| self.board.place(defender, square));
        }
        let steps = self.work_out(node);
        for &at in &way {
            let Node { reply, defence, .. } = &self.nodes[at as usize];
            reply.iter().for_each(|square| self.board.remove(attacker, square));
            defence.iter().for_each(|square| self.board.remove(defender, square));
        }
        self.keep(node, steps?);
        Ok(self.nodes[node as usize].steps.clone().unwrap_or_default())
    }

    fn work_out(&mut self, node: NodeId) -> Result<Vec<Step<W>>, Why> {
        let attacker = self.attacker;
        let depth = self.depth_of(node);
        let mut steps = Vec::new();
        let mut theirs = Defences::default();
        theirs.find(self.board, attacker.other());
        if theirs.count() == ThreatCount::More || depth == 0 || self.board.has_threat(attacker) {
            return Ok(steps);
        }
        let board = &*self.board;
        let counters = &mut self.counters;
        let spares = self.spares;
        counters.find(board, attacker.other());
        self.generator.attack.all_overwhelming(board, attacker, &theirs, self.width[0], |reply, threats| {
            let (first, second) = counters.zones_with(board, &reply, threats);
            let mut spare: Option<Box<Squares<W>>> = None;
            if spares {
                spare_squares(board, threats, |square| spare.get_or_insert_default().insert(square));
            }
            if let Some(spare) = &mut spare {
                // Where the defender could strike back, too, it is needed.
                **spare = spare.minus(&counters.zones_with(board, &reply, &[]).0);
            }
            steps.push(Step { reply, first, second, spare, kids: Vec::new() });
        });
        let weak = counters.weak();
        for _ in 0..steps.len() {
            self.budget.count()?;
        }
        self.nodes[node as usize].weak = weak;
        if depth == 1 {
            return Ok(steps);
        }
        let mut here = Candidates::default();
        let how = How { partners: Partners::Useful(PARTNERS), killer: None };
        self.generator.fill(self.board, attacker, &theirs, how, &self.budget, &mut here)?;
        let mut ours = Defences::default();
        for reply in (0..here.len()).map(|i| here.get(i)) {
            if steps.len() >= self.width[usize::from(depth.min(3)) - 1] {
                break;
            }
            self.budget.count()?;
            reply.iter().for_each(|square| self.board.place(attacker, square));
            let step = self.step(node, reply, &mut ours);
            reply.iter().for_each(|square| self.board.remove(attacker, square));
            steps.extend(step?);
        }
        Ok(steps)
    }

    /// A move that is on the board, if it may win. With two moves to go it is told at
    /// once whether the last one is there.
    fn step(&mut self, node: NodeId, reply: Move, ours: &mut Defences) -> Result<Option<Step<W>>, Why> {
        if self.board.has_threat(self.attacker.other()) {
            return Ok(None);
        }
        ours.find(self.board, self.attacker);
        let Node { key, depth, .. } = self.nodes[node as usize];
        let key = self.key_with(key, self.attacker, &reply);
        let mut kids = Vec::with_capacity(ours.iter().len());
        for defence in ours.iter() {
            let key = self.key_with(key, self.attacker.other(), defence);
            let kid = self.node(Some(node), reply, *defence, key, depth - 1);
            if depth == 2 {
                self.against(defence, |graph| graph.close(kid))?;
                if !self.nodes[kid as usize].wins() {
                    return Ok(None);
                }
            }
            kids.push((*defence, kid));
        }
        if kids.is_empty() {
            // More threats than can be met: it is among those that end the line.
            return Ok(None);
        }
        let (first, second) = zones(self.board, self.attacker, &reply);
        Ok(Some(Step { reply, first, second, spare: None, kids }))
    }
}
