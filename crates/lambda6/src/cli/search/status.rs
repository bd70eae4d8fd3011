//! `lambda6 search status`: the status of a search.

use super::visited;
use crate::{cli::Exit, json::StonesJson, output};
use anyhow::Result;
use lambda6_jobs::{End, NodeId, Search, SqliteStore, Store, Value, WorkerInfo, export};
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf};

const AFTER_HELP: &str = "\
Another process may work on the search. The numbers are the proof and the disproof number:
the least number of leaves that are still to be proved, or disproved.
Exit code 0: the attacker's win is proved. 1: it is not, or not yet. 2: an error.

Examples:
  lambda6 search status opening.l6
  lambda6 search status opening.l6 --json";

/// Print the status of a search
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Status {
    /// The search's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(crate) fn run(&self) -> Result<Exit> {
        let store = visited(&self.file)?;
        let search = store.load()?;
        let picture = Picture::of(&search, &store)?;
        output::either(self.json, "search-status", picture.json(), || picture.text(&search))?;
        Ok(if picture.attacker_wins() { Exit::Yes } else { Exit::No })
    }
}

/// The status of a search.
pub(crate) struct Picture {
    attacker: lambda6_rules::Side,
    value: Option<Value>,
    numbers: String,
    best: Option<String>,
    policy: String,
    nodes: usize,
    running: usize,
    ended: BTreeMap<End, u64>,
    set_aside: Vec<u32>,
    line: Vec<String>,
    position: lambda6_rules::Position,
    workers: Vec<WorkerInfo>,
}

/// A worker, for `--json`.
#[derive(Serialize)]
struct WorkerJson {
    name: String,
    job: Option<String>,
    nodes: u64,
    trouble: Option<String>,
}

/// The job of a worker, in a line.
pub(super) fn worker_line(worker: &WorkerInfo) -> String {
    let WorkerInfo { name, job, nodes, trouble } = worker;
    match (trouble, job) {
        (Some(trouble), _) => format!("worker {name}: gets no jobs: {trouble}"),
        (None, Some(job)) => format!("worker {name}: {job}, {nodes} moves"),
        (None, None) => format!("worker {name}: idle"),
    }
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
pub(crate) struct PictureJson {
    position: StonesJson,
    attacker: &'static str,
    policy: String,
    value: Option<&'static str>,
    numbers: String,
    best: Option<String>,
    nodes: usize,
    running: usize,
    done: u64,
    known: u64,
    aborted: u64,
    set_aside: Vec<u32>,
    line: Vec<String>,
    workers: Vec<WorkerJson>,
}

impl Picture {
    pub(crate) fn of(search: &Search, store: &SqliteStore) -> Result<Picture> {
        let tree = search.tree();
        let game = tree.root().game();
        let best = tree.best_child(NodeId::ROOT);
        let best = best.map(|id| {
            let node = tree.node(id);
            let value =
                node.value().map_or(node.numbers().to_string(), |v| export::value_name(v).to_string());
            format!("{} {value}", game.move_name(&node.mv))
        });
        let name = |id: NodeId| game.move_name(&tree.node(id).mv);
        Ok(Picture {
            attacker: search.settings().attacker,
            value: search.value(),
            numbers: tree.node(NodeId::ROOT).numbers().to_string(),
            best,
            policy: search.settings().policy.to_string(),
            nodes: tree.len(),
            running: search.running().count(),
            ended: store.ended()?,
            set_aside: tree.iter().filter(|(_, node)| node.set_aside).map(|(id, _)| id.0).collect(),
            line: tree.principal_line().into_iter().map(name).collect(),
            position: tree.root().clone(),
            workers: store.workers()?,
        })
    }

    fn count(&self, end: End) -> u64 {
        self.ended.get(&end).copied().unwrap_or(0)
    }

    pub(crate) fn attacker_wins(&self) -> bool {
        self.value == Some(Value::Win(self.attacker))
    }

    pub(crate) fn is_solved(&self) -> bool {
        self.value.is_some()
    }

    /// One line for a terminal or a log.
    pub(crate) fn line(&self, workers: Option<usize>) -> String {
        let best = self.best.as_ref().map_or(String::new(), |best| format!(", best {best}"));
        let workers = workers.map_or(String::new(), |workers| format!("; workers {workers}"));
        format!(
            "root {}{best}; nodes {}; jobs running {}, done {}, aborted {}{workers}",
            self.numbers,
            self.nodes,
            self.running,
            self.count(End::Done) + self.count(End::Known),
            self.count(End::Aborted),
        )
    }

    pub(crate) fn text(&self, search: &Search) -> String {
        let value = match self.value {
            Some(Value::Win(side)) => format!("{side} wins"),
            Some(Value::Draw) => "a draw".to_string(),
            None => "not solved".to_string(),
        };
        let mut text = format!(
            "result: {value}\nattacker: {}\npolicy: {}\nnodes: {}\n",
            self.attacker, self.policy, self.nodes
        );
        text += &format!(
            "jobs: {} running, {} done, {} known from before, {} aborted, {} set aside\n",
            self.running,
            self.count(End::Done),
            self.count(End::Known),
            self.count(End::Aborted),
            self.count(End::SetAside),
        );
        if !self.set_aside.is_empty() {
            let nodes: Vec<String> = self.set_aside.iter().map(u32::to_string).collect();
            text += &format!("set aside: the jobs of node {}\n", nodes.join(", "));
        }
        text += &export::sketch(search.tree());
        self.workers.iter().for_each(|worker| text += &(worker_line(worker) + "\n"));
        text
    }

    pub(crate) fn json(&self) -> PictureJson {
        PictureJson {
            position: StonesJson::of(&self.position),
            attacker: self.attacker.name(),
            policy: self.policy.clone(),
            value: self.value.map(export::value_name),
            numbers: self.numbers.clone(),
            best: self.best.clone(),
            nodes: self.nodes,
            running: self.running,
            done: self.count(End::Done),
            known: self.count(End::Known),
            aborted: self.count(End::Aborted),
            set_aside: self.set_aside.clone(),
            line: self.line.clone(),
            workers: self.workers.iter().map(worker_json).collect(),
        }
    }
}

fn worker_json(worker: &WorkerInfo) -> WorkerJson {
    let WorkerInfo { name, job, nodes, trouble } = worker.clone();
    WorkerJson { name, job, nodes, trouble }
}
