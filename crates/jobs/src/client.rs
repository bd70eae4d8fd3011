//! The client: a search, its store, and the workers' comings and goings. Still
//! without a clock or a network of its own: events come in with the time, and
//! commands go out. Nothing goes out before it is stored, so that a client that
//! dies and starts again asks for nothing twice that it has an answer to.

use crate::{
    Answer, Change, End, Ended, Job, JobId, Judge, Search, Steer, SteerError, Store, StoreError, Task,
};
use std::{collections::BTreeMap, time::Duration};

/// How patient the client is.
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

/// What happens outside.
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
        /// The moves that it tried.
        nodes: u64,
        /// How long it took.
        millis: u64,
    },
    /// A worker tells how far it is.
    Progress {
        /// The job.
        job: JobId,
        /// The moves that it has tried.
        nodes: u64,
    },
    /// A worker gives a job back undone, as when it is told to stop.
    Returned {
        /// The job.
        job: JobId,
    },
    /// A job went wrong: the worker broke down, or what came back cannot be read.
    Failed {
        /// The job.
        job: JobId,
        /// How.
        why: String,
    },
    /// The way to the workers gave a job up: it failed too often there.
    GivenUp {
        /// The job.
        job: JobId,
        /// How.
        why: String,
    },
    /// Time goes by.
    Tick,
}

/// What the outside is told to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Have this done. A task of the same name that is still there is void.
    Submit(Box<Task>),
    /// Nobody needs this any more.
    Abort(JobId),
}

/// What a person may want to know, beside the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally {
    /// Answers that came for jobs that do not run: twice, or too late.
    pub late: u64,
    /// Answers that were not believed.
    pub refused: u64,
    /// Jobs whose lease ran out.
    pub expired: u64,
    /// Jobs that workers gave back or broke down on.
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
    tally: Tally,
    /// Why the last answer was not believed or the last job failed.
    last_trouble: Option<String>,
}

impl<S: Store, J: Judge> Client<S, J> {
    /// Goes on with the search of a store. The jobs that ran are to be submitted
    /// again: [`Client::resubmit`].
    pub fn open(store: S, judge: J, patience: Patience) -> Result<Client<S, J>, StoreError> {
        let search = store.load()?;
        let (leases, tally) = (BTreeMap::new(), Tally::default());
        Ok(Client { search, store, judge, patience, leases, tally, last_trouble: None })
    }

    /// The search.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The store, to be asked for orders.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }

    /// Gives the store back.
    pub fn into_store(self) -> S {
        self.store
    }

    /// What went wrong so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The last thing that went wrong.
    pub fn last_trouble(&self) -> Option<&str> {
        self.last_trouble.as_deref()
    }

    /// How many jobs workers have.
    pub fn running(&self) -> usize {
        self.search.running().count()
    }

    /// The jobs that ran when an earlier client ended, to be submitted again
    /// under their names. That counts as no attempt: nobody failed.
    pub fn resubmit(&mut self, now: Duration) -> Vec<Command> {
        let jobs: Vec<Job> = self.search.running().cloned().collect();
        jobs.iter()
            .map(|job| {
                self.leases.insert(job.id, Lease { nodes: 0, since: now });
                Command::Submit(Box::new(self.search.task(job)))
            })
            .collect()
    }

    /// Starts jobs until so many run, or there is nothing to start.
    pub fn fill(&mut self, now: Duration, slots: usize) -> Result<Vec<Command>, StoreError> {
        let mut commands = Vec::new();
        let mut running = self.running();
        while self.search.value().is_none() && running < slots {
            let Some(task) = self.search.start() else { break };
            let key = task.key(&self.search.settings().build);
            match self.store.answer(&key)? {
                Some(answer) => {
                    self.search.answered(task.id, &answer, Ended::by_nobody(End::Known));
                    // It may have made others needless.
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

    /// Takes in what happened.
    pub fn handle(&mut self, now: Duration, event: Event) -> Result<Vec<Command>, StoreError> {
        let mut commands = Vec::new();
        match event {
            Event::Answered { job, worker, answer, nodes, millis } => {
                let ended = Ended { end: End::Done, worker, nodes, millis };
                self.answered(now, job, answer, ended, &mut commands);
            }
            Event::Progress { job, nodes } => {
                // A counter that stands still is no sign of life.
                if let Some(lease) = self.leases.get_mut(&job).filter(|lease| nodes > lease.nodes) {
                    *lease = Lease { nodes, since: now };
                }
            }
            Event::Returned { job } => {
                // Nobody failed: it counts as no attempt.
                if let Some(task) = self.search.running_job(job).map(|job| self.search.task(job)) {
                    self.tally.returned += 1;
                    self.leases.insert(job, Lease { nodes: 0, since: now });
                    commands.push(Command::Submit(Box::new(task)));
                }
            }
            Event::Failed { job, why } => {
                if self.search.running_job(job).is_some() {
                    self.tally.returned += 1;
                    self.last_trouble = Some(format!("job {job}: {why}"));
                    self.again(now, job, &mut commands);
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
                    self.again(now, job, &mut commands);
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
                self.again(now, id, commands);
            }
        }
    }

    /// Gives a job to another worker, or sets it aside.
    fn again(&mut self, now: Duration, id: JobId, commands: &mut Vec<Command>) {
        let too_often = |job: &Job| job.attempts >= self.patience.attempts;
        if self.search.running_job(id).is_none_or(too_often) {
            commands.push(Command::Abort(id));
            self.search.set_aside(id);
        } else if let Some(task) = self.search.restart(id) {
            self.leases.insert(id, Lease { nodes: 0, since: now });
            commands.push(Command::Submit(Box::new(task)));
        }
    }

    /// Stores what happened; only then may the outside hear of it.
    fn settle(&mut self, mut commands: Vec<Command>) -> Result<Vec<Command>, StoreError> {
        let changes = self.search.take_changes();
        if !changes.is_empty() {
            self.store.commit(&changes)?;
        }
        commands.extend(self.search.take_aborted().into_iter().map(Command::Abort));
        let search = &self.search;
        self.leases.retain(|&id, _| search.running_job(id).is_some());
        // A job can start and end within one step.
        commands.retain(|command| match command {
            Command::Submit(task) => search.running_job(task.id).is_some(),
            Command::Abort(_) => true,
        });
        Ok(commands)
    }
}
