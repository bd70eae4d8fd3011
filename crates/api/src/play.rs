//! Playing, thinking aloud, and who stands better.

use crate::{
    ApiError, Event, PositionSpec, Proof, ProofDoc, Proofs, Work,
    wire::{line_names, move_name},
    work::{Ceiling, Throttle},
};
use player::{Choice, Info, Level, PlayError, PlayLimits, Player, PlayerOptions, TimeControl, Watch};
use rules::{Game, Move, Position, Side};
use search::Clock;
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};
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
    /// Where.
    pub position: PositionSpec,
    /// How well; `strong` if not given.
    #[serde(default)]
    pub level: Option<String>,
    /// For how long.
    #[serde(default)]
    pub thinking: Thinking,
    /// For the levels that leave something to chance.
    #[serde(default)]
    pub seed: u64,
}

/// A request to think about a position without playing.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalyseRequest {
    /// Where.
    pub position: PositionSpec,
    /// For how many milliseconds.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// For how many positions: the same answer every time.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// How many moves are wanted at the end, 1 to 20; 5 if not given.
    #[serde(default)]
    pub moves: Option<usize>,
}

/// A request for how each position of a game stands.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EvaluateRequest {
    /// The game: the start and the moves.
    pub position: PositionSpec,
    /// Positions searched for each move; 2,000 if not given.
    #[serde(default)]
    pub nodes: Option<u64>,
}

/// A move and what is known of it. Scores are of the side to move, in thousandths of the logarithm
/// of the odds; chances are Black's.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CandidateDoc {
    /// The move.
    pub r#move: String,
    /// For the side to move.
    pub score: i32,
    /// Black's chance of winning, 0 to 1.
    pub black_chance: f64,
}

/// How far the player has thought.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayProgress {
    /// Moves looked ahead.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Milliseconds used.
    pub elapsed_ms: u64,
    /// Of the best move, for the side to move.
    pub score: i32,
    /// Black's chance of winning, 0 to 1.
    pub black_chance: f64,
    /// How the position stands: `B:w`, `B4` ... `stable` ... `W:w`.
    pub status: String,
    /// The principal line.
    pub line: Vec<String>,
    /// The moves compared, the best first.
    pub candidates: Vec<CandidateDoc>,
}

/// A move that was thought over.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChoiceDoc {
    /// The move.
    pub r#move: String,
    /// How the position stands when it is played.
    pub status: String,
    /// For the side to move.
    pub score: i32,
    /// Black's chance of winning, 0 to 1.
    pub black_chance: f64,
    /// Moves looked ahead.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// What is expected to follow, from this move on.
    pub line: Vec<String>,
    /// Where a win is proved, of either side.
    pub proof: Option<ProofDoc>,
}

/// The best moves, the best first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AnalyseDoc {
    /// The moves.
    pub choices: Vec<ChoiceDoc>,
}

/// How one position of a game stands.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StandDoc {
    /// After so many moves.
    pub after: usize,
    /// Black's chance of winning, 0 to 1.
    pub black_chance: f64,
    /// `B:w`, `B4` ... `stable` ... `W:w`.
    pub status: String,
}

/// How the positions of a game stand.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EvaluateDoc {
    /// One for every position of the game.
    pub positions: Vec<StandDoc>,
}

/// If the request does not say.
const USUAL_TIME: Duration = Duration::from_secs(5);
const USUAL_NODES: u64 = 2_000;
const MAX_CHOICES: usize = 20;

pub(crate) fn play(
    request: &PlayRequest,
    ceiling: &Ceiling,
    proofs: &Proofs,
    work: &mut Work<'_>,
) -> Result<ChoiceDoc, ApiError> {
    let (position, moves) = request.position.position()?;
    let level = match &request.level {
        Some(text) => text.parse().map_err(|e: player::LevelParseError| ApiError::field("level", e))?,
        None => Level::default(),
    };
    let limits = request.thinking.limits(&position, ceiling)?;
    let mut player = a_player(&position, moves.last(), level, request.seed, ceiling)?;
    let mut watch = Teller::new(&position, work.report);
    let choice = player.choose(&position, &limits, work.clock, work.stop, &mut watch).map_err(refused)?;
    choice_doc(&position, &choice, ceiling, proofs, work)
}

pub(crate) fn analyse(
    request: &AnalyseRequest,
    ceiling: &Ceiling,
    proofs: &Proofs,
    work: &mut Work<'_>,
) -> Result<AnalyseDoc, ApiError> {
    let (position, moves) = request.position.position()?;
    let count = request.moves.unwrap_or(5);
    if !(1..=MAX_CHOICES).contains(&count) {
        return Err(ApiError::field("moves", format!("expected 1 to {MAX_CHOICES}, found {count}")));
    }
    let limits = PlayLimits {
        time: Some(ceiling.time(request.time_ms, USUAL_TIME, "time_ms")?),
        nodes: request.nodes,
        depth: None,
    };
    let mut player = a_player(&position, moves.last(), Level::default(), 0, ceiling)?;
    let mut watch = Teller::new(&position, work.report);
    let choices =
        player.candidates(&position, &limits, work.clock, work.stop, &mut watch, count).map_err(refused)?;
    let choices = choices
        .iter()
        .map(|choice| choice_doc(&position, choice, ceiling, proofs, work))
        .collect::<Result<_, _>>()?;
    Ok(AnalyseDoc { choices })
}

