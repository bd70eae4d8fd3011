//! What a page, or any other program, asks of the engine: documents in,
//! documents out.
//!
//! The server carries these documents over HTTP, the browser build hands them to
//! a worker; both ask the same questions and get the same answers. Nothing here
//! knows of networks, threads or files. Clock, stop flag and a place for reports
//! come from the caller, in a [`Work`].
//!
//! Two kinds of questions: those answered at once ([`Desk::answer`]), and
//! searches, which report as they go ([`Desk::search`]). [`Desk`] also keeps the
//! proofs that were found or brought here, so that they can be browsed.

mod about;
mod atlas;
mod desk;
mod error;
mod play;
mod position;
mod proof;
mod puzzle;
mod record;
mod solve;
mod store;
mod wire;
mod work;

pub use about::{About, ClassDoc, LimitsDoc, Where};
pub use atlas::{Atlas, AtlasEntry};
pub use desk::{Answer, Desk, Question, from_json};
pub use error::{ApiError, Code};
pub use play::{
    AnalyseDoc, AnalyseRequest, CandidateDoc, ChoiceDoc, EvaluateDoc, EvaluateRequest, PlayProgress,
    PlayRequest, StandDoc, Thinking,
};
pub use position::{PositionDoc, Threats};
pub use proof::{AnswerDoc, AnswerRequest, Proof, ProofDoc};
pub use puzzle::{JudgeDoc, JudgeRequest, Puzzle, Puzzles};
pub use record::{InfoDoc, MarkDoc, NodeDoc, PropertyDoc, RecordDoc, WriteRequest};
pub use solve::{SolveDoc, SolveProgress, SolveRequest};
pub use store::Proofs;
pub use wire::{GameDoc, PositionSpec, Stones};
pub use work::{Ceiling, Event, Work};
