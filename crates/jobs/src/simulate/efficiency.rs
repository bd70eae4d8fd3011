//! The efficiency of policies by the number of workers, as in the figures 14 and 16 of
//! the paper on job-level search.

use super::Run;
use crate::PolicyName;

/// The times of one policy, by number of workers.
#[derive(Clone, Debug)]
pub struct PolicyTimes {
    /// The policy.
    pub policy: PolicyName,
    /// The milliseconds of each game.
    pub millis: Vec<Vec<u64>>,
    /// Jobs done in all games.
    pub done: Vec<u64>,
    /// Jobs aborted in all games.
    pub aborted: Vec<u64>,
    /// Games that were not solved; their times are those of the whole run.
    pub unsolved: Vec<u64>,
}

impl PolicyTimes {
    /// Without games, for this many numbers of workers.
    pub fn new(policy: PolicyName, numbers: usize) -> PolicyTimes {
        let zeros = || vec![0; numbers];
        let (done, aborted, unsolved) = (zeros(), zeros(), zeros());
        PolicyTimes { policy, millis: vec![Vec::new(); numbers], done, aborted, unsolved }
    }

    /// Adds a game with the number of workers at this index.
    pub fn add(&mut self, at: usize, run: &Run) {
        self.millis[at].push(run.millis);
        self.done[at] += run.done;
        self.aborted[at] += run.aborted;
    }

    /// Adds a game that was not solved within this time.
    pub fn add_unsolved(&mut self, at: usize, millis: u64) {
        self.millis[at].push(millis);
        self.unsolved[at] += 1;
    }

    /// The milliseconds of all games together.
    pub fn sum(&self, at: usize) -> u64 {
        self.millis[at].iter().sum()
    }
}

/// All policies over all numbers of workers. Efficiency is the time of the first number
/// of workers, which should be 1, divided by the time of this one, for equal work of
/// each worker: 1 is ideal.
#[derive(Clone, Debug)]
pub struct Efficiency {
    /// The numbers of workers.
    pub workers: Vec<usize>,
    /// The policies.
    pub times: Vec<PolicyTimes>,
}

impl Efficiency {
    /// The efficiency over the sums of all games, so that long games weigh more.
    pub fn total(&self, times: &PolicyTimes, at: usize) -> f64 {
        times.sum(0) as f64 / (times.sum(at) as f64).max(1.0) * self.ratio(at)
    }

    /// The mean of the efficiencies of the games.
    pub fn mean(&self, times: &PolicyTimes, at: usize) -> f64 {
        let each = times.millis[0].iter().zip(&times.millis[at]);
        let each = each.map(|(&one, &many)| one as f64 / many.max(1) as f64 * self.ratio(at));
        each.sum::<f64>() / times.millis[0].len().max(1) as f64
    }

    /// The speed relative to the flag policy.
    pub fn against_flag(&self, times: &PolicyTimes, at: usize) -> f64 {
        let flag = self.times.iter().find(|times| times.policy == PolicyName::Flag).unwrap_or(times);
        flag.sum(at) as f64 / (times.sum(at) as f64).max(1.0)
    }

    fn ratio(&self, at: usize) -> f64 {
        self.workers[0] as f64 / self.workers[at] as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ideal_policy_has_efficiency_one_and_long_games_weigh_more_in_the_total() {
        let times = |policy, millis| {
            let mut times = PolicyTimes::new(policy, 2);
            times.millis = millis;
            times
        };
        let ideal = times(PolicyName::Flag, vec![vec![400, 1200], vec![100, 300]]);
        let short = times(PolicyName::Native, vec![vec![400, 1200], vec![400, 300]]);
        let all = Efficiency { workers: vec![1, 4], times: vec![short, ideal] };
        let [short, ideal] = &all.times[..] else { panic!("two policies") };
        assert_eq!((all.total(ideal, 1), all.mean(ideal, 1)), (1.0, 1.0));
        // 1600 ms of one worker, 4 * 700 ms of four.
        assert_eq!(all.total(short, 1), 1600.0 / 2800.0);
        assert_eq!(all.mean(short, 1), (0.25 + 1.0) / 2.0);
        assert_eq!(all.against_flag(short, 1), 400.0 / 700.0);
    }
}
