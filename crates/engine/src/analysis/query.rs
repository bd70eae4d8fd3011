//! Reads queries from JSON. Errors name the field.

use lambda6_player::{Level, LevelParseError};
use lambda6_rules::{
    Game, Move, Position, Setup, Side,
    record::{ReadOptions, read_any},
};
use lambda6_search::Limits;
use serde_json::{Map, Value};
use std::time::Duration;

/// The most moves that a report compares.
pub const MAX_CANDIDATES: usize = 200;

/// A line of input.
#[derive(Clone, Debug)]
pub enum Request {
    /// A position to analyse.
    Query(Box<Query>),
    /// An action, which is answered with the same fields.
    Action {
        /// The action.
        action: Action,
        /// The fields of the line.
        fields: Map<String, Value>,
    },
}

/// An action other than an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// End the queries with this id now.
    Terminate(String),
    /// End all queries now.
    TerminateAll,
    /// Tell the version.
    QueryVersion,
}

/// A position to analyse.
#[derive(Clone, Debug)]
pub struct Query {
    /// The caller's id of the query.
    pub id: String,
    /// The position.
    pub position: Position,
    /// The opponent's last stones, if the query has moves.
    pub last: Option<Move>,
    /// The number of moves that led to the position.
    pub turn: usize,
    /// The limits of the search.
    pub limits: Limits,
    /// The level, if not the default.
    pub level: Option<Level>,
    /// Queries of higher priority are searched first.
    pub priority: i64,
    /// The least time between reports during the search; `None` for no reports.
    pub report_every: Option<Duration>,
    /// The most moves to compare.
    pub max_candidates: usize,
    /// Whether the final report has the certificate of a proved win.
    pub include_proof: bool,
}

/// Why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", field.as_ref().map(|field| format!("{field}: ")).unwrap_or_default())]
pub struct QueryError {
    /// The query's id, if that much could be read.
    pub id: Option<String>,
    /// The wrong field.
    pub field: Option<String>,
    /// What is wrong and what was expected.
    pub problem: String,
}

/// The fields of a query, in the order of the documentation.
const FIELDS: [&str; 13] = [
    "id",
    "game",
    "moves",
    "setup",
    "record",
    "at",
    "limits",
    "level",
    "priority",
    "reportEvery",
    "maxCandidates",
    "includeProof",
    "action",
];
const LIMITS: [&str; 3] = ["time", "nodes", "depth"];
const SETUP: [&str; 3] = ["black", "white", "toMove"];

/// What is wrong with a field.
struct FieldError {
    field: String,
    problem: String,
}

type Field<T> = Result<T, FieldError>;

fn at<T>(field: &str, problem: impl ToString) -> Field<T> {
    Err(FieldError { field: field.to_string(), problem: problem.to_string() })
}

impl Request {
    /// Reads a line. Returns the names of unknown fields, which are not used.
    pub fn parse(line: &str) -> Result<(Request, Vec<String>), QueryError> {
        let no_object = |problem: String| QueryError { id: None, field: None, problem };
        let value: Value =
            serde_json::from_str(line).map_err(|error| no_object(format!("not JSON: {error}")))?;
        let Value::Object(fields) = value else { return Err(no_object("expected an object".to_string())) };
        let id = match fields.get("id") {
            Some(Value::String(id)) => id.clone(),
            other => {
                let found = other.map_or("nothing".to_string(), shown);
                let problem = format!("expected a string, found {found}");
                return Err(QueryError { id: None, field: Some("id".to_string()), problem });
            }
        };
        read(&id, fields).map_err(|FieldError { field, problem }| QueryError {
            id: Some(id),
            field: Some(field),
            problem,
        })
    }
}

fn read(id: &str, fields: Map<String, Value>) -> Field<(Request, Vec<String>)> {
    let Some(action) = fields.get("action") else {
        let query = query(id, &fields)?;
        return Ok((Request::Query(Box::new(query)), unknown_fields(&fields)));
    };
    let action = match action.as_str() {
        Some("terminate") => match fields.get("terminateId") {
            Some(Value::String(id)) => Action::Terminate(id.clone()),
            other => {
                let found = other.map_or("nothing".to_string(), shown);
                return at("terminateId", format!("expected a string, found {found}"));
            }
        },
        Some("terminateAll") => Action::TerminateAll,
        Some("queryVersion") => Action::QueryVersion,
        _ => {
            let found = shown(action);
            return at("action", format!("expected terminate, terminateAll or queryVersion, found {found}"));
        }
    };
    Ok((Request::Action { action, fields }, Vec::new()))
}

