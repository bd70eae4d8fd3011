//! Solving: a search for a forced win and its proof.

use crate::{
    ApiError, Event, PositionSpec, ProofDoc, Service, Work,
    kept::{Interrupted, Question, Running},
    notation::{line_names, parse_side},
    work::{Ceiling, Task, Throttle},
};
use lambda6_proof::{Advice, Class, Report, SolveError, Solver, SolverOptions, Strategy, Verdict};
use lambda6_rules::Game;
use lambda6_search::{Budget, Limits, Observer, Progress, Why};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// A search for a forced win.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveRequest {
    /// The position to solve.
    pub position: PositionSpec,
    /// Whose win: `black` or `white`; the side to move if not given.
    #[serde(default)]
    pub attacker: Option<String>,
    /// The moves that the attacker may use: `vcdt`, `vcst` (if not given), `lambda3`, `lambda4` or
    /// `lambda5`; `vcf` and `vct` are the first two in go-moku.
    #[serde(default)]
    pub class: Option<String>,
    /// Give up after so many milliseconds.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// Give up after so many moves tried.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// The most moves of the attacker in a line.
    #[serde(default)]
    pub depth: Option<u32>,
    /// MiB for tables.
    #[serde(default)]
    pub memory_mib: Option<u64>,
    /// Continue the last search of this position, side and class with all that it has found out,
    /// if it is still kept.
    #[serde(default)]
    pub resume: bool,
}

/// The progress of a search.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolveProgress {
    /// The depth it is searching to, in moves of the attacker.
    pub depth: u32,
    /// Moves of the attacker tried, those of earlier parts of the search too.
    pub nodes: u64,
    /// Milliseconds of search.
    pub elapsed_ms: u64,
    /// The line under examination.
    pub line: Vec<String>,
    /// The proof number of the position, where one is kept.
    pub proof_number: Option<u32>,
    /// The disproof number.
    pub disproof_number: Option<u32>,
    /// The defender's moves known to matter that are not refuted yet, where the defender is to move.
    pub defences_left: Option<usize>,
}

/// The outcome of a search for a forced win.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolveDoc {
    /// `win` or `unknown`.
    pub verdict: String,
    /// For `unknown`, in one word: `exhausted`, `narrowed`, `depth`, `nodes`, `time` or `stopped`.
    pub why: Option<String>,
    /// For `unknown`, the reason in a sentence.
    pub reason: Option<String>,
    /// For `unknown`, what to try next, in a sentence.
    pub next: Option<String>,
    /// The side whose win was searched for.
    pub attacker: String,
    /// The class of moves that the attacker could use.
    pub class: String,
    /// The line of the win in which the defender holds out longest.
    pub line: Vec<String>,
    /// Moves of the attacker tried, those of earlier parts of the search too.
    pub nodes: u64,
    /// Milliseconds of search.
    pub elapsed_ms: u64,
    /// Whether an earlier search was continued.
    pub resumed: bool,
    /// Whether this search is kept, so that it can be continued.
    pub resumable: bool,
    /// The proof, which can be browsed and downloaded.
    pub proof: Option<ProofDoc>,
}

/// The time if the request does not say.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// A request for a forced win that has been checked.
pub(crate) struct SolveTask {
    question: Question,
    limits: Limits,
    options: SolverOptions,
    resume: bool,
}

impl SolveRequest {
    pub(crate) fn task(&self, ceiling: &Ceiling) -> Result<SolveTask, ApiError> {
        let (position, _) = self.position.position()?;
        let attacker = match &self.attacker {
            Some(text) => parse_side(text, "attacker")?,
            None => position.to_move(),
        };
        if let Some(outcome) = position.outcome() {
            return Err(ApiError::field("position", SolveError::Over(outcome)));
        }
        let class: Class = match &self.class {
            Some(text) => Class::parse_in(text, position.game()).map_err(|e| ApiError::field("class", e))?,
            None => Class::default(),
        };
        let limits = Limits {
            time: Some(ceiling.time(self.time_ms, DEFAULT_TIME, "time_ms")?),
            nodes: self.nodes,
            depth: self.depth,
        };
        // The other classes are solved in the same way every time, by one thread.
        let threads = if class >= Class::Lambda3 { ceiling.threads } else { 1 };
        let options = SolverOptions {
            strategy: Strategy::for_class(class, threads),
            table_bytes: ceiling.memory(self.memory_mib, "memory_mib")?,
            ..SolverOptions::default()
        };
        let question = Question { position, attacker, class };
        Ok(SolveTask { question, limits, options, resume: self.resume })
    }
}

impl Task for SolveTask {
    type Done = SolveDoc;

