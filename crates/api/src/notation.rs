//! Games, squares, moves and positions as documents write them: `j10`, `k11l10`,
//! and `-` for a move without stones.

use crate::ApiError;
use lambda6_rules::{Game, Move, PlayError, Position, Setup, Side, Square};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// More moves than any board has room for.
const MAX_MOVES: usize = 64 * 64;

/// A game by its five numbers, and its name if it has one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameDoc {
    /// Columns.
    pub m: u8,
    /// Rows.
    pub n: u8,
    /// How many in a row win.
    pub k: u8,
    /// Stones a move.
    pub p: u8,
    /// Stones of the first move.
    pub q: u8,
    /// `connect6`, `go-moku`, `tic-tac-toe` or nothing.
    pub name: Option<String>,
}

impl From<Game> for GameDoc {
    fn from(game: Game) -> GameDoc {
        GameDoc {
            m: game.cols(),
            n: game.rows(),
            k: game.k(),
            p: game.p(),
            q: game.q(),
            name: game.name().map(str::to_string),
        }
    }
}

/// Stones on the board and a side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Stones {
    /// Black's squares.
    #[serde(default)]
    pub black: Vec<String>,
    /// White's squares.
    #[serde(default)]
    pub white: Vec<String>,
    /// `black` or `white`.
    pub to_move: String,
}

impl Stones {
    pub(crate) fn of(position: &Position) -> Stones {
        let game = position.game();
        let names = |side| position.stones(side).map(|square| game.square_name(square)).collect();
        Stones {
            black: names(Side::Black),
            white: names(Side::White),
            to_move: position.to_move().name().to_string(),
        }
    }

    pub(crate) fn setup(&self, game: Game, field: &str) -> Result<Setup, ApiError> {
        let squares = |names: &[String], side: &str| {
            names
                .iter()
                .enumerate()
                .map(|(i, name)| {
                    game.parse_square(name).map_err(|e| ApiError::field(format!("{field}.{side}[{i}]"), e))
                })
                .collect::<Result<Vec<Square>, ApiError>>()
        };
        Ok(Setup {
            game,
            black: squares(&self.black, "black")?,
            white: squares(&self.white, "white")?,
            to_move: parse_side(&self.to_move, &format!("{field}.to_move"))?,
        })
    }
}

/// A position: a game, stones to begin with if it does not begin with the empty
/// board, and the moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionSpec {
    /// A name or the five numbers `m n k p q`; Connect6 if not given.
    #[serde(default)]
    pub game: Option<String>,
    /// The stones before the first move; none if not given.
    #[serde(default)]
    pub start: Option<Stones>,
    /// The moves, such as `["j10", "i8h9"]`. `-` passes; where the position is
    /// for analysis a move may have fewer stones than the rules ask for.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl PositionSpec {
    /// The game.
    pub fn game(&self) -> Result<Game, ApiError> {
        match &self.game {
            Some(text) => parse_game(text, "game"),
            None => Ok(Game::CONNECT6),
        }
    }

    /// The position before the first move.
    pub fn start(&self) -> Result<Position, ApiError> {
        let game = self.game()?;
        match &self.start {
            Some(stones) => stones.setup(game, "start")?.position().map_err(|e| ApiError::field("start", e)),
            None => Ok(Position::new(game)),
        }
    }

    /// The position after all moves, and the moves.
    pub fn position(&self) -> Result<(Position, Vec<Move>), ApiError> {
        if self.moves.len() > MAX_MOVES {
            return Err(ApiError::field("moves", format!("at most {MAX_MOVES} moves are possible")));
        }
        let mut position = self.start()?;
        let game = position.game();
        let mut moves = Vec::with_capacity(self.moves.len());
        for (i, text) in self.moves.iter().enumerate() {
            let field = || format!("moves[{i}]");
            let mv = parse_move(game, text).map_err(|e| ApiError::field(field(), e))?;
            play_any(&mut position, &mv).map_err(|e| ApiError::field(field(), e))?;
            moves.push(mv);
        }
        Ok((position, moves))
    }

    /// The stones of a position, without the moves that led there.
    pub fn of(position: &Position) -> PositionSpec {
        PositionSpec {
            game: Some(position.game().to_string()),
            start: Some(Stones::of(position)),
            moves: Vec::new(),
        }
    }
}

/// Plays a move that may have fewer stones than the rules ask for. Black's first
/// move has at most q.
pub(crate) fn play_any(position: &mut Position, mv: &Move) -> Result<(), PlayError> {
    let game = position.game();
    let is_first = position.empty_count() == game.area() && mv.len() >= usize::from(game.q());
    if is_first { position.play(mv) } else { position.play_partial(mv) }
}

pub(crate) fn parse_game(text: &str, field: &str) -> Result<Game, ApiError> {
    text.parse().map_err(|e: lambda6_rules::GameError| ApiError::field(field, e))
}

pub(crate) fn parse_side(text: &str, field: &str) -> Result<Side, ApiError> {
    text.parse().map_err(|e: lambda6_rules::SideParseError| ApiError::field(field, e))
}

/// Parses a move; `-` is one without stones.
pub(crate) fn parse_move(game: Game, text: &str) -> Result<Move, lambda6_rules::MoveParseError> {
    if text == "-" { Ok(Move::NULL) } else { game.parse_move(text) }
}

/// The name of a move; `-` for one without stones.
pub(crate) fn move_name(game: Game, mv: &Move) -> String {
    if mv.is_empty() { "-".to_string() } else { game.move_name(mv) }
}

pub(crate) fn line_names(game: Game, line: &[Move]) -> Vec<String> {
    line.iter().map(|mv| move_name(game, mv)).collect()
}

pub(crate) fn square_names<'a>(game: Game, squares: impl IntoIterator<Item = &'a Square>) -> Vec<String> {
    squares.into_iter().map(|&square| game.square_name(square)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(json: &str) -> ApiError {
        let spec: PositionSpec = serde_json::from_str(json).unwrap();
        spec.position().unwrap_err()
    }

    #[test]
    fn errors_name_the_field() {
        for (json, field) in [
            (r#"{"game":"chess"}"#, "game"),
            (r#"{"moves":["j10","i8"," "]}"#, "moves[2]"),
            (r#"{"moves":["j10","j10"]}"#, "moves[1]"),
            (r#"{"moves":["j10j11"]}"#, "moves[0]"),
            (r#"{"start":{"black":["t1"],"to_move":"black"}}"#, "start.black[0]"),
            (r#"{"start":{"to_move":"red"}}"#, "start.to_move"),
            (r#"{"start":{"black":["a1","a1"],"to_move":"white"}}"#, "start"),
        ] {
            assert_eq!(refusal(json).field.as_deref(), Some(field), "{json}");
        }
    }

    #[test]
    fn moves_lead_to_the_position_that_the_rules_say() {
        let spec: PositionSpec = serde_json::from_str(r#"{"moves":["j10","i8h9","-"]}"#).unwrap();
        let (position, moves) = spec.position().unwrap();
        assert_eq!((position.to_move(), moves.len()), (Side::White, 3));
        assert_eq!(PositionSpec::of(&position).position().unwrap().0, position);
    }
}
