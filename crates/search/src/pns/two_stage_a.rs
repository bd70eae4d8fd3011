//! Proof-number search in two stages, type I: double threats first, and when
//! they have failed, single threats and moves without one.

use super::{BATCH, LIMIT};
use crate::tree::{Offer, Stage};

pub(super) const STAGES: &[Stage] = &[
    Stage { offer: Offer { full: true, partial: false, cells: false }, batch: BATCH, limit: LIMIT },
    Stage { offer: Offer { full: false, partial: true, cells: true }, batch: BATCH, limit: LIMIT },
];