    fn run(self, service: &Service, work: &mut Work<'_>) -> Result<SolveDoc, ApiError> {
        let SolveTask { question, limits, options, resume } = self;
        let game = question.position.game();
        let (earlier, running) = service.kept.begin(&question);
        let earlier = earlier.filter(|_| resume);
        let resumed = earlier.is_some();
        let mut search = take_up(earlier, game, options);
        let mut budget = Budget::new(limits, work.clock, work.stop);
        let before = (search.nodes, search.elapsed);
        let mut reporter = Reporter { game, before, throttle: Throttle::new(), report: work.report };
        let Question { position, attacker, class } = &question;
        let report = search.solver.solve(position, *attacker, &mut budget, &mut reporter);
        let Report { verdict, nodes, elapsed } = report.map_err(|error| match error {
            SolveError::Caught(_) => ApiError::internal(error),
            _ => ApiError::field("position", error),
        })?;
        search.nodes += nodes;
        search.elapsed += elapsed;
        let (nodes, elapsed) = (search.nodes, search.elapsed);
        let resumable = keep(search, running, &verdict);
        let (why, next) = match verdict {
            Verdict::Win(_) => (None, None),
            Verdict::Unknown(why) => (Some(why), Advice::after(why, *class)),
        };
        let win = verdict.win();
        let proof = service.proofs.check_found(win.map(|win| win.certificate()), &service.ceiling, work)?;
        Ok(SolveDoc {
            verdict: if proof.is_some() { "win" } else { "unknown" }.to_string(),
            why: why.map(|why| why.name().to_string()),
            reason: why.map(|why| why.to_string()),
            next: next.map(|advice| advise(advice, game)),
            attacker: attacker.name().to_string(),
            class: class.name_in(game).to_string(),
            line: win.map(|win| line_names(game, win.line())).unwrap_or_default(),
            nodes,
            elapsed_ms: elapsed.as_millis() as u64,
            resumed,
            resumable,
            proof,
        })
    }
}

/// A new search, or the earlier one: with its tables or, where the new one has other
/// options, with the winning moves that it knows.
fn take_up(earlier: Option<Interrupted>, game: Game, options: SolverOptions) -> Interrupted {
    let bytes = options.table_bytes;
    match earlier {
        Some(earlier) if earlier.bytes == bytes => earlier,
        Some(Interrupted { solver, nodes, elapsed, .. }) => {
            let known = solver.known();
            drop(solver);
            let mut solver = Solver::new(game, options);
            solver.suggest(&known);
            Interrupted { solver, bytes, nodes, elapsed }
        }
        None => Interrupted { solver: Solver::new(game, options), bytes, nodes: 0, elapsed: Duration::ZERO },
    }
}

/// Keeps a search that was interrupted by its limits or its user.
fn keep(search: Interrupted, running: Running<'_>, verdict: &Verdict) -> bool {
    let interrupted =
        matches!(verdict, Verdict::Unknown(Why::Time | Why::Nodes | Why::Memory | Why::Stopped | Why::Depth));
    interrupted && running.keep(search)
}

/// What to try next.
fn advise(advice: Advice, game: Game) -> String {
    match advice {
        Advice::Class(class) => {
            format!("Try {}: {}.", class.name_in(game).to_uppercase(), class.describe(game))
        }
        Advice::NoClassWins => "No higher class is known: there may be no forced win.".to_string(),
        Advice::EveryMove(Some(class)) => {
            let name = class.name_in(game).to_uppercase();
            format!("Some moves were left out. Try {name}: {}.", class.describe(game))
        }
        Advice::EveryMove(None) => "Some moves were left out, and no higher class is known.".to_string(),
        Advice::Depth => "Allow longer wins.".to_string(),
        Advice::Nodes => "Allow more moves.".to_string(),
        Advice::Time => "Allow more time.".to_string(),
        Advice::Memory => "Allow more memory.".to_string(),
    }
}

/// Turns a solver's reports into events.
struct Reporter<'a> {
    game: Game,
    /// Moves and time of the earlier parts of the search.
    before: (u64, Duration),
    throttle: Throttle,
    report: &'a mut dyn FnMut(Event),
}

impl Observer for Reporter<'_> {
    fn report(&mut self, progress: &Progress) {
        if self.throttle.due(progress.elapsed) {
            let doc = SolveProgress {
                depth: progress.depth,
                nodes: self.before.0 + progress.nodes,
                elapsed_ms: (self.before.1 + progress.elapsed).as_millis() as u64,
                line: line_names(self.game, &progress.line),
                proof_number: progress.numbers.map(|(proof, _)| proof),
                disproof_number: progress.numbers.map(|(_, disproof)| disproof),
                defences_left: progress.left,
            };
            (self.report)(Event::new("progress", &doc));
        }
    }
}
