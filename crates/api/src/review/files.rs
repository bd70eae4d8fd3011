//! A review as files: written into a record, or as a page of its own.

use super::ReviewDoc;
use crate::{ApiError, InfoDoc, RecordDoc, Service, Stones};
use lambda6_review::{Review, annotate};
use lambda6_rules::record::{Info, Record};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A request to write a review into a record, or as a page.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewFileRequest {
    /// The review, complete or not. Proofs that it names must be here; a win whose proof is not is
    /// left out.
    pub review: ReviewDoc,
    /// The record of the game, which keeps what is in it. Without one, the moves of the review.
    #[serde(default)]
    pub record: Option<RecordDoc>,
}

impl ReviewFileRequest {
    fn record(&self, review: &Review) -> Result<Record, ApiError> {
        match &self.record {
            Some(record) => record.record(),
            None => plain(review),
        }
    }

    /// The record with the review in it.
    pub(crate) fn annotated(&self, service: &Service) -> Result<RecordDoc, ApiError> {
        let review = self.review.review(&service.proofs, "review.")?;
        let record = annotate(&self.record(&review)?, &review);
        Ok(RecordDoc::of(&record.map_err(|e| ApiError::field("record", e))?))
    }

    /// The review as a page.
    pub(crate) fn page(&self, service: &Service) -> Result<Vec<u8>, ApiError> {
        let review = self.review.review(&service.proofs, "review.")?;
        let info = self.record(&review)?.info;
        Ok(Page::of(&review, &info)?.html().into_bytes())
    }
}

/// The moves of a review as a record.
fn plain(review: &Review) -> Result<Record, ApiError> {
    let bad = |e: &dyn std::error::Error| ApiError::field("review.position", e.to_string());
    let game = review.game();
    let mut record = Record::from_setup(&game.positions()[0].setup()).map_err(|e| bad(&e))?;
    let mut at = record.root();
    for mv in game.moves() {
        at = record.add_child(at, mv.squares()).map_err(|e| bad(&e))?;
    }
    Ok(record)
}

/// A review as one page that needs no network: the board, the chart, the mistakes, and the
/// certificates of its wins.
#[derive(Serialize)]
pub struct Page {
    review: ReviewDoc,
    info: InfoDoc,
    start: Stones,
    size: [u8; 2],
    /// By the number of moves before the position.
    certificates: Vec<(usize, String)>,
}

/// The largest certificate that is put into a page, in bytes.
const LARGEST: usize = 256 << 10;

impl Page {
    /// The page of a review.
    pub fn of(review: &Review, info: &Info) -> Result<Page, ApiError> {
        let mut certificates = Vec::new();
        let doc = ReviewDoc::of(review, |after, certificate| {
            let mut text = Vec::new();
            certificate.write(&mut text).map_err(ApiError::internal)?;
            if text.len() <= LARGEST {
                certificates.push((after, String::from_utf8_lossy(&text).into_owned()));
            }
            Ok::<_, ApiError>(None)
        })?;
        let game = review.game().game();
        Ok(Page {
            review: doc,
            info: InfoDoc::of(info),
            start: Stones::of(&review.game().positions()[0]),
            size: [game.cols(), game.rows()],
            certificates,
        })
    }

    /// The page.
    pub fn html(&self) -> String {
        // Within a script only `<` could end it.
        let data = serde_json::to_string(self).unwrap_or_default().replace('<', "\\u003c");
        include_str!("page.html")
            .replace("/*STYLE*/", include_str!("page.css"))
            .replace("/*SCRIPT*/", include_str!("page.js"))
            .replace("\"DATA\"", &data)
    }
}
