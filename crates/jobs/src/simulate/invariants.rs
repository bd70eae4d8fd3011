//! Invariants of a client, checked after every event.

use crate::{Client, Judge, MemoryStore, NodeId, Store};
use std::collections::BTreeSet;

/// An invariant does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BrokenInvariant(pub String);

macro_rules! hold {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err(BrokenInvariant(format!($($text)+)));
        }
    };
}

/// Checks a client. With `deep`, checks also that its store restores the same
/// search.
pub fn check<J: Judge>(client: &Client<MemoryStore, J>, deep: bool) -> Result<(), BrokenInvariant> {
    let search = client.search();
    let tree = search.tree();
    let mut with_job = BTreeSet::new();
    for (id, node) in tree.iter() {
        let derived = tree.derive(id);
        hold!(derived.value == node.value(), "{id:?}: value {:?}, not {:?}", node.value(), derived.value);
        hold!(derived.numbers == node.numbers(), "{id:?}: {}, not {}", node.numbers(), derived.numbers);
        hold!(derived.flagged == node.flagged(), "{id:?}: flagged is {}", node.flagged());
        let moves = tree.moves(id);
        let distinct: BTreeSet<_> = moves.iter().collect();
        hold!(distinct.len() == moves.len(), "{id:?}: a move twice");
        for &child in &node.children {
            hold!(tree.node(child).parent == Some(id), "{child:?}: another parent");
        }
        if let Some(job) = node.job {
            with_job.insert((id, job));
            hold!(!tree.is_settled(id), "{id:?}: solved, and {job:?} is about it");
            hold!(!tree.is_held_back(id), "{id:?}: held back, and {job:?} is about it");
        }
    }
    let mut count = 0;
    for job in search.running() {
        count += 1;
        hold!(with_job.contains(&(job.node, job.id)), "{:?}: its node does not know it", job.id);
        hold!(job.attempts >= 1, "{:?}: runs without a worker", job.id);
        let known = tree.moves(job.node);
        hold!(job.excluded.iter().all(|mv| known.contains(mv)), "{:?}: excludes what is no child", job.id);
    }
    hold!(count + search.waiting() == with_job.len(), "{count} jobs run, {} nodes wait", with_job.len());
    hold!(search.value().is_none() || count == 0, "the root is solved and {count} jobs run");
    if let Some(chosen) = tree.select() {
        hold!(tree.node(chosen).job.is_none(), "{chosen:?}: chosen twice");
        hold!(!tree.is_settled(chosen) && !tree.is_held_back(chosen), "{chosen:?}: chosen in vain");
    }
    if deep {
        check_store(client)?;
    }
    Ok(())
}

/// Checks that the store restores the same search.
fn check_store<J: Judge>(client: &Client<MemoryStore, J>) -> Result<(), BrokenInvariant> {
    let search = client.search();
    let again = client.store().load().map_err(|error| BrokenInvariant(error.to_string()))?;
    let (tree, copy) = (search.tree(), again.tree());
    hold!(tree.len() == copy.len(), "{} nodes, {} of them stored", tree.len(), copy.len());
    let running: Vec<_> = search.running().cloned().collect();
    hold!(running == again.running().cloned().collect::<Vec<_>>(), "other jobs are stored");
    hold!(search.waiting() == again.waiting(), "{} jobs wait, {} stored", search.waiting(), again.waiting());
    for (id, node) in tree.iter() {
        let stored = copy.node(id);
        hold!(node.mv == stored.mv && node.children == stored.children, "{id:?}: stored elsewhere");
        hold!(node.status == stored.status, "{id:?}: {} stored as {}", node.status, stored.status);
        hold!(node.value() == stored.value(), "{id:?}: its value is stored as {:?}", stored.value());
        hold!(node.others == stored.others, "{id:?}: the stopper is lost");
        let marks = |id: NodeId, tree: &crate::Tree| {
            let node = tree.node(id);
            (node.paused, node.forbidden, node.set_aside)
        };
        hold!(marks(id, tree) == marks(id, copy), "{id:?}: marks are lost");
        hold!(
            node.numbers() == stored.numbers(),
            "{id:?}: {} stored as {}",
            node.numbers(),
            stored.numbers()
        );
    }
    Ok(())
}
