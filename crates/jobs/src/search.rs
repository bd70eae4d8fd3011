//! The state machine of the search: it chooses nodes, makes jobs for them and takes
//! in answers. It has no clock, file or network. It reports what it does as
//! [`Change`]s, from which the search can be restored.

use crate::{
    Answer, Change, End, Ended, JOB_LIMITS, Job, JobId, JobProof, Kind, NodeId, Origin, PolicyName, ProofId,
    Status, Task, Tree, Value,
};
use lambda6_rules::{Outcome, Position, Side};
use lambda6_search::{Limits, Method};
use std::collections::{BTreeMap, VecDeque};

/// What is searched, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The position to be solved.
    pub root: Position,
    /// The side whose win is to be proved.
    pub attacker: Side,
    /// The policy that chooses nodes.
    pub policy: PolicyName,
    /// The limits of a job.
    pub limits: Limits,
    /// Ask for all defences of a defender's position at once, instead of for one
    /// after the other.
    pub verify: bool,
    /// The method of proofs.
    pub method: Method,
    /// The version of the program that does the jobs, on which answers depend.
    pub build: String,
}

/// Why a position cannot be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// Black's first move has other stones than the moves of the search.
    #[error("the board is empty: play a first move")]
    FirstMove,
    /// The game is over.
    #[error("the game is over")]
    Over,
}

impl Settings {
    /// Settings of a search for a win of `attacker`, by default the side to move,
    /// with the usual policy, limits and method.
    pub fn new(root: Position, attacker: Option<Side>, build: String) -> Result<Settings, SettingsError> {
        if root.outcome().is_some() {
            return Err(SettingsError::Over);
        }
        if root.empty_count() == root.game().area() && root.game().p() != root.game().q() {
            return Err(SettingsError::FirstMove);
        }
        Ok(Settings {
            attacker: attacker.unwrap_or(root.to_move()),
            root,
            policy: PolicyName::default(),
            limits: JOB_LIMITS,
            verify: true,
            method: Method::default(),
            build,
        })
    }
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
    /// Running jobs that are not needed any more.
    aborted: Vec<JobId>,
}

impl Search {
    /// A new search.
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

    /// Applies a change of an earlier search. The store returns nodes after their
    /// parents.
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

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The value of the root, if it is solved.
    pub fn value(&self) -> Option<Value> {
        self.tree.node(NodeId::ROOT).value()
    }

    /// The jobs that workers have, in the order of their numbers.
    pub fn running(&self) -> impl Iterator<Item = &Job> {
        self.jobs.values().filter(|entry| entry.running).map(|entry| &entry.job)
    }

    /// A job that a worker has.
    pub fn running_job(&self, id: JobId) -> Option<&Job> {
        self.jobs.get(&id).filter(|entry| entry.running).map(|entry| &entry.job)
    }

    /// The number of jobs that wait for a worker.
    pub fn waiting(&self) -> usize {
        self.ready.len()
    }

    /// Takes the changes since the last call, to be stored.
    pub fn take_changes(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changes)
    }

    /// Takes the running jobs that were aborted since the last call.
    pub fn take_aborted(&mut self) -> Vec<JobId> {
        std::mem::take(&mut self.aborted)
    }

    /// Starts the next job; `None` if there is none before an answer comes in.
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

    /// Starts a running job once more, for another worker.
    pub fn restart(&mut self, id: JobId) -> Option<Task> {
        let entry = self.jobs.get_mut(&id).filter(|entry| entry.running)?;
        entry.job.attempts += 1;
        let job = entry.job.clone();
        self.changes.push(Change::Job(job.clone()));
        Some(self.task(&job))
    }

    /// The task of a job.
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
            // It may have been paused or solved since.
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
        // Stored before a worker has it: if the client were killed before that, the
        // postponed sibling would never be generated.
        self.changes.push(Change::Job(job.clone()));
        self.jobs.insert(id, Entry { job, running: false });
        self.tree.change(node, |node| node.job = Some(id));
        self.ready.push_back(id);
    }

    /// Takes in an answer that has been checked. False if the job is not running, as
    /// for a second or late answer.
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

    /// Adds the child for a move, unless the move cannot be played.
    pub(crate) fn grow(&mut self, parent: NodeId, mv: lambda6_rules::Move, status: Status, origin: Origin) {
        if self.tree.child(parent, &mv).is_some() {
            return;
        }
        let before = self.tree.position(parent);
        let mut after = before.clone();
        if after.play(&mv).is_err() {
            return;
        }
        // A move that connects is its own proof.
        if after.outcome() == Some(Outcome::Win(before.to_move())) {
            let (attacker, method) = (before.to_move(), self.settings.method);
            let proof = self.keep(&JobProof { attacker, method, except: Vec::new(), replies: vec![mv] });
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

    /// Solves a node at which the game is over.
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

    fn keep(&mut self, proof: &JobProof) -> ProofId {
        let id = proof.id(self.settings.root.game());
        self.changes.push(Change::Proof { id: id.clone(), proof: proof.clone() });
        id
    }

    /// Gives up a job that failed too often. Its node is not searched until a person
    /// resumes it.
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

    /// Ends the jobs that are not needed any more.
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

/// The number of moves of a position.
fn moves_of(position: &Position) -> u128 {
    let (mut count, empty) = (1u128, position.empty_count() as u128);
    for i in 0..position.stones_to_place() as u128 {
        count = count * (empty - i) / (i + 1);
    }
    count
}
