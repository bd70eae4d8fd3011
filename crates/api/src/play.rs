//! Playing and analysing: the player's move, or its best moves.

use crate::{
    ApiError, Event, OutlookDoc, PositionSpec, ProofDoc, Service, Work,
    notation::{line_names, move_name},
    work::{Ceiling, Task, Throttle},
};
use lambda6_player::{Choice, Info, Level, PlayError, Player, PlayerOptions, TimeControl};
use lambda6_rules::{Move, Position, Side};
use lambda6_search::{Limits, Observer};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// How long the player thinks about a move.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Thinking {
    /// A time control: `1s` or `500ms` a move, `300s+2s` a game, `5000n` positions a move. As much
    /// as the level needs if not given.
    #[serde(default)]
    pub control: Option<String>,
    /// Of a game's time, what is left on the clock.
    #[serde(default)]
    pub remaining_ms: Option<u64>,
}

/// A request for a move.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    /// The position to play in.
    pub position: PositionSpec,
    /// The level of play; `strong` if not given.
    #[serde(default)]
    pub level: Option<String>,
    /// The time for the move.
    #[serde(default)]
    pub thinking: Thinking,
    /// Seed for the levels that play at random.
    #[serde(default)]
    pub seed: u64,
}

/// A request for the best moves of a position.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalyseRequest {
    /// The position to analyse.
    pub position: PositionSpec,
    /// Milliseconds of search.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// Positions to search: makes the answer repeatable.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// The number of moves to return, 1 to 20; 5 if not given.
    #[serde(default)]
    pub moves: Option<usize>,
}

/// A move and its score. Scores are from the view of the side to move, in thousandths of the
/// logarithm of the odds.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CandidateDoc {
    /// The move.
    pub r#move: String,
    /// Score, for the side to move.
    pub score: i32,
    /// Black's chance of winning, 0 to 1.
    pub black_chance: f64,
    /// The win that the search sees after this move, of either side.
    pub outlook: Option<OutlookDoc>,
}

/// The progress of the player's search.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayProgress {
    /// Search depth in moves.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Milliseconds used.
    pub elapsed_ms: u64,
    /// Score of the best move, for the side to move.
    pub score: i32,
    /// Black's chance of winning, 0 to 1.
    pub black_chance: f64,
    /// How the position stands: `B:w`, `B4` ... `stable` ... `W:w`.
    pub status: String,
    /// The win that the search sees, of either side.
    pub outlook: Option<OutlookDoc>,
    /// The principal variation.
    pub line: Vec<String>,
    /// The moves compared, the best first.
    pub candidates: Vec<CandidateDoc>,
}

/// A move that was chosen by a search.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChoiceDoc {
    /// The move.
    pub r#move: String,
    /// How the position stands when it is played.
    pub status: String,
    /// Score, for the side to move.
    pub score: i32,
    /// Black's chance of winning, 0 to 1.
    pub black_chance: f64,
    /// Search depth in moves.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// The win that the search sees after this move, of either side.
    pub outlook: Option<OutlookDoc>,
    /// What is expected to follow, from this move on.
    pub line: Vec<String>,
    /// The proof of a win of either side, if one was found.
    pub proof: Option<ProofDoc>,
}

/// The best moves, the best first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AnalyseDoc {
    /// The moves.
    pub choices: Vec<ChoiceDoc>,
}

/// The time for a move if the request does not say.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
const MAX_CHOICES: usize = 20;

/// A request for a move that has been checked.
pub(crate) struct PlayTask {
    player: PlayerTask,
    limits: Limits,
}

impl PlayRequest {
    pub(crate) fn task(&self, ceiling: &Ceiling) -> Result<PlayTask, ApiError> {
        let mut player = PlayerTask::new(&self.position)?;
        if let Some(text) = &self.level {
            player.level =
                text.parse().map_err(|e: lambda6_player::LevelParseError| ApiError::field("level", e))?;
        }
        player.seed = self.seed;
        Ok(PlayTask { limits: self.thinking.limits(&player.position, ceiling)?, player })
    }
}

impl Task for PlayTask {
    type Done = ChoiceDoc;

    fn run(self, service: &Service, work: &mut Work<'_>) -> Result<ChoiceDoc, ApiError> {
        let position = &self.player.position;
        let mut player = self.player.player(&service.ceiling)?;
        let control = work.control(self.limits);
        let mut reporter = Reporter::new(position, work.report);
        let choice = player.choose(position, control, &mut reporter).map_err(refused)?;
        choice_doc(position, &choice, service, work)
    }
}

/// A request for the best moves that has been checked.
pub(crate) struct AnalyseTask {
    player: PlayerTask,
    limits: Limits,
    count: usize,
}

impl AnalyseRequest {
    pub(crate) fn task(&self, ceiling: &Ceiling) -> Result<AnalyseTask, ApiError> {
        let count = self.moves.unwrap_or(5);
        if !(1..=MAX_CHOICES).contains(&count) {
            return Err(ApiError::field("moves", format!("expected 1 to {MAX_CHOICES}, found {count}")));
        }
        let time = Some(ceiling.time(self.time_ms, DEFAULT_TIME, "time_ms")?);
        let limits = Limits { time, nodes: self.nodes, depth: None };
        Ok(AnalyseTask { player: PlayerTask::new(&self.position)?, limits, count })
    }
}

