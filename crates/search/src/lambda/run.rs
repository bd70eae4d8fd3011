//! One search thread. It descends the shared tree by the numbers, works at a
//! node on its own board and stores the result.

use super::{
    Shared,
    and_node::AndNode,
    lock,
    symmetry::{Symmetries, Turn},
    tree::{Body, Id, LambdaTree, NEVER},
    worker::Worker,
};
use crate::{Budget, Observer, Progress, Why};
use lambda6_rules::{Move, Side, Square, stone_key};
use lambda6_threats::{Board, Play};
use std::sync::Mutex;

/// Visits between two reports.
const REPORT_EVERY: u64 = 64;

/// What is searched.
pub(super) struct Task<'a> {
    pub(super) root: Id,
    pub(super) board: &'a Board,
    pub(super) attacker: Side,
    pub(super) shared: &'a Mutex<Shared>,
    /// Moves of the attacker that may be tried.
    pub(super) most_nodes: u64,
    /// The symmetries of the root.
    pub(super) symmetries: &'a Symmetries,
    /// Stones of the defender at the root without which the position may be known.
    pub(super) removable: &'a [Square],
}

/// Searches until the root is settled or a limit is met.
pub(super) fn run(
    workers: &mut [Worker],
    task: &Task<'_>,
    budget: &Budget<'_>,
    observer: &mut dyn Observer,
) -> Result<bool, Why> {
    let Some((first, others)) = workers.split_first_mut() else { return Ok(false) };
    beside(others, task, budget, || Run::new(first, task, budget.fresh()).work(observer));
    lock(task.shared).ended.unwrap_or(Err(Why::Stopped))
}

/// Lets the workers search, each in a thread of its own, while this one does
/// `work`.
#[cfg(not(target_family = "wasm"))]
fn beside(workers: &mut [Worker], task: &Task<'_>, budget: &Budget<'_>, work: impl FnOnce()) {
    std::thread::scope(|scope| {
        for worker in workers {
            let work = move || Run::new(worker, task, budget.fresh()).work(&mut crate::Silent);
            // If a thread cannot be started, the others do its work.
            let _ = crate::runner::spawn_scoped(scope, "lambda search", work);
        }
        work();
    });
}

/// There are no threads here: one worker does it all.
#[cfg(target_family = "wasm")]
fn beside(_: &mut [Worker], _: &Task<'_>, _: &Budget<'_>, work: impl FnOnce()) {
    work();
}

/// A thread at work.
pub(super) struct Run<'s, 'b> {
    pub(super) worker: &'s mut Worker,
    pub(super) task: &'s Task<'s>,
    pub(super) board: Board,
    pub(super) attacker: Side,
    pub(super) budget: Budget<'b>,
    /// The path from the root to the current node, with the move that led to
    /// each node.
    pub(super) path: Vec<(Id, Side, Move)>,
}

/// How the descent ended.
enum End {
    /// At a node with work to do.
    Work,
    /// At a node whose numbers must be updated with a result from another path.
    Settled,
    /// At a node where another worker is at work.
    Taken,
}

impl<'s, 'b> Run<'s, 'b> {
    fn new(worker: &'s mut Worker, task: &'s Task<'s>, budget: Budget<'b>) -> Run<'s, 'b> {
        Run { worker, task, board: task.board.clone(), attacker: task.attacker, budget, path: Vec::new() }
    }

    fn work(&mut self, observer: &mut dyn Observer) {
        for visit in 1u64.. {
            if let Err(ended) = self.step() {
                lock(self.task.shared).ended.get_or_insert(ended);
                return;
            }
            if visit % REPORT_EVERY == 0 {
                self.report(observer);
            }
        }
    }

    /// Visits one node. An error ends the search.
    fn step(&mut self) -> Result<(), Result<bool, Why>> {
        let root = self.task.root;
        let mut shared = lock(self.task.shared);
        if let Some(ended) = shared.ended {
            return Err(ended);
        }
        let node = shared.tree.node(root);
        if node.pn == 0 {
            return Err(Ok(true));
        }
        if node.dn == 0 || node.pn >= NEVER {
            return Err(Ok(false));
        }
        if shared.nodes >= self.task.most_nodes {
            return Err(Err(Why::Nodes));
        }
        self.budget.interrupted().map_err(Err)?;
        if shared.tree.is_full() {
            if shared.busy > 0 {
                drop(shared);
                std::thread::yield_now();
                return Ok(());
            }
            shared.tree.forget(root);
            if shared.tree.is_full() {
                return Err(Err(Why::Memory));
            }
        }
        self.path.clear();
        let (id, end) = self.descend(&mut shared.tree, root);
        match end {
            End::Taken => {
                drop(shared);
                std::thread::yield_now();
                return Ok(());
            }
            End::Settled => {
                shared.update(id);
                return Ok(());
            }
            End::Work => {}
        }
        self.mark(&mut shared.tree, 1);
        shared.busy += 1;
        let left = self.task.most_nodes - shared.nodes;
        let key = shared.tree.node(id).key;
        let body = shared.tree.take(id);
        drop(shared);
        self.path.iter().for_each(|(_, side, mv)| self.board.place_all(*side, mv));
        self.budget.allow(left);
        let (body, done) = match body {
            Body::Or(mut or) => {
                let done = self.expand(key, &mut or);
                (Body::Or(or), done)
            }
            Body::And(mut and) => {
                let done = self.open(id, key, &mut and);
                (Body::And(and), done)
            }
        };
        self.path.iter().for_each(|(_, side, mv)| self.board.remove_all(*side, mv));
        let mut shared = lock(self.task.shared);
        shared.tree.put_back(id, body);
        // A visit that tries no move counts as work, too.
        let spent = self.budget.take_nodes().max(1);
        shared.nodes += spent;
        self.path.iter().for_each(|&(id, _, _)| shared.tree.node_mut(id).spent += spent);
        shared.busy -= 1;
        self.mark(&mut shared.tree, -1);
        shared.update(id);
        done.map_err(Err)
    }

