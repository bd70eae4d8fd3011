//! One question to the player, and how each level answers it.

use crate::{
    Candidate, Choice, Info, Level, PlayLimits, Player, Status, WON, Watch, defense, helpers,
    kagami::{Kagami, kagami},
    levels::{noise, shape},
    mind::Fuse,
    root::Root,
    status_of,
    tactics::{complete, winning_stones},
    tree::{LOSING, WIN},
};
use rules::{Move, Position, Side, Square};
use search::{Class, Clock, Limits, Silent, Solver, SolverOptions, Verdict, puzzle::Random};
use std::sync::atomic::AtomicBool;

/// The part of the limits for quiet moves that win.
const QUIET_PART: f64 = 0.15;

/// What was asked.
pub struct Question<'a> {
    pub player: &'a mut Player,
    pub position: &'a Position,
    pub excluded: &'a [Move],
    pub limits: PlayLimits,
    pub clock: &'a dyn Clock,
    pub stop: &'a AtomicBool,
}

impl<'a> Question<'a> {
    fn fuse(&self) -> Fuse<'a> {
        let limits = Limits { depth: None, nodes: self.limits.nodes, time: self.limits.time };
        Fuse { limits, clock: self.clock, stop: self.stop }
    }

    fn choice(&self, mv: Move, score: i32, depth: u32) -> Choice {
        let side = self.position.to_move();
        let status = status_of(score, side, &self.player.mind.field);
        Choice { mv, status, score, depth, nodes: self.player.mind.nodes.max(1), line: vec![mv], win: None }
    }

    /// What needs no thought: the first stone in the middle, and a row that can
    /// be completed.
    pub fn at_once(&mut self, side: Side, stones: usize) -> Option<Choice> {
        let game = self.position.game();
        if let Some(win) = winning_stones(&self.player.mind.board, side, stones) {
            let mv = self.filled(win, stones);
            let mut choice = self.choice(mv, WIN - 1, 1);
            self.prove(&mut choice, side);
            return Some(choice);
        }
        if self.position.empty_count() == game.area() {
            let middle = game.square((game.cols() - 1) / 2, game.rows() / 2);
            let mv = self.filled(Move::single(middle), stones);
            return Some(self.choice(mv, 0, 0));
        }
        None
    }

    /// The move with as many stones as the rules ask for.
    fn filled(&mut self, mv: Move, stones: usize) -> Move {
        let side = self.position.to_move();
        let mind = &mut self.player.mind;
        let field = &mind.field;
        complete(&mut mind.board, side, mv, stones, |board| {
            let empty = board.game().squares().filter(|&square| board.is_empty(square));
            empty.max_by_key(|&square| (field.appeal(side, square), std::cmp::Reverse(square)))
        })
    }

    /// Asks the solver for a certificate of a win that a search has seen; with
    /// one the status says so.
    fn prove(&mut self, choice: &mut Choice, winner: Side) {
        let first = self.position.empty_count() == self.position.game().area();
        if first || !self.player.mind.solves() && choice.score < WIN - 1 {
            return;
        }
        let class = if choice.score == WIN - 1 { Class::Vcdt } else { Class::Vcst };
        let options =
            SolverOptions { class, table_bytes: self.player.options.table_bytes / 4, ..Default::default() };
        let mut solver = Solver::new(self.position.game(), options);
        let nodes = self.limits.nodes.unwrap_or(u64::MAX).max(20_000);
        let limits = Limits { nodes: Some(nodes), time: self.limits.time, depth: None };
        let report = solver.solve(self.position, winner, limits, self.clock, self.stop, &mut Silent);
        let Ok(report) = report else { return };
        self.player.mind.nodes += report.nodes;
        if let Verdict::Win(win) = report.verdict {
            choice.status = Status::Win(winner);
            choice.line = win.line.clone();
            choice.nodes = self.player.mind.nodes;
            choice.win = Some(win);
        }
    }

    /// The defensive strategy alone.
    pub fn defense(&mut self, last: &[Square], count: usize) -> Vec<Choice> {
        let side = self.position.to_move();
        let stones = self.position.stones_to_place();
        let most = count + self.excluded.len();
        let list = defense::alternatives(&mut self.player.mind.board, side, stones, last, most);
        self.plain(list.into_iter().map(|(mv, _)| mv).collect(), count)
    }

    /// Choices with the evaluation as their scores.
    fn plain(&mut self, mut moves: Vec<Move>, count: usize) -> Vec<Choice> {
        moves.retain(|mv| !self.excluded.contains(mv));
        if moves.is_empty() {
            moves.extend(self.any_move());
        }
        moves.truncate(count);
        let side = self.position.to_move();
        moves
            .into_iter()
            .map(|mv| {
                let mind = &mut self.player.mind;
                mind.place(side, &mv);
                let score = -mind.field.evaluate(side.other());
                mind.remove(side, &mv);
                self.choice(mv, score, 0)
            })
            .collect()
    }

    /// A legal move outside the list, when all that were thought of are on it.
    fn any_move(&mut self) -> Option<Move> {
        let stones = self.position.stones_to_place();
        let squares: Vec<Square> = self.position.empty_squares().collect();
        let mut found = None;
        let mut visit = |mv: &Move| {
            let outside = !self.excluded.contains(mv);
            if outside {
                found = Some(*mv);
            }
            outside
        };
        combinations(&squares, stones, Move::NULL, &mut visit);
        found
    }

    /// The defensive strategy, verified.
    pub fn kagami(&mut self, last: &[Square], count: usize) -> Vec<Choice> {
        let fuse = self.fuse();
        let (position, excluded) = (self.position, self.excluded);
        match kagami(&mut self.player.mind, position, last, excluded, &fuse) {
            Kagami::Attack(mv) if !excluded.contains(&mv) => {
                let mv = self.filled(mv, position.stones_to_place());
                let mut choice = self.choice(mv, WIN - 8, 1);
                self.prove(&mut choice, position.to_move());
                vec![choice]
            }
            Kagami::Attack(_) => self.defense(last, count),
            Kagami::Defence(moves) => self.plain(moves, count),
        }
    }

    /// The levels that search a tree.
    pub fn tree(&mut self, count: usize, watch: &mut dyn Watch) -> Vec<Choice> {
        let Some(shape) = shape(self.player.options.level) else { return Vec::new() };
        let side = self.position.to_move();
        let stones = self.position.stones_to_place();
        let full_move = stones == usize::from(self.position.game().p());
        let fuse = self.fuse();
        let Question { position, excluded, limits, .. } = *self;
        let threads = self.player.options.threads;
        let Player { mind, singles, table, .. } = &mut *self.player;
        let singles = Some(singles);
        let mut root = Root { mind, singles, table, fuse, limits, shape, position, excluded, count };
        if full_move && shape.single_threats.is_some() {
            let board = root.mind.board.clone();
            if let Some((first, _)) = root.single_threats(&board, side, 1.0)
                && !first.is_empty()
            {
                let mv = self.filled(first, stones);
                if !excluded.contains(&mv) {
                    let mut choice = self.choice(mv, WIN - 8, 1);
                    self.prove(&mut choice, side);
                    // The proof may begin with another move.
                    if let Some(win) = &choice.win {
                        let proved = self.filled(win.line.first().copied().unwrap_or(first), stones);
                        if excluded.contains(&proved) {
                            choice = self.choice(mv, WIN - 8, 1);
                        } else {
                            (choice.mv, choice.score) = (proved, WIN - 2 * win.depth() as i32 + 1);
                        }
                    }
                    self.tell(&choice, watch);
                    return vec![choice];
                }
                let Player { mind, singles, table, .. } = &mut *self.player;
                let singles = Some(singles);
                root = Root { mind, singles, table, fuse, limits, shape, position, excluded, count };
            }
        }
        if full_move && shape.single_threats.is_some() && count == 1 {
            let end = root.part_of_rest(QUIET_PART);
            if let Ok(Some(mv)) = root.quiet_win(side, end)
                && !excluded.contains(&mv)
            {
                let choice = self.choice(mv, LOSING, 1);
                self.tell(&choice, watch);
                return vec![choice];
            }
            let Player { mind, singles, table, .. } = &mut *self.player;
            let singles = Some(singles);
            root = Root { mind, singles, table, fuse, limits, shape, position, excluded, count };
        }
        let found = helpers::deepen(&mut root, threads, watch);
        let Some(mut found) = found else { return self.any_move_choice() };
        let lines: Vec<Vec<Move>> = found
            .moves
            .iter()
            .take(count)
            .map(|best| {
                let mut line = vec![best.mv];
                root.follow(&mut line);
                line
            })
            .collect();
        let off = noise(self.player.options.level);
        if off > 0 {
            let mut random = Random::new(self.player.options.seed ^ self.position.key());
            for root in found.moves.iter_mut().filter(|root| root.score > -WON) {
                root.score += random.below(u64::from(off)) as i32;
            }
            found.moves.sort_by_key(|root| std::cmp::Reverse(root.score));
        }
        let mut choices: Vec<Choice> = found
            .moves
            .iter()
            .take(count)
            .map(|best| self.choice(best.mv, best.score, found.depth))
            .collect();
        for (choice, line) in choices.iter_mut().zip(lines) {
            if off == 0 {
                choice.line = line;
            }
        }
        if let Some(best) = choices.first_mut()
            && best.score.abs() >= WON
            && self.player.options.level == Level::Strong
        {
            let winner = if best.score > 0 { side } else { side.other() };
            let (mv, line) = (best.mv, best.line.clone());
            self.prove(best, winner);
            // Another move wins too, but this is the one to play.
            if best.win.as_ref().is_some_and(|win| win.line.first() != Some(&mv)) && winner == side {
                let first = best.win.as_ref().and_then(|win| win.line.first().copied()).unwrap_or(mv);
                if self.excluded.contains(&first) || first.len() != stones {
                    (best.win, best.line) = (None, line);
                    best.status = status_of(best.score, side, &self.player.mind.field);
                } else {
                    best.mv = first;
                }
            } else if winner != side {
                best.line = line;
            }
        }
        choices
    }

    fn any_move_choice(&mut self) -> Vec<Choice> {
        let mv = self.any_move();
        mv.map(|mv| self.choice(mv, 0, 0)).into_iter().collect()
    }

    pub fn tell(&self, choice: &Choice, watch: &mut dyn Watch) {
        tell(choice, self.player.mind.nodes, self.clock, watch);
    }
}

/// All sets of `left` more squares, until `visit` says that it is enough.
fn combinations(squares: &[Square], left: usize, chosen: Move, visit: &mut dyn FnMut(&Move) -> bool) -> bool {
    if left == 0 {
        return visit(&chosen);
    }
    squares.iter().enumerate().any(|(i, &square)| {
        let mut more = chosen;
        more.push(square) && combinations(&squares[i + 1..], left - 1, more, visit)
    })
}

/// Reports one choice.
pub fn tell(choice: &Choice, nodes: u64, clock: &dyn Clock, watch: &mut dyn Watch) {
    watch.report(&Info {
        depth: choice.depth,
        nodes: nodes.max(1),
        elapsed: clock.elapsed(),
        score: choice.score,
        status: choice.status,
        line: &choice.line,
        candidates: &[Candidate { mv: choice.mv, score: choice.score }],
    });
}
