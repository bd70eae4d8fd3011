//! The client in virtual time: the same state machine that works for real, with
//! workers that crash, hang and lag, messages that are late, lost, doubled and
//! out of order, and a client that is killed and started again. Everything
//! follows from a seed: a run that goes wrong goes wrong again.

mod invariants;
mod recorded;
mod synthetic;
mod world;

pub use invariants::{Broken, check as check_invariants};
pub use recorded::{Recorded, recorded_times};
pub use synthetic::{JobTimes, Shape, Synthetic};
pub use world::{Faults, Run, Simulation, Trouble, WorldOptions};

use crate::{Answer, Task};

/// What answers the jobs of a simulation.
pub trait Oracle {
    /// The answer to a job, and how long it takes.
    fn ask(&self, task: &Task) -> Asked;

    /// An answer that is wrong, from a worker that lies or is broken; `None` if
    /// this oracle has none.
    fn lie(&self, _task: &Task) -> Option<Answer> {
        None
    }
}

/// An answer in virtual time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The answer; `None` if the worker cannot do the job.
    pub answer: Option<Answer>,
    /// How long a worker takes for it.
    pub millis: u64,
}

/// Mixes numbers into one that looks random: splitmix64.
pub(crate) fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
