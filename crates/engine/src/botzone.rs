//! Botzone's JSON: the whole game comes in one document, one document with the
//! move goes out.
//!
//! In: `{"requests":[{"x0":-1,"y0":-1,"x1":-1,"y1":-1}],"responses":[]}`, where
//! requests are the opponent's moves and responses our own. Out:
//! `{"response":{"x0":7,"y0":7,"x1":-1,"y1":-1}}`. Numbers count from 0, columns
//! (x) from the left and rows (y) from the top; -1 is no stone. A bot that keeps
//! running gets the next request alone.

use crate::{Clock, Desk, Session, Step, Thought, coords, desk::completed};
use player::TimeControl;
use rules::{Game, Move, Side};
use serde_json::{Value, json};

/// The game on Botzone.
pub fn botzone_game() -> Game {
    Game::new(15, 15, 6, 2, 1).unwrap_or(Game::CONNECT6)
}

/// What a bot prints to be asked again without being started again.
const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// A document that asks for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The whole game: the opponent's moves and ours. One has no stones only
    /// where the opponent of the first player has not moved yet.
    Game {
        /// The opponent's moves.
        requests: Vec<Move>,
        /// Our moves.
        responses: Vec<Move>,
    },
    /// The opponent's next move.
    Next(Move),
}

impl Request {
    /// Reads a document. An error names the field and what was expected there.
    pub fn parse(game: Game, text: &str) -> Result<Request, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
        let Some(object) = value.as_object() else { return Err("expected an object".to_string()) };
        if !object.contains_key("requests") {
            return Ok(Request::Next(parse_move(game, &value, "")?));
        }
        let list = |name: &str| match object.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) => {
                let moves = list.iter().enumerate();
                moves.map(|(i, value)| parse_move(game, value, &format!("{name}[{i}]."))).collect()
            }
            Some(_) => Err(format!("{name}: expected a list")),
        };
        Ok(Request::Game { requests: list("requests")?, responses: list("responses")? })
    }
}

/// Reads x0, y0, x1, y1. Games with other numbers of stones a move go on with
/// x2, y2.
fn parse_move(game: Game, value: &Value, path: &str) -> Result<Move, String> {
    let mut mv = Move::NULL;
    for i in 0..game.p() {
        let number = |axis: char| {
            let name = format!("{axis}{i}");
            match value.get(&name) {
                Some(number) => number
                    .as_i64()
                    .ok_or_else(|| format!("{path}{name}: expected a whole number, found {number}")),
                // A single stone may come without the numbers of the second.
                None if i > 0 => Ok(-1),
                None => Err(format!("{path}{name}: is missing")),
            }
        };
        let (x, y) = (number('x')?, number('y')?);
        if (x, y) == (-1, -1) {
            continue;
        }
        let square = coords::from_xy(game, x, y).map_err(|error| format!("{path}x{i}: {error}"))?;
        mv.push(square);
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

/// Reads the move of a document that answers; `None` when it is none, such as
/// the line with which a bot asks to be kept.
pub fn parse_response(game: Game, text: &str) -> Option<Result<Move, String>> {
    let value: Value = serde_json::from_str(text).ok()?;
    let response = value.get("response")?;
    Some(parse_move(game, response, "response."))
}

/// A conversation with the judge.
pub struct Botzone {
    game: Game,
    clock: Clock,
    desk: Desk,
    side: Side,
    keep_running: bool,
}

impl Botzone {
    /// A conversation about this game. It asks to be kept running if
    /// `keep_running` is set.
    pub fn new(game: Game, time: TimeControl, keep_running: bool) -> Botzone {
        let (clock, desk) = (Clock::new(time), Desk::new(game));
        Botzone { game, clock, desk, side: Side::Black, keep_running }
    }

    fn start(&mut self, requests: &[Move], responses: &[Move]) -> Result<(), String> {
        let first = requests.first().ok_or("requests: is empty, expected the opponent's move")?;
        if requests.len() != responses.len() + 1 {
            let (asked, given) = (requests.len(), responses.len());
            return Err(format!("responses: expected one fewer than the {asked} requests, found {given}"));
        }
        self.desk = Desk::new(self.game);
        // Whoever has Black is asked before anybody has moved.
        self.side = if first.is_empty() { Side::Black } else { Side::White };
        let rest = if first.is_empty() { &requests[1..] } else { requests };
        let (named, other) = (("requests", rest), ("responses", responses));
        let in_turn = if self.side == Side::Black { [other, named] } else { [named, other] };
        let skipped = usize::from(first.is_empty());
        for i in 0..rest.len().max(responses.len()) {
            for (name, moves) in in_turn {
                if let Some(mv) = moves.get(i) {
                    let at = if name == "requests" { i + skipped } else { i };
                    self.play(mv).map_err(|error| format!("{name}[{at}]: {error}"))?;
                }
            }
        }
        Ok(())
    }

    /// Plays a move for the side whose turn it is.
    fn play(&mut self, mv: &Move) -> Result<(), String> {
        let side = self.desk.turn().side;
        let mut position = self.desk.position(side).map_err(|error| error.to_string())?;
        position.play(mv).map_err(|error| error.to_string())?;
        self.desk.place(side, mv).map_err(|error| error.to_string())
    }

    fn ask(&mut self, line: &str) -> Result<Step, String> {
        match Request::parse(self.game, line)? {
            Request::Game { requests, responses } => self.start(&requests, &responses)?,
            Request::Next(mv) if self.desk.turn().side == self.side.other() => self.play(&mv)?,
            Request::Next(_) => return Err("requests: is missing".to_string()),
        }
        let task = self.desk.task(self.side, &self.clock).map_err(|error| error.to_string())?;
        Ok(Step::Think(task))
    }
}

fn error(text: &str) -> Vec<Step> {
    vec![Step::Say(json!({ "error": text }).to_string())]
}

impl Session for Botzone {
    fn line(&mut self, line: &str) -> Vec<Step> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        match self.ask(line) {
            Ok(step) => vec![step],
            Err(text) => error(&text),
        }
    }

    fn is_urgent(&self, _: &str) -> bool {
        false
    }

    fn thought(&mut self, thought: Thought) -> Vec<Step> {
        self.clock.spent(self.side, thought.elapsed);
        let played = thought.choice.and_then(|choice| {
            let position = self.desk.position(self.side).map_err(|e| e.to_string())?;
            let mv = completed(&position, choice.mv);
            self.desk.place(self.side, &mv).map_err(|e| e.to_string())?;
            Ok(write_response(self.game, &mv))
        });
        let mut steps = match played {
            Ok(response) => vec![Step::Say(response)],
            Err(text) => error(&text),
        };
        if self.keep_running {
            steps.push(Step::Say(KEEP_RUNNING.to_string()));
        }
        steps
    }
}
