//! The root of the game-tree search: proved wins first, then deeper and deeper
//! rounds over the moves worth a look, each best move checked for single threats
//! before it is believed.

use crate::{
    Candidate, Info, PlayLimits, WON, Watch,
    mind::{Fuse, Halt, Mind},
    moves::{SquareSet, Width},
    status_of,
    table::Table,
    tactics::{Duty, duty},
    tree::{INFINITE, LOSING, MAX_PLY, Shape, Tree, WIDE, WIN},
};
use rules::{Move, Position, Side};
use search::{Budget, Limits, Zones, lambda::LambdaSearch};
use std::{sync::atomic::Ordering, time::Duration};
use threats::{Board, Defences};

/// How wide the root looks: freely, and against a threat to win.
#[derive(Clone, Copy, Debug)]
pub struct RootShape {
    /// When nothing presses.
    pub free: Width,
    /// When the opponent threatens to win.
    pub defend: Width,
    /// What goes to the solver of single threats; `None` for nothing.
    pub single_threats: Option<Singles>,
    /// The deepest round.
    pub depth: u32,
    /// The tree below.
    pub tree: Shape,
}

/// What of the limits goes to the solver of single threats at the root. Most
/// games between programs are lost by overlooking such a win.
#[derive(Clone, Copy, Debug)]
pub struct Singles {
    /// Moves for each question while the time or the nodes are limited.
    pub nodes: u64,
    /// Moves for each question when only the depth is.
    pub nodes_unlimited: u64,
    /// The share of the limits for each question, in hundredths.
    pub share: u32,
    /// The share that is kept back for making sure of the move in the end, in
    /// hundredths.
    pub sure: u32,
}

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    pub score: i32,
    /// Whether the score is more than a bound.
    pub exact: bool,
    /// Single threats of the opponent after it: not looked for, none, a win.
    checked: Option<bool>,
    /// Whether quiet moves of the opponent that win were looked for, and none found.
    holds: bool,
}

/// Solver moves with less than which a question is not worth asking.
const LEAST: u64 = 3_000;

/// Best moves that are checked after a round.
const CHECKS: usize = 8;

/// Rounds and making sure take turns so often at most, and only while such a
/// part of the limits is left.
const STAGES: u32 = 8;
const WORTHWHILE: f64 = 0.2;

/// Of what is left in the end, the part that goes to making sure of the best
/// move: for single threats, and of the rest for quiet moves. What is left then is
/// for the next one if that is refuted.
const SURE_OF_ONE: f64 = 0.4;
const SURE_OF_QUIET: f64 = 0.7;

/// What came of a search.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The moves, the best first.
    pub moves: Vec<RootMove>,
    /// Rounds completed.
    pub depth: u32,
}

/// The search of one position.
pub struct Root<'a> {
    pub mind: &'a mut Mind,
    /// `None` for those who only fill the table.
    pub singles: Option<&'a mut LambdaSearch>,
    pub table: &'a Table,
    pub fuse: Fuse<'a>,
    pub limits: PlayLimits,
    pub shape: RootShape,
    pub position: &'a Position,
    pub excluded: &'a [Move],
    /// How many of the best moves need exact scores.
    pub count: usize,
}

