//! A search in a thread of its own, so that the program answers to Ctrl-C and to
//! its time limit whatever the search is doing.

use crate::{output, resume::Known};
use anyhow::{Result, anyhow};
use rules::{Game, Move, Position, Side};
use search::{
    Limits, Observer, Progress, Report, SolveError, Solver, SolverOptions, SystemClock, Verdict, Why,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

/// How often the waiting side looks up.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// How long a search may take to stop by itself: it looks at flag and clock
/// between moves, and moves of many stones can take long. Together with
/// [`LOOK_EVERY`] well under 50 ms.
const GRACE: Duration = Duration::from_millis(20);

/// How long it may take to hand over what it has found.
const LONG_GRACE: Duration = Duration::from_secs(60);

/// Lines can be hundreds of moves long.
pub(crate) const STACK_BYTES: usize = 256 << 20;

/// What is searched.
pub(crate) struct Search {
    pub(crate) position: Position,
    pub(crate) attacker: Side,
    pub(crate) options: SolverOptions,
    pub(crate) limits: Limits,
    /// What an earlier search of the position has found. A search that has this
    /// is waited for when it is stopped, since what it has found is wanted.
    pub(crate) known: Option<Known>,
}

/// A report of a search under way, as it crosses threads.
pub(crate) struct Status {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// Proof and disproof number.
    pub(crate) numbers: Option<(u32, u32)>,
    /// Defences left at the root.
    pub(crate) left: Option<usize>,
    pub(crate) line: Vec<Move>,
}

impl Status {
    /// What there is to tell, in a line.
    pub(crate) fn text(&self, game: Game) -> String {
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
    Status(Status),
    Done(Result<Box<(Report, Known)>, SolveError>),
}

impl Search {
    /// Searches; calls `show` with every report. A search that does not stop when
    /// it is asked to is left behind, and nothing is claimed. Also what is known
    /// afterwards, of a search that began with what was known before.
    pub(crate) fn run(
        self,
        stop: &Arc<AtomicBool>,
        mut show: impl FnMut(&Status),
    ) -> Result<(Report, Known)> {
        let grace = if self.known.is_some() { LONG_GRACE } else { GRACE };
        let (sender, receiver) = mpsc::channel();
        let begin = Instant::now();
        let time = self.limits.time;
        let flag = Arc::clone(stop);
        let body = move || {
            let done = self.solve(&flag, &sender);
            // Nobody listens once the search has been left behind.
            let _ = sender.send(Message::Done(done));
        };
        thread::Builder::new().name("search".to_string()).stack_size(STACK_BYTES).spawn(body)?;
        let (mut nodes, mut overdue) = (0, None);
        loop {
            match receiver.recv_timeout(LOOK_EVERY) {
                Ok(Message::Status(status)) => {
                    nodes = status.nodes;
                    show(&status);
                }
                Ok(Message::Done(done)) => return Ok(*done?),
                Err(RecvTimeoutError::Disconnected) => return Err(anyhow!("the search broke down")),
                Err(RecvTimeoutError::Timeout) => {}
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
                let report = Report {
                    verdict: Verdict::Unknown(why),
                    nodes,
                    elapsed: begin.elapsed(),
                    searched: None,
                };
                return Ok((report, Known::new()));
            }
        }
    }

    fn solve(self, stop: &AtomicBool, sender: &Sender<Message>) -> Result<Box<(Report, Known)>, SolveError> {
        let mut solver = Solver::new(self.position.game(), self.options);
        let clock = SystemClock::start();
        let mut teller = Teller(sender);
        let wanted = self.known.is_some();
        solver.suggest(self.known.unwrap_or_default());
        let report = solver.solve(&self.position, self.attacker, self.limits, &clock, stop, &mut teller)?;
        Ok(Box::new((report, if wanted { solver.known() } else { Known::new() })))
    }
}

/// Passes reports on.
struct Teller<'a>(&'a Sender<Message>);

impl Observer for Teller<'_> {
    fn report(&mut self, progress: &Progress<'_>) {
        let status = Status {
            depth: progress.depth,
            nodes: progress.nodes,
            numbers: progress.numbers,
            left: progress.left,
            line: progress.line.to_vec(),
        };
        let _ = self.0.send(Message::Status(status));
    }
}
