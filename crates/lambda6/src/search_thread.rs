//! A search in a thread of its own, so that the program answers to Ctrl-C and to
//! its time limit whatever the search is doing.

use anyhow::{Result, anyhow};
use rules::{Position, Side};
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

/// Lines can be hundreds of moves long.
pub(crate) const STACK_BYTES: usize = 256 << 20;

/// What is searched.
pub(crate) struct Search {
    pub(crate) position: Position,
    pub(crate) attacker: Side,
    pub(crate) options: SolverOptions,
    pub(crate) limits: Limits,
}

/// A report of a search under way, as it crosses threads.
pub(crate) struct Status {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

enum Message {
    Status(Status),
    Done(Result<Report, SolveError>),
}

impl Search {
    /// Searches; calls `show` with every report. A search that does not stop when
    /// it is asked to is left behind, and nothing is claimed.
    pub(crate) fn run(self, stop: &Arc<AtomicBool>, mut show: impl FnMut(&Status)) -> Result<Report> {
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
                Ok(Message::Done(done)) => return Ok(done?),
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
            if since.elapsed() >= GRACE {
                let elapsed = begin.elapsed();
                return Ok(Report { verdict: Verdict::Unknown(why), nodes, elapsed, searched: None });
            }
        }
    }

    fn solve(self, stop: &AtomicBool, sender: &Sender<Message>) -> Result<Report, SolveError> {
        let mut solver = Solver::new(self.position.game(), self.options);
        let clock = SystemClock::start();
        let mut teller = Teller(sender);
        solver.solve(&self.position, self.attacker, self.limits, &clock, stop, &mut teller)
    }
}

/// Passes reports on.
struct Teller<'a>(&'a Sender<Message>);

impl Observer for Teller<'_> {
    fn report(&mut self, progress: &Progress<'_>) {
        let status = Status { depth: progress.depth, nodes: progress.nodes };
        let _ = self.0.send(Message::Status(status));
    }
}