/// Every position of the game in turn, each reported as soon as it is known.
pub(crate) fn evaluate(
    request: &EvaluateRequest,
    ceiling: &Ceiling,
    work: &mut Work<'_>,
) -> Result<EvaluateDoc, ApiError> {
    let (_, moves) = request.position.position()?;
    let nodes = request.nodes.unwrap_or(USUAL_NODES);
    let mut positions = Vec::with_capacity(moves.len() + 1);
    for after in 0..=moves.len() {
        if work.stop.load(std::sync::atomic::Ordering::Relaxed) || work.clock.elapsed() >= ceiling.time {
            break;
        }
        let spec =
            PositionSpec { moves: request.position.moves[..after].to_vec(), ..request.position.clone() };
        let (position, moves) = spec.position()?;
        let stand = match position.outcome() {
            Some(rules::Outcome::Win(side)) => StandDoc {
                after,
                black_chance: if side == Side::Black { 1.0 } else { 0.0 },
                status: player::Status::Win(side).to_string(),
            },
            Some(rules::Outcome::Draw) => {
                StandDoc { after, black_chance: 0.5, status: player::Status::Stable.to_string() }
            }
            None => {
                let mut player = a_player(&position, moves.last(), Level::default(), 0, ceiling)?;
                let limits = PlayLimits {
                    time: Some(ceiling.time.saturating_sub(work.clock.elapsed())),
                    nodes: Some(nodes),
                    depth: None,
                };
                let clock = Since { clock: work.clock, start: work.clock.elapsed() };
                let choice = player
                    .choose(&position, &limits, &clock, work.stop, &mut player::Unwatched)
                    .map_err(refused)?;
                let black_chance = black_chance(&position, choice.score);
                StandDoc { after, black_chance, status: choice.status.to_string() }
            }
        };
        (work.report)(Event::new("progress", &stand));
        positions.push(stand);
    }
    Ok(EvaluateDoc { positions })
}

/// A clock that started later than the one it looks at.
struct Since<'a> {
    clock: &'a dyn Clock,
    start: Duration,
}

impl Clock for Since<'_> {
    fn elapsed(&self) -> Duration {
        self.clock.elapsed().saturating_sub(self.start)
    }
}

impl Thinking {
    fn limits(&self, position: &Position, ceiling: &Ceiling) -> Result<PlayLimits, ApiError> {
        let mut limits = match &self.control {
            None => PlayLimits::default(),
            Some(text) => {
                let field = "thinking.control";
                let control: TimeControl =
                    text.parse().map_err(|e: player::TimeControlParseError| ApiError::field(field, e))?;
                let left = self.remaining_ms.map_or_else(|| control.start(), Duration::from_millis);
                control.allot(left, position)
            }
        };
        limits.time = Some(limits.time.unwrap_or(USUAL_TIME).min(ceiling.time));
        Ok(limits)
    }
}

fn a_player(
    position: &Position,
    last: Option<&Move>,
    level: Level,
    seed: u64,
    ceiling: &Ceiling,
) -> Result<Player, ApiError> {
    let table_bytes = ceiling.memory(None, "memory_mib")?;
    let mut player =
        Player::new(position.game(), PlayerOptions { level, table_bytes, seed, ..Default::default() });
    player.set_last_move(last.copied());
    Ok(player)
}

fn refused(error: PlayError) -> ApiError {
    ApiError::field("position", error)
}

/// A score of the side to move as Black's chance.
fn black_chance(position: &Position, score: i32) -> f64 {
    let chance = player::chance(score);
    if position.to_move() == Side::Black { chance } else { 1.0 - chance }
}

fn choice_doc(
    position: &Position,
    choice: &Choice,
    ceiling: &Ceiling,
    proofs: &Proofs,
    work: &Work<'_>,
) -> Result<ChoiceDoc, ApiError> {
    let game = position.game();
    let certificate = choice.win.as_ref().and_then(|win| win.certificate.as_ref());
    let proof = match certificate {
        None => None,
        Some(certificate) => {
            let mut text = Vec::new();
            certificate.write(&mut text).map_err(ApiError::internal)?;
            let proof = Arc::new(Proof::check(text, ceiling, work.stop, &mut |_| {})?);
            let doc = proof.doc();
            proofs.insert(proof);
            Some(doc)
        }
    };
    Ok(ChoiceDoc {
        r#move: move_name(game, &choice.mv),
        status: choice.status.to_string(),
        score: choice.score,
        black_chance: black_chance(position, choice.score),
        depth: choice.depth,
        nodes: choice.nodes,
        line: line_names(game, &choice.line),
        proof,
    })
}

/// Passes reports of a player on.
struct Teller<'a> {
    position: &'a Position,
    game: Game,
    throttle: Throttle,
    report: &'a mut dyn FnMut(Event),
}

impl<'a> Teller<'a> {
    fn new(position: &'a Position, report: &'a mut dyn FnMut(Event)) -> Teller<'a> {
        Teller { position, game: position.game(), throttle: Throttle::new(), report }
    }
}

impl Watch for Teller<'_> {
    fn report(&mut self, info: &Info<'_>) {
        if !self.throttle.due(info.elapsed) {
            return;
        }
        let chance = |score| black_chance(self.position, score);
        let candidates = info.candidates.iter().take(MAX_CHOICES).map(|candidate| CandidateDoc {
            r#move: move_name(self.game, &candidate.mv),
            score: candidate.score,
            black_chance: chance(candidate.score),
        });
        let doc = PlayProgress {
            depth: info.depth,
            nodes: info.nodes,
            elapsed_ms: info.elapsed.as_millis() as u64,
            score: info.score,
            black_chance: chance(info.score),
            status: info.status.to_string(),
            line: line_names(self.game, info.line),
            candidates: candidates.collect(),
        };
        (self.report)(Event::new("progress", &doc));
    }
}
