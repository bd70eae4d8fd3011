//! Wins by full threats whose zones are as one likes them: away from given
//! squares, or small, or large.

mod along;
mod smallest;
mod stretch;

use super::{
    bits::Squares,
    graph::{Graph, NodeId, Step},
};
use crate::Why;
use rules::{Game, Move, Side, Square};
use std::{cell::OnceCell, collections::BTreeMap};
use threats::{Board, Defences};

/// What is wanted of the zones of a win.
#[derive(Clone)]
pub(super) struct Aim<const W: usize> {
    /// The first zone has none of these squares.
    pub(super) without: Squares<W>,
    /// The stone that it is to be used against, if it is one: what it strengthens counts
    /// as part of the zone.
    pub(super) stone: Option<Square>,
    /// The squares that cost something in the first zone, and what each does.
    pub(super) priced: Squares<W>,
    pub(super) price: Vec<i32>,
    /// What a square costs that only the second zone has.
    pub(super) second: i32,
    /// What a reply costs.
    pub(super) reply: i32,
    /// What the whole may cost at most.
    pub(super) bound: i64,
    /// Up to so many moves before the end all winning moves are compared; before
    /// that the first that will do is taken.
    pub(super) compared: u8,
    /// Moves that are looked at when a win has been found.
    pub(super) looks: u64,
    /// Moves that are tried where nobody has looked before.
    pub(super) tries: u64,
}

/// The first and the second zone of what is chosen so far, and what they cost.
#[derive(Clone, Copy)]
struct Sum<const W: usize> {
    first: Squares<W>,
    second: Squares<W>,
    cost: i64,
}

impl<const W: usize> Aim<W> {
    /// A first zone that is small, with no limits.
    pub(super) fn small(game: Game) -> Aim<W> {
        Aim {
            without: Squares::EMPTY,
            stone: None,
            priced: game.squares().collect(),
            price: vec![1; game.area()],
            second: 0,
            reply: 0,
            bound: i64::MAX,
            compared: u8::MAX,
            looks: u64::MAX,
            tries: u64::MAX,
        }
    }

    /// What it costs with the zones of a move.
    #[inline]
    fn with(&self, sum: &Sum<W>, zone: &Squares<W>, step: &Step<W>) -> i64 {
        let mut cost = sum.cost;
        for square in zone.and(&self.priced).minus(&sum.first).iter() {
            cost += i64::from(self.price[square.index()]);
        }
        if self.second != 0 {
            let before = sum.second.minus(&sum.first).count();
            let (mut first, mut second) = (sum.first, sum.second);
            first.add(zone);
            second.add(&step.second);
            cost += i64::from(self.second) * (i64::from(second.minus(&first).count()) - i64::from(before));
        }
        cost
    }
}

/// A win: its moves in the order of the walk, and its zones.
#[derive(Debug, PartialEq)]
pub(super) struct Win<const W: usize> {
    /// Positions, and which move is chosen there.
    pub(super) moves: Vec<(NodeId, u32)>,
    /// Those moves.
    pub(super) list: Vec<Move>,
    pub(super) first: Squares<W>,
    pub(super) second: Squares<W>,
    /// See [`Lines::strengthened`].
    strengthened: OnceCell<Strengthened<W>>,
}

/// What a stone adds to a zone, by square.
pub(super) type Strengthened<const W: usize> = BTreeMap<Square, Squares<W>>;

impl<const W: usize> Win<W> {
    pub(super) fn replies(&self) -> u32 {
        self.moves.len() as u32
    }

    /// Whether the win stays one with these two stones, as its zones promise.
    pub(super) fn bears(&self, s: Square, t: Square) -> bool {
        let outside = |zone: &Squares<W>, square| !zone.contains(square);
        outside(&self.first, s)
            && outside(&self.first, t)
            && (outside(&self.second, s) || outside(&self.second, t))
    }
}