fn unknown_fields(fields: &Map<String, Value>) -> Vec<String> {
    let inside = |name: &str, known: &'static [&'static str]| {
        let object = fields.get(name).and_then(Value::as_object);
        let keys = object.into_iter().flat_map(Map::keys);
        keys.filter(|key| !known.contains(&key.as_str()))
            .map(|key| format!("{name}.{key}"))
            .collect::<Vec<_>>()
    };
    let outer = fields.keys().filter(|key| !FIELDS.contains(&key.as_str())).cloned();
    outer.chain(inside("limits", &LIMITS)).chain(inside("setup", &SETUP)).collect()
}

fn query(id: &str, fields: &Map<String, Value>) -> Field<Query> {
    let game = fields.get("game").map(game).transpose()?;
    let (start, moves) = line(fields, game)?;
    let turn = match whole(fields, "at", moves.len() as u64)? {
        Some(at) => at as usize,
        None => moves.len(),
    };
    let mut position = start;
    for (i, mv) in moves[..turn].iter().enumerate() {
        if let Err(error) = position.play(mv) {
            return at(&format!("moves[{i}]"), error);
        }
    }
    if let Some(outcome) = position.outcome() {
        return at("moves", lambda6_rules::PlayError::GameOver(outcome));
    }
    let level = match fields.get("level") {
        None => None,
        Some(Value::String(name)) => Some(name.parse().or_else(|error: LevelParseError| at("level", error))?),
        Some(other) => return at("level", format!("expected a string, found {}", shown(other))),
    };
    let priority = match fields.get("priority") {
        None => 0,
        Some(value) => match value.as_i64() {
            Some(priority) => priority,
            None => return at("priority", format!("expected a whole number, found {}", shown(value))),
        },
    };
    let max_candidates = match positive(fields, "maxCandidates", "maxCandidates")? {
        None => 1,
        Some(count) if count <= MAX_CANDIDATES as u64 => count as usize,
        Some(count) => return at("maxCandidates", format!("expected 1 to {MAX_CANDIDATES}, found {count}")),
    };
    let include_proof = match fields.get("includeProof") {
        None => false,
        Some(Value::Bool(include)) => *include,
        Some(other) => return at("includeProof", format!("expected true or false, found {}", shown(other))),
    };
    Ok(Query {
        id: id.to_string(),
        last: turn.checked_sub(1).and_then(|before| moves.get(before)).copied(),
        position,
        turn,
        limits: limits(fields)?,
        level,
        priority,
        report_every: seconds(fields, "reportEvery", "reportEvery")?,
        max_candidates,
        include_proof,
    })
}

fn limits(fields: &Map<String, Value>) -> Field<Limits> {
    match fields.get("limits") {
        None => Ok(Limits::default()),
        Some(Value::Object(limits)) => Ok(Limits {
            time: seconds(limits, "time", "limits.time")?,
            nodes: positive(limits, "nodes", "limits.nodes")?,
            depth: positive(limits, "depth", "limits.depth")?
                .map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
        }),
        Some(other) => at("limits", format!("expected an object, found {}", shown(other))),
    }
}

