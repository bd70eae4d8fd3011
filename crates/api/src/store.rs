//! The proofs that can be browsed, within a limit on memory.

use crate::{ApiError, Code, Proof};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Proofs by name. The one that was used longest ago makes room for a new one.
pub struct Proofs {
    most: usize,
    /// The last used at the back.
    kept: Mutex<VecDeque<Arc<Proof>>>,
}

impl Proofs {
    /// Room for so many bytes.
    pub fn new(most: usize) -> Proofs {
        Proofs { most, kept: Mutex::new(VecDeque::new()) }
    }

    /// Keeps a proof.
    pub fn insert(&self, proof: Arc<Proof>) {
        let mut kept = self.kept();
        kept.retain(|other| other.id() != proof.id());
        kept.push_back(proof);
        let mut total: usize = kept.iter().map(|proof| proof.bytes()).sum();
        while total > self.most && kept.len() > 1 {
            total -= kept.pop_front().map_or(0, |oldest| oldest.bytes());
        }
    }

    /// The proof of this name.
    pub fn get(&self, id: &str) -> Result<Arc<Proof>, ApiError> {
        let mut kept = self.kept();
        let found = kept.iter().position(|proof| proof.id() == id).and_then(|at| kept.remove(at));
        let proof = found.ok_or_else(|| ApiError::new(Code::NotFound, "no such proof is here (any more)"))?;
        kept.push_back(Arc::clone(&proof));
        Ok(proof)
    }

    /// A thread that panicked while it held the list has not left it half done.
    fn kept(&self) -> MutexGuard<'_, VecDeque<Arc<Proof>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
