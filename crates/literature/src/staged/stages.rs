//! The stages of the searches: which moves are on offer when.

use super::TreeKind;
use crate::tree::{Offer, Stage};
use lambda6_proof::Class;

const fn stage(full: bool, partial: bool, cells: bool) -> Stage {
    // Moves of the attacker that are opened at a time, and how large proof
    // numbers grow before more are.
    Stage { offer: Offer { full, partial, cells }, batch: 10, limit: 20 }
}

/// The moves are made of the squares that are worth most, whether they threaten
/// or not. Where the proof number grows past that of all pairs of the best
/// twelve, the next squares have their turn.
const STANDARD: &[Stage] = &[Stage { batch: 66, limit: 66, ..stage(false, false, true) }];

/// Threats and moves without one from the beginning, threats first.
const ONE_STAGE: &[Stage] = &[stage(true, true, true)];

/// Type I: double threats first, and when they have failed, single threats and
/// moves without one.
const TWO_STAGES_A: &[Stage] = &[stage(true, false, false), stage(false, true, true)];

/// Type II: all threats first, and when they have failed, moves without one.
const TWO_STAGES_B: &[Stage] = &[stage(true, true, false), stage(false, false, true)];

/// Double threats, single threats, moves without a threat.
const THREE_STAGES: &[Stage] =
    &[stage(true, false, false), stage(false, true, false), stage(false, false, true)];

/// Threats, as the paper has it: moves without one are left out.
const THREATS: &[Stage] = &[stage(true, true, false)];

const NOTHING: Offer = Offer { full: false, partial: false, cells: false };

impl TreeKind {
    /// The stages of the search with moves of the class, or with all moves.
    pub fn stages(self, class: Option<Class>) -> Vec<Stage> {
        let stages = match self {
            TreeKind::Pns => STANDARD,
            TreeKind::Pns1 => ONE_STAGE,
            TreeKind::Pns2a => TWO_STAGES_A,
            TreeKind::Pns2b | TreeKind::Dfpn | TreeKind::Mcts => TWO_STAGES_B,
            TreeKind::Pns3 => THREE_STAGES,
            TreeKind::Dfs | TreeKind::Bfs => THREATS,
        };
        let within = |stage: &Stage| {
            let Offer { full, partial, cells } = stage.offer;
            let offer = match class {
                None | Some(Class::Lambda3 | Class::Lambda4 | Class::Lambda5) => stage.offer,
                // Squares know no classes: what they stand for is threats.
                Some(Class::Vcdt) => Offer { full: full || cells, partial: false, cells: false },
                Some(Class::Vcst) => Offer { full: full || cells, partial: partial || cells, cells: false },
            };
            Stage { offer, ..*stage }
        };
        let mut stages: Vec<Stage> = stages.iter().map(within).collect();
        // What an earlier stage offers is not offered again.
        let mut known = NOTHING;
        for Stage { offer, .. } in &mut stages {
            *offer = Offer {
                full: offer.full && !known.full,
                partial: offer.partial && !known.partial,
                cells: offer.cells,
            };
            known = Offer {
                full: known.full || offer.full,
                partial: known.partial || offer.partial,
                cells: false,
            };
        }
        stages.retain(|stage| stage.offer != NOTHING);
        stages
    }
}
