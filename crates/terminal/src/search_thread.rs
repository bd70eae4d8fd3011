//! A search in a thread of its own, so that the program reacts to Ctrl-C and to its
//! time limit even if the search does not.

use crate::{
    output,
    resume::WinningMoves,
    solver_choice::{Solved, SolverChoice},
};
use anyhow::{Result, anyhow};
use lambda6_proof::{Report, SolveError, Verdict};
use lambda6_rules::{Game, Move, Position, Side};
use lambda6_search::{Budget, Limits, Observer, Progress, SystemClock, Why, runner};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

/// How often the waiting thread checks flag and time.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// How long a search may take to stop by itself: it checks flag and clock between
/// moves, and generating moves of many stones can take long. Together with
/// [`LOOK_EVERY`] it is below 50 ms.
const GRACE: Duration = Duration::from_millis(20);

/// The same for a search whose winning moves are saved.
const LONG_GRACE: Duration = Duration::from_secs(60);

/// A search to be run.
pub struct WatchedSearch {
    /// The position to be won.
    pub position: Position,
    /// The side that is to win it.
    pub attacker: Side,
    /// The search, with its options.
    pub solver: SolverChoice,
    /// When the search gives up.
    pub limits: Limits,
    /// Winning moves of an earlier search of the position. A search that has them is
    /// waited for when it is stopped, since its winning moves are saved.
    pub known: Option<WinningMoves>,
    /// Moves that won similar positions.
    pub like: WinningMoves,
}

/// A progress report of a search.
#[derive(Default)]
pub struct SearchStatus {
    /// Moves of the attacker up to the deepest position.
    pub depth: u32,
    /// Moves tried so far.
    pub nodes: u64,
    /// Proof and disproof number.
    pub numbers: Option<(u32, u32)>,
    /// Defences left at the root.
    pub left: Option<usize>,
    /// The line that is being searched.
    pub line: Vec<Move>,
}

impl SearchStatus {
    /// The report in one line.
    pub fn text(&self, game: Game) -> String {
        let mut facts = vec![format!("{} moves tried", self.nodes)];
        facts.extend(self.numbers.map(|(pn, dn)| format!("proof number {pn}, disproof number {dn}")));
        facts.extend(self.left.map(|left| format!("{left} defences left")));
        if !self.line.is_empty() {
            facts.push(format!("now at {}", output::line_names(game, &self.line).join(" ")));
        } else {
            facts.push(format!("depth {}", self.depth));
        }
        facts.join(", ")
    }
}

enum Message {
    Status(SearchStatus),
    Done(Result<Box<Solved>, SolveError>),
}

impl WatchedSearch {
    /// Runs the search and calls `show` with every report, and with the last one again whenever
    /// there is no other for a moment: whoever reports at intervals can do so. A search that does not stop
    /// in time is abandoned with the verdict unknown.
    pub fn run(self, stop: &Arc<AtomicBool>, mut show: impl FnMut(&SearchStatus)) -> Result<Solved> {
        let grace = if self.known.is_some() { LONG_GRACE } else { GRACE };
        let (sender, receiver) = mpsc::channel();
        let begin = Instant::now();
        let time = self.limits.time;
        let flag = Arc::clone(stop);
        let body = move || {
            let done = self.solve(&flag, &sender);
            // The receiver is gone if the search was abandoned.
            let _ = sender.send(Message::Done(done));
        };
        // The thread is not joined: a search that does not stop is abandoned.
        runner::spawn("search", body)?;
        let (mut last, mut overdue) = (SearchStatus::default(), None);
        loop {
            match receiver.recv_timeout(LOOK_EVERY) {
                Ok(Message::Status(status)) => {
                    show(&status);
                    last = status;
                }
                Ok(Message::Done(done)) => return Ok(*done?),
                Err(RecvTimeoutError::Disconnected) => return Err(anyhow!("the search broke down")),
                Err(RecvTimeoutError::Timeout) => show(&last),
            }
            let why = if stop.load(Ordering::Relaxed) {
                Why::Stopped
            } else if time.is_some_and(|time| begin.elapsed() >= time) {
                Why::Time
            } else {
                continue;
            };
            let since = *overdue.get_or_insert_with(Instant::now);
            if since.elapsed() >= grace {
                let report =
                    Report { verdict: Verdict::Unknown(why), nodes: last.nodes, elapsed: begin.elapsed() };
                return Ok(Solved::of(report));
            }
        }
    }

    fn solve(self, stop: &AtomicBool, sender: &Sender<Message>) -> Result<Box<Solved>, SolveError> {
        let clock = SystemClock::start();
        let mut budget = Budget::new(self.limits, &clock, stop);
        let (mut teller, known) = (Teller(sender), (self.known.as_ref(), &self.like[..]));
        let solved = self.solver.solve(&self.position, self.attacker, known, &mut budget, &mut teller)?;
        Ok(Box::new(solved))
    }
}

/// Sends the reports of a search to the waiting thread.
struct Teller<'a>(&'a Sender<Message>);

impl Observer for Teller<'_> {
    fn report(&mut self, progress: &Progress) {
        let status = SearchStatus {
            depth: progress.depth,
            nodes: progress.nodes,
            numbers: progress.numbers,
            left: progress.left,
            line: progress.line.to_vec(),
        };
        let _ = self.0.send(Message::Status(status));
    }
}
