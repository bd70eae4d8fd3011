//! The client: a search with its store and the leases of its jobs. It has no clock
//! and no network: events come in with the time, commands go out. Changes are stored
//! before commands go out, so that a client that is killed and restarted does not
//! repeat a job that has an answer.

use crate::{
    Answer, Change, End, Ended, Job, JobId, Judge, Search, Steer, SteerError, Store, StoreError, Task,
    WorkerInfo, transport::owner,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// How long the client waits for workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How long a job may show no progress before it is given to another worker.
    pub lease: Duration,
    /// How often a job is given to workers before it is set aside.
    pub attempts: u32,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { lease: Duration::from_secs(120), attempts: 5 }
    }
}

impl Patience {
    /// For workers that are threads of the client's process.
    pub fn with_threads() -> Patience {
        Patience { lease: Duration::from_secs(600), ..Patience::default() }
    }

    /// For workers of a grid that gives jobs to other workers after `lease`. The
    /// client's own lease is for what the grid cannot see, such as a lost queue.
    pub fn with_grid(lease: Duration) -> Patience {
        Patience { lease: 20 * lease, ..Patience::default() }
    }
}

/// An event from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A worker answers.
    Answered {
        /// The job.
        job: JobId,
        /// The worker's name.
        worker: String,
        /// The answer.
        answer: Answer,
        /// The moves tried.
        nodes: u64,
        /// The time taken.
        millis: u64,
    },
    /// A worker reports progress.
    Progress {
        /// The job.
        job: JobId,
        /// The moves tried so far.
        nodes: u64,
    },
    /// A worker returns a job undone, as when it is told to stop.
    Returned {
        /// The job.
        job: JobId,
    },
    /// A job failed: the worker broke down, or its answer cannot be read.
    Failed {
        /// The job.
        job: JobId,
        /// The worker's name.
        worker: String,
        /// The reason.
        why: String,
    },
    /// The transport gave a job up, because it failed too often there.
    GivenUp {
        /// The job.
        job: JobId,
        /// The reason.
        why: String,
    },
    /// Time has passed.
    Tick,
}

/// A command to the transport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Give this task to a worker. It replaces a task of the same number.
    Submit(Box<Task>),
    /// This job is not needed any more.
    Abort(JobId),
}

/// Counts of irregular events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct JobCounts {
    /// Answers to jobs that were not running: duplicates, or too late.
    pub late: u64,
    /// Answers that were refused.
    pub refused: u64,
    /// Jobs whose lease ran out.
    pub expired: u64,
    /// Jobs that workers returned or failed at.
    pub returned: u64,
}

struct Lease {
    nodes: u64,
    since: Duration,
}

/// A search with its store.
pub struct Client<S, J> {
    search: Search,
    store: S,
    judge: J,
    patience: Patience,
    leases: BTreeMap<JobId, Lease>,
    /// The owners of the workers that are present.
    owners: BTreeSet<String>,
    /// The owners whose workers failed at a running job.
    failed: BTreeMap<JobId, BTreeSet<String>>,
    tally: JobCounts,
    /// Why the last answer was refused or the last job failed.
    last_trouble: Option<String>,
}

impl<S: Store, J: Judge> Client<S, J> {
    /// Opens the search of a store. The jobs that were running are to be submitted
    /// again with [`Client::resubmit`].
    pub fn open(store: S, judge: J, patience: Patience) -> Result<Client<S, J>, StoreError> {
        let search = store.load()?;
        let (leases, tally) = (BTreeMap::new(), JobCounts::default());
        let (owners, failed) = (BTreeSet::new(), BTreeMap::new());
        Ok(Client { search, store, judge, patience, leases, owners, failed, tally, last_trouble: None })
    }

    /// The search.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The store, to be changed.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }

    /// Returns the store.
    pub fn into_store(self) -> S {
        self.store
    }

    /// The counts of irregular events.
    pub fn tally(&self) -> JobCounts {
        self.tally
    }

    /// The last failure.
    pub fn last_trouble(&self) -> Option<&str> {
        self.last_trouble.as_deref()
    }

    /// Takes in which workers are present.
    pub fn set_workers(&mut self, workers: &[WorkerInfo]) {
        let able = workers.iter().filter(|worker| worker.trouble.is_none());
        self.owners = able.map(|worker| owner(&worker.name).to_string()).collect();
    }

    /// The number of jobs that workers have.
    pub fn running(&self) -> usize {
        self.search.running().count()
    }

    /// Submits the jobs again that were running when an earlier client ended, under
    /// their numbers. This does not count as an attempt, since no worker failed.
    pub fn resubmit(&mut self, now: Duration) -> Vec<Command> {
        let jobs: Vec<Job> = self.search.running().cloned().collect();
        jobs.iter()
            .map(|job| {
                self.leases.insert(job.id, Lease { nodes: 0, since: now });
                Command::Submit(Box::new(self.search.task(job)))
            })
            .collect()
    }

