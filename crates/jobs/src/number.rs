//! Proof and disproof numbers.

use std::fmt;

/// A proof or disproof number: a count, or infinity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Number(u32);

impl Number {
    /// Zero: proved or disproved.
    pub const ZERO: Number = Number(0);
    /// Infinity: it cannot be proved or disproved.
    pub const INFINITY: Number = Number(u32::MAX);

    /// A finite number. A count that is too large becomes the largest finite number:
    /// only solved nodes have infinite ones.
    pub const fn new(count: u32) -> Number {
        Number(if count == u32::MAX { u32::MAX - 1 } else { count })
    }

    /// Whether it is infinite.
    pub const fn is_infinite(self) -> bool {
        self.0 == u32::MAX
    }

    /// The count; `None` for infinity.
    pub const fn finite(self) -> Option<u32> {
        if self.is_infinite() { None } else { Some(self.0) }
    }

    /// The sum; infinity if either is.
    pub const fn plus(self, other: Number) -> Number {
        if self.is_infinite() || other.is_infinite() {
            Number::INFINITY
        } else {
            Number::new(self.0.saturating_add(other.0))
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.finite() {
            Some(count) => f.pad(&count.to_string()),
            None => f.pad("inf"),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The proof number and the disproof number of a node: the least number of
/// leaves that must be proved to prove the node, or disproved to disprove it.
/// What is to be proved is that the attacker wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Numbers {
    /// The proof number.
    pub proof: Number,
    /// The disproof number.
    pub disproof: Number,
}

impl Numbers {
    /// Of a node that is proved.
    pub const PROVED: Numbers = Numbers { proof: Number::ZERO, disproof: Number::INFINITY };
    /// Of a node that is disproved.
    pub const DISPROVED: Numbers = Numbers { proof: Number::INFINITY, disproof: Number::ZERO };
    /// Of a node that cannot be solved, because a person has forbidden the moves that
    /// are left.
    pub const CLOSED: Numbers = Numbers { proof: Number::INFINITY, disproof: Number::INFINITY };

    /// Finite numbers.
    pub const fn new(proof: u32, disproof: u32) -> Numbers {
        Numbers { proof: Number::new(proof), disproof: Number::new(disproof) }
    }

    /// The same with proof and disproof exchanged.
    pub const fn swapped(self) -> Numbers {
        Numbers { proof: self.disproof, disproof: self.proof }
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/{}", self.proof, self.disproof))
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
