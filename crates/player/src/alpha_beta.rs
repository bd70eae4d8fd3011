//! The game-tree search: principal variation search (alpha-beta with null
//! windows) over the moves of the highest appeal, with the VCDT solver at every
//! node.
//!
//! - A node whose side to move wins by VCDT is won: no moves are tried.
//! - If the other side would win by VCDT after a pass, only moves that touch the
//!   zone of that win are tried, whatever the depth left.
//! - Threats on the board are answered with the exact defences.
//!
//! So a leaf is quiet for both sides before it is evaluated. Scores beyond
//! [`WON`] are wins against every move. Where all moves tried lose but not all
//! moves were tried, the score is a [`DOUBT`] instead, or a [`SUSPICION`] if few
//! were tried: worse than any evaluation, but not a loss, so the search goes on.

use crate::{
    WON,
    generator::{MoveRequest, SquareSet, Width},
    search_thread::{Interrupted, Ply, SearchThread},
    tactics::{defending_sets, finds_all_sets, winning_stones},
    transposition_table::{Bound, TableEntry, TranspositionTable},
};
use lambda6_rules::{Move, Side, Square};
use lambda6_search::{Control, lambda::LambdaSearch};
use lambda6_threats::Play;
use std::{cmp::Reverse, sync::atomic::Ordering};

/// The score of a row on the board; one less for every move until then.
pub const WIN: i32 = 1_000_000;

/// The score of a win that a solver found at the root, whose length is not known.
pub const FOUND_WIN: i32 = WIN - 8;

/// Beyond any score.
pub const INFINITE: i32 = WIN + 1;

/// Penalty of a leaf at which the other side threatens to win.
const PRESSED: i32 = 500;

/// The score of a loss against the moves tried; one less for every move until
/// then.
const DOUBT: i32 = 12_000;

/// Scores from here on are doubtful losses or wins: not every defence was tried.
pub const LOSING: i32 = DOUBT - MAX_PLY as i32;

/// The width with which a doubtful loss is searched again, at the root and after
/// its moves.
pub const WIDE: Width = Width { first: 120, second: 16, moves: 600 };

/// Penalty of a loss beyond the nominal depth, where only few moves are tried.
const SUSPICION: i32 = 4_000;

/// VCST is searched at nodes of the principal variation up to this ply.
const MAX_VCST_PLY: u32 = 5;

/// Each VCST search gets one part in this many of all nodes so far.
const VCST_PART: u64 = 200;

/// The most by which a quiet leaf differs from the static value of its position.
const FRONTIER_MARGIN: i32 = 150;

/// The longest line.
pub const MAX_PLY: u32 = 96;

/// How the tree is searched.
#[derive(Clone, Copy, Debug)]
pub struct TreeSettings {
    /// Widths by the depth left: 1, 2, 3, 4 and more.
    pub widths: [Width; 4],
    /// The width against a threat to win.
    pub defend: Width,
    /// The width against threats beyond the nominal depth.
    pub extend: Width,
    /// Nodes of the VCDT solver by the depth left: 0, 1, 2, 3 and more.
    pub solver: [u64; 4],
    /// The most plies that answers to threats add to the nominal depth.
    pub extra: u32,
}

/// The alpha-beta search below one position.
pub struct AlphaBeta<'a> {
    pub thread: &'a mut SearchThread,
    pub table: &'a TranspositionTable,
    pub control: Control<'a>,
    pub settings: TreeSettings,
    /// The nominal depth of the current round.
    pub nominal_depth: u32,
    /// The VCST solver for the principal variation; helper threads have none.
    pub vcst: Option<&'a mut LambdaSearch>,
}

/// A node to be searched; its stones are on the board.
#[derive(Clone, Copy)]
pub struct AlphaBetaNode {
    /// The side to move.
    pub side: Side,
    /// The depth left.
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    /// Moves from the root.
    pub ply: u32,
    /// The side to move had no VCDT before the other side's last move, so it has
    /// none now.
    pub calm: bool,
}

impl AlphaBetaNode {
    /// The node after a move of this one, `less` plies less deep, with this
    /// window for the side to move here.
    fn child(self, alpha: i32, beta: i32, less: i32, calm: bool) -> AlphaBetaNode {
        let depth = self.depth - 1 - less;
        AlphaBetaNode { side: self.side.other(), depth, alpha: -beta, beta: -alpha, ply: self.ply + 1, calm }
    }
}

