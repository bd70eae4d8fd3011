//! Reviewing a game: who stood better where, the mistakes, the forced wins that were missed.
//!
//! - `documents`: a review as a document, and back.
//! - `task`: the search that makes one.
//! - `files`: a review written into a record, or as a page of its own.

mod documents;
mod files;
mod task;

pub use documents::{
    ReviewDoc, ReviewSideDoc, ReviewTurningDoc, ReviewedMove, ReviewedPosition, ReviewedReply,
};
pub use files::{Page, ReviewFileRequest};
pub use task::{ReviewProgress, ReviewRequest};
