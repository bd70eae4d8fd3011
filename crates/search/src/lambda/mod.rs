//! The Lambda search: wins by moves that leave the defender some or all stones
//! to spare.
//!
//! A move of order r must win, when the defender passes on u stones, by moves of
//! order r - u at most (and at least 1): a single threat (order 2) threatens a
//! win by double threats, and so does a move without a threat (order 3). Which
//! stones of the defender matter is told by the zones of those wins.
//!
//! Proof-number search: an attacker's node is settled by threats if it can be (by
//! VCDT, and by an inner search for VCST where more is allowed), else its
//! candidates are its children; a defender's node resumes a
//! [`DefenderWalk`](crate::walk::DefenderWalk) with each visit.

mod and_node;
mod attacker_moves;
mod breakthroughs;
mod fewer_stones;
mod follow;
mod forget;
mod move_values;
mod run;
mod symmetry;
mod tree;
mod visit;
mod width;
mod worker;

use crate::{Budget, Method, Observer, Why, WinSearch, Zones, vcdt_zones::ZonedWin};
use and_node::AndNode;
pub use attacker_moves::AttackerMoves;
use attacker_moves::Priors;
use lambda6_rules::{Game, Move, Side, Square};
use lambda6_threats::Board;
use run::Task;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use symmetry::{Symmetries, Turn};
use tree::{Id, LambdaTree};
use width::Width;
use worker::Worker;

/// What to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LambdaOptions {
    /// The highest order of a move.
    pub order: u8,
    /// How the defender's spare stones are cut down.
    pub method: Method,
    /// Search threads. With one thread the search is deterministic.
    pub threads: usize,
    /// Try every move of the class from the start, not the most promising ones first:
    /// for small boards.
    pub exhaustive: bool,
}

impl Default for LambdaOptions {
    fn default() -> LambdaOptions {
        LambdaOptions { order: 3, method: Method::Mutual, threads: 1, exhaustive: false }
    }
}

/// The smallest tree, in bytes. A smaller one would discard nodes before they
/// are used.
const LEAST_TREE: usize = 1 << 20;

/// The search. It keeps its memory between calls.
pub struct LambdaSearch {
    options: LambdaOptions,
    workers: Vec<Worker>,
    shared: Mutex<Shared>,
    /// The symmetries of the root of the last search.
    symmetries: Arc<Symmetries>,
    game: Game,
}

/// The state that the workers share.
struct Shared {
    tree: LambdaTree,
    /// Wins that took more than VCDT.
    replies: FxHashMap<u64, Move>,
    /// The same with their zones, as long as there is memory.
    zones: FxHashMap<u64, ZonedWin>,
    most_zones: usize,
    /// Moves that have won positions in an earlier search.
    hints: FxHashMap<u64, Move>,
    /// Moves tried by all workers.
    nodes: u64,
    /// Workers that are working at a node.
    busy: usize,
    /// The reason why the search ended.
    ended: Option<Result<bool, Why>>,
}

impl Shared {
    /// Records a win.
    fn keep(&mut self, key: u64, proof: &ZonedWin) {
        self.replies.insert(key, proof.reply);
        if self.zones.len() >= self.most_zones {
            self.zones.clear();
        }
        self.zones.insert(key, proof.clone());
    }

    /// The win of the root, where the attacker is to move.
    fn or_root(&self, key: u64, order: u8) -> Option<&ZonedWin> {
        self.tree.proof(*self.tree.or_index.get(&(key, order))?)
    }

    /// Brings the numbers above a node up to date.
    fn update(&mut self, id: Id) {
        for (key, proof) in self.tree.update(id) {
            self.keep(key, &proof);
        }
    }
}

