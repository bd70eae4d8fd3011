//! Proving a win.

use crate::{
    ApiError, Event, PositionSpec, Proof, ProofDoc, Proofs, Work,
    wire::{line_names, parse_side},
    work::{Ceiling, Throttle},
};
use rules::Game;
use search::{Class, Limits, Observer, Progress, SolveError, Solver, SolverOptions, Verdict};
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};
use utoipa::ToSchema;

/// A search for a forced win.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveRequest {
    /// Where.
    pub position: PositionSpec,
    /// Whose win: `black` or `white`; the side to move if not given.
    #[serde(default)]
    pub attacker: Option<String>,
    /// The moves that the attacker may use: `vcdt`, `vcst` (if not given), `lambda3` or `lambda4`.
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

/// How far a search has come.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolveProgress {
    /// The depth it is searching to, in moves of the attacker.
    pub depth: u32,
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Milliseconds since the beginning.
    pub elapsed_ms: u64,
    /// The line it looks at.
    pub line: Vec<String>,
    /// The proof number of the position, where one is kept.
    pub proof_number: Option<u32>,
    /// The disproof number.
    pub disproof_number: Option<u32>,
    /// The defender's moves known to matter that are not refuted yet, where the defender is to move.
    pub defences_left: Option<usize>,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolveDoc {
    /// `win` or `unknown`.
    pub verdict: String,
    /// For `unknown`, in one word: `exhausted`, `narrowed`, `depth`, `nodes`, `time` or `stopped`.
    pub why: Option<String>,
    /// For `unknown`, for people.
    pub reason: Option<String>,
    /// Whose win was looked for.
    pub attacker: String,
    /// With which moves.
    pub class: String,
    /// A longest line of the win.
    pub line: Vec<String>,
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Milliseconds used.
    pub elapsed_ms: u64,
    /// The proof, which can be browsed and downloaded.
    pub proof: Option<ProofDoc>,
}

/// If the request does not say.
const USUAL_TIME: Duration = Duration::from_secs(10);

/// The whole of a solver's work: search, certificate, and a second walk over the
/// certificate as written, which is what can be browsed.
pub(crate) fn solve(
    request: &SolveRequest,
    ceiling: &Ceiling,
    proofs: &Proofs,
    work: &mut Work<'_>,
) -> Result<SolveDoc, ApiError> {
    let (position, _) = request.position.position()?;
    let attacker = match &request.attacker {
        Some(text) => parse_side(text, "attacker")?,
        None => position.to_move(),
    };
    let class = match &request.class {
        Some(text) => text.parse().map_err(|e: search::ClassParseError| ApiError::field("class", e))?,
        None => Class::default(),
    };
    let limits = Limits {
        depth: request.depth,
        nodes: request.nodes,
        time: Some(ceiling.time(request.time_ms, USUAL_TIME, "time_ms")?),
    };
    let table_bytes = ceiling.memory(request.memory_mib, "memory_mib")?;
    let game = position.game();
    let mut solver = Solver::new(game, SolverOptions { class, table_bytes, ..SolverOptions::default() });
    let mut teller = Teller { game, throttle: Throttle::new(), report: work.report };
    let report =
        solver.solve(&position, attacker, limits, work.clock, work.stop, &mut teller).map_err(|error| {
            match error {
                SolveError::Caught(_) => ApiError::internal(error),
                _ => ApiError::field("position", error),
            }
        })?;
    let (why, reason) = match &report.verdict {
        Verdict::Win(_) => (None, None),
        Verdict::Unknown(why) => (Some(why.name().to_string()), Some(why.to_string())),
    };
    let win = report.verdict.win();
    let proof = match win.and_then(|win| win.certificate.as_ref()) {
        None => None,
        Some(certificate) => {
            let mut text = Vec::new();
            certificate.write(&mut text).map_err(ApiError::internal)?;
            // A claim stands on what the checker says of the text.
            let proof = Arc::new(Proof::check(text, ceiling, work.stop, &mut |_| {})?);
            let doc = proof.doc();
            proofs.insert(proof);
            Some(doc)
        }
    };
    Ok(SolveDoc {
        verdict: if proof.is_some() { "win" } else { "unknown" }.to_string(),
        why,
        reason,
        attacker: attacker.name().to_string(),
        class: class.name().to_string(),
        line: win.map(|win| line_names(game, &win.line)).unwrap_or_default(),
        nodes: report.nodes,
        elapsed_ms: report.elapsed.as_millis() as u64,
        proof,
    })
}

/// Passes reports of a solver on.
struct Teller<'a> {
    game: Game,
    throttle: Throttle,
    report: &'a mut dyn FnMut(Event),
}

impl Observer for Teller<'_> {
    fn report(&mut self, progress: &Progress<'_>) {
        if self.throttle.due(progress.elapsed) {
            let doc = SolveProgress {
                depth: progress.depth,
                nodes: progress.nodes,
                elapsed_ms: progress.elapsed.as_millis() as u64,
                line: line_names(self.game, progress.line),
                proof_number: progress.numbers.map(|(proof, _)| proof),
                disproof_number: progress.numbers.map(|(_, disproof)| disproof),
                defences_left: progress.left,
            };
            (self.report)(Event::new("progress", &doc));
        }
    }
}
