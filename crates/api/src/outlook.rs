//! Wins that a search sees, in words instead of scores beyond all chances.

use crate::ProofDoc;
use lambda6_player::{DOUBTFUL_WIN, Status};
use lambda6_rules::Side;
use serde::Serialize;
use utoipa::ToSchema;

/// A win that a search sees. A score says nothing more where there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct OutlookDoc {
    /// `black` or `white`.
    pub winner: String,
    /// Whether there is a certificate. Without one the search sees the win and may be wrong.
    pub proved: bool,
    /// The most moves that the winner needs, where it is proved.
    pub moves: Option<u64>,
}

impl OutlookDoc {
    /// The outlook of a proof.
    pub(crate) fn of_proof(proof: &ProofDoc) -> OutlookDoc {
        OutlookDoc { winner: proof.attacker.clone(), proved: true, moves: Some(proof.longest) }
    }

    /// The outlook of a score of this side, if it is that of a win or a loss.
    pub(crate) fn of_score(score: i32, side: Side) -> Option<OutlookDoc> {
        let winner = if score > 0 { side } else { side.other() };
        let seen = score.saturating_abs() >= DOUBTFUL_WIN;
        seen.then(|| OutlookDoc { winner: winner.name().to_string(), proved: false, moves: None })
    }

    /// The outlook of a position of this status.
    pub(crate) fn of_status(status: Status) -> Option<OutlookDoc> {
        let winner = status.winner()?;
        Some(OutlookDoc { winner: winner.name().to_string(), proved: true, moves: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_scores_beyond_every_evaluation_are_wins() {
        assert_eq!(OutlookDoc::of_score(8_000, Side::Black), None);
        let lost = OutlookDoc::of_score(-999_992, Side::Black).unwrap();
        assert_eq!((lost.winner.as_str(), lost.proved), ("white", false));
        let won = OutlookDoc::of_score(999_997, Side::White).unwrap();
        assert_eq!((won.winner.as_str(), won.moves), ("white", None));
    }
}
