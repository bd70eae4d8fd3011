//! The queue of queries.

use super::query::Query;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// The queries that wait and those that run. The one with the highest priority
/// goes first, and of those the oldest.
#[derive(Default)]
pub(super) struct QueryQueue {
    waiting: BTreeMap<(Reverse<i64>, u64), Query>,
    running: HashMap<u64, (String, Arc<AtomicBool>)>,
    /// The number of queries so far, which numbers them.
    count: u64,
    closed: bool,
}

/// A query that runs.
pub(super) struct RunningQuery {
    /// The argument of [`QueryQueue::finish`].
    pub ticket: u64,
    /// The query.
    pub query: Query,
    /// Set to end it.
    pub stop: Arc<AtomicBool>,
}

impl QueryQueue {
    /// Adds a query.
    pub fn push(&mut self, query: Query) {
        self.count += 1;
        self.waiting.insert((Reverse(query.priority), self.count), query);
    }

    /// Takes the next query to run it.
    pub fn pop(&mut self) -> Option<RunningQuery> {
        let ((_, ticket), query) = self.waiting.pop_first()?;
        let stop = Arc::new(AtomicBool::new(false));
        self.running.insert(ticket, (query.id.clone(), Arc::clone(&stop)));
        Some(RunningQuery { ticket, query, stop })
    }

    /// Removes a query that was answered. Returns whether it was ended early.
    pub fn finish(&mut self, ticket: u64) -> bool {
        self.running.remove(&ticket).is_some_and(|(_, stop)| stop.load(Ordering::Relaxed))
    }

    /// Ends the queries with this id, or all. Returns those that were waiting;
    /// those that run are answered by the threads that run them.
    pub fn terminate(&mut self, id: Option<&str>) -> Vec<Query> {
        let meant = |other: &str| id.is_none_or(|id| id == other);
        self.running.values().filter(|(other, _)| meant(other)).for_each(|(_, stop)| {
            stop.store(true, Ordering::Relaxed);
        });
        let keys: Vec<_> =
            self.waiting.iter().filter(|(_, query)| meant(&query.id)).map(|(key, _)| *key).collect();
        keys.into_iter().filter_map(|key| self.waiting.remove(&key)).collect()
    }

    /// Closes the queue to new queries.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// Whether the queue is closed and empty.
    pub fn is_over(&self) -> bool {
        self.closed && self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::query::Request;

    fn query(id: &str, priority: i64) -> Query {
        let text = format!("{{\"id\":\"{id}\",\"moves\":\"j10\",\"priority\":{priority}}}");
        match Request::parse(&text).unwrap().0 {
            Request::Query(query) => *query,
            Request::Action { .. } => panic!("not a query"),
        }
    }

    #[test]
    fn priority_goes_first_and_then_age() {
        let mut queue = QueryQueue::default();
        for (id, priority) in [("a", 0), ("b", 5), ("c", 0), ("d", 5), ("e", -1)] {
            queue.push(query(id, priority));
        }
        let order: Vec<String> = std::iter::from_fn(|| queue.pop()).map(|job| job.query.id).collect();
        assert_eq!(order, ["b", "d", "a", "c", "e"]);
    }

    #[test]
    fn waiting_queries_are_handed_back_and_running_ones_are_stopped() {
        let mut queue = QueryQueue::default();
        ["a", "b", "a", "c"].into_iter().for_each(|id| queue.push(query(id, 0)));
        let running = queue.pop().unwrap();
        let ended = queue.terminate(Some("a"));
        assert_eq!(ended.len(), 1);
        assert!(running.stop.load(Ordering::Relaxed));
        assert!(queue.finish(running.ticket));
        let other = queue.pop().unwrap();
        assert!(!queue.finish(other.ticket));
        assert_eq!(queue.terminate(None).len(), 1);
        assert!(!queue.is_over());
        queue.close();
        assert!(queue.is_over() && queue.pop().is_none());
    }
}
