//! The rules by which a proof cuts the defender's stones to spare.

use std::fmt;

/// Which stones of the defender a proof must answer where the defender has
/// stones to spare. `docs/PROOF-FORMAT.md` defines the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// Relevance zones.
    Rzop,
    /// Segmented relevance zones, first form: pairs outside the first zone lie
    /// in the second.
    Srzop1,
    /// Segmented relevance zones, second form: such pairs also share a segment
    /// without a stone of the attacker.
    Srzop2,
    /// As the second form, and a pair must lie in the zone of the answer to each
    /// of its stones.
    #[default]
    Mutual,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 4] = [Method::Rzop, Method::Srzop1, Method::Srzop2, Method::Mutual];

    /// The name in a certificate.
    pub fn name(self) -> &'static str {
        match self {
            Method::Rzop => "rzop",
            Method::Srzop1 => "srzop1",
            Method::Srzop2 => "srzop2",
            Method::Mutual => "mutual",
        }
    }

    /// The method of this name.
    pub fn from_name(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
