//! Proof-number search in three stages: double threats, single threats, moves
//! without a threat.

use super::{BATCH, LIMIT};
use crate::tree::{Offer, Stage};

pub(super) const STAGES: &[Stage] = &[
    Stage { offer: Offer { full: true, partial: false, cells: false }, batch: BATCH, limit: LIMIT },
    Stage { offer: Offer { full: false, partial: true, cells: false }, batch: BATCH, limit: LIMIT },
    Stage { offer: Offer { full: false, partial: false, cells: true }, batch: BATCH, limit: LIMIT },
];
