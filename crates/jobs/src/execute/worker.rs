//! The worker: a solver for wins, proofs that other moves lose, and the player for
//! everything else.

use super::{
    Execute, ExecuteError,
    others_lose::{self, Refutation},
};
use crate::{Answer, JobProof, Kind, Status, Task, initial_numbers};
use lambda6_player::{Info, JobAnswer, Level, Player, PlayerOptions};
use lambda6_proof::{Solver, SolverOptions, Strategy, Verdict};
use lambda6_rules::{Game, Move, Position, Side};
use lambda6_search::{
    Control, Limits, Method, Observer, Progress, SystemClock, Why, vcst_rounds::RoundsOptions,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Options of a worker.
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

/// The share of a job's moves for the player, as a divisor: its moves cost more time
/// than those of the solver.
const PLAYER_PART: u64 = 20;
/// The share of a job's moves for each attempt to refute a move, as a divisor.
const REFUTE_PART: u64 = 20;
/// The moves for all these attempts together, as a multiple of the job's.
const REFUTE_TIMES: u64 = 2;
/// The same two for a verifier, whose list saves one job for each of its moves.
const VERIFY_PART: u64 = 10;
const VERIFY_TIMES: u64 = 8;
/// The most sets of stones that are left.
const MOST_SETS: usize = 400;
/// The most moves that a verifier lists.
const MOST_DEFENCES: usize = 4_000;
/// The moves of a job without a limit.
const DEFAULT_NODES: u64 = 1_000_000;

impl Worker {
    /// A worker without tables; the first job makes them.
    pub fn new(options: WorkerOptions) -> Worker {
        Worker { options, programs: None }
    }

    fn programs(&mut self, game: Game, method: Method) -> Programs {
        let fits = |programs: &Programs| programs.game == game && programs.method == method;
        match self.programs.take().filter(fits) {
            Some(programs) => programs,
            None => {
                let bytes = self.options.table_bytes;
                // Jobs are small, and the tree above them is a proof-number search.
                let strategy = Strategy::VcstRounds(RoundsOptions::default());
                let options = SolverOptions { strategy, method, table_bytes: bytes / 2 };
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
        // The answer depends on the task alone, not on earlier tasks. The player clears
        // its own tables.
        programs.solver.forget();
        let clock = SystemClock::start();
        let mut execution = Execution {
            task,
            programs: &mut programs,
            most: task.limits.nodes.unwrap_or(DEFAULT_NODES),
            stop,
            nodes,
            clock: &clock,
        };
        let answer = execution.answer();
        self.programs = Some(programs);
        answer
    }
}

/// One task under way.
struct Execution<'a> {
    task: &'a Task,
    programs: &'a mut Programs,
    most: u64,
    stop: &'a AtomicBool,
    nodes: &'a AtomicU64,
    clock: &'a SystemClock,
}

impl Execution<'_> {
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
        let refutation = self.refutation();
        let refutation = self.unless_stopped(refutation)?.flatten();
        if self.verifies()
            && let Some(refutation) = &refutation
            && let Some(answer) = self.defences(refutation)
        {
            return Ok(answer);
        }
        if let Some(refutation) = &refutation
            && refutation.left.iter().all(|mv| self.task.excluded.contains(mv))
        {
            return Ok(Answer::OthersLose { proof: refutation.proof.clone() });
        }
        self.best(refutation)
    }

    /// A search that ran out of time or moves has no result; a search that was stopped
    /// ends the job.
    fn unless_stopped<T>(&self, found: Result<T, Why>) -> Result<Option<T>, ExecuteError> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(_) if self.stop.load(Ordering::Relaxed) => Err(ExecuteError::Stopped),
            Err(_) => Ok(None),
        }
    }

    fn won(&self, mv: Move, replies: Vec<Move>) -> Answer {
        let (attacker, method) = (self.task.position.to_move(), self.task.method);
        let proof = JobProof { attacker, method, except: Vec::new(), replies };
        Answer::Best { mv, status: Status::Win(attacker), win: Some(proof) }
    }

    /// The limits of a search within this job.
    fn limits(&self, nodes: u64) -> Limits {
        Limits { depth: None, nodes: Some(nodes.max(1)), time: self.task.limits.time }
    }

    /// The replies of a win by threats, if one is found.
    fn win(&mut self, position: &Position, attacker: Side, most: u64) -> Result<Option<Vec<Move>>, Why> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Why::Stopped);
        }
        let before = self.nodes.load(Ordering::Relaxed);
        let mut counter = Counter { nodes: self.nodes, before };
        let control =
            Control { heartbeat: Some(self.nodes), ..Control::new(self.limits(most), self.clock, self.stop) };
        let report = self.programs.solver.solve(position, attacker, &mut control.budget(), &mut counter);
        // A position that cannot be searched counts as not won.
        let Ok(report) = report else { return Ok(None) };
        self.nodes.fetch_max(before + report.nodes.max(1), Ordering::Relaxed);
        match report.verdict {
            Verdict::Win(win) => Ok(Some(win.certificate().replies().to_vec())),
            Verdict::Unknown(why @ (Why::Stopped | Why::Time)) => Err(why),
            Verdict::Unknown(_) => Ok(None),
        }
    }

    /// Refutes moves with wins of the opponent by threats; `None` if passing does not
    /// lose.
    fn refutation(&mut self) -> Result<Option<Refutation>, Why> {
        let task = self.task;
        let attacker = others_lose::opponent(&task.position);
        let begin = self.nodes.load(Ordering::Relaxed);
        let verifies = self.verifies();
        let (part, times) = if verifies { (VERIFY_PART, VERIFY_TIMES) } else { (REFUTE_PART, REFUTE_TIMES) };
        let total = times.saturating_mul(self.most);
        let mut find_win = |after: &Position| {
            // Out of moves: the rest is not refuted.
            if self.nodes.load(Ordering::Relaxed) - begin > total {
                return Ok(None);
            }
            // A list needs all passes and partial moves refuted: they get more moves.
            let placed = task.position.empty_count() - after.empty_count();
            let whole = placed == task.position.stones_to_place();
            let most = if verifies && !whole { self.most } else { self.most / part };
            self.win(after, attacker, most)
        };
        // A verifier tries all moves, known ones too.
        let known = if verifies { &[][..] } else { &task.excluded };
        others_lose::refute(&task.position, known, task.method, MOST_SETS, &mut find_win)
    }

    /// All moves that are left; `None` if they cannot be listed, because a single stone
    /// is a defence wherever the other one goes.
    fn defences(&mut self, refutation: &Refutation) -> Option<Answer> {
        let position = &self.task.position;
        let stones = position.stones_to_place();
        if refutation.left.iter().any(|set| set.len() < stones) {
            return None;
        }
        let mut moves = refutation.left.clone();
        self.programs.player.rank(position, &mut moves);
        let status = Status::Ahead(others_lose::opponent(position), 3);
        let moves = moves.into_iter().map(|mv| (mv, status)).collect();
        Some(Answer::Defences { moves, proof: refutation.proof.clone() })
    }

    /// The player's move or, if it is refuted, one that is not.
    fn best(&mut self, refutation: Option<Refutation>) -> Result<Answer, ExecuteError> {
        let position = &self.task.position;
        let mover = position.to_move();
        let choice = match self.play(&self.task.excluded)? {
            JobAnswer::Best(choice) => choice,
            JobAnswer::OthersLose { win, .. } => return self.lost(&win, refutation),
        };
        if let (Some(win), Status::Win(side)) = (&choice.win, choice.status)
            && side == mover
            && let certificate = win.certificate()
            && certificate.position() == position
            && certificate.method() == self.task.method
        {
            return Ok(self.won(choice.mv, certificate.replies().to_vec()));
        }
        let (mut mv, mut status) = (choice.mv, choice.status);
        if let Some(refutation) = &refutation
            && !others_lose::is_left(&refutation.left, &mv)
        {
            let mut moves =
                others_lose::expand(position, &refutation.left, MOST_DEFENCES).unwrap_or_default();
            moves.retain(|mv| !self.task.excluded.contains(mv));
            self.programs.player.rank(position, &mut moves);
            if let Some(&best) = moves.first() {
                (mv, status) = (best, Status::Ahead(mover.other(), 2));
            }
        }
        if self.verifies() {
            status = self.not_listed(status, refutation.is_some());
        }
        Ok(Answer::Best { mv, status, win: None })
    }

    /// The status of the best defence where a verifier could not list all of them,
    /// because a pass or a single stone is a defence. A job of this size does not prove
    /// such an attack, so that the status makes the search prefer others.
    fn not_listed(&self, status: Status, threatens: bool) -> Status {
        let defender = self.task.position.to_move();
        let doubtful = Status::Ahead(defender, if threatens { 1 } else { 2 });
        let numbers = |status| initial_numbers(status, defender.other());
        if numbers(status).proof < numbers(doubtful).proof { doubtful } else { status }
    }

    fn verifies(&self) -> bool {
        self.task.kind == Kind::Verify
    }

    /// The answer after the player has proved that every move loses. If its
    /// certificate does not fit the task, the answer is a move that the solver did not
    /// refute.
    fn lost(&self, win: &lambda6_proof::Win, refutation: Option<Refutation>) -> Result<Answer, ExecuteError> {
        let Task { position, method, excluded, .. } = self.task;
        let opponent = others_lose::opponent(position);
        let certificate = win.certificate();
        if certificate.position() == position
            && certificate.attacker() == opponent
            && certificate.method() == *method
        {
            let replies = certificate.replies().to_vec();
            let proof = JobProof { attacker: opponent, method: *method, except: Vec::new(), replies };
            return Ok(Answer::OthersLose { proof });
        }
        let left =
            refutation.and_then(|refutation| others_lose::expand(position, &refutation.left, MOST_DEFENCES));
        let mv = left.unwrap_or_default().into_iter().find(|mv| !excluded.contains(mv));
        let mv = mv.or_else(|| others_lose::any(position, excluded));
        let mv =
            mv.ok_or_else(|| ExecuteError::Failed("there is no move that is not excluded".to_string()))?;
        Ok(Answer::Best { mv, status: Status::Ahead(opponent, 4), win: None })
    }

    fn play(&mut self, excluded: &[Move]) -> Result<JobAnswer, ExecuteError> {
        let before = self.nodes.load(Ordering::Relaxed);
        let mut counter = Counter { nodes: self.nodes, before };
        let control = Control {
            heartbeat: Some(self.nodes),
            ..Control::new(self.limits(self.most / PLAYER_PART), self.clock, self.stop)
        };
        let player = &mut self.programs.player;
        let answer = player.job(&self.task.position, excluded, control, &mut counter);
        if self.stop.load(Ordering::Relaxed) {
            return Err(ExecuteError::Stopped);
        }
        match answer {
            Ok(answer) => {
                let (JobAnswer::Best(lambda6_player::Choice { nodes, .. })
                | JobAnswer::OthersLose { nodes, .. }) = &answer;
                self.nodes.fetch_max(before + (*nodes).max(1), Ordering::Relaxed);
                Ok(answer)
            }
            Err(error) => Err(ExecuteError::Failed(error.to_string())),
        }
    }
}

/// Adds the moves of a search to the job's counter.
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
    fn report(&mut self, progress: &Progress) {
        self.count(progress.nodes);
    }
}

impl Observer<Info> for Counter<'_> {
    fn report(&mut self, info: &Info) {
        self.count(info.nodes);
    }
}
