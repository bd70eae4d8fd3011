//! The worker's program: a solver for wins, the proof that other moves lose, and
//! the player for everything else.

use super::{
    Execute, ExecuteError,
    others::{self, Others},
};
use crate::{Answer, Kind, Proof, Status, Task, initial_numbers};
use player::{Info, JobAnswer, Level, OthersLose, PlayLimits, Player, PlayerOptions, Watch};
use rules::{Game, Move, Position, Side};
use search::{
    Class, Clock, Limits, Method, Observer, Progress, Solver, SolverOptions, SystemClock, Vcst, Verdict, Why,
};
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

/// How a worker works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerOptions {
    /// Memory for tables, in bytes.
    pub table_bytes: usize,
    /// The player's level.
    pub level: Level,
}

impl Default for WorkerOptions {
    fn default() -> WorkerOptions {
        WorkerOptions { table_bytes: 64 << 20, level: Level::Strong }
    }
}

/// Does jobs with the solver and the player.
pub struct Worker {
    options: WorkerOptions,
    programs: Option<Programs>,
}

struct Programs {
    game: Game,
    method: Method,
    solver: Solver,
    player: Player,
}

/// Of a job's moves, the part for the player: its moves cost more than those of
/// a solver.
const PLAYER_PART: u64 = 20;
/// Moves for each attempt to refute a move, at most, as a part of the job's.
const REFUTE_PART: u64 = 20;
/// Moves for all those attempts, as so many times the job's.
const REFUTE_TIMES: u64 = 2;
/// The same two for a verifier, whose list saves a job for each move that is on it.
const VERIFY_PART: u64 = 10;
const VERIFY_TIMES: u64 = 8;
/// The most sets that describe which moves are left.
const MOST_SETS: usize = 400;
/// The most moves that a verifier lists.
const MOST_DEFENCES: usize = 4_000;
/// What a job with no limit on moves gets.
const DEFAULT_NODES: u64 = 1_000_000;

impl Worker {
    /// A worker that has done nothing yet.
    pub fn new(options: WorkerOptions) -> Worker {
        Worker { options, programs: None }
    }

    fn programs(&mut self, game: Game, method: Method) -> Programs {
        let fits = |programs: &Programs| programs.game == game && programs.method == method;
        match self.programs.take().filter(fits) {
            Some(programs) => programs,
            None => {
                let bytes = self.options.table_bytes;
                let options = SolverOptions {
                    class: Class::Vcst,
                    // Jobs are small, and the tree above them has the proof numbers.
                    vcst: Vcst::Rounds,
                    method,
                    table_bytes: bytes / 2,
                    ..Default::default()
                };
                let player_options =
                    PlayerOptions { level: self.options.level, table_bytes: bytes / 2, ..Default::default() };
                Programs {
                    game,
                    method,
                    solver: Solver::new(game, options),
                    player: Player::new(game, player_options),
                }
            }
        }
    }
}

impl Execute for Worker {
    fn execute(&mut self, task: &Task, stop: &AtomicBool, nodes: &AtomicU64) -> Result<Answer, ExecuteError> {
        let mut programs = self.programs(task.position.game(), task.method);
        // The answer depends on the task, not on what was done before it. The player
        // sees to that itself.
        programs.solver.forget();
        let clock = Ticking { clock: SystemClock::start(), nodes };
        let mut job = Job {
            task,
            programs: &mut programs,
            most: task.limits.nodes.unwrap_or(DEFAULT_NODES),
            stop,
            nodes,
            clock: &clock,
        };
        let answer = job.answer();
        self.programs = Some(programs);
        answer
    }
}

struct Job<'a> {
    task: &'a Task,
    programs: &'a mut Programs,
    most: u64,
    stop: &'a AtomicBool,
    nodes: &'a AtomicU64,
    clock: &'a Ticking<'a>,
}

