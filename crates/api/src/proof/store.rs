//! The proofs that can be browsed, within a limit on memory.

use crate::{ApiError, Code, Proof};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Proofs by name. The limit covers the proofs that are kept and the
/// certificates that are being checked; the proof used longest ago makes room.
pub struct Proofs {
    most: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The last used at the back.
    kept: VecDeque<Arc<Proof>>,
    /// Bytes of the proofs in `kept`.
    bytes: usize,
    /// Bytes of certificates that are being checked.
    pending: usize,
}

impl Proofs {
    /// An empty store of so many bytes.
    pub fn new(most: usize) -> Proofs {
        Proofs { most, state: Mutex::default() }
    }

    /// Memory for a proof under construction: nothing at first.
    pub fn room(&self) -> Room<'_> {
        Room { proofs: self, bytes: 0 }
    }

    /// The bytes in use: proofs that are kept and certificates being checked.
    pub fn bytes(&self) -> usize {
        let state = self.state();
        state.bytes + state.pending
    }

    /// Keeps a proof that was built in this room.
    pub(super) fn insert(&self, proof: Arc<Proof>, room: Room<'_>) {
        drop(room);
        let mut state = self.state();
        if let Some(old) = state.kept.iter().position(|other| other.id() == proof.id()) {
            state.remove(old);
        }
        state.make_room(proof.bytes(), self.most);
        state.bytes += proof.bytes();
        state.kept.push_back(proof);
    }

    /// The proof of this name.
    pub fn get(&self, id: &str) -> Result<Arc<Proof>, ApiError> {
        let mut state = self.state();
        let found = state.kept.iter().position(|proof| proof.id() == id);
        let proof = found.and_then(|at| state.kept.remove(at));
        let proof = proof.ok_or_else(|| ApiError::new(Code::NotFound, "no such proof is here (any more)"))?;
        state.kept.push_back(Arc::clone(&proof));
        Ok(proof)
    }

    /// A thread that panicked while it held the lock has left the state whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn remove(&mut self, at: usize) {
        if let Some(proof) = self.kept.remove(at) {
            self.bytes -= proof.bytes();
        }
    }

    /// Drops the oldest proofs until so many more bytes fit; whether they do.
    fn make_room(&mut self, more: usize, most: usize) -> bool {
        let fits = |state: &State| state.bytes + state.pending + more <= most;
        while !fits(self) && !self.kept.is_empty() {
            self.remove(0);
        }
        fits(self)
    }
}

/// Memory of a [`Proofs`] store taken by a proof under construction. Dropping
/// it gives the memory back.
pub struct Room<'a> {
    proofs: &'a Proofs,
    bytes: usize,
}

impl Room<'_> {
    /// Takes so many more bytes if the store has them.
    pub(super) fn grow(&mut self, more: usize) -> bool {
        let mut state = self.proofs.state();
        let fits = state.make_room(more, self.proofs.most);
        if fits {
            state.pending += more;
            self.bytes += more;
        }
        fits
    }

    /// Gives so many bytes back.
    pub(super) fn shrink(&mut self, less: usize) {
        let less = less.min(self.bytes);
        self.proofs.state().pending -= less;
        self.bytes -= less;
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        self.shrink(self.bytes);
    }
}
