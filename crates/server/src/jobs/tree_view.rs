//! A view of a search for clients that watch it: what has changed since their last
//! look.

use super::documents::{JobNode, TreeNews, WorkerDoc};
use lambda6_jobs::{End, NodeId, Search, Store, WorkerInfo, export};
use std::{collections::HashMap, time::Duration};

/// The state of a search at its last update.
#[derive(Default)]
pub(crate) struct TreeView {
    /// Counts the updates.
    version: u64,
    /// The nodes, each with the update in which it last changed.
    nodes: Vec<(u64, JobNode)>,
    news: Option<TreeNews>,
    /// For each worker what it had done at the last look, and when that was.
    looked: HashMap<String, (u64, Duration)>,
}

impl TreeView {
    /// Takes over the search as it is now.
    pub(crate) fn update(&mut self, search: &Search, store: &dyn Store, state: &str, trouble: Option<&str>) {
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

    /// Sets the workers from what a transport knows of them.
    pub(crate) fn set_active(&mut self, workers: Vec<WorkerInfo>, now: Duration) {
        let workers = workers.into_iter().map(|worker| self.worker(worker, now)).collect();
        self.set_workers(workers);
    }

    /// Sets the workers.
    pub(crate) fn set_workers(&mut self, workers: Vec<WorkerDoc>) {
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

    /// The last error.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.news.as_ref()?.trouble.clone()
    }

    /// Marks the search as stopped.
    pub(crate) fn stopped(&mut self, trouble: Option<String>) {
        self.version += 1;
        if let Some(news) = &mut self.news {
            news.state = "stopped".to_string();
            news.workers.clear();
            news.trouble = trouble.or_else(|| news.trouble.take());
        }
    }

    /// What has changed since an update, and the number of the last update.
    pub(crate) fn news(&self, since: u64) -> Option<(u64, TreeNews)> {
        let mut news = self.news.clone().filter(|_| self.version > since)?;
        let changed = self.nodes.iter().filter(|(version, _)| *version > since);
        news.nodes = changed.map(|(_, node)| node.clone()).collect();
        Some((self.version, news))
    }
}
