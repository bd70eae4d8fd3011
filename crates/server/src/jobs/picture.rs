//! A search as those see it who watch: what has changed since they last looked.

use super::docs::{JobNode, TreeNews, WorkerDoc};
use jobs::{End, NodeId, Search, Store, WorkerInfo, export};
use std::{collections::HashMap, time::Duration};

/// A picture of a search that is painted again and again.
#[derive(Default)]
pub(crate) struct Picture {
    /// Counts the paintings.
    version: u64,
    /// The nodes, each with the painting in which it last changed.
    nodes: Vec<(u64, JobNode)>,
    news: Option<TreeNews>,
    /// For each worker what it had done at the last look, and when that was.
    looked: HashMap<String, (u64, Duration)>,
}

impl Picture {
    /// Paints the search as it is now.
    pub(crate) fn paint(&mut self, search: &Search, store: &dyn Store, state: &str, trouble: Option<&str>) {
        self.version += 1;
        for (i, node) in export::nodes(search).into_iter().enumerate() {
            let node = JobNode {
                id: node.id,
                parent: node.parent,
                r#move: node.mv,
                to_move: node.to_move.to_string(),
                status: node.status,
                proof: node.proof,
                disproof: node.disproof,
                value: node.value.map(str::to_string),
                complete: node.complete,
                running: node.running,
                mark: node.mark.map(str::to_string),
            };
            match self.nodes.get_mut(i) {
                Some((_, old)) if *old == node => {}
                Some(entry) => *entry = (self.version, node),
                None => self.nodes.push((self.version, node)),
            }
        }
        let tree = search.tree();
        let done = store.ended().ok().and_then(|ended| ended.get(&End::Done).copied()).unwrap_or(0);
        let line = tree.principal_line().into_iter().map(|NodeId(id)| id).collect();
        self.news = Some(TreeNews {
            state: state.to_string(),
            total: self.nodes.len(),
            nodes: Vec::new(),
            line,
            done,
            running: search.running().count(),
            workers: Vec::new(),
            trouble: trouble.map(str::to_string),
        });
    }

    /// Adds the workers that are at work.
    pub(crate) fn at_work(&mut self, workers: Vec<WorkerInfo>, now: Duration) {
        let workers = workers.into_iter().map(|worker| self.worker(worker, now)).collect();
        self.workers(workers);
    }

    /// Adds these workers.
    pub(crate) fn workers(&mut self, workers: Vec<WorkerDoc>) {
        if let Some(news) = &mut self.news {
            news.workers = workers;
        }
    }

    fn worker(&mut self, info: WorkerInfo, now: Duration) -> WorkerDoc {
        let (before, then) = self.looked.insert(info.name.clone(), (info.nodes, now)).unwrap_or((0, now));
        // A worker that has begun another job counts from zero.
        let tried = info.nodes.checked_sub(before).unwrap_or(info.nodes);
        let seconds = now.saturating_sub(then).as_secs_f64();
        let speed = if seconds > 0.0 { (tried as f64 / seconds) as u64 } else { 0 };
        WorkerDoc {
            name: info.name,
            job: info.job,
            done: None,
            nodes: info.nodes,
            speed,
            trouble: info.trouble,
        }
    }

    /// The last thing that went wrong.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.news.as_ref()?.trouble.clone()
    }

    /// Says that nobody works on it any more.
    pub(crate) fn stopped(&mut self, trouble: Option<String>) {
        self.version += 1;
        if let Some(news) = &mut self.news {
            news.state = "stopped".to_string();
            news.workers.clear();
            news.trouble = trouble.or_else(|| news.trouble.take());
        }
    }

    /// What has changed since a painting, and the number of the last one.
    pub(crate) fn news(&self, since: u64) -> Option<(u64, TreeNews)> {
        let mut news = self.news.clone().filter(|_| self.version > since)?;
        let changed = self.nodes.iter().filter(|(version, _)| *version > since);
        news.nodes = changed.map(|(_, node)| node.clone()).collect();
        Some((self.version, news))
    }
}
