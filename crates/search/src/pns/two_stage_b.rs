//! Proof-number search in two stages, type II: all threats first, and when they
//! have failed, moves without one.

use super::{BATCH, LIMIT};
use crate::tree::{Offer, Stage};

pub(super) const STAGES: &[Stage] = &[
    Stage { offer: Offer { full: true, partial: true, cells: false }, batch: BATCH, limit: LIMIT },
    Stage { offer: Offer { full: false, partial: false, cells: true }, batch: BATCH, limit: LIMIT },
];
