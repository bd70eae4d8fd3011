//! Evaluating a game: who stands better after each of its moves.

use crate::{
    ApiError, Event, PositionSpec, Service, Work,
    notation::play_any,
    play::{PlayerTask, black_chance, refused},
    work::Task,
};
use lambda6_player::Status;
use lambda6_rules::{Move, Outcome, Position, Side};
use lambda6_search::{Control, Limits, Silent, Since};
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;
use utoipa::ToSchema;

/// A request to evaluate every position of a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EvaluateRequest {
    /// The game: the start and the moves.
    pub position: PositionSpec,
    /// Positions searched for each move; 2,000 if not given.
    #[serde(default)]
    pub nodes: Option<u64>,
}

/// The evaluation of one position of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StandDoc {
    /// The number of moves before it.
    pub after: usize,
    /// Black's chance of winning, 0 to 1.
    pub black_chance: f64,
    /// `B:w`, `B4` ... `stable` ... `W:w`.
    pub status: String,
}

/// The evaluations of a game's positions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EvaluateDoc {
    /// One for every position of the game, in order.
    pub positions: Vec<StandDoc>,
}

/// Positions searched for each move if the request does not say.
const DEFAULT_NODES: u64 = 2_000;

/// A request for an evaluation that has been checked.
pub(crate) struct EvaluateTask {
    start: Position,
    moves: Vec<Move>,
    nodes: u64,
}

impl EvaluateRequest {
    pub(crate) fn task(&self) -> Result<EvaluateTask, ApiError> {
        let (_, moves) = self.position.position()?;
        Ok(EvaluateTask { start: self.position.start()?, moves, nodes: self.nodes.unwrap_or(DEFAULT_NODES) })
    }
}

impl Task for EvaluateTask {
    type Done = EvaluateDoc;

    /// Each position is reported as soon as it is evaluated. The time limit is for
    /// all of them: those that are left then are left out.
    fn run(self, service: &Service, work: &mut Work<'_>) -> Result<EvaluateDoc, ApiError> {
        let mut positions = Vec::with_capacity(self.moves.len() + 1);
        let mut position = self.start.clone();
        for after in 0..=self.moves.len() {
            if work.stop.load(Ordering::Relaxed) || work.clock.elapsed() >= service.ceiling.time {
                break;
            }
            let last = after.checked_sub(1).map(|at| self.moves[at]);
            if let Some(mv) = last {
                play_any(&mut position, &mv).map_err(ApiError::internal)?;
            }
            let (black_chance, status) = match position.outcome() {
                Some(Outcome::Win(side)) => (f64::from(side == Side::Black), Status::Win(side)),
                Some(Outcome::Draw) => (0.5, Status::Stable),
                None => self.search(PlayerTask::at(position.clone(), last), service, work)?,
            };
            let stand = StandDoc { after, black_chance, status: status.to_string() };
            (work.report)(Event::new("progress", &stand));
            positions.push(stand);
        }
        Ok(EvaluateDoc { positions })
    }
}

impl EvaluateTask {
    fn search(
        &self,
        task: PlayerTask,
        service: &Service,
        work: &Work<'_>,
    ) -> Result<(f64, Status), ApiError> {
        let clock = Since::now(work.clock);
        let limits = Limits {
            time: Some(service.ceiling.time.saturating_sub(work.clock.elapsed())),
            nodes: Some(self.nodes),
            depth: None,
        };
        let mut player = task.player(&service.ceiling)?;
        let choice = player.choose(&task.position, Control::new(limits, &clock, work.stop), &mut Silent);
        let choice = choice.map_err(refused)?;
        Ok((black_chance(&task.position, choice.score), choice.status))
    }
}
