//! The search that reviews a game.

use super::{
    ReviewDoc, ReviewedMove, ReviewedPosition,
    documents::{known, played},
};
use crate::{
    ApiError, Event, PositionSpec, ProofDoc, Service, Work,
    work::{Ceiling, Task},
};
use lambda6_proof::Class;
use lambda6_review::{Effort, LookError, PlayedGame, Review, ReviewOptions, Reviewer, Standing};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A request to review a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    /// The game: the start and the moves, all of them whole.
    pub position: PositionSpec,
    /// The side that won, where the moves do not show it: `black` or `white`.
    #[serde(default)]
    pub winner: Option<String>,
    /// Milliseconds for each position.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// Positions searched for each position of the game; 10,000 if neither this nor a time is given.
    /// Without a time the answer is the same every time.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// The moves that forced wins are searched with; `vcst` (`vct` in go-moku) if not given.
    #[serde(default)]
    pub class: Option<String>,
    /// The positions of an earlier review of this game that was stopped: they are not looked at
    /// again. One whose proof is not here any more is.
    #[serde(default)]
    pub known: Vec<ReviewedPosition>,
}

/// A position that was looked at, with what has become known by it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReviewProgress {
    /// Positions that have been looked at.
    pub done: usize,
    /// All of them: one more than there are moves.
    pub total: usize,
    /// The position. Where it shows that the moves before it win, those positions come with it; one
    /// that has come before is replaced.
    pub positions: Vec<ReviewedPosition>,
    /// The moves that can be judged now, or anew.
    pub moves: Vec<ReviewedMove>,
}

/// A request for a review that has been checked.
pub(crate) struct ReviewTask {
    game: PlayedGame,
    options: ReviewOptions,
    known: Vec<ReviewedPosition>,
}

impl ReviewRequest {
    pub(crate) fn task(&self, ceiling: &Ceiling) -> Result<ReviewTask, ApiError> {
        let game = played(&self.position, self.winner.as_deref(), "")?;
        let class = match &self.class {
            Some(text) => Class::parse_in(text, game.game()).map_err(|e| ApiError::field("class", e))?,
            None => Class::default(),
        };
        let time = self.time_ms.map(|ms| ceiling.time(Some(ms), ceiling.time, "time_ms")).transpose()?;
        for (field, is_zero) in [("nodes", self.nodes == Some(0)), ("time_ms", self.time_ms == Some(0))] {
            if is_zero {
                return Err(ApiError::field(field, "expected 1 or more"));
            }
        }
        let effort = match (time, self.nodes) {
            (None, None) => Effort::default(),
            (time, nodes) => Effort { time, nodes },
        };
        let table_bytes = ceiling.memory(None, "memory_mib")?;
        let options = ReviewOptions { effort, class, table_bytes, ..ReviewOptions::default() };
        Ok(ReviewTask { game, options, known: self.known.clone() })
    }
}

impl Task for ReviewTask {
    type Done = ReviewDoc;

    /// Each position is reported as soon as it has been looked at. The time limit of a search is for
    /// all of them: those that are left then are left out.
    fn run(self, service: &Service, work: &mut Work<'_>) -> Result<ReviewDoc, ApiError> {
        let mut reviewer = Reviewer::new(self.game.game(), self.options);
        let mut review = Review::new(self.game);
        known(&mut review, &self.known, &service.proofs, "known")?;
        let mut proofs = BTreeMap::new();
        while let Some(after) = review.next() {
            if work.clock.elapsed() >= service.ceiling.time {
                break;
            }
            let standing = match reviewer.look(review.game(), after, work.clock, work.stop) {
                Ok(standing) => standing,
                Err(LookError::Stopped) => break,
                Err(error) => return Err(ApiError::internal(error)),
            };
            let changed = review.set(after, standing);
            let mut kept = Kept { proofs: &mut proofs, service };
            let progress = kept.progress(&review, &changed, work)?;
            (work.report)(Event::new("progress", &progress));
        }
        let mut kept = Kept { proofs: &mut proofs, service };
        ReviewDoc::of(&review, |after, _| kept.proof(&review, after, work))
    }
}

/// The proofs of the positions, checked and kept for browsing.
struct Kept<'a> {
    proofs: &'a mut BTreeMap<usize, ProofDoc>,
    service: &'a Service,
}

impl Kept<'_> {
    fn proof(
        &mut self,
        review: &Review,
        after: usize,
        work: &Work<'_>,
    ) -> Result<Option<ProofDoc>, ApiError> {
        if let Some(known) = self.proofs.get(&after) {
            return Ok(Some(known.clone()));
        }
        let certificate = review.standing(after).and_then(Standing::win).map(|win| win.certificate());
        let service = self.service;
        let proof = service.proofs.check_found(certificate, &service.ceiling, work)?;
        self.proofs.extend(proof.clone().map(|proof| (after, proof)));
        Ok(proof)
    }

    fn progress(
        &mut self,
        review: &Review,
        changed: &[usize],
        work: &Work<'_>,
    ) -> Result<ReviewProgress, ApiError> {
        let mut positions = Vec::new();
        for &after in changed {
            // A win that was found by a later move has taken the place of an estimate.
            self.proofs.remove(&after);
            let proof = self.proof(review, after, work)?;
            positions.extend(ReviewedPosition::of(review, after, proof));
        }
        // A move is judged by both positions, and a strong one also by its side's move before.
        let around = |&after: &usize| after.saturating_sub(1)..after + 3;
        let mut moves: Vec<usize> = changed.iter().flat_map(around).collect();
        moves.sort_unstable();
        moves.dedup();
        let (total, done) = review.progress();
        let moves = moves.into_iter().filter_map(|index| ReviewedMove::of(review, index)).collect();
        Ok(ReviewProgress { done, total, positions, moves })
    }
}
