//! Standard proof-number search, in one stage: the moves are made of the squares
//! that are worth most, whether they threaten or not. Where the proof number
//! grows past that of all pairs of the best twelve, the next squares have their
//! turn.

use crate::tree::{Offer, Stage};

pub(super) const STAGES: &[Stage] =
    &[Stage { offer: Offer { full: false, partial: false, cells: true }, batch: 66, limit: 66 }];
