//! One place to ask everything.

use crate::{
    About, AnalyseRequest, AnswerRequest, ApiError, Atlas, Code, EvaluateRequest, Event, JudgeRequest,
    PlayRequest, PositionDoc, PositionSpec, Proof, Proofs, Puzzles, RecordDoc, SolveRequest, Work,
    WriteRequest, play, puzzle, solve,
    work::{Ceiling, Throttle},
};
use serde::{Serialize, de::DeserializeOwned};
use std::sync::Arc;

/// What searches share: limits, and the proofs that were found.
pub struct Desk {
    /// What there is to say about this engine.
    pub about: About,
    /// The limits.
    pub ceiling: Ceiling,
    /// The proofs.
    pub proofs: Proofs,
}

/// A question that takes a search to answer.
#[derive(Clone, Debug)]
pub enum Question {
    /// Which move to play.
    Play(PlayRequest),
    /// What the engine thinks.
    Analyse(AnalyseRequest),
    /// How the positions of a game stand.
    Evaluate(EvaluateRequest),
    /// Whether there is a forced win.
    Solve(SolveRequest),
    /// Whether a move solves a puzzle.
    Judge(JudgeRequest),
    /// Whether a certificate is valid.
    Check(Vec<u8>),
}

/// A document or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its media type.
    pub kind: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// A JSON document.
    pub fn json(document: &impl Serialize) -> Result<Answer, ApiError> {
        let bytes = serde_json::to_vec(document).map_err(ApiError::internal)?;
        Ok(Answer { kind: "application/json", bytes })
    }

    /// A text file.
    pub fn text(bytes: Vec<u8>) -> Answer {
        Answer { kind: "text/plain; charset=utf-8", bytes }
    }

    /// A file whose encoding is its own.
    pub fn file(bytes: Vec<u8>) -> Answer {
        Answer { kind: "application/octet-stream", bytes }
    }
}

impl Question {
    /// The question that a search path stands for, if it is one.
    pub fn parse(path: &str, body: &[u8]) -> Result<Option<Question>, ApiError> {
        Ok(Some(match path {
            "play" => Question::Play(from_json(body)?),
            "analyse" => Question::Analyse(from_json(body)?),
            "evaluate" => Question::Evaluate(from_json(body)?),
            "solve" => Question::Solve(from_json(body)?),
            "puzzles/judge" => Question::Judge(from_json(body)?),
            "proofs" => Question::Check(body.to_vec()),
            _ => return Ok(None),
        }))
    }
}

impl Desk {
    /// An empty desk.
    pub fn new(about: About, ceiling: Ceiling) -> Desk {
        Desk { about, ceiling, proofs: Proofs::new(ceiling.proofs) }
    }

    /// Answers a question that takes a search: the last event, `done`.
    pub fn search(&self, question: &Question, work: &mut Work<'_>) -> Result<Event, ApiError> {
        let (ceiling, proofs) = (&self.ceiling, &self.proofs);
        Ok(match question {
            Question::Play(request) => Event::new("done", &play::play(request, ceiling, proofs, work)?),
            Question::Analyse(request) => Event::new("done", &play::analyse(request, ceiling, proofs, work)?),
            Question::Evaluate(request) => Event::new("done", &play::evaluate(request, ceiling, work)?),
            Question::Solve(request) => Event::new("done", &solve::solve(request, ceiling, proofs, work)?),
            Question::Judge(request) => Event::new("done", &puzzle::judge(request, ceiling, work)?),
            Question::Check(bytes) => {
                let (clock, report) = (work.clock, &mut *work.report);
                let mut throttle = Throttle::new();
                let mut progress = |replies: u64| {
                    if throttle.due(clock.elapsed()) {
                        report(Event::new("progress", &serde_json::json!({ "replies": replies })));
                    }
                };
                let proof = Arc::new(Proof::check(bytes.clone(), ceiling, work.stop, &mut progress)?);
                let event = Event::new("done", &proof.doc());
                proofs.insert(proof);
                event
            }
        })
    }

    /// Answers a question that takes no search. `path` is what follows the
    /// version in an address, `query` what follows `game=` there.
    pub fn answer(&self, path: &str, query: Option<&str>, body: &[u8]) -> Result<Answer, ApiError> {
        match path {
            "about" => Answer::json(&self.about),
            "position" => Answer::json(&PositionDoc::of(&from_json::<PositionSpec>(body)?)?),
            "record/read" => Answer::json(&RecordDoc::read(body, query, &self.ceiling)?),
            "record/write" => Ok(Answer::file(from_json::<WriteRequest>(body)?.write()?)),
            "puzzles" => Answer::json(Puzzles::all()),
            "atlas" => Answer::json(Atlas::all()),
            _ => match path.strip_prefix("proofs/").map(|rest| rest.split_once('/').unwrap_or((rest, ""))) {
                Some((id, "")) => Ok(Answer::text(self.proofs.get(id)?.text().to_vec())),
                Some((id, "answer")) => {
                    Answer::json(&self.proofs.get(id)?.answer(&from_json::<AnswerRequest>(body)?)?)
                }
                _ => Err(ApiError::new(Code::NotFound, "there is nothing at this address")),
            },
        }
    }
}

/// A document of this shape.
pub fn from_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    Ok(serde_json::from_slice(body)?)
}
