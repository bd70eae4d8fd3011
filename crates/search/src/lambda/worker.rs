//! One thread of the search: it follows the numbers down the common tree, works
//! at a node on a board of its own, and hands in what it found.

use super::{
    LambdaOptions, Shared,
    attack::{Generator, Priors},
    defend::{And, Item},
    lock,
    symmetry::{Symmetries, Turn},
    tree::{Body, EFFORTS, Id, NEVER, Or, Tree},
};
use crate::{
    Budget, Method, Observer, Progress, Why,
    forced::{Forced, Proof},
};
use rules::{Game, Move, Side, stone_key};
use std::sync::Mutex;
use threats::Board;

/// Moves of the attacker tried when the defender passes: the first time and again.
const PASS_NODES: [u64; 3] = [300, 3_000, 20_000];

/// Moves of the defender settled in one visit.
const CHECKS: usize = 24;

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
    /// Of the root.
    pub(super) symmetries: &'a Symmetries,
}

/// What a thread has to itself.
pub(super) struct Worker {
    forced: Forced,
    generator: Generator,
    method: Method,
}

impl Worker {
    pub(super) fn new(
        game: Game,
        LambdaOptions { order, method, .. }: LambdaOptions,
        bytes: usize,
    ) -> Worker {
        Worker { forced: Forced::new(game, bytes), generator: Generator::new(game, order), method }
    }

    pub(super) fn forget(&mut self) {
        self.forced.forget();
    }

    /// The reply in a position that full threats have won.
    pub(super) fn known(&self, key: u64) -> Option<&Move> {
        self.forced.get(key).map(|proof| &proof.reply)
    }

    /// The reply where full threats win.
    pub(super) fn reply(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Move>, Why> {
        let key = board.key(attacker);
        if self.forced.get(key).is_none() {
            let (_, nodes) = EFFORTS[EFFORTS.len() - 2];
            if !self.forced.wins(board, attacker, nodes, None, budget)? {
                return Ok(None);
            }
            self.forced.note(board, attacker, budget)?;
        }
        Ok(self.forced.get(key).map(|proof| proof.reply))
    }
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
    /// Lines can be long.
    const STACK_BYTES: usize = 64 << 20;
    std::thread::scope(|scope| {
        for worker in workers {
            let work = move || Run::new(worker, task, budget.fresh()).work(&mut crate::Silent);
            // One thread fewer searches as well.
            let _ = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        }
        work();
    });
}

/// There are no threads here: one worker does it all.
#[cfg(target_family = "wasm")]
fn beside(_: &mut [Worker], _: &Task<'_>, _: &Budget<'_>, work: impl FnOnce()) {
    work();
}

struct Run<'s, 'b> {
    worker: &'s mut Worker,
    task: &'s Task<'s>,
    board: Board,
    attacker: Side,
    budget: Budget<'b>,
    /// The nodes below the root on the way to where the search is, with the move
    /// that led to each.
    path: Vec<(Id, Side, Move)>,
}

/// Where the way down ended.
enum End {
    /// At a node with work to do.
    Work,
    /// At a node that has only to take note of what another line settled.
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

    /// One visit of a node. An error is how the search ended.
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
        for &(_, side, mv) in &self.path {
            mv.iter().for_each(|square| self.board.place(side, square));
        }
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
        for &(_, side, mv) in &self.path {
            mv.iter().for_each(|square| self.board.remove(side, square));
        }
        let mut shared = lock(self.task.shared);
        shared.tree.put_back(id, body);
        // A visit is work even where it tries no move.
        shared.nodes += self.budget.take_nodes().max(1);
        shared.busy -= 1;
        self.mark(&mut shared.tree, -1);
        shared.update(id);
        done.map_err(Err)
    }

