//! How far a search may go, and why it stopped.

use std::{
    fmt,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

/// What a search may use. `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Moves of the attacker in a line.
    pub depth: Option<u32>,
    /// Moves of the attacker tried.
    pub nodes: Option<u64>,
    /// Time on the caller's clock.
    pub time: Option<Duration>,
}

/// Why a search did not prove a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// Every move of the class was tried and refuted.
    Exhausted,
    /// Every move that was tried was refuted; free stones were tried only where
    /// they seemed of use, or several defences were taken together.
    Narrowed,
    /// The depth limit cut lines off.
    Depth,
    /// The limit on moves tried was reached, or the tree has as many nodes as it
    /// may have.
    Nodes,
    /// The memory was used up.
    Memory,
    /// The time was up.
    Time,
    /// The caller asked it to stop.
    Stopped,
}

impl Why {
    /// One word, for programs to read.
    pub fn name(self) -> &'static str {
        match self {
            Why::Exhausted => "exhausted",
            Why::Narrowed => "narrowed",
            Why::Depth => "depth",
            Why::Nodes => "nodes",
            Why::Memory => "memory",
            Why::Time => "time",
            Why::Stopped => "stopped",
        }
    }
}

impl std::error::Error for Why {}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::Exhausted => "every move of the class was refuted",
            Why::Narrowed => {
                "every move tried was refuted (not all free stones were tried, or defences were taken together)"
            }
            Why::Depth => "the depth limit was reached",
            Why::Nodes => "the limit on moves tried, or on nodes of a tree, was reached",
            Why::Memory => "the memory was used up",
            Why::Time => "the time was up",
            Why::Stopped => "the search was stopped",
        })
    }
}

/// Tells a search how long it has been at work. In a browser the page's clock
/// does, elsewhere [`SystemClock`].
pub trait Clock: Sync {
    /// The time since the search began.
    fn elapsed(&self) -> Duration;
}

/// A clock that stands still, for searches limited by moves alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// The time since a moment of another clock: for one of several searches that share it.
#[derive(Clone, Copy)]
pub struct Since<'a> {
    clock: &'a dyn Clock,
    start: Duration,
}

impl<'a> Since<'a> {
    /// Starts now.
    pub fn now(clock: &'a dyn Clock) -> Since<'a> {
        Since { clock, start: clock.elapsed() }
    }
}

impl Clock for Since<'_> {
    fn elapsed(&self) -> Duration {
        self.clock.elapsed().saturating_sub(self.start)
    }
}

/// The system's clock, started when it is made.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(std::time::Instant);

#[cfg(not(target_family = "wasm"))]
impl SystemClock {
    /// Starts now.
    pub fn start() -> SystemClock {
        SystemClock(std::time::Instant::now())
    }
}

#[cfg(not(target_family = "wasm"))]
impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// What a search may use, and what ends it: limits, the caller's clock and the
/// caller's stop signal.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// The limits.
    pub limits: Limits,
    /// The caller's clock.
    pub clock: &'a dyn Clock,
    /// The caller's stop signal.
    pub stop: &'a AtomicBool,
    /// A counter that advances whenever a search checks whether to go on, every
    /// few hundred moves. It stands still when the search hangs.
    pub heartbeat: Option<&'a AtomicU64>,
}

impl<'a> Control<'a> {
    /// Limits, clock and stop signal, without a heartbeat.
    pub fn new(limits: Limits, clock: &'a dyn Clock, stop: &'a AtomicBool) -> Control<'a> {
        Control { limits, clock, stop, heartbeat: None }
    }

    /// The same clock and signal with other limits.
    pub fn with(self, limits: Limits) -> Control<'a> {
        Control { limits, ..self }
    }

    /// A fresh count within these limits.
    pub fn budget(self) -> Budget<'a> {
        Budget { control: self, nodes: 0, next_look: 0 }
    }

    /// Whether the caller or the clock ends the search, however few moves it has
    /// tried.
    pub fn interrupted(&self) -> Result<(), Why> {
        if let Some(heartbeat) = self.heartbeat {
            heartbeat.fetch_add(1, Ordering::Relaxed);
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(Why::Stopped);
        }
        if self.limits.time.is_some_and(|time| self.clock.elapsed() >= time) {
            return Err(Why::Time);
        }
        Ok(())
    }
}

