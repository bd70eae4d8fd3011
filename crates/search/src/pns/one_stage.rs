//! Proof-number search in one stage: threats and moves without one are on offer
//! from the beginning, threats first.

use super::{BATCH, LIMIT};
use crate::tree::{Offer, Stage};

pub(super) const STAGES: &[Stage] =
    &[Stage { offer: Offer { full: true, partial: true, cells: true }, batch: BATCH, limit: LIMIT }];