/// The position before the first move, and the moves.
fn line(fields: &Map<String, Value>, game: Option<Game>) -> Field<(Position, Vec<Move>)> {
    if let Some(record) = fields.get("record") {
        for other in ["moves", "setup"] {
            if fields.contains_key(other) {
                return at(other, "expected either a record or moves and a setup, found both");
            }
        }
        let Some(text) = record.as_str() else {
            return at("record", format!("expected a string, found {}", shown(record)));
        };
        return match read_any(text.as_bytes(), &ReadOptions { game, rows: None }) {
            Ok(record) => Ok((record.start().clone(), record.main_line())),
            Err(error) => at("record", error),
        };
    }
    let start = match fields.get("setup") {
        None => Position::new(game.unwrap_or(Game::CONNECT6)),
        Some(setup) => setup_position(setup, game.unwrap_or(Game::CONNECT6))?,
    };
    let game = start.game();
    let moves = match fields.get("moves") {
        None if fields.contains_key("setup") => Vec::new(),
        None => return at("moves", "is missing (or setup, or record)"),
        Some(Value::String(text)) => {
            // A string is a list of moves as on the command line.
            let moves = text.split_whitespace().map(|word| game.parse_move(word));
            let moves: Result<Vec<Move>, _> = moves.collect();
            moves.or_else(|error| at("moves", error))?
        }
        Some(Value::Array(list)) => {
            let one = |(i, value): (usize, &Value)| {
                let field = format!("moves[{i}]");
                let Some(text) = value.as_str() else {
                    return at(
                        &field,
                        format!("expected a string such as \"k11l10\", found {}", shown(value)),
                    );
                };
                game.parse_move(text).or_else(|error| at(&field, error))
            };
            list.iter().enumerate().map(one).collect::<Field<Vec<Move>>>()?
        }
        Some(other) => return at("moves", format!("expected a list of strings, found {}", shown(other))),
    };
    Ok((start, moves))
}

fn game(value: &Value) -> Field<Game> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Object(numbers) => {
            let number = |name: &str| numbers.get(name).and_then(Value::as_u64).map(|n| n.to_string());
            let numbers = ["m", "n", "k", "p", "q"].map(number).into_iter().collect::<Option<Vec<_>>>();
            numbers.unwrap_or_default().join(" ")
        }
        _ => String::new(),
    };
    text.parse().or_else(|error: lambda6_rules::GameError| match error {
        lambda6_rules::GameError::Syntax(_) => at(
            "game",
            format!("expected a name, \"m n k p q\" or an object of those, found {}", shown(value)),
        ),
        other => at("game", other),
    })
}

fn setup_position(value: &Value, game: Game) -> Field<Position> {
    let Some(object) = value.as_object() else {
        return at("setup", format!("expected an object, found {}", shown(value)));
    };
    let squares = |name: &str| match object.get(name) {
        None => Ok(Vec::new()),
        Some(Value::Array(list)) => {
            let one = |(i, value): (usize, &Value)| {
                let field = format!("setup.{name}[{i}]");
                let text = value.as_str().unwrap_or("");
                game.parse_square(text).or_else(|error| at(&field, error))
            };
            list.iter().enumerate().map(one).collect()
        }
        Some(other) => {
            let field = format!("setup.{name}");
            at(&field, format!("expected a list of squares, found {}", shown(other)))
        }
    };
    let to_move: Side = match object.get("toMove").and_then(Value::as_str) {
        Some(side) => {
            side.parse().or_else(|error: lambda6_rules::SideParseError| at("setup.toMove", error))?
        }
        None => return at("setup.toMove", "expected \"black\" or \"white\""),
    };
    let setup = Setup { game, black: squares("black")?, white: squares("white")?, to_move };
    setup.position().or_else(|error| at("setup", error))
}

/// A value, short enough for a message.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_string(),
        Value::Object(_) => "an object".to_string(),
        other => other.to_string().chars().take(40).collect(),
    }
}

fn seconds(fields: &Map<String, Value>, name: &str, field: &str) -> Field<Option<Duration>> {
    let Some(value) = fields.get(name) else { return Ok(None) };
    let time = value.as_f64().filter(|&s| s > 0.0).and_then(|s| Duration::try_from_secs_f64(s).ok());
    match time {
        // At most a year, far below the overflow of an instant.
        Some(time) => Ok(Some(time.min(Duration::from_secs(366 * 86_400)))),
        None => at(field, format!("expected a number of seconds above 0, found {}", shown(value))),
    }
}

fn positive(fields: &Map<String, Value>, name: &str, field: &str) -> Field<Option<u64>> {
    let Some(value) = fields.get(name) else { return Ok(None) };
    match value.as_u64().filter(|&n| n > 0) {
        Some(number) => Ok(Some(number)),
        None => at(field, format!("expected a whole number above 0, found {}", shown(value))),
    }
}

/// A whole number from 0 to `most`.
fn whole(fields: &Map<String, Value>, field: &str, most: u64) -> Field<Option<u64>> {
    let Some(value) = fields.get(field) else { return Ok(None) };
    match value.as_u64().filter(|&n| n <= most) {
        Some(number) => Ok(Some(number)),
        None => at(field, format!("expected 0 to {most}, the number of moves, found {}", shown(value))),
    }
}
