//! Progress reports of searches.

use lambda6_rules::Move;
use std::time::Duration;

/// The state of a search for a win.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The depth it is searching to, in moves of the attacker.
    pub depth: u32,
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// The line under examination.
    pub line: Vec<Move>,
    /// The proof and the disproof number of the position, where the search keeps
    /// such numbers.
    pub numbers: Option<(u32, u32)>,
    /// The number of the defender's moves known to matter that are not refuted
    /// yet, where the defender is to move in the position.
    pub left: Option<usize>,
}

/// Receives progress reports, by default those of a search for a win. Other
/// programs report in types of their own.
pub trait Observer<R = Progress> {
    /// Receives a report. Called at irregular intervals, from the thread of the
    /// search.
    fn report(&mut self, report: &R);
}

/// Ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<R> Observer<R> for Silent {
    fn report(&mut self, _: &R) {}
}
