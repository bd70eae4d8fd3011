//! Searches that ended without an answer and can be continued: their tables, with
//! all that they have found out, within a limit on memory.

use lambda6_proof::{Class, Solver};
use lambda6_rules::{Position, Side};
use std::{
    collections::VecDeque,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// The question of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) position: Position,
    pub(crate) attacker: Side,
    pub(crate) class: Class,
}

/// A search that was interrupted.
pub(crate) struct Interrupted {
    pub(crate) solver: Solver,
    /// Bytes of its tables.
    pub(crate) bytes: usize,
    /// Moves tried so far.
    pub(crate) nodes: u64,
    /// Time used so far.
    pub(crate) elapsed: Duration,
}

/// Interrupted searches by their questions. The one that ended longest ago makes
/// room.
pub(crate) struct Kept {
    most: usize,
    state: Mutex<State>,
    /// A search has ended.
    ended: Condvar,
}

#[derive(Default)]
struct State {
    /// The last that ended at the back.
    kept: VecDeque<(Question, Interrupted)>,
    /// Questions of searches under way.
    running: Vec<Question>,
}

/// How long a request waits for a search of the same question to end, which its
/// user has stopped a moment ago.
const PATIENCE: Duration = Duration::from_secs(5);

impl Kept {
    /// Keeps searches with tables of so many bytes together.
    pub(crate) fn new(most: usize) -> Kept {
        Kept { most, state: Mutex::default(), ended: Condvar::new() }
    }

    /// Begins a search of this question. The earlier one is taken out, if there is
    /// one; nobody else can take it until the new one ends.
    pub(crate) fn begin(&self, question: &Question) -> (Option<Interrupted>, Running<'_>) {
        let mut state = self.state();
        if state.running.contains(question) {
            let waits = |state: &mut State| state.running.contains(question);
            let waited = self.ended.wait_timeout_while(state, PATIENCE, waits);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let found = state.kept.iter().position(|(other, _)| other == question);
        let taken = found.and_then(|at| state.kept.remove(at)).map(|(_, search)| search);
        state.running.push(question.clone());
        drop(state);
        (taken, Running { kept: self, question: question.clone() })
    }

    /// A thread that panicked while it held the lock has left the state whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A search under way. It ends when this is dropped.
pub(crate) struct Running<'a> {
    kept: &'a Kept,
    question: Question,
}

impl Running<'_> {
    /// Keeps the search for the next request; whether there is room for it.
    pub(crate) fn keep(self, search: Interrupted) -> bool {
        let most = self.kept.most;
        if search.bytes > most {
            return false;
        }
        let mut state = self.kept.state();
        let bytes = |state: &State| state.kept.iter().map(|(_, other)| other.bytes).sum::<usize>();
        while bytes(&state) + search.bytes > most {
            state.kept.pop_front();
        }
        state.kept.push_back((self.question.clone(), search));
        true
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut state = self.kept.state();
        if let Some(at) = state.running.iter().position(|other| *other == self.question) {
            state.running.swap_remove(at);
        }
        drop(state);
        self.kept.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use lambda6_proof::SolverOptions;
    use lambda6_rules::Game;

    fn question(class: Class) -> Question {
        Question { position: Position::new(Game::CONNECT6), attacker: Side::Black, class }
    }

    fn search(nodes: u64, bytes: usize) -> Interrupted {
        let options = SolverOptions { table_bytes: 1 << 16, ..SolverOptions::for_class(Class::Vcdt) };
        let solver = Solver::new(Game::CONNECT6, options);
        Interrupted { solver, bytes, nodes, elapsed: Duration::ZERO }
    }

    #[test]
    fn a_search_is_taken_once_by_its_own_question() {
        let kept = Kept::new(100);
        let (first, second) = (question(Class::Vcst), question(Class::Lambda3));
        assert!(kept.begin(&first).1.keep(search(7, 50)));
        assert!(kept.begin(&second).0.is_none());
        let (taken, running) = kept.begin(&first);
        assert_eq!(taken.unwrap().nodes, 7);
        drop(running);
        assert!(kept.begin(&first).0.is_none());
    }

    #[test]
    fn the_oldest_makes_room_and_what_is_too_large_is_not_kept() {
        let kept = Kept::new(100);
        let (first, second) = (question(Class::Vcst), question(Class::Lambda3));
        assert!(kept.begin(&first).1.keep(search(1, 60)));
        assert!(kept.begin(&second).1.keep(search(2, 60)));
        assert!(kept.begin(&first).0.is_none());
        assert!(!kept.begin(&first).1.keep(search(3, 101)));
        assert_eq!(kept.begin(&second).0.unwrap().nodes, 2);
    }

    #[test]
    fn a_request_waits_for_the_search_that_was_just_stopped() {
        let kept = Kept::new(100);
        let (_, running) = kept.begin(&question(Class::Vcst));
        let taken = std::thread::scope(|scope| {
            let next = scope.spawn(|| kept.begin(&question(Class::Vcst)).0.map(|search| search.nodes));
            running.keep(search(9, 10));
            next.join().unwrap()
        });
        assert_eq!(taken, Some(9));
    }
}