impl Task for AnalyseTask {
    type Done = AnalyseDoc;

    fn run(self, service: &Service, work: &mut Work<'_>) -> Result<AnalyseDoc, ApiError> {
        let position = &self.player.position;
        let mut player = self.player.player(&service.ceiling)?;
        let control = work.control(self.limits);
        let mut reporter = Reporter::new(position, work.report);
        let choices = player.candidates(position, control, &mut reporter, self.count).map_err(refused)?;
        let choices = choices.iter().map(|choice| choice_doc(position, choice, service, work));
        Ok(AnalyseDoc { choices: choices.collect::<Result<_, _>>()? })
    }
}

impl Thinking {
    fn limits(&self, position: &Position, ceiling: &Ceiling) -> Result<Limits, ApiError> {
        let mut limits = match &self.control {
            None => Limits::default(),
            Some(text) => {
                let field = "thinking.control";
                let control: TimeControl = text
                    .parse()
                    .map_err(|e: lambda6_player::TimeControlParseError| ApiError::field(field, e))?;
                let left = self.remaining_ms.map_or_else(|| control.start(), Duration::from_millis);
                control.allot(left, position)
            }
        };
        limits.time = Some(limits.time.unwrap_or(DEFAULT_TIME).min(ceiling.time));
        Ok(limits)
    }
}

/// A player and the position it is to think about.
pub(crate) struct PlayerTask {
    pub(crate) position: Position,
    pub(crate) last: Option<Move>,
    level: Level,
    seed: u64,
}

impl PlayerTask {
    fn new(spec: &PositionSpec) -> Result<PlayerTask, ApiError> {
        let (position, moves) = spec.position()?;
        match position.outcome() {
            Some(outcome) => Err(refused(PlayError::GameOver(outcome))),
            None => Ok(PlayerTask::at(position, moves.last().copied())),
        }
    }

    /// A player of the default level.
    pub(crate) fn at(position: Position, last: Option<Move>) -> PlayerTask {
        PlayerTask { position, last, level: Level::default(), seed: 0 }
    }

    pub(crate) fn player(&self, ceiling: &Ceiling) -> Result<Player, ApiError> {
        let table_bytes = ceiling.memory(None, "memory_mib")?;
        let options = PlayerOptions { level: self.level, table_bytes, seed: self.seed, ..Default::default() };
        let mut player = Player::new(self.position.game(), options);
        player.set_last_move(self.last);
        Ok(player)
    }
}

pub(crate) fn refused(error: PlayError) -> ApiError {
    ApiError::field("position", error)
}

/// Black's chance of winning, from a score of the side to move.
pub(crate) fn black_chance(position: &Position, score: i32) -> f64 {
    let chance = lambda6_player::chance(score);
    if position.to_move() == Side::Black { chance } else { 1.0 - chance }
}

fn choice_doc(
    position: &Position,
    choice: &Choice,
    service: &Service,
    work: &Work<'_>,
) -> Result<ChoiceDoc, ApiError> {
    let game = position.game();
    let certificate = choice.win.as_ref().map(|win| win.certificate());
    let proof = service.proofs.check_found(certificate, &service.ceiling, work)?;
    let proved = proof.as_ref().map(OutlookDoc::of_proof);
    Ok(ChoiceDoc {
        r#move: move_name(game, &choice.mv),
        status: choice.status.to_string(),
        score: choice.score,
        black_chance: black_chance(position, choice.score),
        depth: choice.depth,
        nodes: choice.nodes,
        outlook: proved.or_else(|| OutlookDoc::of_score(choice.score, position.to_move())),
        line: line_names(game, &choice.line),
        proof,
    })
}

fn outlook_of(info: &Info, side: Side) -> Option<OutlookDoc> {
    OutlookDoc::of_status(info.status).or_else(|| OutlookDoc::of_score(info.score, side))
}

/// Turns a player's reports into events.
struct Reporter<'a> {
    position: &'a Position,
    throttle: Throttle,
    report: &'a mut dyn FnMut(Event),
}

impl<'a> Reporter<'a> {
    fn new(position: &'a Position, report: &'a mut dyn FnMut(Event)) -> Reporter<'a> {
        Reporter { position, throttle: Throttle::new(), report }
    }
}

impl Observer<Info> for Reporter<'_> {
    fn report(&mut self, info: &Info) {
        if !self.throttle.due(info.elapsed) {
            return;
        }
        let game = self.position.game();
        let chance = |score| black_chance(self.position, score);
        let candidates = info.candidates.iter().take(MAX_CHOICES).map(|candidate| CandidateDoc {
            r#move: move_name(game, &candidate.mv),
            score: candidate.score,
            black_chance: chance(candidate.score),
            outlook: OutlookDoc::of_score(candidate.score, self.position.to_move()),
        });
        let doc = PlayProgress {
            depth: info.depth,
            nodes: info.nodes,
            elapsed_ms: info.elapsed.as_millis() as u64,
            score: info.score,
            black_chance: chance(info.score),
            status: info.status.to_string(),
            outlook: outlook_of(info, self.position.to_move()),
            line: line_names(game, &info.line),
            candidates: candidates.collect(),
        };
        (self.report)(Event::new("progress", &doc));
    }
}
