//! The verifiers of the literature by their names.

use lambda6_search::Method;
use std::{fmt, str::FromStr};

/// How a win is verified: which replies are looked for, and which moves of the
/// defender must be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verifier {
    /// V_Wu, the method of 2006: after the attacker's first move full threats
    /// only, see [`WuSearch`](crate::WuSearch).
    Wu,
    /// V_C6: relevance zones.
    C6,
    /// V_C6-O1: segmented relevance zones, first form.
    C6O1,
    /// V_C6-O2: segmented relevance zones, second form.
    C6O2,
    /// V_CK: V_C6 for every game of the family. Here they are one, for nothing in
    /// V_C6 knows how many stones a move has.
    Ck,
    /// Pairs of stones must answer every line found.
    Mutual,
}

impl Verifier {
    /// All verifiers.
    pub const ALL: [Verifier; 6] =
        [Verifier::Wu, Verifier::C6, Verifier::C6O1, Verifier::C6O2, Verifier::Ck, Verifier::Mutual];

    /// The name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Verifier::Wu => "wu",
            Verifier::C6 => "c6",
            Verifier::C6O1 => "c6-o1",
            Verifier::C6O2 => "c6-o2",
            Verifier::Ck => "ck",
            Verifier::Mutual => "mutual",
        }
    }

    /// The name in the literature.
    pub fn title(self) -> &'static str {
        match self {
            Verifier::Wu => "V_Wu",
            Verifier::C6 => "V_C6",
            Verifier::C6O1 => "V_C6-O1",
            Verifier::C6O2 => "V_C6-O2",
            Verifier::Ck => "V_CK",
            Verifier::Mutual => "mutual",
        }
    }

    /// The method of its certificates.
    pub fn method(self) -> Method {
        match self {
            Verifier::Wu | Verifier::C6 | Verifier::Ck => Method::Rzop,
            Verifier::C6O1 => Method::Srzop1,
            Verifier::C6O2 => Method::Srzop2,
            Verifier::Mutual => Method::Mutual,
        }
    }
}

impl fmt::Display for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no such verifier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a verifier: expected wu, c6, c6-o1, c6-o2, ck or mutual")]
pub struct VerifierParseError(String);

impl FromStr for Verifier {
    type Err = VerifierParseError;

    fn from_str(text: &str) -> Result<Verifier, VerifierParseError> {
        let named = Verifier::ALL.into_iter().find(|verifier| verifier.name() == text);
        named.ok_or_else(|| VerifierParseError(text.chars().take(20).collect()))
    }
}