/// The limits of a search and the moves counted so far.
pub struct Budget<'a> {
    control: Control<'a>,
    nodes: u64,
    /// The count at which clock and stop signal are checked next.
    next_look: u64,
}

/// Moves between two checks of the clock: well under a millisecond of work.
const LOOK_EVERY: u64 = 256;

impl<'a> Budget<'a> {
    /// A fresh count within these limits.
    pub fn new(limits: Limits, clock: &'a dyn Clock, stop: &'a AtomicBool) -> Budget<'a> {
        Control::new(limits, clock, stop).budget()
    }

    /// What limits and ends the search.
    pub fn control(&self) -> Control<'a> {
        self.control
    }

    /// A budget of so many moves without a clock or a stop signal.
    pub fn of_nodes(nodes: u64) -> Budget<'static> {
        Budget::within(Limits { nodes: Some(nodes), ..Limits::default() })
    }

    /// A budget within these limits without a stop signal, on a clock that
    /// stands still.
    pub fn within(limits: Limits) -> Budget<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Budget::new(limits, &NoClock, &NEVER)
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.control.limits
    }

    /// Moves of the attacker tried so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.control.clock.elapsed()
    }

    /// The same limits for another thread, with nothing used yet.
    pub fn fresh(&self) -> Budget<'a> {
        self.control.budget()
    }

    /// Limits the moves that may be tried from now on.
    pub fn allow(&mut self, nodes: u64) {
        let limit = &mut self.control.limits.nodes;
        *limit = limit.map(|_| self.nodes.saturating_add(nodes));
        self.next_look = self.nodes;
    }

    /// Returns the count and resets it to 0.
    pub fn take_nodes(&mut self) -> u64 {
        self.next_look = 0;
        std::mem::take(&mut self.nodes)
    }

    /// Adds the count of other budgets.
    pub fn set_nodes(&mut self, nodes: u64) {
        self.nodes = nodes;
        self.next_look = nodes;
    }

    /// A budget for a part of the work: at most `nodes` of what is left. Hand it
    /// back with [`Budget::absorb`].
    pub fn part(&self, nodes: u64, depth: Option<u32>) -> Budget<'a> {
        let limits = self.control.limits;
        let left = limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes));
        self.control.with(Limits { nodes: Some(nodes.min(left)), depth, ..limits }).budget()
    }

    /// A budget for a part of the work within limits of its own; its time begins
    /// now.
    pub fn part_of(&self, limits: Limits) -> Budget<'a> {
        let mut part = self.part(limits.nodes.unwrap_or(u64::MAX), limits.depth);
        let until = limits.time.map(|time| self.elapsed().saturating_add(time));
        part.control.limits.time = [until, self.control.limits.time].into_iter().flatten().min();
        part
    }

    /// Adds the count of a part. An error if the whole search must end.
    pub fn absorb(&mut self, part: &Budget<'_>) -> Result<(), Why> {
        self.nodes += part.nodes;
        self.look()
    }

    /// Counts a move; an error when the search must end.
    #[inline]
    pub fn count(&mut self) -> Result<(), Why> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// An error if the stop signal or the clock ends the search. For work that
    /// counts no moves.
    pub fn interrupted(&self) -> Result<(), Why> {
        self.control.interrupted()
    }

    /// Whether long work within one move may go on.
    pub fn goes_on(&self) -> bool {
        self.interrupted().is_ok()
    }

    /// Why such work was ended.
    pub fn why_ended(&self) -> Why {
        self.interrupted().err().unwrap_or(Why::Stopped)
    }

    #[cold]
    fn look(&mut self) -> Result<(), Why> {
        self.interrupted()?;
        let most = self.control.limits.nodes.unwrap_or(u64::MAX);
        if self.nodes >= most {
            return Err(Why::Nodes);
        }
        self.next_look = (self.nodes + LOOK_EVERY).min(most);
        Ok(())
    }
}