/// What is known of a node before its moves are tried.
enum Prospect {
    /// The score; no moves need to be tried.
    Score(i32),
    /// Moves must be tried. `pressed`: the other side threatens to win; `zone`:
    /// where its win can be disturbed.
    Search { pressed: bool, zone: Option<SquareSet> },
}

impl Play for AlphaBeta<'_> {
    fn place(&mut self, side: Side, square: Square) {
        self.thread.place(side, square);
    }

    fn remove(&mut self, side: Side, square: Square) {
        self.thread.remove(side, square);
    }
}

impl AlphaBeta<'_> {
    /// Counts a position; an error if the search must end.
    fn visit(&mut self) -> Result<(), Interrupted> {
        self.thread.nodes += 1;
        let Control { limits, clock, stop, .. } = self.control;
        let over = stop.load(Ordering::Relaxed)
            || limits.nodes.is_some_and(|most| self.thread.nodes >= most)
            || limits.time.is_some_and(|time| clock.elapsed() >= time);
        if over { Err(Interrupted) } else { Ok(()) }
    }

    fn solver_nodes(&self, depth: i32) -> u64 {
        self.settings.solver[depth.clamp(0, 3) as usize]
    }

    /// The stones of the next move.
    fn stones(&self) -> usize {
        usize::from(self.thread.board.game().p()).min(self.thread.board.empty_count())
    }

    /// The score of a node, for its side to move.
    pub fn search(&mut self, mut node: AlphaBetaNode) -> Result<i32, Interrupted> {
        self.visit()?;
        let AlphaBetaNode { side, ply, .. } = node;
        let stones = self.stones();
        if stones == 0 {
            return Ok(0);
        }
        let here = ply as i32;
        if winning_stones(&self.thread.board, side, stones).is_some() {
            return Ok(WIN - here - 1);
        }
        // The best that can still happen here is a row two moves from now.
        node.alpha = node.alpha.max(-(WIN - here - 2));
        node.beta = node.beta.min(WIN - here - 3);
        let AlphaBetaNode { depth, alpha, beta, .. } = node;
        if alpha >= beta {
            return Ok(alpha);
        }
        let key = self.thread.board.key(side);
        let mut table_move = Move::NULL;
        if let Some(entry) = self.table.get(key) {
            table_move = entry.mv;
            let score = from_table(entry.score, here);
            let deep_enough = i32::from(entry.depth) >= depth.max(0);
            if deep_enough
                && match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => score >= beta,
                    Bound::Upper => score <= alpha,
                }
            {
                return Ok(score);
            }
        }
        let mut memory = self.take_ply(ply);
        let found = self.expand(node, table_move, &mut memory);
        self.thread.plies[ply as usize] = memory;
        let (score, mv) = found?;
        let bound = match score {
            score if score <= alpha => Bound::Upper,
            score if score >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        let depth = depth.clamp(0, 200) as u8;
        self.table.set(key, &TableEntry { score: to_table(score, here), depth, bound, mv });
        Ok(score)
    }

    /// Takes the buffers of a ply; the caller puts them back.
    fn take_ply(&mut self, ply: u32) -> Ply {
        let ply = ply as usize;
        if self.thread.plies.len() <= ply {
            self.thread.plies.resize_with(ply + 1, Ply::default);
        }
        std::mem::take(&mut self.thread.plies[ply])
    }

    /// Searches a node that neither a row nor the table settles.
    fn expand(
        &mut self,
        mut node: AlphaBetaNode,
        table_move: Move,
        memory: &mut Ply,
    ) -> Result<(i32, Move), Interrupted> {
        let AlphaBetaNode { side, ply, .. } = node;
        let here = ply as i32;
        let stones = self.stones();
        let Ply { defences, sets, .. } = &mut *memory;
        let threatened = defending_sets(&self.thread.board, side, stones, defences, sets);
        if threatened && memory.sets.is_empty() {
            return Ok((-(WIN - here - 2), Move::NULL));
        }
        let value = self.thread.evaluation.evaluate(side);
        let (pressed, zone) = match self.prospect(node, threatened, value)? {
            Prospect::Score(score) => return Ok((score, Move::NULL)),
            Prospect::Search { pressed, zone } => (pressed, zone),
        };
        let extended = node.depth <= 0;
        node.depth = node.depth.max(1);
        let width = match (extended, pressed) {
            (true, _) => self.settings.extend,
            (false, true) if zone.is_some() => self.settings.defend,
            _ => self.settings.widths[(node.depth - 1).clamp(0, 3) as usize],
        };
        self.generate(side, width, zone.as_ref(), table_move, memory);
        let complete = threatened && memory.sets.len() <= width.moves && self.are_all(stones, &memory.sets);
        let mut best = self.best_move(node, pressed, table_move, memory)?;
        if best.0 <= -LOSING && !complete && ply == 1 {
            // The root is about to believe in a win: try more answers first.
            let tried = memory.moves.clone();
            self.generate(side, WIDE, zone.as_ref(), table_move, memory);
            memory.moves.retain(|(_, mv)| !tried.iter().any(|(_, old)| old == mv));
            let more = self.best_move(node, pressed, table_move, memory)?;
            if more.0 > best.0 {
                best = more;
            }
        }
        let (mut score, mv) = best;
        if score <= -WON && !complete {
            score = if extended { value.clamp(-SUSPICION, 0) - SUSPICION } else { here - DOUBT };
        }
        Ok((score, mv))
    }

    /// Asks the solvers about both sides. `value` is the static evaluation.
    fn prospect(
        &mut self,
        node: AlphaBetaNode,
        threatened: bool,
        value: i32,
    ) -> Result<Prospect, Interrupted> {
        let AlphaBetaNode { side, depth, alpha, beta, ply, calm } = node;
        // At a leaf a win could only raise a value that is enough already, and a
        // threat of the other side only lower one that is too little already.
        let last = depth <= 0;
        let leaf = last && !threatened;
        let enough = leaf && value >= beta;
        if !enough
            && !calm
            && let Some(score) = self.vcdt_score(node)?
        {
            return Ok(Prospect::Score(score));
        }
        if leaf && value <= alpha {
            return Ok(Prospect::Score(value));
        }
        let principal = beta - alpha > 1 && !last && (2..=MAX_VCST_PLY).contains(&ply);
        if principal && self.wins_by_vcst(side)? {
            return Ok(Prospect::Score(WIN - ply as i32 - 15));
        }
        let mut zone = None;
        let mut pressed = threatened;
        let nodes = self.solver_nodes(depth) * 2 / 3;
        if !threatened && self.thread.vcdt_length(side.other(), nodes, self.control)?.is_some() {
            pressed = true;
            // The value is not enough, unless the side to move wins first.
            if enough
                && !calm
                && let Some(score) = self.vcdt_score(node)?
            {
                return Ok(Prospect::Score(score));
            }
            zone = self.thread.zone(side.other(), self.control);
        }
        let may_extend = ply < self.nominal_depth + self.settings.extra && ply + 2 < MAX_PLY;
        if last && !(pressed && may_extend) {
            return Ok(Prospect::Score(if pressed { value - PRESSED } else { value }));
        }
        Ok(Prospect::Search { pressed, zone })
    }

    /// The best score of the generated moves, and its move.
    fn best_move(
        &mut self,
        mut node: AlphaBetaNode,
        pressed: bool,
        table_move: Move,
        memory: &mut Ply,
    ) -> Result<(i32, Move), Interrupted> {
        let side = node.side;
        let frontier = node.depth == 1 && !pressed;
        if frontier {
            self.order_by_value(side, table_move, memory);
        }
        let mut best = (-INFINITE, Move::NULL);
        for i in 0..memory.moves.len() {
            let (value, mv) = memory.moves[i];
            if frontier && i > 0 && value + FRONTIER_MARGIN <= node.alpha {
                // The moves that follow have lower values still.
                best.0 = best.0.max(value);
                break;
            }
            let score = self.play(side, mv, |tree| tree.score_of_move(node, pressed, i))?;
            if score > best.0 {
                best = (score, mv);
            }
            node.alpha = node.alpha.max(score);
            if node.alpha >= node.beta {
                if memory.killers[0] != mv {
                    memory.killers[1] = memory.killers[0];
                    memory.killers[0] = mv;
                }
                break;
            }
        }
        Ok(best)
    }

    /// Whether these sets, which meet the threats, are all legal moves that do:
    /// they leave no stone to spare, and all such sets were found.
    fn are_all(&self, stones: usize, sets: &[Move]) -> bool {
        finds_all_sets(self.thread.board.game()) && sets.iter().all(|set| set.len() == stones)
    }

    /// The score of a VCDT win of the side to move, if one is found.
    fn vcdt_score(&mut self, node: AlphaBetaNode) -> Result<Option<i32>, Interrupted> {
        let nodes = self.solver_nodes(node.depth);
        let moves = self.thread.vcdt_length(node.side, nodes, self.control)?;
        Ok(moves.map(|moves| WIN - node.ply as i32 - 2 * moves as i32 + 1))
    }

    /// Whether a VCST win of the side to move is found with a small part of the
    /// nodes so far.
    fn wins_by_vcst(&mut self, side: Side) -> Result<bool, Interrupted> {
        let Some(vcst) = self.vcst.as_deref_mut() else { return Ok(false) };
        let nodes = (self.thread.nodes / VCST_PART).clamp(256, 1 << 16);
        // A power of two, so that the cached result serves for similar counts.
        self.thread.wins_by_vcst(vcst, side, 1 << nodes.ilog2(), self.control)
    }

    /// The score of the move that was just placed, the `i`-th of its node.
    fn score_of_move(&mut self, node: AlphaBetaNode, pressed: bool, i: usize) -> Result<i32, Interrupted> {
        let AlphaBetaNode { depth, alpha, beta, .. } = node;
        let calm = !pressed;
        if i == 0 {
            return Ok(-self.search(node.child(alpha, beta, 0, calm))?);
        }
        // Late moves of quiet positions are first searched less deeply.
        let less = match (pressed, depth) {
            (true, _) | (_, ..=2) => 0,
            _ if i >= 2 => 1 + i32::from(i >= 5) + i32::from(i >= 12 && depth > 4),
            _ => 0,
        };
        let mut score = -self.search(node.child(alpha, alpha + 1, less, calm))?;
        if score > alpha && less > 0 {
            score = -self.search(node.child(alpha, alpha + 1, 0, calm))?;
        }
        if score > alpha && score < beta {
            score = -self.search(node.child(alpha, beta, 0, calm))?;
        }
        Ok(score)
    }

    /// Orders the moves at the frontier by the static value of the leaves.
    fn order_by_value(&mut self, side: Side, table_move: Move, memory: &mut Ply) {
        for (value, mv) in &mut memory.moves {
            *value = -self.thread.play(side, *mv, |thread| thread.evaluation.evaluate(side.other()));
        }
        memory.moves.sort_by_key(|&(value, mv)| (mv != table_move, Reverse(value)));
    }

    /// Generates the moves to try: the table's move first, then by appeal, with a
    /// bonus for killer moves.
    fn generate(
        &mut self,
        side: Side,
        width: Width,
        zone: Option<&SquareSet>,
        table_move: Move,
        memory: &mut Ply,
    ) {
        let stones = self.stones();
        let SearchThread { evaluation, generator, board, .. } = &mut *self.thread;
        let Ply { moves, sets, killers, .. } = memory;
        generator.find(evaluation, MoveRequest { side, stones, width, sets, zone }, moves);
        let legal = |mv: &Move| mv.len() == stones && mv.iter().all(|square| board.is_empty(square));
        if legal(&table_move) && !moves.iter().any(|(_, mv)| *mv == table_move) {
            moves.push((0, table_move));
        }
        for (appeal, mv) in moves.iter_mut() {
            if *mv == table_move {
                *appeal += 1 << 20;
            } else if killers.contains(mv) {
                *appeal += 300;
            }
        }
        // Stable: moves of the same appeal stay in the generator's order.
        moves.sort_by_key(|&(appeal, _)| Reverse(appeal));
    }
}

/// Wins are stored as seen from the position itself.
fn to_table(score: i32, ply: i32) -> i32 {
    score + if score.abs() >= WON { score.signum() * ply } else { 0 }
}

fn from_table(score: i32, ply: i32) -> i32 {
    score - if score.abs() >= WON { score.signum() * ply } else { 0 }
}
