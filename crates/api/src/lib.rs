//! The interface of lambda6 for pages and programs: request documents in,
//! answers and events out.
//!
//! The server carries these documents over HTTP, the browser build passes them
//! to a worker; both give the same answers. Nothing here depends on networks,
//! threads or files. The caller provides clock, stop flag and listener in a
//! [`Work`].
//!
//! [`Service::answer`] answers what needs no search. [`Service::prepare`] checks
//! a request for a search and [`Service::search`] runs it, with reports on the
//! way. [`Service::check`] checks a certificate as it is read. The service keeps
//! the proofs that were found or checked, so that they can be browsed.
//!
//! ```
//! use lambda6_api::{About, Ceiling, Service, Where};
//!
//! let ceiling = Ceiling::default();
//! let service = Service::new(About::new(Where::Server, &ceiling, 1), ceiling);
//! let answer = service.answer("position", None, br#"{"moves": ["j10", "i8h9"]}"#)?;
//! assert!(String::from_utf8_lossy(&answer.bytes).contains("TX-H9"));
//! # Ok::<(), lambda6_api::ApiError>(())
//! ```

mod about;
mod atlas;
mod error;
mod evaluate;
mod json;
mod kept;
mod notation;
mod outlook;
mod play;
mod position;
mod proof;
mod puzzle;
mod record;
mod review;
mod service;
mod solve;
mod verify;
mod work;

pub use about::{About, ClassDoc, Classes, ClassesRequest, LimitsDoc, Where};
pub use atlas::{Atlas, AtlasEntry};
pub use error::{ApiError, Code};
pub use evaluate::{EvaluateDoc, EvaluateRequest, StandDoc};
pub use json::from_json;
pub use notation::{GameDoc, PositionSpec, Stones};
pub use outlook::OutlookDoc;
pub use play::{AnalyseDoc, AnalyseRequest, CandidateDoc, ChoiceDoc, PlayProgress, PlayRequest, Thinking};
pub use position::{PositionDoc, RowDoc, Threats};
pub use proof::{AnswerDoc, AnswerRequest, DefenceDoc, Proof, ProofDoc, Proofs, Room};
pub use puzzle::{JudgeDoc, JudgeRequest, Puzzle, Puzzles};
pub use record::{InfoDoc, MarkDoc, NodeDoc, PropertyDoc, RecordDoc, WriteRequest};
pub use review::{
    Page, ReviewDoc, ReviewFileRequest, ReviewProgress, ReviewRequest, ReviewSideDoc, ReviewTurningDoc,
    ReviewedMove, ReviewedPosition, ReviewedReply,
};
pub use service::{CheckProgress, Search, Service, ServiceAnswer};
pub use solve::{SolveDoc, SolveProgress, SolveRequest};
pub use verify::{RefutedDoc, VerifyDoc, VerifyProgress, VerifyRequest};
pub use work::{Ceiling, Event, Work};
