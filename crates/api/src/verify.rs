//! Verifying: the defender's moves that no win refutes.

use crate::{
    ApiError, Event, PositionSpec, ProofDoc, Service, Work,
    notation::{move_name, square_names},
    work::{Ceiling, Task, Throttle},
};
use lambda6_proof::{
    Class, SolveError,
    verify::{DefenceVerifier, Incomplete, Refutation, Verified},
};
use lambda6_rules::{Game, Position};
use lambda6_search::{Budget, Limits, Observer, Progress, lambda::LambdaOptions};
use lambda6_threats::Board;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// A request for the moves of the side to move that are not known to lose.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyRequest {
    /// The position; the defender is the side to move.
    pub position: PositionSpec,
    /// The moves that the attacker may use, as in a SolveRequest; `vcst` if not given.
    #[serde(default)]
    pub class: Option<String>,
    /// Milliseconds for each of the defender's moves; 1000 if not given.
    #[serde(default)]
    pub each_ms: Option<u64>,
    /// Give up after so many milliseconds.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// MiB for tables.
    #[serde(default)]
    pub memory_mib: Option<u64>,
}

/// The progress of a verification.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VerifyProgress {
    /// The defender's stones that are tried; `-` for a pass.
    pub at: String,
    /// Sets of stones that wait.
    pub left: usize,
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Milliseconds since it began.
    pub elapsed_ms: u64,
}

/// Stones of the defender after which the attacker wins.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RefutedDoc {
    /// The defender's stones; `-` for a pass.
    pub stones: String,
    /// How many of the defender's stones are left; they make no difference outside the zone.
    pub spare: usize,
    /// The attacker's reply.
    pub reply: String,
    /// The attacker's moves in the longest line.
    pub moves: usize,
    /// Where a further stone could matter; empty if there are none to spare.
    pub zone: Vec<String>,
}

/// The defender's moves and what is known of them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VerifyDoc {
    /// The side to move.
    pub defender: String,
    /// The class of moves that the attacker could use.
    pub class: String,
    /// Moves of the defender that were tried and are not refuted.
    pub open: Vec<String>,
    /// The wins that were found, the most general first. A move outside this list and `open`
    /// loses to one of them.
    pub refuted: Vec<RefutedDoc>,
    /// Why moves beyond these were not examined, in a sentence.
    pub incomplete: Option<String>,
    /// The proof that every move loses, if that is so.
    pub proof: Option<ProofDoc>,
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Milliseconds used.
    pub elapsed_ms: u64,
}

const DEFAULT_EACH: Duration = Duration::from_secs(1);
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// A verification that has been checked.
pub(crate) struct VerifyTask {
    position: Position,
    class: Class,
    verifier: DefenceVerifier,
    limits: Limits,
}

impl VerifyRequest {
    pub(crate) fn task(&self, ceiling: &Ceiling) -> Result<VerifyTask, ApiError> {
        let (position, _) = self.position.position()?;
        let class: Class = match &self.class {
            Some(text) => Class::parse_in(text, position.game()).map_err(|e| ApiError::field("class", e))?,
            None => Class::default(),
        };
        let each = Some(ceiling.time(self.each_ms, DEFAULT_EACH, "each_ms")?);
        let time = Some(ceiling.time(self.time_ms, DEFAULT_TIME, "time_ms")?);
        let options = LambdaOptions { order: class.order(), ..LambdaOptions::default() };
        let bytes = ceiling.memory(self.memory_mib, "memory_mib")?;
        let each = Limits { time: each, ..Limits::default() };
        let verifier = DefenceVerifier::new(&position, options, bytes, each)
            .map_err(|error| ApiError::field("position", error))?;
        Ok(VerifyTask { position, class, verifier, limits: Limits { time, ..Limits::default() } })
    }
}

impl Task for VerifyTask {
    type Done = VerifyDoc;

    fn run(mut self, service: &Service, work: &mut Work<'_>) -> Result<VerifyDoc, ApiError> {
        let game = self.position.game();
        let mut budget = Budget::new(self.limits, work.clock, work.stop);
        let mut reporter = Reporter { game, throttle: Throttle::new(), report: work.report };
        let found = self.verifier.verify(&mut budget, &mut reporter).map_err(|error| match error {
            SolveError::Caught(_) => ApiError::internal(error),
            _ => ApiError::field("position", error),
        })?;
        let Verified { refuted, open, incomplete, certificate, nodes, elapsed } = found;
        let proof = service.proofs.check_found(certificate.as_ref(), &service.ceiling, work)?;
        let board = Board::from_position(&self.position);
        Ok(VerifyDoc {
            defender: self.position.to_move().name().to_string(),
            class: self.class.name_in(game).to_string(),
            open: open.iter().map(|mv| move_name(game, mv)).collect(),
            refuted: refuted.iter().map(|refutation| refuted_doc(game, &board, refutation)).collect(),
            incomplete: incomplete.map(why),
            proof,
            nodes,
            elapsed_ms: elapsed.as_millis() as u64,
        })
    }
}

fn refuted_doc(game: Game, board: &Board, refuted: &Refutation) -> RefutedDoc {
    let zone = if refuted.spare > 0 { refuted.zone(board) } else { Vec::new() };
    RefutedDoc {
        stones: move_name(game, &refuted.stones),
        spare: refuted.spare,
        reply: move_name(game, &refuted.reply),
        moves: refuted.certificate.depth(),
        zone: square_names(game, &zone),
    }
}

fn why(incomplete: Incomplete) -> String {
    match incomplete {
        Incomplete::Connects => "The defender can connect: no other move matters.".to_string(),
        Incomplete::Full => "The defender's move fills the board: a draw.".to_string(),
        Incomplete::Pass => "No win was found if the defender passes, so that nothing is known of the \
                             other moves."
            .to_string(),
        Incomplete::Ended(why) => format!("Not all moves were tried: {why}."),
    }
}

/// Turns the verifier's reports into events.
struct Reporter<'a> {
    game: Game,
    throttle: Throttle,
    report: &'a mut dyn FnMut(Event),
}

impl Observer for Reporter<'_> {
    fn report(&mut self, progress: &Progress) {
        if let [stones] = &progress.line[..]
            && self.throttle.due(progress.elapsed)
        {
            let doc = VerifyProgress {
                at: move_name(self.game, stones),
                left: progress.left.unwrap_or_default(),
                nodes: progress.nodes,
                elapsed_ms: progress.elapsed.as_millis() as u64,
            };
            (self.report)(Event::new("progress", &doc));
        }
    }
}
