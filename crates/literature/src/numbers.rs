//! Proof and disproof numbers.

/// What cannot be proved, or cannot be disproved.
pub const INFINITE: u32 = u32::MAX;

/// How much is left to prove of a position, about: also the thresholds up to
/// which a position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// How much is left to prove that the attacker wins: 0 when it is proved.
    pub(crate) proof: u32,
    /// How much is left to show that no move on offer wins: 0 when it is shown.
    pub(crate) disproof: u32,
}

impl Numbers {
    /// Nothing is known.
    pub(crate) const NEW: Numbers = Numbers { proof: 1, disproof: 1 };
    /// The attacker wins.
    pub(crate) const WON: Numbers = Numbers { proof: 0, disproof: INFINITE };
    /// No move on offer wins.
    pub(crate) const FAILED: Numbers = Numbers { proof: INFINITE, disproof: 0 };
    /// As thresholds: searched until it is settled.
    pub(crate) const NO_BOUNDS: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

    /// Whether it is won, or no move on offer wins.
    pub(crate) fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Whether a position with these numbers is searched no further.
    pub(crate) fn reaches(self, bounds: Numbers) -> bool {
        self.is_settled() || self.proof >= bounds.proof || self.disproof >= bounds.disproof
    }
}

/// A sum that stays below [`INFINITE`]: where a number is infinite the position
/// is settled, and the sum does not count.
pub(crate) fn sum(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(0, |sum: u32, number| sum.saturating_add(number).min(INFINITE - 1))
}

/// The threshold of a child whose numbers are part of its parent's sum: when the
/// child reaches it, so does the parent.
pub(crate) fn share(bound: u32, sum: u32, child: u32) -> u32 {
    if bound == INFINITE { INFINITE } else { bound.saturating_sub(sum).saturating_add(child) }
}