    /// Starts jobs until `slots` are running or there is nothing to start.
    pub fn fill(&mut self, now: Duration, slots: usize) -> Result<Vec<Command>, StoreError> {
        let mut commands = Vec::new();
        let mut running = self.running();
        while self.search.value().is_none() && running < slots {
            let Some(task) = self.search.start() else { break };
            let key = task.key(&self.search.settings().build);
            match self.store.answer(&key)? {
                Some(answer) => {
                    self.search.answered(task.id, &answer, Ended::by_nobody(End::Known));
                    // The answer may have made other jobs needless.
                    running = self.running();
                }
                None => {
                    self.leases.insert(task.id, Lease { nodes: 0, since: now });
                    commands.push(Command::Submit(Box::new(task)));
                    running += 1;
                }
            }
        }
        self.settle(commands)
    }

    /// Handles an event.
    pub fn handle(&mut self, now: Duration, event: Event) -> Result<Vec<Command>, StoreError> {
        let mut commands = Vec::new();
        match event {
            Event::Answered { job, worker, answer, nodes, millis } => {
                let ended = Ended { end: End::Done, worker, nodes, millis };
                self.answered(now, job, answer, ended, &mut commands);
            }
            Event::Progress { job, nodes } => {
                // A counter that stands still is no progress.
                if let Some(lease) = self.leases.get_mut(&job).filter(|lease| nodes > lease.nodes) {
                    *lease = Lease { nodes, since: now };
                }
            }
            Event::Returned { job } => {
                // Nobody failed: it counts as no attempt.
                self.tally.returned += u64::from(self.search.running_job(job).is_some());
                self.submit(now, job, &mut commands);
            }
            Event::Failed { job, worker, why } => {
                if self.search.running_job(job).is_some() {
                    self.tally.returned += 1;
                    self.last_trouble = Some(format!("job {job}, {worker}: {why}"));
                    self.again(now, job, Some(&worker), &mut commands);
                }
            }
            Event::GivenUp { job, why } => {
                self.last_trouble = Some(format!("job {job}: {why}"));
                self.search.set_aside(job);
            }
            Event::Tick => {
                let patience = self.patience.lease;
                let expired = self.leases.iter().filter(|(_, lease)| now >= lease.since + patience);
                let expired: Vec<JobId> = expired.map(|(&id, _)| id).collect();
                for job in expired {
                    self.tally.expired += 1;
                    self.last_trouble = Some(format!("job {job}: no progress for {} s", patience.as_secs()));
                    self.again(now, job, None, &mut commands);
                }
            }
        }
        self.settle(commands)
    }

    /// Carries out a person's order.
    pub fn steer(&mut self, order: &Steer) -> Result<Result<Vec<Command>, SteerError>, StoreError> {
        if let Err(error) = self.search.steer(order) {
            return Ok(Err(error));
        }
        self.settle(Vec::new()).map(Ok)
    }

    fn answered(
        &mut self,
        now: Duration,
        id: JobId,
        answer: Answer,
        ended: Ended,
        commands: &mut Vec<Command>,
    ) {
        let Some(job) = self.search.running_job(id) else {
            self.tally.late += 1;
            return;
        };
        let task = self.search.task(job);
        match self.judge.check(&task, &answer) {
            Ok(()) => {
                let key = task.key(&self.search.settings().build);
                self.search.answered(id, &answer, ended);
                self.search.changes.push(Change::Answer { key, answer });
            }
            Err(refused) => {
                self.tally.refused += 1;
                self.last_trouble = Some(format!("job {id}, {}: {refused}", ended.worker));
                self.again(now, id, Some(&ended.worker), commands);
            }
        }
    }

    /// Submits a running job once more, which counts as no attempt.
    fn submit(&mut self, now: Duration, id: JobId, commands: &mut Vec<Command>) {
        if let Some(task) = self.search.running_job(id).map(|job| self.search.task(job)) {
            self.leases.insert(id, Lease { nodes: 0, since: now });
            commands.push(Command::Submit(Box::new(task)));
        }
    }

    /// Gives a job to another worker, or sets it aside. While an owner is present
    /// whose workers have not failed at it, the failures of another owner count
    /// once: no single owner can have a job set aside.
    fn again(&mut self, now: Duration, id: JobId, worker: Option<&str>, commands: &mut Vec<Command>) {
        if let Some(worker) = worker {
            let failed = self.failed.entry(id).or_default();
            let known = !failed.insert(owner(worker).to_string());
            if known && !self.owners.is_subset(failed) {
                return self.submit(now, id, commands);
            }
        }
        let too_often = |job: &Job| job.attempts >= self.patience.attempts;
        if self.search.running_job(id).is_none_or(too_often) {
            commands.push(Command::Abort(id));
            self.search.set_aside(id);
        } else if let Some(task) = self.search.restart(id) {
            self.leases.insert(id, Lease { nodes: 0, since: now });
            commands.push(Command::Submit(Box::new(task)));
        }
    }

    /// Stores the changes, and only then releases the commands.
    fn settle(&mut self, mut commands: Vec<Command>) -> Result<Vec<Command>, StoreError> {
        let changes = self.search.take_changes();
        if !changes.is_empty() {
            self.store.commit(&changes)?;
        }
        commands.extend(self.search.take_aborted().into_iter().map(Command::Abort));
        let search = &self.search;
        self.leases.retain(|&id, _| search.running_job(id).is_some());
        self.failed.retain(|&id, _| search.running_job(id).is_some());
        // A job can start and end in the same step.
        commands.retain(|command| match command {
            Command::Submit(task) => search.running_job(task.id).is_some(),
            Command::Abort(_) => true,
        });
        Ok(commands)
    }
}