impl Job<'_> {
    fn answer(&mut self) -> Result<Answer, ExecuteError> {
        let position = &self.task.position;
        let mover = position.to_move();
        if let Some(outcome) = position.outcome() {
            return Err(ExecuteError::Failed(format!("the game is over: {outcome:?}")));
        }
        let attempt = self.win(position, mover, self.most);
        if let Some(replies) = self.unless_stopped(attempt)?.flatten()
            && let Some(&mv) = replies.first()
        {
            return Ok(self.won(mv, replies));
        }
        let others = self.others();
        let others = self.unless_stopped(others)?.flatten();
        if self.verifies()
            && let Some(others) = &others
            && let Some(answer) = self.defences(others)
        {
            return Ok(answer);
        }
        if let Some(others) = &others
            && others.left.iter().all(|mv| self.task.excluded.contains(mv))
        {
            return Ok(Answer::OthersLose { proof: others.proof.clone() });
        }
        self.best(others)
    }

    /// A search that ran out of time or moves has found nothing; one that was
    /// stopped ends the job.
    fn unless_stopped<T>(&self, found: Result<T, Why>) -> Result<Option<T>, ExecuteError> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(_) if self.stop.load(Ordering::Relaxed) => Err(ExecuteError::Stopped),
            Err(_) => Ok(None),
        }
    }

    fn won(&self, mv: Move, replies: Vec<Move>) -> Answer {
        let (attacker, method) = (self.task.position.to_move(), self.task.method);
        let proof = Proof { attacker, method, except: Vec::new(), replies };
        Answer::Best { mv, status: Status::Win(attacker), win: Some(proof) }
    }

    fn time_left(&self) -> Option<Duration> {
        self.task.limits.millis.map(Duration::from_millis)
    }

    /// The replies of a win by threats, if one is found.
    fn win(&mut self, position: &Position, attacker: Side, most: u64) -> Result<Option<Vec<Move>>, Why> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Why::Stopped);
        }
        let limits = Limits { depth: None, nodes: Some(most.max(1)), time: self.time_left() };
        let before = self.nodes.load(Ordering::Relaxed);
        let mut counter = Counter { nodes: self.nodes, before };
        let report =
            self.programs.solver.solve(position, attacker, limits, self.clock, self.stop, &mut counter);
        // A position that cannot be searched is one that is not won.
        let Ok(report) = report else { return Ok(None) };
        self.nodes.fetch_max(before + report.nodes.max(1), Ordering::Relaxed);
        match report.verdict {
            Verdict::Win(win) => Ok(win.certificate.map(|certificate| certificate.replies().to_vec())),
            Verdict::Unknown(why @ (Why::Stopped | Why::Time)) => Err(why),
            Verdict::Unknown(_) => Ok(None),
        }
    }

    /// Which moves the opponent refutes by threats, if passing loses.
    fn others(&mut self) -> Result<Option<Others>, Why> {
        let task = self.task;
        let attacker = others::opponent(&task.position);
        let begin = self.nodes.load(Ordering::Relaxed);
        let verifies = self.verifies();
        let (part, times) = if verifies { (VERIFY_PART, VERIFY_TIMES) } else { (REFUTE_PART, REFUTE_TIMES) };
        let total = times.saturating_mul(self.most);
        let mut refute = |after: &Position| {
            // Out of moves: what is left is left.
            if self.nodes.load(Ordering::Relaxed) - begin > total {
                return Ok(None);
            }
            // The list depends on the passes and parts of moves: all must be refuted.
            let placed = task.position.empty_count() - after.empty_count();
            let whole = placed == task.position.stones_to_place();
            let most = if verifies && !whole { self.most } else { self.most / part };
            self.win(after, attacker, most)
        };
        // A verifier asks about all moves.
        let known = if verifies { &[][..] } else { &task.excluded };
        others::others(&task.position, known, task.method, MOST_SETS, &mut refute)
    }

    /// All moves that are left; `None` if they cannot be listed: where passing
    /// does not lose, or one stone is a defence whatever the other is.
    fn defences(&mut self, others: &Others) -> Option<Answer> {
        let position = &self.task.position;
        let stones = position.stones_to_place();
        if others.left.iter().any(|set| set.len() < stones) {
            return None;
        }
        let mut moves = others.left.clone();
        self.programs.player.rank(position, &mut moves);
        let status = Status::Ahead(others::opponent(position), 3);
        let moves = moves.into_iter().map(|mv| (mv, status)).collect();
        Some(Answer::Defences { moves, proof: others.proof.clone() })
    }

    /// The player's move; if that one is refuted, one that is not.
    fn best(&mut self, others: Option<Others>) -> Result<Answer, ExecuteError> {
        let position = &self.task.position;
        let mover = position.to_move();
        let choice = match self.play(&self.task.excluded)? {
            JobAnswer::Best(choice) => choice,
            JobAnswer::OthersLose { proof, .. } => return self.lost(&proof, others),
        };
        if let (Some(win), Status::Win(side)) = (&choice.win, choice.status)
            && side == mover
            && let Some(certificate) = &win.certificate
            && certificate.position() == position
            && certificate.method() == self.task.method
        {
            return Ok(self.won(choice.mv, certificate.replies().to_vec()));
        }
        let (mut mv, mut status) = (choice.mv, choice.status);
        if let Some(others) = &others
            && !others::is_left(&others.left, &mv)
        {
            let mut moves = others::expand(position, &others.left, MOST_DEFENCES).unwrap_or_default();
            moves.retain(|mv| !self.task.excluded.contains(mv));
            self.programs.player.rank(position, &mut moves);
            if let Some(&best) = moves.first() {
                (mv, status) = (best, Status::Ahead(mover.other(), 2));
            }
        }
        if self.verifies() {
            status = self.not_listed(status, others.is_some());
        }
        Ok(Answer::Best { mv, status, win: None })
    }

    /// The status of the best defence where a verifier could not list them all:
    /// because passing is one, or else because a single stone is, wherever the
    /// other goes. Jobs of this size do not prove such an attack, however good it
    /// looks, and others are to be tried first.
    fn not_listed(&self, status: Status, threatens: bool) -> Status {
        let defender = self.task.position.to_move();
        let doubtful = Status::Ahead(defender, if threatens { 1 } else { 2 });
        let numbers = |status| initial_numbers(status, defender.other());
        if numbers(status).proof < numbers(doubtful).proof { doubtful } else { status }
    }

    fn verifies(&self) -> bool {
        self.task.kind == Kind::Verify
    }

    /// The player has proved that every move loses. Where its certificate is not
    /// one for this task, a move that the solver does not refute is as good as any.
    fn lost(&self, proof: &OthersLose, others: Option<Others>) -> Result<Answer, ExecuteError> {
        let Task { position, method, excluded, .. } = self.task;
        let opponent = others::opponent(position);
        for certificate in proof.wins.iter().filter_map(|(_, win)| win.certificate.as_ref()) {
            if certificate.position() == position
                && certificate.attacker() == opponent
                && certificate.method() == *method
            {
                let replies = certificate.replies().to_vec();
                let proof = Proof { attacker: opponent, method: *method, except: Vec::new(), replies };
                return Ok(Answer::OthersLose { proof });
            }
        }
        let left = others.and_then(|others| others::expand(position, &others.left, MOST_DEFENCES));
        let mv = left.unwrap_or_default().into_iter().find(|mv| !excluded.contains(mv));
        let mv = mv.or_else(|| others::any(position, excluded));
        let mv =
            mv.ok_or_else(|| ExecuteError::Failed("there is no move that is not excluded".to_string()))?;
        Ok(Answer::Best { mv, status: Status::Ahead(opponent, 4), win: None })
    }

    fn play(&mut self, excluded: &[Move]) -> Result<JobAnswer, ExecuteError> {
        let before = self.nodes.load(Ordering::Relaxed);
        let mut counter = Counter { nodes: self.nodes, before };
        let limits =
            PlayLimits { time: self.time_left(), nodes: Some((self.most / PLAYER_PART).max(1)), depth: None };
        let player = &mut self.programs.player;
        let answer = player.job(&self.task.position, excluded, &limits, self.clock, self.stop, &mut counter);
        if self.stop.load(Ordering::Relaxed) {
            return Err(ExecuteError::Stopped);
        }
        match answer {
            Ok(answer) => {
                let (JobAnswer::Best(player::Choice { nodes, .. }) | JobAnswer::OthersLose { nodes, .. }) =
                    &answer;
                self.nodes.fetch_max(before + (*nodes).max(1), Ordering::Relaxed);
                Ok(answer)
            }
            Err(error) => Err(ExecuteError::Failed(error.to_string())),
        }
    }
}

/// A clock that moves the job's counter whenever a search looks at it, as
/// searches do every few hundred moves: so the counter moves as long as the
/// search does, and no longer.
struct Ticking<'a> {
    clock: SystemClock,
    nodes: &'a AtomicU64,
}

impl Clock for Ticking<'_> {
    fn elapsed(&self) -> Duration {
        self.nodes.fetch_add(1, Ordering::Relaxed);
        self.clock.elapsed()
    }
}

/// Counts the moves of a search into the job's counter.
struct Counter<'a> {
    nodes: &'a AtomicU64,
    before: u64,
}

impl Counter<'_> {
    fn count(&self, nodes: u64) {
        self.nodes.fetch_max(self.before + nodes, Ordering::Relaxed);
    }
}

impl Observer for Counter<'_> {
    fn report(&mut self, progress: &Progress<'_>) {
        self.count(progress.nodes);
    }
}

impl Watch for Counter<'_> {
    fn report(&mut self, info: &Info<'_>) {
        self.count(info.nodes);
    }
}
