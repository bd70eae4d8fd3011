//! Policies: how the numbers of the tree change while jobs are under way, so that the
//! next worker gets another node. One policy per file.
//!
//! The paper changes numbers in place when a node is chosen, and does not say how the
//! change is undone. Here a policy is a set of pure functions from the numbers of the
//! children and the nodes with jobs to numbers: after every change of a job the
//! ancestors of its node are recomputed.

mod flag;
mod flag_equivalence;
mod greedy;
mod modified_flag;
mod modified_flag_equivalence;
mod native;
mod virtual_loss;
mod virtual_win;

pub use flag::Flag;
pub use flag_equivalence::FlagEquivalence;
pub use greedy::Greedy;
pub use modified_flag::ModifiedFlag;
pub use modified_flag_equivalence::ModifiedFlagEquivalence;
pub use native::Native;
pub use virtual_loss::VirtualLoss;
pub use virtual_win::VirtualWin;

use crate::{Number, Numbers};
use std::{fmt, str::FromStr};

/// The numbers of a child from the point of view of its parent. The parent takes the
/// minimum of `least` (the proof number if the attacker moves there, otherwise the
/// disproof number) and the sum of `sum`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The number whose minimum is taken.
    pub least: Number,
    /// The number that is summed.
    pub sum: Number,
    /// Whether nothing here or below can be chosen.
    pub flagged: bool,
    /// Whether it is part of the sum; see [`Tree`](crate::Tree).
    pub counts: bool,
}

/// Chooses nodes while jobs are under way.
pub trait Policy: Sync {
    /// The numbers of a leaf with a job, given its own numbers.
    fn active(&self, own: Numbers) -> Numbers {
        own
    }

    /// Whether nodes with jobs are flagged, so that they are not selected.
    fn flags(&self) -> bool {
        false
    }

    /// Whether a sibling that a job looks for counts as a child like the youngest one.
    fn expects_sibling(&self) -> bool {
        false
    }

    /// Minimum and sum over the children, of which there is at least one and none is
    /// solved.
    fn combine(&self, children: &[View]) -> (Number, Number) {
        (least(children), sum(children))
    }
}

fn least(children: &[View]) -> Number {
    children.iter().map(|child| child.least).min().unwrap_or(Number::INFINITY)
}

fn sum(children: &[View]) -> Number {
    children.iter().filter(|child| child.counts).fold(Number::ZERO, |sum, child| sum.plus(child.sum))
}

/// The minimum over the children that are not flagged; if all are flagged, the maximum
/// over all. With the minimum over the flagged children, a node whose last child gets a
/// job would look better than before, and the selection would go to a subtree in which
/// everything has a job.
fn modified(children: &[View]) -> Number {
    let free = children.iter().filter(|child| !child.flagged).map(|child| child.least).min();
    free.or_else(|| children.iter().map(|child| child.least).max()).unwrap_or(Number::INFINITY)
}

/// The policies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum PolicyName {
    /// No change.
    Native,
    /// Nodes with jobs count as proved.
    VirtualWin,
    /// Nodes with jobs count as disproved.
    VirtualLoss,
    /// The more likely of the last two.
    Greedy,
    /// Flags.
    Flag,
    /// Flags that change the numbers.
    ModifiedFlag,
    /// Flags, and an expected sibling counts like the youngest child.
    FlagEquivalence,
    /// Modified flags with expected siblings.
    #[default]
    ModifiedFlagEquivalence,
}

impl PolicyName {
    /// All policies, in the paper's order.
    pub const ALL: [PolicyName; 8] = [
        PolicyName::Native,
        PolicyName::VirtualWin,
        PolicyName::VirtualLoss,
        PolicyName::Greedy,
        PolicyName::Flag,
        PolicyName::ModifiedFlag,
        PolicyName::FlagEquivalence,
        PolicyName::ModifiedFlagEquivalence,
    ];

    /// The paper's name.
    pub fn name(self) -> &'static str {
        match self {
            PolicyName::Native => "native",
            PolicyName::VirtualWin => "VW",
            PolicyName::VirtualLoss => "VL",
            PolicyName::Greedy => "GD",
            PolicyName::Flag => "FG",
            PolicyName::ModifiedFlag => "MF",
            PolicyName::FlagEquivalence => "FG-VE",
            PolicyName::ModifiedFlagEquivalence => "MF-VE",
        }
    }

    /// The policy.
    pub fn policy(self) -> &'static dyn Policy {
        match self {
            PolicyName::Native => &Native,
            PolicyName::VirtualWin => &VirtualWin,
            PolicyName::VirtualLoss => &VirtualLoss,
            PolicyName::Greedy => &Greedy,
            PolicyName::Flag => &Flag,
            PolicyName::ModifiedFlag => &ModifiedFlag,
            PolicyName::FlagEquivalence => &FlagEquivalence,
            PolicyName::ModifiedFlagEquivalence => &ModifiedFlagEquivalence,
        }
    }
}

impl fmt::Display for PolicyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a policy: expected native, vw, vl, gd, fg, mf, fg-ve or mf-ve")]
pub struct PolicyParseError(String);

impl FromStr for PolicyName {
    type Err = PolicyParseError;

    fn from_str(text: &str) -> Result<PolicyName, PolicyParseError> {
        let found = PolicyName::ALL.into_iter().find(|policy| policy.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| PolicyParseError(text.chars().take(20).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(least: u32, sum: u32, flagged: bool) -> View {
        View { least: Number::new(least), sum: Number::new(sum), flagged, counts: true }
    }

    /// The paper's figures 8 and 9: children with 18, 12 and 8 of which the last
    /// two are flagged.
    #[test]
    fn flags_count_in_the_numbers_of_the_modified_policies_only() {
        let some = [view(18, 1, false), view(12, 2, true), view(8, 4, true)];
        let all = some.map(|child| View { flagged: true, ..child });
        let least = |policy: PolicyName, children| policy.policy().combine(children).0.finite();
        for policy in [PolicyName::Flag, PolicyName::FlagEquivalence, PolicyName::Native] {
            assert_eq!((least(policy, &some), least(policy, &all)), (Some(8), Some(8)));
        }
        for policy in [PolicyName::ModifiedFlag, PolicyName::ModifiedFlagEquivalence] {
            assert_eq!((least(policy, &some), least(policy, &all)), (Some(18), Some(18)));
        }
        for policy in PolicyName::ALL {
            assert_eq!(policy.policy().combine(&some).1, Number::new(7));
            assert_eq!(policy.name().to_lowercase().parse(), Ok(policy));
        }
    }

    #[test]
    fn what_does_not_count_is_chosen_but_not_added_up() {
        let children = [view(3, 5, false), View { counts: false, ..view(1, 7, false) }];
        for policy in PolicyName::ALL {
            assert_eq!(policy.policy().combine(&children), (Number::new(1), Number::new(5)));
        }
    }

    #[test]
    fn virtual_results_are_those_that_the_policy_assumes() {
        let (good, bad) = (Numbers::new(2, 12), Numbers::new(12, 2));
        for own in [good, bad] {
            assert_eq!(VirtualWin.active(own), Numbers::PROVED);
            assert_eq!(VirtualLoss.active(own), Numbers::DISPROVED);
            assert_eq!(Flag.active(own), own);
        }
        assert_eq!(Greedy.active(good), Numbers::PROVED);
        assert_eq!(Greedy.active(bad), Numbers::DISPROVED);
        assert_eq!(Greedy.active(Numbers::new(6, 6)), Numbers::PROVED);
    }
}
