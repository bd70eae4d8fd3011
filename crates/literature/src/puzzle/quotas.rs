//! How a set of puzzles is spread.

use lambda6_proof::Class;
use lambda6_rules::Game;

/// Of [`Quotas::OF`] positions, the most of one kind. The rest is left to those that are
/// harder to come by: single threats, deep wins, inversions and several areas.
pub(super) struct Quotas {
    vcdt: usize,
    vcst: usize,
    vcdt_of_a_depth: usize,
    vcst_of_a_depth: usize,
    pub(super) without_inversions: usize,
    pub(super) vcdt_in_one_area: usize,
}

/// VCST in several areas is too rare to wait for.
const CONNECT6: Quotas = Quotas {
    vcdt: 156,
    vcst: 48,
    vcdt_of_a_depth: 30,
    vcst_of_a_depth: 18,
    without_inversions: 120,
    vcdt_in_one_area: 121,
};

/// Fours and threes in equal parts. A line of fours often runs through one area, and a
/// defence rarely makes a four of its own.
const ONE_STONE: Quotas = Quotas {
    vcdt: 100,
    vcst: 100,
    vcdt_of_a_depth: 26,
    vcst_of_a_depth: 30,
    without_inversions: 172,
    vcdt_in_one_area: 100,
};

impl Quotas {
    pub(super) const OF: usize = 200;

    pub(super) fn of(game: Game) -> Quotas {
        if game.p() == 1 { ONE_STONE } else { CONNECT6 }
    }

    pub(super) fn of_class(&self, class: Class) -> usize {
        if class == Class::Vcdt { self.vcdt } else { self.vcst }
    }

    pub(super) fn of_a_depth(&self, class: Class) -> usize {
        if class == Class::Vcdt { self.vcdt_of_a_depth } else { self.vcst_of_a_depth }
    }
}
