//! Tasks and answers as text, for stores and networks. docs/GRID.md describes
//! it. Whatever is read is checked; an error names the field.

use crate::{Answer, JobId, JobLimits, Kind, Proof, ProofId, Status, Task};
use rules::{Game, Move, Setup};
use search::Method;
use serde::{Deserialize, Serialize};

/// Counts up when a field goes or changes its meaning.
pub const WIRE_VERSION: u32 = 1;

/// A text that is no task or answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {what}")]
pub struct WireError {
    /// Where.
    pub field: &'static str,
    /// What is wrong.
    pub what: String,
}

fn bad(field: &'static str) -> impl Fn(String) -> WireError {
    move |what| WireError { field, what }
}

/// A task as it travels.
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
            millis: task.limits.millis,
            method: task.method.name().to_string(),
        }
    }
}

impl TaskText {
    /// The job's name.
    pub fn id(&self) -> JobId {
        JobId(self.id)
    }

    /// The task, if everything in it can be read.
    pub fn task(&self) -> Result<Task, WireError> {
        let setup = Setup::parse(&self.position).and_then(|setup| setup.position());
        let position = setup.map_err(|error| bad("position")(error.to_string()))?;
        let kind = [Kind::Best, Kind::Verify].into_iter().find(|kind| kind.name() == self.kind);
        let method = Method::ALL.into_iter().find(|method| method.name() == self.method);
        let excluded = moves(position.game(), "excluded", self.excluded.iter().map(String::as_str))?;
        Ok(Task {
            id: JobId(self.id),
            attempt: self.attempt,
            kind: kind.ok_or_else(|| bad("kind")("expected best or verify".to_string()))?,
            excluded,
            limits: JobLimits { nodes: self.nodes, millis: self.millis },
            method: method
                .ok_or_else(|| bad("method")("expected rzop, srzop1, srzop2 or mutual".to_string()))?,
            position,
        })
    }
}

fn parse_move(game: Game, field: &'static str, text: &str) -> Result<Move, WireError> {
    game.parse_move(text).map_err(|error| bad(field)(error.to_string()))
}

fn moves<'a>(
    game: Game,
    field: &'static str,
    texts: impl Iterator<Item = &'a str>,
) -> Result<Vec<Move>, WireError> {
    texts.map(|text| parse_move(game, field, text)).collect()
}

/// An answer as it travels. Its proof, which may be long, goes beside it and is
/// named here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum AnswerText {
    /// The best move, with a proof if it wins.
    Best {
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// What the position after it looks like.
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
        let name = |proof: &Proof| proof.id(game).0;
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

    /// The answer, put together with its proof.
    pub fn answer(&self, game: Game, proof: Option<Proof>) -> Result<Answer, WireError> {
        let missing = || bad("proof")("there is none of this name".to_string());
        let named = |name: &String| {
            let proof = proof.clone().ok_or_else(missing)?;
            if proof.id(game).0 == *name { Ok(proof) } else { Err(missing()) }
        };
        let status = |text: &String| text.parse::<Status>().map_err(|error| bad("status")(error.to_string()));
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
                    .collect::<Result<_, WireError>>()?,
                proof: named(proof)?,
            },
        })
    }
}
