//! The client in virtual time: the same state machine as in real searches, with
//! workers that crash, hang and lag, messages that are late, lost, doubled and out of
//! order, and a client that is killed and restarted. A run is determined by its seed,
//! so that a failure can be replayed.

mod efficiency;
mod invariants;
mod options;
mod recorded;
mod simulation;
mod synthetic;

pub use efficiency::{Efficiency, PolicyTimes};
pub use invariants::{BrokenInvariant, check as check_invariants};
pub use options::{Faults, SimulationOptions};
pub use recorded::{JobRecordError, Recorded, recorded_times};
pub use simulation::{Run, Simulation, SimulationError};
pub use synthetic::{JobTimes, Synthetic, TreeShape};

use crate::{Answer, Task};

/// Answers the jobs of a simulation.
pub trait Oracle {
    /// The answer to a job, and the time it takes.
    fn ask(&self, task: &Task) -> TimedAnswer;

    /// A wrong answer, of a worker that lies or is broken; `None` if this oracle has
    /// none.
    fn lie(&self, _task: &Task) -> Option<Answer> {
        None
    }
}

/// An answer in virtual time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedAnswer {
    /// The answer; `None` if the worker cannot do the job.
    pub answer: Option<Answer>,
    /// The time a worker takes for it.
    pub millis: u64,
}

/// The mixing function of splitmix64.
pub(crate) fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
