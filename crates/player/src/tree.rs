//! The game-tree search: principal variation search over the moves that appeal
//! most, with the solver for double threats at every node.
//!
//! - The side to move that wins by double threats has won: no moves are tried.
//! - If the other side would win that way after a pass, only moves that touch
//!   its zone are tried, whatever the depth left.
//! - Threats on the board are answered with the exact defences.
//!
//! So leaves are quiet for both sides before they are evaluated. Scores beyond
//! [`WON`] are wins against every move. Where all moves lose that were tried, but
//! not all were, the score is a [`DOUBT`], or a [`SUSPICION`] if few were: it goes
//! before any evaluation, and the search goes on.

use crate::{
    WON,
    mind::{Fuse, Halt, Mind, Ply},
    moves::{SquareSet, Width},
    table::{Bound, Known, Table},
    tactics::{defending_sets, finds_all_sets, winning_stones},
};
use rules::{Move, Side};
use search::lambda::LambdaSearch;
use std::sync::atomic::Ordering;

/// A row on the board; one less for every move until then.
pub const WIN: i32 = 1_000_000;

/// Beyond any score.
pub const INFINITE: i32 = WIN + 1;

/// What it costs to be under threat of a win where nothing more is searched.
const PRESSED: i32 = 500;

/// A loss as far as the moves tried can tell; one less for every move until then.
const DOUBT: i32 = 12_000;

/// A score that is as good as lost, though not every defence was tried.
pub const LOSING: i32 = DOUBT - MAX_PLY as i32;

/// How wide to look before a loss is believed, at the root and after its moves.
pub const WIDE: Width = Width { first: 120, second: 16, moves: 600 };

/// What a loss costs that only the few moves tried beyond the depth tell of.
const SUSPICION: i32 = 4_000;

/// Single threats are asked for in lines that decide up to so many moves from the
/// root. The moves of a question are such a part of all so far.
const DECIDING: u32 = 5;
const SINGLES_PART: u64 = 200;

/// How far a quiet leaf can be from the value of its position.
const MARGIN: i32 = 150;

/// The longest line.
pub const MAX_PLY: u32 = 96;

/// How the tree is searched.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Moves tried by the depth left: 1, 2, 3, 4 and more.
    pub widths: [Width; 4],
    /// Moves tried against a threat to win.
    pub defend: Width,
    /// Moves tried against threats beyond the depth.
    pub extend: Width,
    /// Solver moves by the depth left: 0, 1, 2, 3 and more.
    pub solver: [u64; 4],
    /// Moves beyond the depth that answers to threats may add.
    pub extra: u32,
}

/// The shape of the strongest level.
pub const STRONG: Shape = Shape {
    widths: [
        Width { first: 6, second: 5, moves: 10 },
        Width { first: 8, second: 6, moves: 16 },
        Width { first: 10, second: 8, moves: 24 },
        Width { first: 12, second: 10, moves: 32 },
    ],
    defend: Width { first: 16, second: 6, moves: 28 },
    extend: Width { first: 8, second: 4, moves: 8 },
    solver: [50, 100, 400, 1_500],
    extra: 3,
};

/// One search of a position.
pub struct Tree<'a> {
    pub mind: &'a mut Mind,
    pub table: &'a Table,
    pub fuse: Fuse<'a>,
    pub shape: Shape,
    /// The depth of the current round.
    pub round: u32,
    /// For the lines that decide; helpers have none.
    pub singles: Option<&'a mut LambdaSearch>,
}

/// Where moves are tried: for whom, how deep, and whether the other side presses.
#[derive(Clone, Copy)]
struct Node {
    side: Side,
    depth: i32,
    beta: i32,
    ply: u32,
    pressed: bool,
}

