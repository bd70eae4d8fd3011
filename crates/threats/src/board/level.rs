//! Levels of segments by the stones they need.

/// How close to a row a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Needs at most `p` stones: a threat.
    Threat = 0,
    /// Needs at most `p + 1`: one stone makes it a threat.
    Cell = 1,
    /// Needs at most `2p`: one move can make it a threat.
    Attack = 2,
}
