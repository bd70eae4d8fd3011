//! The search of one position: its settings and limits, the moves at the root,
//! and VCST wins there. [`deepening`](crate::deepening) has the rounds,
//! [`quiet_win`](crate::quiet_win) the search for quiet wins.

use crate::{
    Candidate, Info,
    alpha_beta::{INFINITE, TreeSettings, WIDE},
    generator::{MoveRequest, SquareSet, Width},
    search_thread::SearchThread,
    status_of,
    tactics::{Duty, duty},
    transposition_table::TranspositionTable,
};
use lambda6_rules::{Move, Position, Side, Square};
use lambda6_search::{Control, Limits, Observer, Zones, lambda::LambdaSearch};
use lambda6_threats::{Board, Defences, Play};
use std::time::Duration;

/// The fewest nodes of a VCST search.
const LEAST_NODES: u64 = 3_000;

/// The most moves of a reported line.
const LINE_LENGTH: usize = 12;

/// The most moves that a report compares.
const REPORTED_MOVES: usize = 16;

/// How a level searches.
#[derive(Clone, Copy, Debug)]
pub struct RootSettings {
    /// The width when nothing is threatened.
    pub free: Width,
    /// The width when the opponent threatens to win.
    pub defend: Width,
    /// What of the limits goes to VCST searches at the root; `None` for nothing.
    pub vcst: Option<VcstLimits>,
    /// The deepest round.
    pub depth: u32,
    /// The tree below.
    pub tree: TreeSettings,
}

/// What of the limits goes to VCST searches at the root. Most games between
/// programs are lost by overlooking such a win.
#[derive(Clone, Copy, Debug)]
pub struct VcstLimits {
    /// The most nodes of a search while the time or the nodes are limited.
    pub nodes: u64,
    /// The nodes of a search when only the depth is limited.
    pub nodes_unlimited: u64,
    /// The share of the limits for each search, in hundredths.
    pub share: u32,
    /// The share that is kept back for verifying the best move at the end, in
    /// hundredths.
    pub reserve: u32,
}

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    pub score: i32,
    /// Whether the score is more than a bound.
    pub exact: bool,
    /// Whether the opponent wins by VCST after it; `None` if not searched yet.
    pub loses_by_vcst: Option<bool>,
    /// Whether quiet wins of the opponent after it were searched and none found.
    pub no_quiet_win: bool,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct RootResult {
    /// The moves, best first.
    pub moves: Vec<RootMove>,
    /// Rounds completed.
    pub depth: u32,
}

/// The search of one position.
pub struct RootSearch<'a> {
    pub thread: &'a mut SearchThread,
    /// The VCST solver; helper threads have none.
    pub vcst: Option<&'a mut LambdaSearch>,
    pub table: &'a TranspositionTable,
    /// What ends the current stage of the search.
    pub control: Control<'a>,
    /// The limits of the whole search.
    pub limits: Limits,
    pub settings: RootSettings,
    pub position: &'a Position,
    pub excluded: &'a [Move],
    /// How many of the best moves need exact scores.
    pub count: usize,
}

impl Play for RootSearch<'_> {
    fn place(&mut self, side: Side, square: Square) {
        self.thread.place(side, square);
    }

    fn remove(&mut self, side: Side, square: Square) {
        self.thread.remove(side, square);
    }
}

