//! Solving: a search for a forced win and its proof.

use crate::{
    ApiError, Event, PositionSpec, ProofDoc, Service, Work,
    notation::{line_names, parse_side},
    work::{Ceiling, Task, Throttle},
};
use lambda6_proof::{Advice, Class, SolveError, Solver, SolverOptions, Strategy, Verdict};
use lambda6_rules::{Game, Position, Side};
use lambda6_search::{Budget, Limits, Observer, Progress};
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
}

/// The progress of a search.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolveProgress {
    /// The depth it is searching to, in moves of the attacker.
    pub depth: u32,
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Milliseconds since the search began.
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
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Milliseconds used.
    pub elapsed_ms: u64,
    /// The proof, which can be browsed and downloaded.
    pub proof: Option<ProofDoc>,
}

/// The time if the request does not say.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// A request for a forced win that has been checked.
pub(crate) struct SolveTask {
    position: Position,
    attacker: Side,
    class: Class,
    limits: Limits,
    options: SolverOptions,
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
        Ok(SolveTask { position, attacker, class, limits, options })
    }
}

impl Task for SolveTask {
    type Done = SolveDoc;

    fn run(self, service: &Service, work: &mut Work<'_>) -> Result<SolveDoc, ApiError> {
        let SolveTask { position, attacker, class, limits, options } = self;
        let game = position.game();
        let mut solver = Solver::new(game, options);
        let mut budget = Budget::new(limits, work.clock, work.stop);
        let mut reporter = Reporter { game, throttle: Throttle::new(), report: work.report };
        let report = solver.solve(&position, attacker, &mut budget, &mut reporter);
        let report = report.map_err(|error| match error {
            SolveError::Caught(_) => ApiError::internal(error),
            _ => ApiError::field("position", error),
        })?;
        let (why, reason) = match &report.verdict {
            Verdict::Win(_) => (None, None),
            Verdict::Unknown(why) => (Some(why.name().to_string()), Some(why.to_string())),
        };
        let next = match report.verdict {
            Verdict::Win(_) => None,
            Verdict::Unknown(why) => Advice::after(why, class).map(|advice| advise(advice, game)),
        };
        let win = report.verdict.win();
        let certificate = win.map(|win| win.certificate());
        let proof = service.proofs.check_found(certificate, &service.ceiling, work)?;
        Ok(SolveDoc {
            verdict: if proof.is_some() { "win" } else { "unknown" }.to_string(),
            why,
            reason,
            next,
            attacker: attacker.name().to_string(),
            class: class.name_in(game).to_string(),
            line: win.map(|win| line_names(game, win.line())).unwrap_or_default(),
            nodes: report.nodes,
            elapsed_ms: report.elapsed.as_millis() as u64,
            proof,
        })
    }
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
    throttle: Throttle,
    report: &'a mut dyn FnMut(Event),
}

impl Observer for Reporter<'_> {
    fn report(&mut self, progress: &Progress) {
        if self.throttle.due(progress.elapsed) {
            let doc = SolveProgress {
                depth: progress.depth,
                nodes: progress.nodes,
                elapsed_ms: progress.elapsed.as_millis() as u64,
                line: line_names(self.game, &progress.line),
                proof_number: progress.numbers.map(|(proof, _)| proof),
                disproof_number: progress.numbers.map(|(_, disproof)| disproof),
                defences_left: progress.left,
            };
            (self.report)(Event::new("progress", &doc));
        }
    }
}
