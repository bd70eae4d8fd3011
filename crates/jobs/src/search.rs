//! The search itself: chooses nodes, makes jobs for them, takes answers in. It
//! knows no clock, no file and no network; what it does is told as [`Change`]s,
//! and a search made again from them goes on where this one stood.

use crate::{
    Answer, Change, End, Ended, Job, JobId, JobLimits, Kind, NodeId, Origin, PolicyName, Proof, ProofId,
    Status, Task, Tree, Value,
};
use rules::{Outcome, Position, Side};
use search::Method;
use std::collections::{BTreeMap, VecDeque};

/// What is searched, and how. It does not change while a search lives, but for
/// the policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The position to be solved.
    pub root: Position,
    /// Whose win is to be proved.
    pub attacker: Side,
    /// How nodes are chosen while jobs are under way.
    pub policy: PolicyName,
    /// What a job may use.
    pub limits: JobLimits,
    /// Ask a verifier for all defences of a defender's position, instead of for
    /// the best one after the other.
    pub verify: bool,
    /// How proofs cut the defender's spare stones down.
    pub method: Method,
    /// The program that does the jobs; answers of another are not the same.
    pub build: String,
}

/// A job and whether a worker has it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    job: Job,
    running: bool,
}

/// A job-level proof-number search.
#[derive(Clone)]
pub struct Search {
    settings: Settings,
    pub(crate) tree: Tree,
    jobs: BTreeMap<JobId, Entry>,
    /// Jobs that wait for a worker.
    ready: VecDeque<JobId>,
    pub(crate) forced: VecDeque<(NodeId, Kind)>,
    next_job: u64,
    pub(crate) changes: Vec<Change>,
    /// Running jobs that nothing depends on any more.
    aborted: Vec<JobId>,
}

impl Search {
    /// A search that has not begun.
    pub fn new(settings: Settings) -> Search {
        let tree = Tree::new(settings.root.clone(), settings.attacker, settings.policy);
        let mut search = Search {
            settings,
            tree,
            jobs: BTreeMap::new(),
            ready: VecDeque::new(),
            forced: VecDeque::new(),
            next_job: 1,
            changes: Vec::new(),
            aborted: Vec::new(),
        };
        search.settle_terminal(NodeId::ROOT);
        search
    }

    /// Puts a change back that an earlier search told. The store gives them in an
    /// order in which nodes follow their parents.
    pub(crate) fn restore(&mut self, change: Change) {
        match change {
            Change::Node { parent, mv, status, origin, .. } => {
                self.tree.add(parent, mv, status, origin);
            }
            Change::Own { node, value, proof } => self.tree.change(node, |node| {
                (node.own, node.proof) = (Some(value), proof);
            }),
            Change::Others { node, proof } => self.tree.change(node, |node| node.others = Some(proof)),
            Change::Marks { node, paused, forbidden, set_aside } => self.tree.change(node, |node| {
                (node.paused, node.forbidden, node.set_aside) = (paused, forbidden, set_aside);
            }),
            Change::Job(job) => {
                self.next_job = self.next_job.max(job.id.0 + 1);
                self.tree.change(job.node, |node| node.job = Some(job.id));
                let running = job.attempts > 0;
                if !running {
                    self.ready.push_back(job.id);
                }
                self.jobs.insert(job.id, Entry { job, running });
            }
            Change::Ended { id, .. } => {
                self.next_job = self.next_job.max(id.0 + 1);
                self.remove(id);
            }
            Change::Proof { .. } | Change::Answer { .. } => {}
        }
        self.changes.clear();
        self.aborted.clear();
    }

    /// What is searched.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What is known about the root.
    pub fn value(&self) -> Option<Value> {
        self.tree.node(NodeId::ROOT).value()
    }

    /// The jobs that workers have, in the order of their names.
    pub fn running(&self) -> impl Iterator<Item = &Job> {
        self.jobs.values().filter(|entry| entry.running).map(|entry| &entry.job)
    }

    /// A job that a worker has.
    pub fn running_job(&self, id: JobId) -> Option<&Job> {
        self.jobs.get(&id).filter(|entry| entry.running).map(|entry| &entry.job)
    }

    /// How many jobs wait for a worker.
    pub fn waiting(&self) -> usize {
        self.ready.len()
    }

