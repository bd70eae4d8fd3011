//! Writes the tree as a game record, as JSON or as text.

use crate::{NodeId, Search, Tree, Value};
use lambda6_rules::record::{Format, Record, RecordError, WriteError, WriteOptions};
use serde::Serialize;

/// Why a tree cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The tree is not a game record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The record cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A node as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct NodeJson {
    /// Its number; the root is 0.
    pub id: u32,
    /// The number of the parent.
    pub parent: Option<u32>,
    /// The move from the parent.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The side to move.
    pub to_move: &'static str,
    /// The status that its job gave it.
    pub status: String,
    /// The proof number; `null` is infinity.
    pub proof: Option<u32>,
    /// The disproof number; `null` is infinity.
    pub disproof: Option<u32>,
    /// `black`, `white` or `draw` if it is solved.
    pub value: Option<&'static str>,
    /// Whether every move other than the children is proved to lose.
    pub complete: bool,
    /// Whether it has a job.
    pub running: bool,
    /// `paused` or `forbidden` by a person, or `set-aside` because its jobs failed.
    pub mark: Option<&'static str>,
}

/// The name of a value.
pub fn value_name(value: Value) -> &'static str {
    match value {
        Value::Win(side) => side.name(),
        Value::Draw => "draw",
    }
}

/// All nodes, parents before children.
pub fn nodes(search: &Search) -> Vec<NodeJson> {
    let tree = search.tree();
    let game = tree.root().game();
    let json = |(id, node): (NodeId, &crate::Node)| NodeJson {
        id: id.0,
        parent: node.parent.map(|parent| parent.0),
        mv: node.parent.map(|_| game.move_name(&node.mv)),
        to_move: node.to_move.name(),
        status: node.status.to_string(),
        proof: node.numbers().proof.finite(),
        disproof: node.numbers().disproof.finite(),
        value: node.value().map(value_name),
        complete: node.others.is_some(),
        running: node.job.is_some(),
        mark: match (node.forbidden, node.paused, node.set_aside) {
            (true, _, _) => Some("forbidden"),
            (_, true, _) => Some("paused"),
            (_, _, true) => Some("set-aside"),
            _ => None,
        },
    };
    tree.iter().map(json).collect()
}

/// The tree as a game record with variations: best moves first, numbers and values
/// in comments.
pub fn sgf(tree: &Tree) -> Result<Vec<u8>, ExportError> {
    let mut record = Record::from_setup(&tree.root().setup())?;
    let root = record.root();
    record.set_comment(root, &comment(tree, NodeId::ROOT));
    let mut stack: Vec<_> = ordered(tree, NodeId::ROOT).into_iter().rev().map(|id| (id, root)).collect();
    while let Some((id, parent)) = stack.pop() {
        let place = record.add_child(parent, tree.node(id).mv.squares())?;
        record.set_comment(place, &comment(tree, id));
        stack.extend(ordered(tree, id).into_iter().rev().map(|child| (child, place)));
    }
    Ok(record.write(Format::LittleGolem, &WriteOptions::default())?)
}

/// The children, the best first, the others by age.
fn ordered(tree: &Tree, id: NodeId) -> Vec<NodeId> {
    let mut children = tree.node(id).children.clone();
    let best = tree.best_child(id);
    children.sort_by_key(|&child| (Some(child) != best, child));
    children
}

fn comment(tree: &Tree, id: NodeId) -> String {
    let node = tree.node(id);
    let about = match node.value() {
        Some(Value::Win(side)) => format!("{side} wins"),
        Some(Value::Draw) => "a draw".to_string(),
        None => format!("{} ({})", node.numbers(), node.status),
    };
    let complete = if node.others.is_some() { "; all other moves lose" } else { "" };
    format!("node {id}: {about}{complete}")
}

/// The best line as text, with the number of siblings of each move.
pub fn sketch(tree: &Tree) -> String {
    let game = tree.root().game();
    let mut text = format!("root {}\n", tree.node(NodeId::ROOT).numbers());
    for (depth, id) in tree.principal_line().into_iter().enumerate().take(24) {
        let node = tree.node(id);
        let siblings = node.parent.map_or(0, |parent| tree.node(parent).children.len() - 1);
        let value = node.value().map_or(node.numbers().to_string(), |value| value_name(value).to_string());
        let job = if node.job.is_some() { "  *" } else { "" };
        text += &format!(
            "{:indent$}{} {} {} [{}]{}{job}\n",
            "",
            if node.to_move == tree.attacker() { "-" } else { "+" },
            game.move_name(&node.mv),
            value,
            node.status,
            if siblings > 0 { format!(" and {siblings} more") } else { String::new() },
            indent = depth + 1,
        );
    }
    text
}