impl RootSearch<'_> {
    pub fn side(&self) -> Side {
        self.position.to_move()
    }

    /// The limits of a VCST search: `part` of the usual share.
    fn vcst_limits(&self, settings: VcstLimits, part: f64) -> Limits {
        let share = part * f64::from(settings.share) / 100.0;
        let limited = self.limits.nodes.is_some() || self.limits.time.is_some();
        let most = if limited { settings.nodes } else { settings.nodes_unlimited };
        let most = (most as f64 * part) as u64;
        let by_nodes = self.limits.nodes.map(|nodes| (nodes as f64 * share) as u64);
        let used = self.control.clock.elapsed();
        let by_time = self.limits.time.map(|time| (used + time.mul_f64(share)).min(time));
        Limits {
            nodes: Some(by_nodes.unwrap_or(most).min(most).max(LEAST_NODES)),
            time: by_time,
            depth: None,
        }
    }

    /// A VCST win of `attacker`, to move on this board, that is found with `part`
    /// of the usual share: the move and the zones.
    pub fn vcst_win_with_share(&mut self, board: &Board, attacker: Side, part: f64) -> Option<(Move, Zones)> {
        let limits = self.vcst_limits(self.settings.vcst?, part);
        self.vcst_win(board, attacker, limits)
    }

    /// A VCST win of `attacker`, to move on this board: the move and the zones.
    pub fn vcst_win(&mut self, board: &Board, attacker: Side, limits: Limits) -> Option<(Move, Zones)> {
        if !self.thread.solves() {
            return None;
        }
        let mut budget = self.control.with(limits).budget();
        let found = self.vcst.as_mut()?.winning_move(board, attacker, &mut budget);
        self.thread.nodes += budget.nodes();
        // A search that ran into its limits has found nothing.
        found.ok().flatten()
    }

    /// The moves to search, those of the highest appeal first; not empty while a
    /// legal move is not excluded.
    pub fn moves(&mut self, wide: bool) -> Vec<RootMove> {
        let side = self.side();
        let stones = self.position.stones_to_place();
        let sets = match duty(&self.thread.board, side, stones, &mut Defences::default()) {
            Duty::Free => Vec::new(),
            Duty::Meet(sets) | Duty::Lost(sets) => sets,
        };
        let zone = if sets.is_empty() { self.zone() } else { None };
        let mut width = if zone.is_some() { self.settings.defend } else { self.settings.free };
        if wide {
            width = WIDE;
        }
        width.moves += self.excluded.len();
        let mut moves = Vec::new();
        let SearchThread { evaluation, generator, .. } = &mut *self.thread;
        let request = MoveRequest { side, stones, width, sets: &sets, zone: zone.as_ref() };
        generator.find(evaluation, request, &mut moves);
        moves.retain(|(_, mv)| !self.excluded.contains(mv));
        if moves.is_empty() {
            // All of those are excluded: generate moves everywhere.
            let most = width.moves + self.excluded.len();
            let all = Width { first: usize::MAX, second: usize::MAX, moves: most };
            let request = MoveRequest { side, stones, width: all, sets: &[], zone: None };
            generator.find(evaluation, request, &mut moves);
            moves.retain(|(_, mv)| !self.excluded.contains(mv));
            moves.truncate(width.moves);
        }
        let root_move = |(_, mv)| RootMove {
            mv,
            score: -INFINITE,
            exact: false,
            loses_by_vcst: None,
            no_quiet_win: false,
        };
        moves.into_iter().map(root_move).collect()
    }

    /// Where to disturb the opponent, who would win by VCDT or VCST after a pass;
    /// `None` if no such win is found.
    fn zone(&mut self) -> Option<SquareSet> {
        let opponent = self.side().other();
        let nodes = self.settings.tree.solver[3];
        if let Ok(Some(_)) = self.thread.vcdt_length(opponent, nodes, self.control) {
            return self.thread.zone(opponent, self.control);
        }
        let board = self.thread.board.clone();
        let (_, zones) = self.vcst_win_with_share(&board, opponent, 1.0)?;
        Some(SquareSet::first_zone(&zones, &board))
    }

    /// The part of the limits that is left.
    pub fn left(&self) -> f64 {
        let of_time =
            |time: Duration| 1.0 - self.control.clock.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9);
        let of_nodes = |nodes: u64| 1.0 - self.thread.nodes as f64 / nodes.max(1) as f64;
        let time = self.limits.time.map_or(1.0, of_time);
        time.min(self.limits.nodes.map_or(1.0, of_nodes))
    }

    /// Where `part` of what is left of the limits ends: on the clock, and in
    /// nodes of the whole search.
    pub fn part_of_rest(&self, part: f64) -> Limits {
        let (used, share) = (self.control.clock.elapsed(), self.left().max(0.0) * part);
        let time = self.limits.time.map(|time| used + time.mul_f64(share));
        let nodes = self.limits.nodes.map(|nodes| self.thread.nodes + (nodes as f64 * share) as u64);
        let unlimited = time.is_none() && nodes.is_none();
        let nodes = nodes.or_else(|| {
            let vcst = self.settings.vcst.filter(|_| unlimited);
            vcst.map(|vcst| self.thread.nodes + vcst.nodes_unlimited)
        });
        Limits { nodes, time, depth: None }
    }

    /// Reports the state of the search.
    pub fn report(&self, depth: u32, moves: &[RootMove], observer: &mut dyn Observer<Info>) {
        let best = &moves[0];
        let candidates: Vec<Candidate> = moves
            .iter()
            .take(REPORTED_MOVES)
            .map(|root| Candidate { mv: root.mv, score: root.score })
            .collect();
        observer.report(&Info {
            depth,
            nodes: self.thread.nodes,
            elapsed: self.control.clock.elapsed(),
            score: best.score,
            status: status_of(best.score, self.side(), &self.thread.evaluation),
            line: self.expected_line(best.mv),
            candidates,
        });
    }

    /// A move and what the table expects to follow it.
    pub fn expected_line(&self, first: Move) -> Vec<Move> {
        let mut line = vec![first];
        let mut position = self.position.clone();
        if position.play(&first).is_err() {
            return line;
        }
        while line.len() < LINE_LENGTH {
            let Some(entry) = self.table.get(position.key()) else { break };
            if entry.mv.is_empty() || position.play(&entry.mv).is_err() {
                break;
            }
            line.push(entry.mv);
        }
        line
    }
}
