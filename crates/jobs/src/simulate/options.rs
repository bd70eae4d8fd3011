//! Options of a simulation: workers, messages and faults.

/// Rates of faults, in parts of a thousand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Faults {
    /// Messages that are lost.
    pub lost: u32,
    /// Messages that arrive twice.
    pub doubled: u32,
    /// Messages that take up to a hundred times as long, so that others overtake them.
    pub delayed: u32,
    /// Jobs on which the worker crashes; it restarts later.
    pub crashes: u32,
    /// Jobs on which the worker hangs.
    pub hangs: u32,
    /// Answers that are false.
    pub lies: u32,
    /// Jobs that a worker returns undone.
    pub returned: u32,
    /// Workers that take ten times as long.
    pub slow: u32,
    /// Events after which the client is killed and restarted.
    pub restarts: u32,
    /// Events after which a person gives an order.
    pub orders: u32,
}

impl Faults {
    /// All kinds of faults.
    pub const ALL: Faults = Faults {
        lost: 20,
        doubled: 30,
        delayed: 50,
        crashes: 30,
        hangs: 10,
        lies: 40,
        returned: 20,
        slow: 100,
        restarts: 8,
        orders: 4,
    };
}

/// Options of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulationOptions {
    /// The number of workers.
    pub workers: usize,
    /// Jobs that wait at the broker, beyond one for each worker.
    pub ahead: usize,
    /// The time of a message, in milliseconds.
    pub latency: u64,
    /// The lease of a job, in milliseconds.
    pub lease: u64,
    /// The faults.
    pub faults: Faults,
    /// Check the invariants after every event.
    pub check: bool,
    /// The most events.
    pub events: u64,
}

impl Default for SimulationOptions {
    fn default() -> SimulationOptions {
        SimulationOptions {
            workers: 16,
            ahead: 0,
            latency: 5,
            lease: 400_000,
            faults: Faults::default(),
            check: false,
            events: 20_000_000,
        }
    }
}