impl Root<'_> {
    fn side(&self) -> Side {
        self.position.to_move()
    }

    /// A share of what may be used, for the solver of single threats.
    fn share(&self, singles: Singles, part: f64) -> Limits {
        let share = part * f64::from(singles.share) / 100.0;
        let limited = self.limits.nodes.is_some() || self.limits.time.is_some();
        let most = if limited { singles.nodes } else { singles.nodes_unlimited };
        let most = (most as f64 * part) as u64;
        let by_nodes = self.limits.nodes.map(|nodes| (nodes as f64 * share) as u64);
        let used = self.fuse.clock.elapsed();
        let by_time = self.limits.time.map(|time| (used + time.mul_f64(share)).min(time));
        Limits { nodes: Some(by_nodes.unwrap_or(most).min(most).max(LEAST)), time: by_time, depth: None }
    }

    /// A win of `attacker`, to move on this board, with single threats: the move
    /// and the zones. `part` of the usual share is used.
    pub fn single_threats(&mut self, board: &Board, attacker: Side, part: f64) -> Option<(Move, Zones)> {
        let limits = self.share(self.shape.single_threats?, part);
        self.wins(board, attacker, limits)
    }

    pub fn wins(&mut self, board: &Board, attacker: Side, limits: Limits) -> Option<(Move, Zones)> {
        if !self.mind.solves() {
            return None;
        }
        let mut budget = Budget::new(limits, self.fuse.clock, self.fuse.stop);
        let found = self.singles.as_mut()?.winning_move(board, attacker, &mut budget);
        self.mind.nodes += budget.nodes();
        // A search that ran out of its share has found nothing.
        found.ok().flatten()
    }

    /// The moves worth a look, the most appealing first; never none while a move
    /// is legal.
    pub fn moves(&mut self, wide: bool) -> Vec<RootMove> {
        let side = self.side();
        let stones = self.position.stones_to_place();
        let sets = match duty(&self.mind.board, side, stones, &mut Defences::default()) {
            Duty::Free => Vec::new(),
            Duty::Meet(sets) | Duty::Lost(sets) => sets,
        };
        let zone = if sets.is_empty() { self.zone() } else { None };
        let mut width = if zone.is_some() { self.shape.defend } else { self.shape.free };
        if wide {
            width = WIDE;
        }
        width.moves += self.excluded.len();
        let mut moves = Vec::new();
        let Mind { field, generator, .. } = &mut *self.mind;
        generator.find(field, side, stones, width, &sets, zone.as_ref(), &mut moves);
        moves.retain(|(_, mv)| !self.excluded.contains(mv));
        if moves.is_empty() {
            // All of those are excluded: look everywhere.
            let most = width.moves + self.excluded.len();
            let all = Width { first: usize::MAX, second: usize::MAX, moves: most };
            generator.find(field, side, stones, all, &[], None, &mut moves);
            moves.retain(|(_, mv)| !self.excluded.contains(mv));
            moves.truncate(width.moves);
        }
        let root = |(_, mv)| RootMove { mv, score: -INFINITE, exact: false, checked: None, holds: false };
        moves.into_iter().map(root).collect()
    }

    /// Where to disturb the opponent, who would win after a pass: by double
    /// threats, or by single ones.
    fn zone(&mut self) -> Option<SquareSet> {
        let side = self.side();
        let other = side.other();
        let nodes = self.shape.tree.solver[3];
        if let Ok(Some(_)) = self.mind.double_threats(other, nodes, &self.fuse) {
            return self.mind.zone(other, &self.fuse);
        }
        let board = self.mind.board.clone();
        let (_, zones) = self.single_threats(&board, other, 1.0)?;
        // One stone outside the first zone and one outside the second change
        // nothing; what is left out here are pairs of the second alone.
        let mut zone = SquareSet::new(board.game().area());
        zones.empty_squares(&board, 1).for_each(|square| zone.insert(square));
        Some(zone)
    }

    /// The best moves: rounds of growing depth until something ends them, and a
    /// last look at the best. `None` when there is no legal move outside the list.
    pub fn deepen(&mut self, watch: &mut dyn Watch) -> Option<Found> {
        let mut moves = self.moves(false);
        if moves.is_empty() {
            return None;
        }
        let whole = self.fuse.limits;
        let kept = self.shape.single_threats.map_or(0.0, |singles| f64::from(singles.sure) / 100.0);
        let mut depth = 0;
        for _ in 0..STAGES {
            let end = 1.0 - kept * self.left();
            self.fuse.limits.time = whole.time.map(|time| time.mul_f64(end));
            self.fuse.limits.nodes = whole.nodes.map(|nodes| (nodes as f64 * end) as u64);
            let cut_short = self.rounds(&mut depth, &mut moves, watch);
            self.fuse.limits = whole;
            if self.make_sure(&mut moves) {
                self.tell(depth, &moves, watch);
            }
            // What making sure has not used goes to further rounds.
            let stopped = self.fuse.stop.load(Ordering::Relaxed);
            if !cut_short || stopped || kept == 0.0 || self.left() < WORTHWHILE {
                break;
            }
        }
        Some(Found { moves, depth })
    }

    /// Rounds of growing depth, those up to `completed` done. Says whether the
    /// limits ended them.
    fn rounds(&mut self, completed: &mut u32, moves: &mut Vec<RootMove>, watch: &mut dyn Watch) -> bool {
        let begin = self.fuse.clock.elapsed();
        let mut wide = self.shape.single_threats.is_none();
        let most = self.limits.depth.unwrap_or(MAX_PLY / 2).min(self.shape.depth).max(1);
        for depth in *completed + 1..=most {
            let done = self.round(depth, moves);
            // Best first; of those that were refuted, in the order of before.
            moves.sort_by_key(|root| (std::cmp::Reverse(root.score), !root.exact));
            if done.is_ok() {
                *completed = depth;
                self.check_best(moves);
            }
            self.tell(depth, moves, watch);
            if moves[0].score <= -LOSING && !wide && done.is_ok() {
                // Everything that appeals loses: see whether anything else holds.
                wide = true;
                let more = self.moves(true);
                moves.extend(
                    more.into_iter()
                        .filter(|new| !moves.iter().any(|root| root.mv == new.mv))
                        .collect::<Vec<_>>(),
                );
                let done = self.round(depth, moves);
                moves.sort_by_key(|root| (std::cmp::Reverse(root.score), !root.exact));
                self.check_best(moves);
                self.tell(depth, moves, watch);
                if done.is_err() {
                    return true;
                }
            }
            let settled = moves[0].score >= WON || moves[0].score <= -WON || moves.len() == 1 && depth >= 2;
            // Another round takes several times as long as this one did.
            let late = self.fuse.limits.time.is_some_and(|time| {
                let stage = time.saturating_sub(begin);
                self.fuse.clock.elapsed().saturating_sub(begin) > stage.mul_f64(0.55)
            });
            if settled {
                return false;
            }
            if done.is_err() || late {
                return true;
            }
        }
        false
    }

    /// The part of the limits that is left.
    fn left(&self) -> f64 {
        let of_time =
            |time: Duration| 1.0 - self.fuse.clock.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9);
        let of_nodes = |nodes: u64| 1.0 - self.mind.nodes as f64 / nodes.max(1) as f64;
        let time = self.limits.time.map_or(1.0, of_time);
        time.min(self.limits.nodes.map_or(1.0, of_nodes))
    }

    /// Looks for single threats after the best move with most of what is left;
    /// while it is refuted, after the next. The opponent will look as long.
    /// Says whether the order of the moves has changed.
    fn make_sure(&mut self, moves: &mut [RootMove]) -> bool {
        let Some(singles) = self.shape.single_threats else { return false };
        let side = self.side();
        let mut changed = false;
        for _ in 0..moves.len() {
            let left = self.left();
            if moves[0].score.abs() >= WON || left <= 0.01 {
                break;
            }
            let used = self.fuse.clock.elapsed();
            let time = self.limits.time.map(|time| used + time.mul_f64(left * SURE_OF_ONE));
            let nodes = self.limits.nodes.map(|nodes| (nodes as f64 * left * SURE_OF_ONE) as u64);
            let nodes = nodes.or(time.is_none().then_some(singles.nodes_unlimited));
            let mut board = self.mind.board.clone();
            moves[0].mv.iter().for_each(|square| board.place(side, square));
            let lost = self.wins(&board, side.other(), Limits { nodes, time, depth: None }).is_some();
            if !lost && !self.loses_quietly(&mut moves[0]) {
                break;
            }
            moves[0].checked = Some(true);
            moves[0].score = if lost { -(WIN - 8) } else { -LOSING };
            moves.sort_by_key(|root| (std::cmp::Reverse(root.score), !root.exact));
            changed = true;
        }
        changed
    }

    /// Whether a quiet move of the opponent wins after this one, as far as a part
    /// of what is left can tell.
    fn loses_quietly(&mut self, root: &mut RootMove) -> bool {
        if root.holds {
            return false;
        }
        let end = self.part_of_rest(SURE_OF_QUIET);
        let side = self.side();
        self.mind.place(side, &root.mv);
        let found = self.quiet_win(side.other(), end);
        self.mind.remove(side, &root.mv);
        root.holds = found == Ok(None);
        matches!(found, Ok(Some(_)))
    }

    /// Where such a part of what is left ends: on the clock, and of all nodes.
    pub fn part_of_rest(&self, part: f64) -> Limits {
        let (used, share) = (self.fuse.clock.elapsed(), self.left().max(0.0) * part);
        let time = self.limits.time.map(|time| used + time.mul_f64(share));
        let nodes = self.limits.nodes.map(|nodes| self.mind.nodes + (nodes as f64 * share) as u64);
        let unlimited = time.is_none() && nodes.is_none();
        let nodes = nodes.or_else(|| {
            self.shape.single_threats.filter(|_| unlimited).map(|s| self.mind.nodes + s.nodes_unlimited)
        });
        Limits { nodes, time, depth: None }
    }

    /// Whether the opponent has neither threats nor a win by double threats after
    /// a pass, as far as can be told: then it has none after a move either.
    fn calm(&mut self) -> Result<bool, Halt> {
        let other = self.side().other();
        let nodes = self.shape.tree.solver[3];
        let threatened = self.mind.board.has_threat(other);
        Ok(!threatened && self.mind.double_threats(other, nodes, &self.fuse)?.is_none())
    }

    /// Searches all moves to this depth. Scores of moves that were not reached
    /// stay as they were.
    fn round(&mut self, depth: u32, moves: &mut [RootMove]) -> Result<(), Halt> {
        let side = self.side();
        let calm = self.calm()?;
        // The scores of this round, best first, as many as are asked for.
        let mut best: Vec<i32> = Vec::new();
        for i in 0..moves.len() {
            if moves[i].checked == Some(true) {
                continue;
            }
            let alpha = if best.len() < self.count { -INFINITE } else { best[self.count - 1] };
            let mv = moves[i].mv;
            self.mind.place(side, &mv);
            let score = self.value(side, depth, alpha, i, calm);
            self.mind.remove(side, &mv);
            let mut score = match score {
                Ok(score) => score,
                Err(halt) => {
                    settle(&mut moves[i..], &best);
                    return Err(halt);
                }
            };
            if score > alpha && score < WON && depth >= 3 && self.loses(&mut moves[i]) {
                score = -(WIN - 8);
            }
            moves[i].score = score;
            moves[i].exact = score > alpha;
            if score > alpha {
                best.push(score);
                best.sort_unstable_by(|a, b| b.cmp(a));
            }
            if best.first().is_some_and(|&score| score >= WON) && self.count == 1 {
                moves[i + 1..].iter_mut().for_each(|root| root.score = root.score.min(0));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the opponent wins with single threats after a move, as far as
    /// could be told the one time it was asked.
    fn loses(&mut self, root: &mut RootMove) -> bool {
        if let Some(lost) = root.checked {
            return lost;
        }
        let side = self.side();
        let mut board = self.mind.board.clone();
        root.mv.iter().for_each(|square| board.place(side, square));
        let lost = self.single_threats(&board, side.other(), 0.5).is_some();
        root.checked = Some(lost);
        lost
    }

    /// Makes sure that the first move does not lose to single threats: those
    /// that do go to the end.
    fn check_best(&mut self, moves: &mut [RootMove]) {
        for _ in 0..CHECKS.min(moves.len()) {
            let best = &mut moves[0];
            if best.score.abs() >= WON || !self.loses(best) {
                return;
            }
            best.score = -(WIN - 8);
            moves.sort_by_key(|root| (std::cmp::Reverse(root.score), !root.exact));
        }
    }

    fn value(&mut self, side: Side, depth: u32, alpha: i32, i: usize, calm: bool) -> Result<i32, Halt> {
        let mut tree = Tree {
            mind: &mut *self.mind,
            table: self.table,
            fuse: self.fuse,
            shape: self.shape.tree,
            round: depth,
            singles: self.singles.as_deref_mut(),
        };
        let deep = depth as i32 - 1;
        if alpha == -INFINITE {
            return Ok(-tree.search(side.other(), deep, -INFINITE, INFINITE, 1, calm)?);
        }
        let less = i32::from(i >= 12 && deep >= 2);
        let mut score = -tree.search(side.other(), deep - less, -alpha - 1, -alpha, 1, calm)?;
        if score > alpha {
            score = -tree.search(side.other(), deep, -INFINITE, -alpha, 1, calm)?;
        }
        Ok(score)
    }

    fn tell(&self, depth: u32, moves: &[RootMove], watch: &mut dyn Watch) {
        let best = &moves[0];
        let mut line = vec![best.mv];
        self.follow(&mut line);
        let candidates: Vec<Candidate> =
            moves.iter().take(16).map(|root| Candidate { mv: root.mv, score: root.score }).collect();
        watch.report(&Info {
            depth,
            nodes: self.mind.nodes,
            elapsed: self.fuse.clock.elapsed(),
            score: best.score,
            status: status_of(best.score, self.side(), &self.mind.field),
            line: &line,
            candidates: &candidates,
        });
    }

    /// Adds what the table expects to follow.
    pub fn follow(&self, line: &mut Vec<Move>) {
        let mut position = self.position.clone();
        for mv in line.iter() {
            if position.play(mv).is_err() {
                return;
            }
        }
        while line.len() < 12 {
            let Some(known) = self.table.get(position.key()) else { return };
            if known.mv.is_empty() || position.play(&known.mv).is_err() {
                return;
            }
            line.push(known.mv);
        }
    }
}

/// A round that was cut short: the moves that it did not reach come behind its
/// best, whatever the last round thought of them, unless the best is lost.
fn settle(unsearched: &mut [RootMove], best: &[i32]) {
    if let Some(&top) = best.first()
        && top > -WON
    {
        for root in unsearched {
            root.score = root.score.min(top - 1);
            root.exact = false;
        }
    }
}