impl Tree<'_> {
    /// Whether the search must end; counts a position.
    fn visit(&mut self) -> Result<(), Halt> {
        self.mind.nodes += 1;
        let Fuse { limits, clock, stop } = &self.fuse;
        let over = stop.load(Ordering::Relaxed)
            || limits.nodes.is_some_and(|most| self.mind.nodes >= most)
            || limits.time.is_some_and(|time| clock.elapsed() >= time);
        if over { Err(Halt) } else { Ok(()) }
    }

    fn solver_nodes(&self, depth: i32) -> u64 {
        self.shape.solver[depth.clamp(0, 3) as usize]
    }

    /// The score for `side`, to move, `ply` moves from the root. `calm`: it was
    /// seen to have no double threats before the other side's last move, so that
    /// it has none now either.
    pub fn search(
        &mut self,
        side: Side,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: u32,
        calm: bool,
    ) -> Result<i32, Halt> {
        self.visit()?;
        let p = usize::from(self.mind.board.game().p());
        let empty = self.mind.board.empty_count();
        if empty == 0 {
            return Ok(0);
        }
        let stones = p.min(empty);
        let here = ply as i32;
        if winning_stones(&self.mind.board, side, stones).is_some() {
            return Ok(WIN - here - 1);
        }
        // The best that can still happen here is a row two moves from now.
        alpha = alpha.max(-(WIN - here - 2));
        beta = beta.min(WIN - here - 3);
        if alpha >= beta {
            return Ok(alpha);
        }
        let key = self.mind.board.key(side);
        let mut known_move = Move::NULL;
        if let Some(known) = self.table.get(key) {
            known_move = known.mv;
            let score = from_table(known.score, here);
            let settled = i32::from(known.depth) >= depth.max(0);
            if settled
                && match known.bound {
                    Bound::Exact => true,
                    Bound::Lower => score >= beta,
                    Bound::Upper => score <= alpha,
                }
            {
                return Ok(score);
            }
        }
        let mut memory = self.take(ply);
        let score = self.node(side, depth, alpha, beta, ply, calm, known_move, &mut memory);
        self.mind.plies[ply as usize] = memory;
        let (score, mv) = score?;
        let bound = match score {
            score if score <= alpha => Bound::Upper,
            score if score >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        let depth = depth.clamp(0, 200) as u8;
        self.table.set(key, &Known { score: to_table(score, here), depth, bound, mv });
        Ok(score)
    }

    pub fn take(&mut self, ply: u32) -> Ply {
        let ply = ply as usize;
        if self.mind.plies.len() <= ply {
            self.mind.plies.resize_with(ply + 1, Ply::default);
        }
        std::mem::take(&mut self.mind.plies[ply])
    }

    /// A position that is not settled by a row or by the table.
    #[allow(clippy::too_many_arguments, reason = "the step of `search` that needs memory of its own")]
    fn node(
        &mut self,
        side: Side,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: u32,
        calm: bool,
        known_move: Move,
        memory: &mut Ply,
    ) -> Result<(i32, Move), Halt> {
        let here = ply as i32;
        let stones = usize::from(self.mind.board.game().p()).min(self.mind.board.empty_count());
        let Ply { defences, sets, .. } = &mut *memory;
        let threatened = defending_sets(&self.mind.board, side, stones, defences, sets);
        if threatened && memory.sets.is_empty() {
            return Ok((-(WIN - here - 2), Move::NULL));
        }
        let still = self.mind.field.evaluate(side);
        // At a leaf a win could only raise what is enough already, and a threat
        // of the opponent only lower what is too little already.
        let last = depth <= 0;
        let leaf = last && !threatened;
        let enough = leaf && still >= beta;
        if !enough
            && !calm
            && let Some(score) = self.attack(side, depth, here)?
        {
            return Ok((score, Move::NULL));
        }
        if leaf && still <= alpha {
            return Ok((still, Move::NULL));
        }
        let decides = beta - alpha > 1 && !last && (2..=DECIDING).contains(&ply);
        if decides && self.single_threats(side)? {
            return Ok((WIN - here - 15, Move::NULL));
        }
        let mut depth = depth;
        let may_extend = ply < self.round + self.shape.extra && ply + 2 < MAX_PLY;
        let mut zone = None;
        let mut pressed = threatened;
        if !threatened
            && self.mind.double_threats(side.other(), self.solver_nodes(depth) * 2 / 3, &self.fuse)?.is_some()
        {
            pressed = true;
            // What seemed enough is not, unless the side to move wins first.
            if enough
                && !calm
                && let Some(score) = self.attack(side, depth, here)?
            {
                return Ok((score, Move::NULL));
            }
            zone = self.mind.zone(side.other(), &self.fuse);
        }
        if depth <= 0 {
            if !pressed || !may_extend {
                return Ok((if pressed { still - PRESSED } else { still }, Move::NULL));
            }
            depth = 1;
        }
        let width = match (last, pressed) {
            (true, _) => self.shape.extend,
            (false, true) if zone.is_some() => self.shape.defend,
            _ => self.width(depth),
        };
        self.generate(side, stones, width, zone.as_ref(), known_move, memory);
        let complete = threatened && memory.sets.len() <= width.moves && self.no_others(stones, &memory.sets);
        let node = Node { side, depth, beta, ply, pressed };
        let mut best = self.best_of(node, alpha, known_move, memory)?;
        if best.0 <= -LOSING && !complete && ply == 1 {
            // The root is about to believe in a win: look at more answers first.
            let tried = memory.moves.clone();
            self.generate(side, stones, WIDE, zone.as_ref(), known_move, memory);
            memory.moves.retain(|(_, mv)| !tried.iter().any(|(_, old)| old == mv));
            let more = self.best_of(node, alpha, known_move, memory)?;
            if more.0 > best.0 {
                best = more;
            }
        }
        let (mut score, mv) = best;
        if score <= -WON && !complete {
            score = if last { still.clamp(-SUSPICION, 0) - SUSPICION } else { here - DOUBT };
        }
        Ok((score, mv))
    }

    /// The best score of the moves at hand, and its move.
    fn best_of(
        &mut self,
        node: Node,
        mut alpha: i32,
        known_move: Move,
        memory: &mut Ply,
    ) -> Result<(i32, Move), Halt> {
        let Node { side, beta, .. } = node;
        let frontier = node.depth == 1 && !node.pressed;
        if frontier {
            self.order_by_value(side, known_move, memory);
        }
        let mut best = (-INFINITE, Move::NULL);
        for i in 0..memory.moves.len() {
            let (value, mv) = memory.moves[i];
            if frontier && i > 0 && value + MARGIN <= alpha {
                // So are all that follow.
                best.0 = best.0.max(value);
                break;
            }
            self.mind.place(side, &mv);
            let score = self.try_move(node, alpha, i);
            self.mind.remove(side, &mv);
            let score = score?;
            if score > best.0 {
                best = (score, mv);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                if memory.killers[0] != mv {
                    memory.killers[1] = memory.killers[0];
                    memory.killers[0] = mv;
                }
                break;
            }
        }
        Ok(best)
    }

    /// Whether these sets, which meet the threats, are all moves there are: they
    /// leave no stone to spare, and all such sets were found.
    fn no_others(&self, stones: usize, sets: &[Move]) -> bool {
        finds_all_sets(self.mind.board.game()) && sets.iter().all(|set| set.len() == stones)
    }

    /// The score of a win by double threats of the side to move, if it is found.
    fn attack(&mut self, side: Side, depth: i32, here: i32) -> Result<Option<i32>, Halt> {
        let moves = self.mind.double_threats(side, self.solver_nodes(depth), &self.fuse)?;
        Ok(moves.map(|moves| WIN - here - 2 * moves as i32 + 1))
    }

    /// Whether the side to move wins by single threats, as far as a small part of
    /// what was searched so far can tell.
    fn single_threats(&mut self, side: Side) -> Result<bool, Halt> {
        let Some(singles) = self.singles.as_deref_mut() else { return Ok(false) };
        let nodes = (self.mind.nodes / SINGLES_PART).clamp(256, 1 << 16);
        // Rounded, so that the same is not asked again for a few moves more.
        self.mind.single_threats(singles, side, 1 << nodes.ilog2(), &self.fuse)
    }

    /// The score of the move that was just placed, the `i`-th of its node.
    fn try_move(&mut self, node: Node, alpha: i32, i: usize) -> Result<i32, Halt> {
        let Node { side, depth, beta, ply, pressed } = node;
        let other = side.other();
        let calm = !pressed;
        if i == 0 {
            return Ok(-self.search(other, depth - 1, -beta, -alpha, ply + 1, calm)?);
        }
        // Late moves of quiet positions are first searched less deeply.
        let less = match (pressed, depth) {
            (true, _) | (_, ..=2) => 0,
            _ if i >= 2 => 1 + i32::from(i >= 5) + i32::from(i >= 12 && depth > 4),
            _ => 0,
        };
        let mut score = -self.search(other, depth - 1 - less, -alpha - 1, -alpha, ply + 1, calm)?;
        if score > alpha && less > 0 {
            score = -self.search(other, depth - 1, -alpha - 1, -alpha, ply + 1, calm)?;
        }
        if score > alpha && score < beta {
            score = -self.search(other, depth - 1, -beta, -alpha, ply + 1, calm)?;
        }
        Ok(score)
    }

    /// One move before the leaves: the moves in the order of what the leaves
    /// will say when nothing happens there.
    fn order_by_value(&mut self, side: Side, known_move: Move, memory: &mut Ply) {
        for (value, mv) in &mut memory.moves {
            self.mind.place(side, mv);
            *value = -self.mind.field.evaluate(side.other());
            self.mind.remove(side, mv);
        }
        memory.moves.sort_by_key(|&(value, mv)| (mv != known_move, std::cmp::Reverse(value)));
    }

    fn width(&self, depth: i32) -> Width {
        self.shape.widths[(depth - 1).clamp(0, 3) as usize]
    }

    /// Fills in the moves to try: the one that the table knows, then those that
    /// refuted something nearby, then by appeal.
    fn generate(
        &mut self,
        side: Side,
        stones: usize,
        width: Width,
        zone: Option<&SquareSet>,
        known_move: Move,
        memory: &mut Ply,
    ) {
        let Mind { field, generator, board, .. } = &mut *self.mind;
        let Ply { moves, sets, killers, .. } = memory;
        generator.find(field, side, stones, width, sets, zone, moves);
        let legal = |mv: &Move| mv.len() == stones && mv.iter().all(|square| board.is_empty(square));
        if legal(&known_move) && !moves.iter().any(|(_, mv)| *mv == known_move) {
            moves.push((0, known_move));
        }
        for (appeal, mv) in moves.iter_mut() {
            if *mv == known_move {
                *appeal += 1 << 20;
            } else if killers.contains(mv) {
                *appeal += 300;
            }
        }
        // Stable: moves that appeal alike stay in the generator's order.
        moves.sort_by_key(|&(appeal, _)| std::cmp::Reverse(appeal));
    }
}

/// Wins are kept as seen from the position itself.
fn to_table(score: i32, ply: i32) -> i32 {
    score + if score.abs() >= WON { score.signum() * ply } else { 0 }
}

fn from_table(score: i32, ply: i32) -> i32 {
    score - if score.abs() >= WON { score.signum() * ply } else { 0 }
}
