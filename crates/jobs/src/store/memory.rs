//! A store in memory, for simulations and tests.

use super::{Store, StoreError};
use crate::{Answer, Change, End, Job, JobId, JobKey, JobProof, NodeId, ProofId, Search, Settings};
use std::collections::{BTreeMap, HashMap};

/// Keeps a search in memory. A clone is what a crash at this moment would leave.
#[derive(Clone)]
pub struct MemoryStore {
    settings: Settings,
    nodes: Vec<SavedNode>,
    jobs: BTreeMap<JobId, Job>,
    ended: BTreeMap<JobId, End>,
    proofs: HashMap<ProofId, JobProof>,
    answers: HashMap<JobKey, Answer>,
    keep_proofs: bool,
}

/// The stored changes of a node.
#[derive(Clone, Default)]
struct SavedNode {
    node: Option<Change>,
    own: Option<Change>,
    others: Option<Change>,
    marks: Option<Change>,
}

impl MemoryStore {
    /// A store for a new search.
    pub fn new(settings: Settings) -> MemoryStore {
        MemoryStore {
            settings,
            nodes: vec![SavedNode::default()],
            jobs: BTreeMap::new(),
            ended: BTreeMap::new(),
            proofs: HashMap::new(),
            answers: HashMap::new(),
            keep_proofs: true,
        }
    }

    /// A store that does not keep answers and proofs, for simulations of many jobs.
    pub fn forgetful(settings: Settings) -> MemoryStore {
        MemoryStore { keep_proofs: false, ..MemoryStore::new(settings) }
    }

    /// The changes from which the search can be restored, nodes first, then jobs.
    pub fn changes(&self) -> Vec<Change> {
        let parts = |node: &SavedNode| {
            [&node.node, &node.own, &node.others, &node.marks].map(Clone::clone).into_iter().flatten()
        };
        let mut changes: Vec<Change> = self.nodes.iter().flat_map(parts).collect();
        if let Some((&id, &end)) = self.ended.last_key_value() {
            changes.push(Change::Ended { id, how: crate::Ended::by_nobody(end) });
        }
        changes.extend(self.jobs.values().cloned().map(Change::Job));
        changes
    }

    fn node(&mut self, id: NodeId) -> &mut SavedNode {
        let index = id.0 as usize;
        if index >= self.nodes.len() {
            self.nodes.resize(index + 1, SavedNode::default());
        }
        &mut self.nodes[index]
    }
}

impl Store for MemoryStore {
    fn commit(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        for change in changes {
            let copy = Some(change.clone());
            match change {
                Change::Node { id, .. } => self.node(*id).node = copy,
                Change::Own { node, .. } => self.node(*node).own = copy,
                Change::Others { node, .. } => self.node(*node).others = copy,
                Change::Marks { node, .. } => self.node(*node).marks = copy,
                Change::Job(job) => {
                    self.jobs.insert(job.id, job.clone());
                }
                Change::Ended { id, how } => {
                    self.jobs.remove(id);
                    self.ended.insert(*id, how.end);
                }
                Change::Proof { id, proof } if self.keep_proofs => {
                    self.proofs.insert(id.clone(), proof.clone());
                }
                Change::Answer { key, answer } if self.keep_proofs => {
                    self.answers.insert(key.clone(), answer.clone());
                }
                Change::Proof { .. } | Change::Answer { .. } => {}
            }
        }
        Ok(())
    }

    fn load(&self) -> Result<Search, StoreError> {
        let mut search = Search::new(self.settings.clone());
        self.changes().into_iter().for_each(|change| search.restore(change));
        Ok(search)
    }

    fn answer(&self, key: &JobKey) -> Result<Option<Answer>, StoreError> {
        Ok(self.answers.get(key).cloned())
    }

    fn proof(&self, id: &ProofId) -> Result<Option<JobProof>, StoreError> {
        Ok(self.proofs.get(id).cloned())
    }

    fn ended(&self) -> Result<BTreeMap<End, u64>, StoreError> {
        let mut counts = BTreeMap::new();
        self.ended.values().for_each(|&end| *counts.entry(end).or_default() += 1);
        Ok(counts)
    }
}
