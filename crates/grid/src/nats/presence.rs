//! The workers that are present, as far as a client believes their signs of life.

use super::{
    WorkerName,
    message::{self, Presence, VERSION},
};
use lambda6_jobs::WorkerInfo;
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// How long a worker counts as present after its last sign of life.
const PRESENT: Duration = Duration::from_secs(15);
/// Workers that a client remembers, of one owner and of all. More are ignored, so
/// that forged presences take bounded memory and one owner cannot crowd out others.
const MAX_OF_OWNER: usize = 1024;
const MAX_OF_ALL: usize = 8 * MAX_OF_OWNER;
/// Workers of an owner that a client sends jobs for before any of them has
/// answered. Every answer allows for one more.
const FIRST_WORKERS: usize = 16;

#[derive(Default)]
struct Owner {
    workers: BTreeMap<String, (Presence, Instant)>,
    answers: usize,
}

/// The workers that have shown themselves.
#[derive(Default)]
pub(super) struct Presences(BTreeMap<String, Owner>);

impl Presences {
    /// Takes in a sign of life.
    pub(super) fn note(&mut self, worker: &WorkerName, mut presence: Presence) {
        let all: usize = self.0.values().map(|owner| owner.workers.len()).sum();
        let of_owner = self.0.get(worker.owner()).map(|owner| &owner.workers);
        let known = of_owner.is_some_and(|workers| workers.contains_key(worker.process()));
        let full = all >= MAX_OF_ALL || of_owner.is_some_and(|workers| workers.len() >= MAX_OF_OWNER);
        if !known && (full || presence.leaving) {
            return;
        }
        presence.build = message::printable(&presence.build);
        presence.job = presence.job.map(|job| message::printable(&job));
        presence.nodes = message::bounded(presence.nodes);
        let workers = &mut self.0.entry(worker.owner().to_string()).or_default().workers;
        if presence.leaving {
            workers.remove(worker.process());
        } else {
            workers.insert(worker.process().to_string(), (presence, Instant::now()));
        }
    }

    /// Takes in that a worker of this owner has answered an open job.
    pub(super) fn answered(&mut self, owner: &str) {
        if let Some(owner) = self.0.get_mut(owner) {
            owner.answers = owner.answers.saturating_add(1);
        }
    }

    /// Forgets workers that have been silent for long. What an owner has answered is
    /// kept while it has workers.
    pub(super) fn expire(&mut self) {
        for owner in self.0.values_mut() {
            owner.workers.retain(|_, (_, seen)| seen.elapsed() < PRESENT);
        }
        self.0.retain(|_, owner| !owner.workers.is_empty());
    }

    /// The number of workers to send jobs for. A presence is cheap to forge and an
    /// answer is not, so that an owner's workers count in full only when enough jobs
    /// have been answered.
    pub(super) fn believed(&self, build: &str) -> usize {
        let of = |owner: &Owner| {
            let able = owner.workers.values().filter(|(presence, _)| trouble(presence, build).is_none());
            able.count().min(FIRST_WORKERS.saturating_add(owner.answers))
        };
        self.0.values().map(of).sum()
    }

    /// All workers, for people to look at.
    pub(super) fn infos(&self, build: &str) -> Vec<WorkerInfo> {
        let of = |(name, owner): (&String, &Owner)| -> Vec<WorkerInfo> {
            let info = |(process, (presence, _)): (&String, &(Presence, Instant))| WorkerInfo {
                name: format!("{name}/{process}"),
                job: presence.job.clone(),
                nodes: presence.nodes,
                trouble: trouble(presence, build),
            };
            owner.workers.iter().map(info).collect()
        };
        self.0.iter().flat_map(of).collect()
    }
}

/// Why a worker cannot do jobs of a client of this build.
fn trouble(presence: &Presence, build: &str) -> Option<String> {
    if presence.version != VERSION {
        return Some(format!("messages of version {}, not {VERSION}", presence.version));
    }
    (presence.build != build).then(|| format!("program {}, not {build}", presence.build))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILD: &str = "build";

    fn note(presences: &mut Presences, owner: &str, process: usize) {
        let presence =
            Presence { version: VERSION, build: BUILD.to_string(), job: None, nodes: 0, leaving: false };
        presences.note(&WorkerName::new(owner, &process.to_string()).unwrap(), presence);
    }

    #[test]
    fn presences_alone_bring_few_jobs_and_answers_bring_more() {
        let mut presences = Presences::default();
        for process in 0..20_000 {
            note(&mut presences, "forger", process);
        }
        assert_eq!(presences.believed(BUILD), FIRST_WORKERS);
        assert_eq!(presences.infos(BUILD).len(), MAX_OF_OWNER);
        note(&mut presences, "honest", 0);
        assert_eq!(presences.believed(BUILD), FIRST_WORKERS + 1);
        presences.answered("honest");
        assert_eq!(presences.believed(BUILD), FIRST_WORKERS + 1, "one worker takes one job");
        presences.answered("forger");
        assert_eq!(presences.believed(BUILD), FIRST_WORKERS + 2);
        for owner in 0..20_000 {
            note(&mut presences, &format!("owner-{owner}"), 0);
        }
        assert_eq!(presences.infos(BUILD).len(), MAX_OF_ALL);
    }
}