    /// What has happened since this was last asked, to be stored.
    pub fn take_changes(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changes)
    }

    /// The running jobs that were given up since this was last asked.
    pub fn take_aborted(&mut self) -> Vec<JobId> {
        std::mem::take(&mut self.aborted)
    }

    /// The next job, for a worker that is free; `None` when there is nothing to
    /// do before some answer comes in.
    pub fn start(&mut self) -> Option<Task> {
        if self.ready.is_empty() {
            self.plan();
        }
        let id = self.ready.pop_front()?;
        let entry = self.jobs.get_mut(&id)?;
        entry.running = true;
        entry.job.attempts += 1;
        let job = entry.job.clone();
        self.changes.push(Change::Job(job.clone()));
        Some(self.task(&job))
    }

    /// The same job again, for another worker.
    pub fn restart(&mut self, id: JobId) -> Option<Task> {
        let entry = self.jobs.get_mut(&id).filter(|entry| entry.running)?;
        entry.job.attempts += 1;
        let job = entry.job.clone();
        self.changes.push(Change::Job(job.clone()));
        Some(self.task(&job))
    }

    /// The job as its worker gets it.
    pub fn task(&self, job: &Job) -> Task {
        Task {
            id: job.id,
            attempt: job.attempts,
            kind: job.kind,
            position: self.tree.position(job.node),
            excluded: job.excluded.clone(),
            limits: self.settings.limits,
            method: self.settings.method,
        }
    }

    /// Chooses a node and makes its jobs: the next child of the node and, if it
    /// is its parent's youngest child, the next sibling (postponed sibling
    /// generation).
    fn plan(&mut self) {
        while let Some((id, kind)) = self.forced.pop_front() {
            // It may have been paused since it was asked for.
            let open = !self.tree.is_settled(id) && !self.tree.is_held_back(id);
            if open && self.tree.node(id).job.is_none() {
                return self.make(id, Some(kind));
            }
        }
        let Some(id) = self.tree.select() else { return };
        self.make(id, None);
        if let Some(parent) = self.tree.node(id).parent {
            let node = self.tree.node(parent);
            let youngest = node.children.last() == Some(&id);
            if youngest && node.others.is_none() && node.job.is_none() && !node.set_aside {
                self.make(parent, None);
            }
        }
    }

    /// Makes the job that looks for the node's next child.
    fn make(&mut self, node: NodeId, kind: Option<Kind>) {
        let defends = self.tree.node(node).to_move != self.settings.attacker;
        let first = self.tree.node(node).children.is_empty();
        let by_default = if self.settings.verify && defends && first { Kind::Verify } else { Kind::Best };
        let id = JobId(self.next_job);
        self.next_job += 1;
        let kind = kind.unwrap_or(by_default);
        let job = Job { id, node, kind, excluded: self.tree.moves(node), attempts: 0 };
        // Stored before a worker has it: without it the sibling that was put off
        // until now would be put off for good when the client dies here.
        self.changes.push(Change::Job(job.clone()));
        self.jobs.insert(id, Entry { job, running: false });
        self.tree.change(node, |node| node.job = Some(id));
        self.ready.push_back(id);
    }

    /// Takes in an answer that has been checked. False if the job is not one that
    /// runs: the answer came twice, or too late.
    pub fn answered(&mut self, id: JobId, answer: &Answer, by: Ended) -> bool {
        let Some(job) = self.running_job(id).cloned() else { return false };
        self.remove(id);
        self.changes.push(Change::Ended { id, how: by });
        match answer {
            Answer::Best { win: Some(proof), .. } => {
                let winner = self.tree.node(job.node).to_move;
                let proof = self.keep(proof);
                self.own(job.node, Value::Win(winner), Some(proof));
            }
            Answer::Best { mv, status, .. } => self.grow(job.node, *mv, *status, Origin::Job),
            Answer::OthersLose { proof } => {
                let proof = self.keep(proof);
                self.complete(job.node, proof);
            }
            Answer::Defences { moves, proof } => {
                for (mv, status) in moves {
                    self.grow(job.node, *mv, *status, Origin::Verifier);
                }
                let proof = self.keep(proof);
                self.complete(job.node, proof);
            }
        }
        self.sweep();
        true
    }

    /// A child for a move that can be played.
    pub(crate) fn grow(&mut self, parent: NodeId, mv: rules::Move, status: Status, origin: Origin) {
        if self.tree.child(parent, &mv).is_some() {
            return;
        }
        let before = self.tree.position(parent);
        let mut after = before.clone();
        if after.play(&mv).is_err() {
            return;
        }
        // A move that connects proves itself.
        if after.outcome() == Some(Outcome::Win(before.to_move())) {
            let (attacker, method) = (before.to_move(), self.settings.method);
            let proof = self.keep(&Proof { attacker, method, except: Vec::new(), replies: vec![mv] });
            return self.own(parent, Value::Win(attacker), Some(proof));
        }
        let id = self.tree.add(parent, mv, status, origin);
        self.changes.push(Change::Node { id, parent, mv, status, origin });
        if after.outcome() == Some(Outcome::Draw) {
            self.own(id, Value::Draw, None);
        }
        if self.tree.node(parent).children.len() as u128 == moves_of(&before) {
            self.complete(parent, ProofId::all_moves());
        }
    }

    /// A root where the game is over is solved.
    fn settle_terminal(&mut self, id: NodeId) {
        let value = match self.tree.position(id).outcome() {
            Some(Outcome::Win(side)) => Value::Win(side),
            Some(Outcome::Draw) => Value::Draw,
            None => return,
        };
        self.tree.change(id, |node| node.own = Some(value));
    }

    fn own(&mut self, id: NodeId, value: Value, proof: Option<ProofId>) {
        self.tree.change(id, |node| (node.own, node.proof) = (Some(value), proof.clone()));
        self.changes.push(Change::Own { node: id, value, proof });
    }

    fn complete(&mut self, id: NodeId, proof: ProofId) {
        self.tree.change(id, |node| node.others = Some(proof.clone()));
        self.changes.push(Change::Others { node: id, proof });
    }

    fn keep(&mut self, proof: &Proof) -> ProofId {
        let id = proof.id(self.settings.root.game());
        self.changes.push(Change::Proof { id: id.clone(), proof: proof.clone() });
        id
    }

    /// A job that failed too often: its node is left alone until a person says
    /// otherwise.
    pub fn set_aside(&mut self, id: JobId) {
        let Some(job) = self.running_job(id).cloned() else { return };
        self.remove(id);
        self.changes.push(Change::Ended { id, how: Ended::by_nobody(End::SetAside) });
        self.mark(job.node, |node| node.set_aside = true);
        self.sweep();
    }

    pub(crate) fn mark(&mut self, id: NodeId, change: impl FnOnce(&mut crate::tree::Node)) {
        self.tree.change(id, change);
        let node = self.tree.node(id);
        let (paused, forbidden, set_aside) = (node.paused, node.forbidden, node.set_aside);
        self.changes.push(Change::Marks { node: id, paused, forbidden, set_aside });
    }

    /// Gives up the jobs that nothing depends on any more.
    pub(crate) fn sweep(&mut self) {
        let useless = |entry: &&Entry| {
            let node = entry.job.node;
            self.tree.is_settled(node) || self.tree.is_held_back(node) || self.is_complete(node)
        };
        let useless: Vec<JobId> = self.jobs.values().filter(useless).map(|entry| entry.job.id).collect();
        for id in useless {
            let running = self.remove(id).is_some_and(|entry| entry.running);
            let end = if running { End::Aborted } else { End::Dropped };
            self.changes.push(Change::Ended { id, how: Ended::by_nobody(end) });
            if running {
                self.aborted.push(id);
            }
        }
    }

    fn is_complete(&self, node: NodeId) -> bool {
        self.tree.node(node).others.is_some()
    }

    fn remove(&mut self, id: JobId) -> Option<Entry> {
        let entry = self.jobs.remove(&id)?;
        self.ready.retain(|&ready| ready != id);
        self.tree.change(entry.job.node, |node| node.job = None);
        Some(entry)
    }
}

/// How many moves there are.
fn moves_of(position: &Position) -> u128 {
    let (mut count, empty) = (1u128, position.empty_count() as u128);
    for i in 0..position.stones_to_place() as u128 {
        count = count * (empty - i) / (i + 1);
    }
    count
}
