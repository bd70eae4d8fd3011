//! The engine as a service: requests in, documents and events out.

use crate::{
    About, AnalyseRequest, AnswerRequest, ApiError, Atlas, ClassesRequest, Code, EvaluateRequest, Event,
    JudgeRequest, PlayRequest, PositionDoc, PositionSpec, Proofs, Puzzles, RecordDoc, ReviewFileRequest,
    ReviewRequest, SolveRequest, VerifyRequest, Work, WriteRequest,
    json::from_json,
    kept::Kept,
    work::{Ceiling, Task, Throttle},
};
use serde::Serialize;
use std::io::BufRead;
use utoipa::ToSchema;

/// What all requests share: the limits and the proofs.
pub struct Service {
    /// The description of this engine.
    pub about: About,
    /// The limits.
    pub ceiling: Ceiling,
    /// The proofs that can be browsed.
    pub proofs: Proofs,
    /// The searches that can be continued.
    pub(crate) kept: Kept,
}

/// A search that has been asked for in a valid request.
pub struct Search(Box<Run>);

type Run = dyn FnOnce(&Service, &mut Work<'_>) -> Result<Event, ApiError> + Send;

impl Search {
    fn new<T: Task>(task: T) -> Search {
        Search(Box::new(move |service, work| Ok(Event::new("done", &task.run(service, work)?))))
    }
}

/// A document or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceAnswer {
    /// Its media type.
    pub kind: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl ServiceAnswer {
    /// A JSON document.
    pub fn json(document: &impl Serialize) -> Result<ServiceAnswer, ApiError> {
        let bytes = serde_json::to_vec(document).map_err(ApiError::internal)?;
        Ok(ServiceAnswer { kind: "application/json", bytes })
    }
}

/// The progress of a check.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CheckProgress {
    /// The replies that have been read.
    pub replies: u64,
}

impl Service {
    /// A service without proofs.
    pub fn new(about: About, ceiling: Ceiling) -> Service {
        Service { about, ceiling, proofs: Proofs::new(ceiling.proofs), kept: Kept::new(ceiling.kept) }
    }

    /// The search that a path and a body ask for; nothing if the path is not one
    /// of a search.
    pub fn prepare(&self, path: &str, body: &[u8]) -> Result<Option<Search>, ApiError> {
        let ceiling = &self.ceiling;
        Ok(Some(match path {
            "play" => Search::new(from_json::<PlayRequest>(body)?.task(ceiling)?),
            "analyse" => Search::new(from_json::<AnalyseRequest>(body)?.task(ceiling)?),
            "evaluate" => Search::new(from_json::<EvaluateRequest>(body)?.task()?),
            "review" => Search::new(from_json::<ReviewRequest>(body)?.task(ceiling)?),
            "solve" => Search::new(from_json::<SolveRequest>(body)?.task(ceiling)?),
            "verify" => Search::new(from_json::<VerifyRequest>(body)?.task(ceiling)?),
            "puzzles/judge" => Search::new(from_json::<JudgeRequest>(body)?.task()?),
            _ => return Ok(None),
        }))
    }

    /// Runs a search to its last event, `done`.
    pub fn search(&self, search: Search, work: &mut Work<'_>) -> Result<Event, ApiError> {
        (search.0)(self, work)
    }

    /// Checks a certificate as it is read and keeps it; the last event is `done`.
    pub fn check(&self, certificate: impl BufRead, work: &mut Work<'_>) -> Result<Event, ApiError> {
        let mut throttle = Throttle::new();
        let Work { clock, stop, report } = work;
        let mut progress = |replies: u64| {
            if throttle.due(clock.elapsed()) {
                report(Event::new("progress", &CheckProgress { replies }));
            }
        };
        let work = Work { clock: *clock, stop, report: &mut |_| {} };
        let doc = self.proofs.check(certificate, &self.ceiling, &work, &mut progress)?;
        Ok(Event::new("done", &doc))
    }

    /// Answers a request that needs no search. `path` is what follows the version
    /// in an address, `game` the parameter of that name.
    pub fn answer(&self, path: &str, game: Option<&str>, body: &[u8]) -> Result<ServiceAnswer, ApiError> {
        match path {
            "about" => ServiceAnswer::json(&self.about),
            "classes" => ServiceAnswer::json(&from_json::<ClassesRequest>(body)?.answer()?),
            "position" => ServiceAnswer::json(&PositionDoc::of(&from_json::<PositionSpec>(body)?)?),
            "record/read" => ServiceAnswer::json(&RecordDoc::read(body, game, &self.ceiling)?),
            "record/write" => {
                let bytes = from_json::<WriteRequest>(body)?.write()?;
                Ok(ServiceAnswer { kind: "application/octet-stream", bytes })
            }
            "review/record" => ServiceAnswer::json(&from_json::<ReviewFileRequest>(body)?.annotated(self)?),
            "review/page" => {
                let bytes = from_json::<ReviewFileRequest>(body)?.page(self)?;
                Ok(ServiceAnswer { kind: "text/html; charset=utf-8", bytes })
            }
            "puzzles" => ServiceAnswer::json(Puzzles::all()),
            "atlas" => ServiceAnswer::json(Atlas::all()),
            _ => match path.strip_prefix("proofs/").map(|rest| rest.split_once('/').unwrap_or((rest, ""))) {
                Some((id, "")) => {
                    let bytes = self.proofs.get(id)?.text().to_vec();
                    Ok(ServiceAnswer { kind: "text/plain; charset=utf-8", bytes })
                }
                Some((id, "answer")) => {
                    ServiceAnswer::json(&self.proofs.get(id)?.answer(&from_json::<AnswerRequest>(body)?)?)
                }
                _ => Err(ApiError::new(Code::NotFound, "there is nothing at this address")),
            },
        }
    }
}
