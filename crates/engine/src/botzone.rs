//! Botzone's JSON: the whole game comes in one document, one document with the
//! move goes out.
//!
//! In: `{"requests":[{"x0":-1,"y0":-1,"x1":-1,"y1":-1}],"responses":[]}`, where
//! requests are the opponent's moves and responses the bot's own. Out:
//! `{"response":{"x0":7,"y0":7,"x1":-1,"y1":-1}}`. Numbers count from 0, columns
//! (x) from the left and rows (y) from the top; -1 is no stone. A bot that keeps
//! running gets the next request alone.

use crate::{
    CoordError, Session, Step, Thought, coords, session_board::SessionBoard, session_clock::SessionClock,
};
use lambda6_player::TimeControl;
use lambda6_rules::{Game, Move, PlayError, Side};
use serde_json::{Value, json};
use std::fmt::Display;

/// The game on Botzone.
pub fn botzone_game() -> Game {
    Game::new(15, 15, 6, 2, 1).unwrap_or(Game::CONNECT6)
}

/// What a bot prints to be kept running for the next request.
const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// A document that asks for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The whole game. The first request has no stones if the bot plays Black.
    Game {
        /// The opponent's moves.
        requests: Vec<Move>,
        /// The bot's own moves.
        responses: Vec<Move>,
    },
    /// The opponent's next move.
    Next(Move),
}

/// Why a document cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The document is not an object.
    #[error("expected an object")]
    NotAnObject,
    /// A field is wrong.
    #[error("{field}: {problem}")]
    Field {
        /// Its path.
        field: String,
        /// What is wrong with it.
        problem: FieldProblem,
    },
    /// The next move cannot be played, or the game is over.
    #[error(transparent)]
    Illegal(#[from] PlayError),
}

/// What is wrong with a field of a document.
#[derive(Debug, thiserror::Error)]
pub enum FieldProblem {
    /// It is missing.
    #[error("is missing")]
    Missing,
    /// It is not a list.
    #[error("expected a list")]
    NotAList,
    /// It is not a whole number.
    #[error("expected a whole number, found {0}")]
    NotANumber(Value),
    /// It names no square of the board.
    #[error(transparent)]
    Square(#[from] CoordError),
    /// It is a move that the rules do not allow.
    #[error(transparent)]
    Illegal(#[from] PlayError),
    /// It is an empty list of requests.
    #[error("is empty, expected the opponent's move")]
    NoRequest,
    /// The numbers of requests and responses do not fit.
    #[error("expected one fewer than the {requests} requests, found {responses}")]
    Count {
        /// The number of requests.
        requests: usize,
        /// The number of responses.
        responses: usize,
    },
}

impl FieldProblem {
    fn at(self, field: impl Into<String>) -> RequestError {
        RequestError::Field { field: field.into(), problem: self }
    }
}

impl Request {
    /// Reads a document. An error names the field.
    pub fn parse(game: Game, text: &str) -> Result<Request, RequestError> {
        let value: Value = serde_json::from_str(text)?;
        let Some(object) = value.as_object() else { return Err(RequestError::NotAnObject) };
        if !object.contains_key("requests") {
            return Ok(Request::Next(parse_move(game, &value, "")?));
        }
        let list = |name: &str| match object.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) => {
                let moves = list.iter().enumerate();
                moves.map(|(i, value)| parse_move(game, value, &format!("{name}[{i}]."))).collect()
            }
            Some(_) => Err(FieldProblem::NotAList.at(name)),
        };
        Ok(Request::Game { requests: list("requests")?, responses: list("responses")? })
    }
}

/// Reads x0, y0, x1, y1, and in games with more stones a move x2, y2 and so on.
fn parse_move(game: Game, value: &Value, path: &str) -> Result<Move, RequestError> {
    let mut mv = Move::NULL;
    for i in 0..game.p() {
        let number = |axis: char| {
            let name = format!("{axis}{i}");
            match value.get(&name) {
                Some(number) => number.as_i64().ok_or_else(|| FieldProblem::NotANumber(number.clone())),
                // A single stone may come without the numbers of the second.
                None if i > 0 => Ok(-1),
                None => Err(FieldProblem::Missing),
            }
            .map_err(|problem| problem.at(format!("{path}{name}")))
        };
        let (x, y) = (number('x')?, number('y')?);
        if (x, y) == (-1, -1) {
            continue;
        }
        let square = coords::from_xy(game, x, y);
        mv.push(square.map_err(|error| FieldProblem::from(error).at(format!("{path}x{i}")))?);
    }
    Ok(mv)
}