/// Looks for such wins.
pub(super) struct Lines<'r, 'b, const W: usize> {
    pub(super) graph: Graph<'r, 'b, W>,
    /// Moves that may still be looked at.
    looks: u64,
    /// Memory for the moves of the positions of a line, the cheapest first.
    order: Vec<(i64, u32)>,
    /// By position: the round in which it was asked whether a win stays clear of
    /// what it has to, and whether one does.
    clear: Vec<(u32, bool)>,
    round: u32,
    /// Whether it is one square at most.
    few: bool,
    /// What is known of the smallest wins against a pair.
    smallest: smallest::Memory,
}

impl<'r, 'b, const W: usize> Lines<'r, 'b, W> {
    pub(super) fn new(graph: Graph<'r, 'b, W>) -> Lines<'r, 'b, W> {
        Lines {
            graph,
            looks: 0,
            order: Vec::new(),
            clear: Vec::new(),
            round: 0,
            few: false,
            smallest: smallest::Memory::default(),
        }
    }

    /// Works out all there is against these stones, as far as so many moves tried go.
    /// Whether there is a win, if they go far enough.
    pub(super) fn close(&mut self, stones: &Move, depth: u8, tries: u64) -> Result<Option<bool>, Why> {
        let root = self.graph.root(stones, depth);
        self.within(tries, |lines| {
            lines.graph.against(stones, |graph| graph.close(root))?;
            Ok(Some(lines.graph.is_won(root)))
        })
    }

    /// The fewest moves in which full threats win against these stones, as far as so many moves
    /// tried go.
    pub(super) fn depth_against(&mut self, stones: &Move, most: u8, tries: u64) -> Result<Option<u8>, Why> {
        self.within(tries, |lines| lines.graph.against(stones, |graph| graph.depth(most)))
    }

    /// A win of at most so many moves against these stones that suits the aim. None
    /// where the tries are used up: there may be one, but it is not known.
    pub(super) fn find(&mut self, stones: &Move, depth: u8, aim: &Aim<W>) -> Result<Option<Win<W>>, Why> {
        self.within(aim.tries, |lines| lines.search(stones, depth, aim))
    }

    /// Has `work` done with so many moves tried at most. None where they are used up; an
    /// error where the whole budget is.
    pub(super) fn within<T>(
        &mut self,
        tries: u64,
        work: impl FnOnce(&mut Self) -> Result<Option<T>, Why>,
    ) -> Result<Option<T>, Why> {
        let part = self.graph.budget.part(tries, None);
        let whole = std::mem::replace(&mut self.graph.budget, part);
        let done = work(self);
        let part = std::mem::replace(&mut self.graph.budget, whole);
        self.graph.budget.absorb(&part)?;
        match done {
            Err(Why::Nodes) => Ok(None),
            done => done,
        }
    }

    /// Before a search for wins that suit an aim.
    fn begin(&mut self, aim: &Aim<W>) {
        self.looks = aim.looks;
        self.order.clear();
        self.round += 1;
        self.few = aim.without.count() <= 1;
    }

    fn search(&mut self, stones: &Move, depth: u8, aim: &Aim<W>) -> Result<Option<Win<W>>, Why> {
        self.graph.budget.interrupted()?;
        let root = self.graph.root(stones, depth);
        self.begin(aim);
        if !self.clear(root, &aim.without)? {
            return Ok(None);
        }
        let cost = self.least(root) * i64::from(aim.reply);
        let sum = Sum { first: Squares::EMPTY, second: Squares::EMPTY, cost };
        let mut moves = Vec::new();
        if self.pick(root, aim, &sum, aim.bound, &mut moves)?.is_none() {
            return Ok(None);
        }
        self.win(moves).map(Some)
    }

    /// The win that these moves are.
    fn win(&mut self, moves: Vec<(NodeId, u32)>) -> Result<Win<W>, Why> {
        let (mut first, mut second) = (Squares::EMPTY, Squares::EMPTY);
        let mut list = Vec::with_capacity(moves.len());
        for &(node, index) in &moves {
            let step = &self.graph.steps(node)?[index as usize];
            first.add(&step.first);
            second.add(&step.second);
            list.push(step.reply);
        }
        Ok(Win { moves, list, first, second, strengthened: OnceCell::new() })
    }