    /// Others look elsewhere while somebody is below a node.
    fn mark(&self, tree: &mut Tree, change: i32) {
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
            line: &line,
            numbers: Some((node.pn, node.dn)),
            left,
        });
    }

    /// Follows the numbers down.
    fn descend(&mut self, tree: &mut Tree, root: Id) -> (Id, End) {
        let game = self.board.game();
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
                    if child == Tree::NONE {
                        let key = mv.iter().fold(key, |key, square| key ^ stone_key(self.attacker, square));
                        let (key, to) = self.least(key, self.attacker, &mv);
                        turn = to;
                        child = tree.and(key, And::new(game, order, 1), id, candidate.prior);
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

    /// The images of the position that a move leads to from the end of the path.
    fn images(&self, side: Side, mv: &Move) -> Vec<(Turn, u64)> {
        let moves = self.path.iter().map(|&(_, side, mv)| (side, mv)).chain([(side, *mv)]);
        let stones = moves.flat_map(|(side, mv)| (0..mv.len()).map(move |i| (side, mv.squares()[i])));
        self.task.symmetries.images(self.task.board.key(self.attacker), stones)
    }

    /// The least key of such a position, which is given, and its images: that of
    /// its node, and the turn that takes it there.
    fn least(&self, key: u64, side: Side, mv: &Move) -> (u64, Turn) {
        let images = self.images(side, mv).into_iter().map(|(turn, key)| (key, turn));
        images.chain([(key, 0)]).min().unwrap_or((key, 0))
    }

    /// Moves of the attacker that may still follow, after those on the board.
    fn depth_left(&self) -> Option<u32> {
        let played = self.path.iter().filter(|&&(_, side, _)| side == self.attacker).count() as u32;
        self.budget.limits().depth.map(|most| most.saturating_sub(played))
    }

    /// Settles an attacker's node, or generates its candidates.
    fn expand(&mut self, key: u64, or: &mut Or) -> Result<(), Why> {
        if self.path.is_empty() {
            or.effort = or.effort.max(EFFORTS.len() as u8 - 2);
        }
        if let Some(&(_, nodes)) = EFFORTS.get(usize::from(or.effort)) {
            if let Some(proof) = self.settled(key, &Move::NULL, nodes)? {
                or.win(proof);
                return Ok(());
            }
            or.effort += 1;
        }
        if or.expanded {
            return Ok(());
        }
        // The last move of a line makes full threats.
        if self.depth_left().is_some_and(|left| left <= 1) {
            or.effort = EFFORTS.len() as u8;
            or.expanded = true;
            return Ok(());
        }
        if let Some(&known) = lock(self.task.shared).hints.get(&key) {
            or.hints.insert(0, known);
        }
        let Run { worker, board, attacker, budget, .. } = self;
        or.candidates = worker.generator.candidates(board, *attacker, or.order, &or.hints, budget)?;
        or.expanded = true;
        Ok(())
    }

    /// A win that is known of an image of the position on the board, turned. It is
    /// kept as the position's own, so that there is one answer from now on.
    fn win_of_image(&self, key: u64, set: &Move) -> Option<Proof> {
        let symmetries = self.task.symmetries;
        if symmetries.is_trivial() || self.worker.forced.get(key).is_some() {
            return None;
        }
        let mut shared = lock(self.task.shared);
        let known = self.images(self.attacker.other(), set).into_iter().find_map(|(turn, image)| {
            let proof = shared.zones.get(&image).or_else(|| self.worker.forced.get(image))?;
            Some(symmetries.turn_proof(symmetries.inverse(turn), proof))
        })?;
        shared.keep(key, &known);
        Some(known)
    }

    /// The win in the position on the board, where the defender's last stones are
    /// these, if it is known or full threats win.
    fn settled(&mut self, key: u64, set: &Move, nodes: u64) -> Result<Option<Proof>, Why> {
        debug_assert_eq!(key, self.board.key(self.attacker));
        if let Some(proof) = lock(self.task.shared).zones.get(&key) {
            return Ok(Some(proof.clone()));
        }
        if let Some(proof) = self.win_of_image(key, set) {
            return Ok(Some(proof));
        }
        let depth = self.depth_left();
        let forced = &mut self.worker.forced;
        if forced.get(key).is_none()
            && !forced.wins(&mut self.board, self.attacker, nodes, depth, &mut self.budget)?
        {
            return Ok(None);
        }
        let zones = forced.note(&mut self.board, self.attacker, &mut self.budget)?;
        Ok(forced.get(key).map(|proof| Proof { reply: proof.reply, zones }))
    }

    /// Settles some of the defender's moves.
    fn open(&mut self, id: Id, key: u64, and: &mut And) -> Result<(), Why> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        let (method, symmetries) = (self.worker.method, self.task.symmetries);
        and.begin(&self.board, attacker);
        let mut rank = self.worker.generator.disturbs(&self.board, attacker);
        let won: Vec<(Item, Proof)> = {
            let shared = lock(self.task.shared);
            let won = and.won_kids(&shared.tree);
            won.filter_map(|(item, kid, turn)| {
                let proof = shared.tree.proof(kid)?;
                Some((item, symmetries.turn_proof(symmetries.inverse(turn), proof)))
            })
            .collect()
        };
        for (item, Proof { reply, zones }) in won {
            and.refuted(&item, reply, &zones, (&self.board, attacker, method), &mut rank);
            let mut shared = lock(self.task.shared);
            for (kid, turn, set) in and.open_kids() {
                let turned = symmetries.turn_move(turn, &reply);
                if !reply.iter().any(|square| set.contains(square)) && shared.tree.suggest(kid, turned) {
                    shared.update(kid);
                }
            }
        }
        let &Priors { check_nodes, most_hard, .. } = self.worker.generator.priors();
        let mut hard = 0;
        for _ in 0..CHECKS {
            if hard == most_hard {
                break;
            }
            let Some(item) = and.next() else { break };
            let key = item.set.iter().fold(key, |key, square| key ^ stone_key(defender, square));
            let (least, turn) = self.least(key, defender, &item.set);
            if turn != 0
                && let Some(kid) = lock(self.task.shared).tree.open_or(least, item.order, id)
            {
                // An image has been looked at, and is a child of some node already.
                and.add_kid(&item, kid, turn);
                continue;
            }
            let nodes = if item.order == 1 { PASS_NODES[usize::from(and.effort)] } else { check_nodes };
            item.set.iter().for_each(|square| self.board.place(defender, square));
            let settled = self.settled(key, &item.set, nodes);
            let leaf = match settled {
                Ok(None) => self.worker.generator.leaf(&self.board, attacker),
                _ => 0,
            };
            item.set.iter().for_each(|square| self.board.remove(defender, square));
            match settled {
                Ok(Some(Proof { reply, zones })) => {
                    and.refuted(&item, reply, &zones, (&self.board, attacker, method), &mut rank);
                }
                Ok(None) if item.order == 1 => {
                    and.effort += 1;
                    if usize::from(and.effort) == PASS_NODES.len() {
                        and.lose();
                    } else {
                        and.put_back(item);
                    }
                    break;
                }
                Ok(None) => {
                    let hints: Vec<Move> =
                        and.replies.iter().map(|reply| symmetries.turn_move(turn, reply)).collect();
                    let kid = lock(self.task.shared).tree.kid(least, item.order, id, leaf, &hints);
                    and.add_kid(&item, kid, turn);
                    hard += 1;
                }
                Err(why) => {
                    and.put_back(item);
                    return Err(why);
                }
            }
        }
        and.settle();
        Ok(())
    }
}
