//! Tasks and answers as text, for stores and networks. docs/GRID.md describes the
//! format. Everything that is read is checked; an error names the field.

use crate::{Answer, JobId, JobProof, Kind, ProofId, Status, Task};
use lambda6_rules::{Game, Move, Position, Setup};
use lambda6_search::{Limits, Method};
use serde::{Deserialize, Serialize};
use std::{fmt::Display, time::Duration};

/// Counts up when a field goes or changes its meaning.
pub const WIRE_VERSION: u32 = 1;

/// A field whose text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {what}")]
pub struct FieldError {
    /// The field.
    pub field: &'static str,
    /// What is wrong.
    pub what: String,
}

impl FieldError {
    /// An error in this field.
    pub fn new(field: &'static str, what: impl Display) -> FieldError {
        FieldError { field, what: what.to_string() }
    }
}

pub(crate) fn kind(field: &'static str, text: &str) -> Result<Kind, FieldError> {
    let kind = [Kind::Best, Kind::Verify].into_iter().find(|kind| kind.name() == text);
    kind.ok_or_else(|| FieldError::new(field, "expected best or verify"))
}

pub(crate) fn method(field: &'static str, text: &str) -> Result<Method, FieldError> {
    Method::from_name(text).ok_or_else(|| FieldError::new(field, "expected rzop, srzop1, srzop2 or mutual"))
}

pub(crate) fn position(field: &'static str, text: &str) -> Result<Position, FieldError> {
    let position = Setup::parse(text).and_then(|setup| setup.position());
    position.map_err(|error| FieldError::new(field, error))
}

pub(crate) fn parse_move(game: Game, field: &'static str, text: &str) -> Result<Move, FieldError> {
    game.parse_move(text).map_err(|error| FieldError::new(field, error))
}

pub(crate) fn moves<'a>(
    game: Game,
    field: &'static str,
    texts: impl Iterator<Item = &'a str>,
) -> Result<Vec<Move>, FieldError> {
    texts.map(|text| parse_move(game, field, text)).collect()
}

/// The text of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskText {
    id: u64,
    attempt: u32,
    kind: String,
    position: String,
    excluded: Vec<String>,
    nodes: Option<u64>,
    millis: Option<u64>,
    method: String,
}

impl From<&Task> for TaskText {
    fn from(task: &Task) -> TaskText {
        let game = task.position.game();
        TaskText {
            id: task.id.0,
            attempt: task.attempt,
            kind: task.kind.name().to_string(),
            position: task.position.setup().to_string(),
            excluded: task.excluded.iter().map(|mv| game.move_name(mv)).collect(),
            nodes: task.limits.nodes,
            millis: task.limits.time.map(|time| time.as_millis() as u64),
            method: task.method.name().to_string(),
        }
    }
}

impl TaskText {
    /// The job's name.
    pub fn id(&self) -> JobId {
        JobId(self.id)
    }

    /// Reads the task.
    pub fn task(&self) -> Result<Task, FieldError> {
        let position = position("position", &self.position)?;
        Ok(Task {
            id: JobId(self.id),
            attempt: self.attempt,
            kind: kind("kind", &self.kind)?,
            excluded: moves(position.game(), "excluded", self.excluded.iter().map(String::as_str))?,
            limits: Limits { depth: None, nodes: self.nodes, time: self.millis.map(Duration::from_millis) },
            method: method("method", &self.method)?,
            position,
        })
    }
}

/// The text of an answer. Its proof, which may be long, is a text of its own and
/// is named here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum AnswerText {
    /// The best move, with a proof if it wins.
    Best {
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// The status of the position after it.
        status: String,
        /// The name of the proof that it wins.
        proof: Option<String>,
    },
    /// Every move but the excluded ones loses.
    OthersLose {
        /// The name of the proof.
        proof: String,
    },
    /// Every move but these loses.
    Defences {
        /// Moves and statuses.
        moves: Vec<(String, String)>,
        /// The name of the proof.
        proof: String,
    },
}

impl AnswerText {
    /// The text of an answer to a task of this game.
    pub fn new(game: Game, answer: &Answer) -> AnswerText {
        let name = |proof: &JobProof| proof.id(game).0;
        match answer {
            Answer::Best { mv, status, win } => AnswerText::Best {
                mv: game.move_name(mv),
                status: status.to_string(),
                proof: win.as_ref().map(name),
            },
            Answer::OthersLose { proof } => AnswerText::OthersLose { proof: name(proof) },
            Answer::Defences { moves, proof } => AnswerText::Defences {
                moves: moves.iter().map(|(mv, status)| (game.move_name(mv), status.to_string())).collect(),
                proof: name(proof),
            },
        }
    }

    /// The name of the proof that goes with it.
    pub fn proof(&self) -> Option<ProofId> {
        let id = |id: &String| ProofId(id.clone());
        match self {
            AnswerText::Best { proof, .. } => proof.as_ref().map(id),
            AnswerText::OthersLose { proof } | AnswerText::Defences { proof, .. } => Some(id(proof)),
        }
    }

    /// Reads the answer. `proof` is the proof that goes with it.
    pub fn answer(&self, game: Game, proof: Option<JobProof>) -> Result<Answer, FieldError> {
        let missing = || FieldError::new("proof", "there is none of this name");
        let named = |name: &String| {
            let proof = proof.clone().ok_or_else(missing)?;
            if proof.id(game).0 == *name { Ok(proof) } else { Err(missing()) }
        };
        let status = |text: &String| text.parse::<Status>().map_err(|error| FieldError::new("status", error));
        Ok(match self {
            AnswerText::Best { mv, status: text, proof } => Answer::Best {
                mv: parse_move(game, "move", mv)?,
                status: status(text)?,
                win: proof.as_ref().map(named).transpose()?,
            },
            AnswerText::OthersLose { proof } => Answer::OthersLose { proof: named(proof)? },
            AnswerText::Defences { moves, proof } => Answer::Defences {
                moves: moves
                    .iter()
                    .map(|(mv, text)| Ok((parse_move(game, "moves", mv)?, status(text)?)))
                    .collect::<Result<_, FieldError>>()?,
                proof: named(proof)?,
            },
        })
    }
}