    /// The fewest replies of a win from a position. Where it is not known, a guess: as if
    /// every line ended a move early, with three defences against each move.
    fn least(&self, node: NodeId) -> i64 {
        match (self.graph.fewest(node), self.graph.depth_of(node)) {
            (Some(fewest), _) => fewest.into(),
            (None, ..=2) => 1,
            (None, depth) => (3i64.pow(u32::from(depth) - 1) - 1) / 2,
        }
    }

    /// The first zone of a move against the stone that is aimed at.
    #[inline]
    fn zone(&self, node: NodeId, step: &Step<W>, aim: &Aim<W>) -> Squares<W> {
        let mut zone = step.first;
        if let Some(stone) = aim.stone {
            zone.add(&self.graph.strengthened(node, step, stone));
        }
        zone
    }

    /// How many replies more a move takes than was known of the position.
    fn more(&self, node: NodeId, step: &Step<W>) -> i64 {
        1 + step.kids.iter().map(|&(_, kid)| self.least(kid)).sum::<i64>() - self.least(node)
    }

    /// Whether there is a win from a position that stays clear of these squares: the
    /// same ones for a whole round.
    fn clear(&mut self, node: NodeId, without: &Squares<W>) -> Result<bool, Why> {
        if self.clear.len() < self.graph.len() {
            self.clear.resize(self.graph.len(), (0, false));
        }
        let (round, clear) = self.clear[node as usize];
        if round == self.round {
            return Ok(clear);
        }
        let steps = self.graph.steps(node)?;
        let mut clear = false;
        for step in steps.iter() {
            if self.passes(step, without)? {
                clear = true;
                break;
            }
        }
        self.clear.resize(self.graph.len().max(self.clear.len()), (0, false));
        self.clear[node as usize] = (self.round, clear);
        Ok(clear)
    }