/// The document that answers.
pub fn write_response(game: Game, mv: &Move) -> String {
    json!({ "response": write_move(game, mv) }).to_string()
}

/// A move as an object.
pub fn write_move(game: Game, mv: &Move) -> Value {
    let mut object = serde_json::Map::new();
    for i in 0..usize::from(game.p()) {
        let (x, y) = mv.squares().get(i).map_or((-1, -1), |&square| coords::xy(game, square));
        object.insert(format!("x{i}"), x.into());
        object.insert(format!("y{i}"), y.into());
    }
    Value::Object(object)
}

/// Reads the move of a document that answers; `None` for any other line, such as
/// the one with which a bot asks to be kept running.
pub fn parse_response(game: Game, text: &str) -> Option<Result<Move, RequestError>> {
    let value: Value = serde_json::from_str(text).ok()?;
    let response = value.get("response")?;
    Some(parse_move(game, response, "response."))
}

/// A conversation with the judge.
pub struct Botzone {
    game: Game,
    clock: SessionClock,
    board: SessionBoard,
    side: Side,
    keep_running: bool,
}

impl Botzone {
    /// A conversation about this game. It asks to be kept running if
    /// `keep_running` is set.
    pub fn new(game: Game, time: TimeControl, keep_running: bool) -> Botzone {
        let (clock, board) = (SessionClock::new(time), SessionBoard::new(game));
        Botzone { game, clock, board, side: Side::Black, keep_running }
    }

    fn start(&mut self, requests: &[Move], responses: &[Move]) -> Result<(), RequestError> {
        let first = requests.first().ok_or_else(|| FieldProblem::NoRequest.at("requests"))?;
        if requests.len() != responses.len() + 1 {
            let (requests, responses) = (requests.len(), responses.len());
            return Err(FieldProblem::Count { requests, responses }.at("responses"));
        }
        self.board = SessionBoard::new(self.game);
        // The bot that plays Black is asked before the first move.
        self.side = if first.is_empty() { Side::Black } else { Side::White };
        let rest = if first.is_empty() { &requests[1..] } else { requests };
        let (named, other) = (("requests", rest), ("responses", responses));
        let in_turn = if self.side == Side::Black { [other, named] } else { [named, other] };
        let skipped = usize::from(first.is_empty());
        for i in 0..rest.len().max(responses.len()) {
            for (name, moves) in in_turn {
                if let Some(mv) = moves.get(i) {
                    let at = if name == "requests" { i + skipped } else { i };
                    self.play(mv).map_err(|error| FieldProblem::from(error).at(format!("{name}[{at}]")))?;
                }
            }
        }
        Ok(())
    }

    /// Plays a move for the side whose turn it is.
    fn play(&mut self, mv: &Move) -> Result<(), PlayError> {
        self.board.play(self.board.turn().side, mv)
    }

    fn ask(&mut self, line: &str) -> Result<Step, RequestError> {
        match Request::parse(self.game, line)? {
            Request::Game { requests, responses } => self.start(&requests, &responses)?,
            Request::Next(mv) if self.board.turn().side == self.side.other() => self.play(&mv)?,
            Request::Next(_) => return Err(FieldProblem::Missing.at("requests")),
        }
        Ok(Step::Think(self.board.task(self.side, &self.clock)?))
    }
}

fn error(error: impl Display) -> Vec<Step> {
    vec![Step::Say(json!({ "error": error.to_string() }).to_string())]
}

impl Session for Botzone {
    fn line(&mut self, line: &str) -> Vec<Step> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        match self.ask(line) {
            Ok(step) => vec![step],
            Err(problem) => error(problem),
        }
    }

    fn is_urgent(&self, _: &str) -> bool {
        false
    }

    fn thought(&mut self, thought: Thought) -> Vec<Step> {
        self.clock.spent(self.side, thought.elapsed);
        let mut steps = match self.board.play_thought(self.side, thought) {
            Ok(mv) => vec![Step::Say(write_response(self.game, &mv))],
            Err(problem) => error(problem),
        };
        if self.keep_running {
            steps.push(Step::Say(KEEP_RUNNING.to_string()));
        }
        steps
    }
}
