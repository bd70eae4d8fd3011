//! Progress reports of searches.

use lambda6_rules::Move;
use std::time::Duration;

/// The state of a search under way.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The depth it is searching to, in moves of the attacker.
    pub depth: u32,
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// The line it looks at.
    pub line: &'a [Move],
    /// The proof and the disproof number of the position, where they are kept.
    pub numbers: Option<(u32, u32)>,
    /// The defender's moves known to matter that are not refuted yet, where the
    /// defender is to move in the position.
    pub left: Option<usize>,
}

/// Receives progress reports from a search.
pub trait Observer {
    /// Called at irregular intervals, from the thread of the search.
    fn report(&mut self, progress: &Progress<'_>);
}

/// Ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn report(&mut self, _: &Progress<'_>) {}
}