    /// Whether a move begins such a win.
    fn passes(&mut self, step: &Step<W>, without: &Squares<W>) -> Result<bool, Why> {
        if step.first.meets(without) {
            return Ok(false);
        }
        for &(_, kid) in &step.kids {
            // What no win from there goes without counts for the move already, and of
            // one square that is all there is to know.
            let told = self.few && self.graph.is_closed(kid);
            if !told && !self.clear(kid, without)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The cheapest move and what follows, if it costs less than that together
    /// with what has been chosen before: adds them to `moves`, and returns the sum of
    /// it all.
    fn pick(
        &mut self,
        node: NodeId,
        aim: &Aim<W>,
        sum: &Sum<W>,
        bound: i64,
        moves: &mut Vec<(NodeId, u32)>,
    ) -> Result<Option<Sum<W>>, Why> {
        let steps = self.graph.steps(node)?;
        let from = self.order.len();
        for (i, step) in steps.iter().enumerate() {
            let cost = aim.with(sum, &self.zone(node, step, aim), step)
                + i64::from(aim.reply) * self.more(node, step);
            if cost < bound || aim.second != 0 {
                self.order.push((cost, i as u32));
            }
        }
        let to = self.order.len();
        self.order[from..].sort_unstable();
        let first_only = self.graph.depth_of(node) > aim.compared;
        let start = moves.len();
        let mut bound = bound;
        let mut best = None;
        for at in from..to {
            let (cost, index) = self.order[at];
            // Zones only grow, and so does what they cost, unless large ones are
            // wanted.
            if self.looks == 0 && best.is_some() || cost >= bound && aim.second == 0 {
                break;
            }
            let step = &steps[index as usize];
            if !self.passes(step, &aim.without)? {
                continue;
            }
            // More is known of its replies now.
            let zone = self.zone(node, step, aim);
            let cost = aim.with(sum, &zone, step) + i64::from(aim.reply) * self.more(node, step);
            self.looks = self.looks.saturating_sub(1);
            let mut sum = *sum;
            sum.first.add(&zone);
            if aim.second != 0 {
                sum.second.add(&step.second);
            }
            sum.cost = cost;
            let mark = moves.len();
            moves.push((node, index));
            match self.follow(aim, step, sum, bound, moves)? {
                Some(sum) if sum.cost < bound => {
                    bound = sum.cost;
                    best = Some(sum);
                    moves.drain(start..mark);
                    if first_only {
                        break;
                    }
                }
                _ => moves.truncate(mark),
            }
        }
        self.order.truncate(from);
        Ok(best)
    }

    /// The answers to the defences against a move.
    fn follow(
        &mut self,
        aim: &Aim<W>,
        step: &Step<W>,
        mut sum: Sum<W>,
        bound: i64,
        moves: &mut Vec<(NodeId, u32)>,
    ) -> Result<Option<Sum<W>>, Why> {
        let bound = if aim.second == 0 { bound } else { i64::MAX };
        for &(_, kid) in &step.kids {
            let Some(more) = self.pick(kid, aim, &sum, bound, moves)? else { return Ok(None) };
            sum = more;
        }
        Ok(Some(sum))
    }

    /// Whether the same replies win with these stones on the board.
    pub(super) fn still_wins(&mut self, win: &Win<W>, stones: &Move) -> Result<bool, Why> {
        let mut wins = true;
        let mut defences = Defences::default();
        self.play_through(win, stones, &mut |board, attacker, step| {
            defences.find(board, attacker);
            wins &= !board.has_threat(attacker.other())
                && defences.iter().eq(step.kids.iter().map(|(defence, _)| defence));
            wins
        })?;
        Ok(wins)
    }

    /// The squares at which a stone of the defender adds to the first zone of a win, and
    /// what it adds, from segments that it strengthens: with it they need a stone
    /// less, as many as those of the first zone.
    pub(super) fn strengthened<'w>(&mut self, win: &'w Win<W>) -> Result<&'w Strengthened<W>, Why> {
        if let Some(known) = win.strengthened.get() {
            return Ok(known);
        }
        let game = self.graph.board.game();
        let mut more = vec![Squares::EMPTY; game.area()];
        for &(node, index) in &win.moves {
            let steps = self.graph.steps(node)?;
            self.graph.for_each_weak(node, &steps[index as usize], |squares| {
                squares.iter().for_each(|s| more[s.index()].add(&squares));
            });
        }
        let some = game.squares().zip(more).filter(|(_, more)| *more != Squares::EMPTY);
        Ok(win.strengthened.get_or_init(|| some.collect()))
    }

    /// Plays a win through against these stones, and shows the board after every
    /// reply, until `look` has seen enough.
    fn play_through(
        &mut self,
        win: &Win<W>,
        stones: &Move,
        look: &mut impl FnMut(&Board, Side, &Step<W>) -> bool,
    ) -> Result<(), Why> {
        let defender = self.graph.attacker.other();
        stones.iter().for_each(|square| self.graph.board.place(defender, square));
        let played = self.play(&win.moves, &mut 0, look);
        stones.iter().for_each(|square| self.graph.board.remove(defender, square));
        played.map(|_| ())
    }

    fn play(
        &mut self,
        moves: &[(NodeId, u32)],
        next: &mut usize,
        look: &mut impl FnMut(&Board, Side, &Step<W>) -> bool,
    ) -> Result<bool, Why> {
        let attacker = self.graph.attacker;
        let (node, index) = moves[*next];
        *next += 1;
        let steps = self.graph.steps(node)?;
        let step = &steps[index as usize];
        step.reply.iter().for_each(|square| self.graph.board.place(attacker, square));
        let mut go_on = look(self.graph.board, attacker, step);
        for (defence, _) in &step.kids {
            if !go_on {
                break;
            }
            defence.iter().for_each(|square| self.graph.board.place(attacker.other(), square));
            let played = self.play(moves, next, look);
            defence.iter().for_each(|square| self.graph.board.remove(attacker.other(), square));
            go_on = played?;
        }
        step.reply.iter().for_each(|square| self.graph.board.remove(attacker, square));
        Ok(go_on)
    }
}