/// Ignores poisoning: a panic ends the whole search, and nothing it left is
/// claimed without a certificate.
fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LambdaSearch {
    /// A search for boards of this game, with about this many bytes: half for the
    /// tree, the rest for the tables of the workers.
    pub fn new(game: Game, options: LambdaOptions, bytes: usize) -> LambdaSearch {
        let threads = options.threads.max(1);
        let zone_bytes = crate::Zones::empty(game).bytes() + 64;
        LambdaSearch {
            options,
            workers: (0..threads).map(|_| Worker::new(game, options, bytes / 3 / threads)).collect(),
            shared: Mutex::new(Shared {
                tree: LambdaTree::new(
                    (bytes / 3).max(LEAST_TREE),
                    Priors::of(options.order, game.p()).waiting,
                ),
                replies: FxHashMap::default(),
                zones: FxHashMap::default(),
                most_zones: (bytes / 3 / zone_bytes).max(64),
                hints: FxHashMap::default(),
                nodes: 0,
                busy: 0,
                ended: None,
            }),
            symmetries: Arc::default(),
            game,
        }
    }

    /// Sets how many moves are tried.
    fn set_width(&mut self, width: Width) {
        self.workers.iter_mut().for_each(|worker| worker.set_width(width));
    }

    /// Searches for a win of `attacker`, who is to move: the first move and the
    /// zones of the win. The result is not checked.
    pub fn winning_move(
        &mut self,
        board: &Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(Move, Zones)>, Why> {
        self.forget();
        Ok(self.win(board, attacker, budget)?.map(|proof| (proof.reply, proof.zones)))
    }

    /// Forgets the wins of earlier searches.
    fn forget(&mut self) {
        let mut shared = lock(&self.shared);
        shared.zones.clear();
        shared.replies.clear();
        self.workers.iter_mut().for_each(Worker::forget);
    }

    /// Searches with what is known already. The symmetries are some of the board's.
    /// `first` are moves to try first where VCDT does not win; wins of positions
    /// without one of the `removable` stones of the defender are looked up.
    fn prove(
        &mut self,
        board: &Board,
        (to_move, attacker): (Side, Side),
        (first, removable): (Option<&[Move]>, &[Square]),
        symmetries: Arc<Symmetries>,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<bool, Why> {
        let root = {
            let mut shared = lock(&self.shared);
            shared.tree.clear(Arc::clone(&symmetries));
            shared.ended = None;
            shared.nodes = budget.nodes();
            let key = board.key(attacker);
            let order = self.options.order;
            if let Some(first) = first {
                shared.tree.kid(key, order, LambdaTree::NONE, 1, 1, first)
            } else if to_move == attacker {
                shared.tree.or(key, order, LambdaTree::NONE, 1)
            } else {
                // At the root a pass may be refuted by any move that the search
                // may use.
                shared.tree.and(key, AndNode::new(order, order), LambdaTree::NONE, 1)
            }
        };
        let most_nodes = budget.limits().nodes.unwrap_or(u64::MAX);
        let (shared, symmetries) = (&self.shared, &symmetries);
        let task = Task { root, board, attacker, shared, most_nodes, symmetries, removable };
        let ended = run::run(&mut self.workers, &task, budget, observer);
        budget.set_nodes(lock(&self.shared).nodes);
        ended
    }

    /// The win where `attacker` is to move, if one is found. What earlier calls
    /// have won is known.
    pub fn win(
        &mut self,
        board: &Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Option<ZonedWin>, Why> {
        let symmetries = Arc::new(Symmetries::of(board));
        self.win_after(board, attacker, (None, &[]), symmetries, budget)
    }

    /// The same for use as an inner search, where VCDT has failed already. The
    /// `hints` are tried first.
    fn win_inside(
        &mut self,
        board: &Board,
        attacker: Side,
        hints: &[Move],
        removable: &[Square],
        budget: &mut Budget<'_>,
    ) -> Result<Option<ZonedWin>, Why> {
        self.win_after(board, attacker, (Some(hints), removable), Arc::default(), budget)
    }

    fn win_after(
        &mut self,
        board: &Board,
        attacker: Side,
        known: (Option<&[Move]>, &[Square]),
        symmetries: Arc<Symmetries>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<ZonedWin>, Why> {
        if !self.prove(board, (attacker, attacker), known, symmetries, budget, &mut crate::Silent)? {
            return Ok(None);
        }
        let shared = lock(&self.shared);
        Ok(shared.or_root(board.key(attacker), self.options.order).cloned())
    }

    /// The reply in a position that has been won on the way.
    fn known_reply(&self, key: u64) -> Option<Move> {
        let known = lock(&self.shared).replies.get(&key).copied();
        known.or_else(|| self.workers.iter().find_map(|worker| worker.known(key)))
    }
}

/// The squares of a side's stones.
fn stones_of(board: &Board, side: Side) -> Vec<Square> {
    board.game().squares().filter(|&square| board.at(square) == Some(side)).collect()
}

impl WinSearch for LambdaSearch {
    fn search(
        &mut self,
        board: &mut Board,
        to_move: Side,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Why> {
        self.forget();
        self.symmetries = Arc::new(Symmetries::of(board));
        let mut width = if self.options.exhaustive { Width::EVERY } else { Width::narrow(self.game) };
        self.set_width(width);
        if self.follow(board, (to_move, attacker), budget, observer)? {
            return Ok(());
        }
        loop {
            self.set_width(width);
            let symmetries = Arc::clone(&self.symmetries);
            if self.prove(board, (to_move, attacker), (None, &[]), symmetries, budget, observer)? {
                return Ok(());
            }
            // The wins that were found are known to the wider search.
            match width.wider(self.game) {
                Some(wider) => width = wider,
                None if budget.limits().depth.is_some() => return Err(Why::Depth),
                None => return Err(Why::Exhausted),
            }
        }
    }

    fn suggest(&mut self, known: &[(u64, Move)]) {
        lock(&self.shared).hints.extend(known.iter().copied());
    }

    /// The winning moves without those of positions that VCDT wins; suggested
    /// moves that were not reached are included.
    fn known(&self) -> Vec<(u64, Move)> {
        let shared = lock(&self.shared);
        let mut all = shared.hints.clone();
        all.extend(&shared.replies);
        let mut known: Vec<_> = all.into_iter().collect();
        known.sort_unstable_by_key(|&(key, _)| key);
        known
    }

    fn reply(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<Move, Why> {
        let key = board.key(attacker);
        // A win that was found for an image is one here.
        let images = self.symmetries.images_of(board, attacker);
        for search_first in [false, true] {
            let (none, removable) = (Arc::default(), stones_of(board, attacker.other()));
            let known = (None, &removable[..]);
            if search_first
                && !self.prove(board, (attacker, attacker), known, none, budget, &mut crate::Silent)?
            {
                return Err(Why::Narrowed);
            }
            let image = |&(turn, key): &(Turn, u64)| {
                let reply = self.known_reply(key)?;
                Some(self.symmetries.turn_move(self.symmetries.inverse(turn), &reply))
            };
            if let Some(reply) = self.known_reply(key).or_else(|| images.iter().find_map(image)) {
                return Ok(reply);
            }
            if let Some(reply) = self.reply_with_fewer_stones(board, attacker) {
                return Ok(reply);
            }
            if let Some(reply) = self.workers[0].reply(board, attacker, budget)? {
                return Ok(reply);
            }
        }
        Err(Why::Narrowed)
    }
}
