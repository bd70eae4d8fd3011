//! Looks at single positions of a game.

use crate::{PlayedGame, Standing, standing::black_chance};
use lambda6_player::{Choice, Level, PlayError, Player, PlayerOptions};
use lambda6_proof::{Class, SolveError, Solver, SolverOptions, Verdict, Win};
use lambda6_rules::{Game, Move, Position, Side};
use lambda6_search::{Clock, Control, Limits, Silent, Since};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// How much work one position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Time, on the caller's clock.
    pub time: Option<Duration>,
    /// Positions of the player's search. A search for a proof may try
    /// four moves for each.
    pub nodes: Option<u64>,
}

/// The moves that a search for a proof may try for each position that the player may search:
/// both take about the same time.
const MOVES_A_NODE: u64 = 4;

impl Effort {
    /// So much time.
    pub fn of_time(time: Duration) -> Effort {
        Effort { time: Some(time), nodes: None }
    }

    /// So many positions. The answer is the same every time.
    pub fn of_nodes(nodes: u64) -> Effort {
        Effort { time: None, nodes: Some(nodes) }
    }

    /// A share of the time, and all moves, for a search for a proof.
    fn proof(self, share: u32) -> Limits {
        Limits {
            time: self.time.map(|time| time / share),
            nodes: self.nodes.map(|nodes| nodes.saturating_mul(MOVES_A_NODE)),
            depth: None,
        }
    }
}

impl Default for Effort {
    fn default() -> Effort {
        Effort::of_nodes(10_000)
    }
}

/// The options of a reviewer.
#[derive(Clone, Copy, Debug)]
pub struct ReviewOptions {
    /// The work for each position.
    pub effort: Effort,
    /// The moves that forced wins are searched with.
    pub class: Class,
    /// Memory for tables.
    pub table_bytes: usize,
    /// The moves that are listed besides the best one.
    pub others: usize,
}

impl Default for ReviewOptions {
    fn default() -> ReviewOptions {
        ReviewOptions { effort: Effort::default(), class: Class::default(), table_bytes: 64 << 20, others: 3 }
    }
}

/// Looks at positions of games, one after another. Each look begins with empty tables where
/// the effort is a number of positions, so that it does not depend on the looks before it.
pub struct Reviewer {
    options: ReviewOptions,
    solver: Solver,
    player: Player,
}

/// Why a position was not looked at.
#[derive(Debug, thiserror::Error)]
pub enum LookError {
    /// The caller stopped it.
    #[error("the review was stopped")]
    Stopped,
    /// A search for a proof failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The player had no answer.
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl Reviewer {
    /// A reviewer of this game.
    pub fn new(game: Game, options: ReviewOptions) -> Reviewer {
        let bytes = options.table_bytes / 2;
        let solver = SolverOptions { table_bytes: bytes, ..SolverOptions::for_class(options.class) };
        // A review says what a search finds, not what a book holds.
        let player = PlayerOptions {
            level: Level::Strong,
            table_bytes: bytes,
            openings: false,
            ..PlayerOptions::default()
        };
        Reviewer { options, solver: Solver::new(game, solver), player: Player::new(game, player) }
    }

    /// The game that it is for.
    pub fn game(&self) -> Game {
        self.player.game()
    }

    /// Looks at the position after so many moves of a game.
    pub fn look(
        &mut self,
        game: &PlayedGame,
        after: usize,
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) -> Result<Standing, LookError> {
        let position = &game.positions()[after];
        if let Some(outcome) = position.outcome() {
            return Ok(Standing::over(outcome));
        }
        if self.options.effort.nodes.is_some() {
            self.solver.forget();
        }
        let clock = Since::now(clock);
        let mut nodes = 0;
        // A quarter of the time for each side's win, the rest for the player.
        for attacker in [position.to_move(), position.to_move().other()] {
            let (win, spent) = self.proof(position, attacker, &clock, stop)?;
            nodes += spent;
            if let Some(win) = win {
                return Ok(Standing::proved(win, nodes));
            }
        }
        let last = after.checked_sub(1).map(|at| game.moves()[at]);
        self.opinion(position, last, nodes, &clock, stop)
    }

    fn proof(
        &mut self,
        position: &Position,
        attacker: Side,
        clock: &Since<'_>,
        stop: &AtomicBool,
    ) -> Result<(Option<Box<Win>>, u64), LookError> {
        if SolveError::refuse(position).is_err() {
            return Ok((None, 0));
        }
        let clock = Since::now(clock);
        let mut budget = Control::new(self.options.effort.proof(4), &clock, stop).budget();
        let report = self.solver.solve(position, attacker, &mut budget, &mut Silent)?;
        if stop.load(Ordering::Relaxed) {
            return Err(LookError::Stopped);
        }
        Ok(match report.verdict {
            Verdict::Win(win) => (Some(win), report.nodes),
            Verdict::Unknown(_) => (None, report.nodes),
        })
    }

    /// What the player thinks.
    fn opinion(
        &mut self,
        position: &Position,
        last: Option<Move>,
        spent: u64,
        clock: &Since<'_>,
        stop: &AtomicBool,
    ) -> Result<Standing, LookError> {
        let limits = Limits { time: self.options.effort.time, nodes: self.options.effort.nodes, depth: None };
        self.player.set_last_move(last);
        let control = Control::new(limits, clock, stop);
        let found = self.player.candidates(position, control, &mut Silent, self.options.others + 1)?;
        if stop.load(Ordering::Relaxed) {
            return Err(LookError::Stopped);
        }
        let mut found = found.into_iter();
        let Some(best) = found.next() else { return Err(PlayError::NothingLeft.into()) };
        let nodes = spent + best.nodes;
        let Choice { mv, score, line, win, .. } = best;
        if let Some(win) = win {
            return Ok(Standing::proved(win, nodes));
        }
        let line = if line.first() == Some(&mv) { line } else { vec![mv] };
        let mut standing = Standing::of_score(position, score, legal(position, line), nodes);
        let mover = position.to_move();
        standing.others = found.map(|choice| (choice.mv, black_chance(mover, choice.score))).collect();
        Ok(standing)
    }
}

/// The part of a line that can be played.
fn legal(position: &Position, mut line: Vec<Move>) -> Vec<Move> {
    let mut position = position.clone();
    let playable = line.iter().take_while(|mv| position.play(mv).is_ok()).count();
    line.truncate(playable);
    line
}