    /// Marks the nodes of the path as visited by this thread, so that others
    /// choose different paths.
    fn mark(&self, tree: &mut LambdaTree, change: i32) {
        for &(id, _, _) in &self.path {
            let node = tree.node_mut(id);
            node.visits = node.visits.saturating_add_signed(change);
        }
    }

    fn report(&self, observer: &mut dyn Observer) {
        let shared = lock(self.task.shared);
        let line: Vec<Move> = self.path.iter().map(|&(_, _, mv)| mv).collect();
        let node = shared.tree.node(self.task.root);
        let left = match &node.body {
            Body::And(and) => Some(and.left()),
            Body::Or(_) => None,
        };
        observer.report(&Progress {
            depth: line.len().div_ceil(2) as u32,
            nodes: shared.nodes,
            elapsed: self.budget.elapsed(),
            line,
            numbers: Some((node.pn, node.dn)),
            left,
        });
    }

    /// Descends to a node with work to do.
    fn descend(&mut self, tree: &mut LambdaTree, root: Id) -> (Id, End) {
        let mut id = root;
        loop {
            let node = tree.node(id);
            if node.taken {
                return (id, End::Taken);
            }
            let key = node.key;
            let (next, turn, side, mv) = match &node.body {
                Body::Or(or) if !or.expanded || or.again() <= node.pn => return (id, End::Work),
                Body::Or(or) => {
                    let Some(best) = or.best(tree) else { return (id, End::Work) };
                    let candidate = or.candidates[best];
                    let (order, mv) = (or.order, candidate.mv);
                    let (mut child, mut turn) = (candidate.node, candidate.turn);
                    if child == LambdaTree::NONE {
                        let key = mv.iter().fold(key, |key, square| key ^ stone_key(self.attacker, square));
                        let (key, to) = self.least(key, self.attacker, &mv);
                        turn = to;
                        child = tree.and(key, AndNode::new(order, 1), id, candidate.prior);
                        if let Body::Or(or) = &mut tree.node_mut(id).body {
                            (or.candidates[best].node, or.candidates[best].turn) = (child, turn);
                        }
                        let child = tree.node(child);
                        if child.pn == 0 || child.dn == 0 {
                            return (id, End::Settled);
                        }
                    }
                    (child, turn, self.attacker, mv)
                }
                Body::And(and) if and.wants_visit(tree) => return (id, End::Work),
                Body::And(and) => match and.choose(tree) {
                    Some((child, turn, mv)) => (child, turn, self.attacker.other(), mv),
                    None => return (id, End::Taken),
                },
            };
            self.path.push((next, side, mv));
            if turn != 0 {
                // The root looks the same from there: the way to the node is the
                // way so far, turned.
                let symmetries = self.task.symmetries;
                self.path.iter_mut().for_each(|(_, _, mv)| *mv = symmetries.turn_move(turn, mv));
            }
            id = next;
        }
    }

    /// Plays a move at the end of the path for the length of a call.
    pub(super) fn with_move<R>(&mut self, side: Side, mv: &Move, then: impl FnOnce(&mut Self) -> R) -> R {
        self.board.place_all(side, mv);
        self.path.push((LambdaTree::NONE, side, *mv));
        let result = then(self);
        self.path.pop();
        self.board.remove_all(side, mv);
        result
    }

    /// The images of the position that a move leads to from the end of the path.
    pub(super) fn images(&self, side: Side, mv: &Move) -> Vec<(Turn, u64)> {
        self.images_of_stones(side, mv, None)
    }

    /// The same with one stone more, or without it if it is there already.
    pub(super) fn images_of_stones(
        &self,
        side: Side,
        mv: &Move,
        toggled: Option<(Side, Square)>,
    ) -> Vec<(Turn, u64)> {
        let moves = self.path.iter().map(|&(_, side, mv)| (side, mv)).chain([(side, *mv)]);
        let stones = moves.flat_map(|(side, mv)| (0..mv.len()).map(move |i| (side, mv.squares()[i])));
        self.task.symmetries.images(self.task.board.key(self.attacker), stones.chain(toggled))
    }

    /// The least key of such a position, which is given, and its images: that of
    /// its node, and the turn that takes it there.
    pub(super) fn least(&self, key: u64, side: Side, mv: &Move) -> (u64, Turn) {
        let images = self.images(side, mv).into_iter().map(|(turn, key)| (key, turn));
        images.chain([(key, 0)]).min().unwrap_or((key, 0))
    }
}
