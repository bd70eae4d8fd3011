//! The Lambda search: wins that need moves which leave the defender stones to
//! spare, or all of them.
//!
//! A move of order r must win, when the defender passes on u stones, by moves of
//! order r - u at most: a single threat (order 2) threatens a win by double
//! threats, and so does a move without a threat (order 3). Which stones of the
//! defender matter is told by the zones of those wins.
//!
//! Proof-number search above: an attacker's node is settled by full threats if it
//! can be, else its candidates are its children; a defender's node is opened in
//! pieces, see [`defend`].

mod attack;
mod defend;
mod tree;

use crate::{
    Budget, Method, Observer, Progress, Strategy, Verdict, Why, Win,
    forced::{Forced, Proof},
};
use attack::Generator;
use defend::And;
use rules::{Game, Move, Side, stone_key};
use rustc_hash::FxHashMap;
use threats::Board;
use tree::{Body, EFFORTS, Id, NEVER, Or, Tree};

/// What to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LambdaOptions {
    /// The highest order of a move.
    pub order: u8,
    /// How the defender's spare stones are cut down.
    pub method: Method,
    /// Nodes of the tree at most.
    pub most_nodes: usize,
}

impl Default for LambdaOptions {
    fn default() -> LambdaOptions {
        LambdaOptions { order: 3, method: Method::Mutual, most_nodes: 4_000_000 }
    }
}

/// Moves of the attacker tried when a move of the defender is first looked at,
/// when it is looked at again, and when the defender passes.
const CHECK_NODES: u64 = 400;
const PASS_NODES: [u64; 3] = [300, 3_000, 20_000];

/// Moves of the defender settled in one visit.
const CHECKS: usize = 24;

/// Children that one visit makes at most: a move with several is not promising,
/// and the others need not be known yet.
const MOST_HARD: usize = 2;

/// The proof number of an attacker's node that has not been expanded.
const LEAF: u32 = 3;

/// The search. It keeps its memory between calls.
pub struct LambdaSearch {
    options: LambdaOptions,
    forced: Forced,
    generator: Generator,
    tree: Tree,
    /// Wins that took more than full threats.
    replies: FxHashMap<u64, Move>,
    zones: FxHashMap<u64, Proof>,
}

impl LambdaSearch {
    /// A search for boards of this game, with tables of about this many bytes.
    pub fn new(game: Game, options: LambdaOptions, table_bytes: usize) -> LambdaSearch {
        LambdaSearch {
            options,
            forced: Forced::new(game, table_bytes),
            generator: Generator::new(game),
            tree: Tree::default(),
            replies: FxHashMap::default(),
            zones: FxHashMap::default(),
        }
    }

    /// Searches for a win of `attacker`. The board is left as it was.
    pub fn solve(
        &mut self,
        board: &mut Board,
        to_move: Side,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Verdict {
        self.tree = Tree::default();
        self.zones.clear();
        let game = board.game();
        let key = board.key(attacker);
        let order = self.options.order;
        let root = if to_move == attacker {
            self.tree.or(key, order, Tree::NONE, LEAF)
        } else {
            self.tree.and(key, And::new(game, order, 2), Tree::NONE, LEAF)
        };
        let mut run = Run { search: self, board, attacker, budget, observer, path: Vec::new() };
        match run.search(root) {
            // The line is told by the certificate.
            Ok(true) => Verdict::Win(Box::new(Win {
                line: Vec::new(),
                strategy: Strategy::default(),
                certificate: None,
            })),
            Ok(false) => Verdict::Unknown(Why::Narrowed),
            Err(why) => Verdict::Unknown(why),
        }
    }

    /// The winning reply where `attacker` is to move in a position that was won
    /// on the way; full threats are searched again.
    pub(crate) fn reply(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Move, Why> {
        let key = board.key(attacker);
        if let Some(&reply) = self.replies.get(&key) {
            return Ok(reply);
        }
        if let Some(proof) = self.forced.get(key) {
            return Ok(proof.reply);
        }
        if self.forced.wins(board, attacker, 100_000, budget)? {
            self.forced.note(board, attacker, budget)?;
            if let Some(proof) = self.forced.get(key) {
                return Ok(proof.reply);
            }
        }
        Err(Why::Narrowed)
    }
}

struct Run<'s, 'b, 'o> {
    search: &'s mut LambdaSearch,
    board: &'s mut Board,
    attacker: Side,
    budget: &'s mut Budget<'b>,
    observer: &'o mut dyn Observer,
    /// The nodes from the root to where the search is, with the move that led
    /// to each.
    path: Vec<(Id, Side, Move)>,
}

impl Run<'_, '_, '_> {
    fn search(&mut self, root: Id) -> Result<bool, Why> {
        let mut steps = 0u64;
        loop {
            let node = self.search.tree.node(root);
            if node.pn == 0 {
                return Ok(true);
            }
            if node.dn == 0 || node.pn >= NEVER {
                return Ok(false);
            }
            if self.search.tree.len() >= self.search.options.most_nodes {
                return Err(Why::Nodes);
            }
            let (id, settled) = self.descend(root);
            let done = if settled { Ok(()) } else { self.visit(id) };
            while let Some((_, side, mv)) = self.path.pop() {
                mv.iter().for_each(|square| self.board.remove(side, square));
            }
            done?;
            self.update(id);
            steps += 1;
            if std::env::var("DBG").is_ok() && steps % 200 == 0 {
                self.dump(root, steps);
            }
            if steps % 64 == 0 {
                self.report(root);
            }
        }
    }

    fn update(&mut self, id: Id) {
        let LambdaSearch { tree, replies, zones, .. } = &mut *self.search;
        tree.update(id, |key, proof| {
            replies.insert(key, proof.reply);
            zones.insert(key, proof.clone());
        });
    }

    fn dump(&self, root: Id, steps: u64) {
        let tree = &self.search.tree;
        let g = self.board.game();
        eprintln!("--- step {steps} tree {} nodes {}", tree.len(), self.budget.nodes());
        let mut id = root;
        for depth in 0..12 {
            let node = tree.node(id);
            match &node.body {
                Body::Or(or) => {
                    let mut c: Vec<_> = or.candidates.iter().filter(|c| c.node != Tree::NONE).collect();
                    c.sort_by_key(|c| tree.node(c.node).pn);
                    let seen = c.len();
                    let alive = c.iter().filter(|c| tree.node(c.node).dn > 0).count();
                    eprint!(
                        "{:d$}OR o{} pn{} dn{} eff{} cand {} seen {seen} alive {alive}:",
                        "",
                        or.order,
                        node.pn,
                        node.dn,
                        or.effort,
                        or.candidates.len(),
                        d = depth
                    );
                    for c in c.iter().take(6) {
                        let n = tree.node(c.node);
                        eprint!(" {}({},{})", g.move_name(&c.mv), n.pn, n.dn);
                    }
                    eprintln!();
                    let Some(best) = c.first() else { return };
                    id = best.node;
                }
                Body::And(and) => {
                    eprint!(
                        "{:d$}AND pn{} dn{} left{} eff{}:",
                        "",
                        node.pn,
                        node.dn,
                        and.left(),
                        and.effort,
                        d = depth
                    );
                    for (kid, set) in and.open_kids().take(8) {
                        let n = tree.node(kid);
                        eprint!(" {}({},{})", g.move_name(&set), n.pn, n.dn);
                    }
                    eprintln!();
                    let Some((kid, _)) = and.choose(tree) else { return };
                    id = kid;
                }
            }
        }
    }

    fn report(&mut self, root: Id) {
        let line: Vec<Move> = self.path.iter().map(|&(_, _, mv)| mv).collect();
        let node = self.search.tree.node(root);
        self.observer.report(&Progress {
            depth: node.pn,
            nodes: self.budget.nodes(),
            elapsed: self.budget.elapsed(),
            line: &line,
        });
    }

    /// Follows the numbers down to a node with work to do, and plays the moves.
    /// A node whose child turns out to be settled already, in another line, has
    /// no work but to take note of that.
    fn descend(&mut self, root: Id) -> (Id, bool) {
        let game = self.board.game();
        let mut id = root;
        loop {
            let tree = &mut self.search.tree;
            let node = tree.node(id);
            let key = node.key;
            let (next, side, mv) = match &node.body {
                Body::Or(or) if !or.expanded => return (id, false),
                Body::Or(or) => {
                    let best = or.candidates.iter().enumerate().min_by_key(|(_, candidate)| {
                        if candidate.node == Tree::NONE {
                            candidate.prior
                        } else {
                            let node = tree.node(candidate.node);
                            node.pn.saturating_add(node.visits)
                        }
                    });
                    let Some((best, &candidate)) = best else { return (id, false) };
                    if or.again() <= tree.node(id).pn {
                        return (id, false);
                    }
                    let (order, mv) = (or.order, candidate.mv);
                    let mut child = candidate.node;
                    if child == Tree::NONE {
                        let key = mv.iter().fold(key, |key, square| key ^ stone_key(self.attacker, square));
                        child = tree.and(key, And::new(game, order, 1), id, candidate.prior);
                        if let Body::Or(or) = &mut tree.node_mut(id).body {
                            or.candidates[best].node = child;
                        }
                        let child = tree.node(child);
                        if child.pn == 0 || child.dn == 0 {
                            return (id, true);
                        }
                    }
                    (child, self.attacker, mv)
                }
                Body::And(and) if and.wants_visit(tree) => return (id, false),
                Body::And(and) => match and.choose(tree) {
                    Some((child, mv)) => (child, self.attacker.other(), mv),
                    None => return (id, false),
                },
            };
            mv.iter().for_each(|square| self.board.place(side, square));
            self.path.push((next, side, mv));
            id = next;
        }
    }

    fn visit(&mut self, id: Id) -> Result<(), Why> {
        let node = self.search.tree.node_mut(id);
        let key = node.key;
        match &mut node.body {
            Body::Or(or) => {
                let mut or = std::mem::take(or);
                let done = self.expand(key, &mut or);
                self.search.tree.node_mut(id).body = Body::Or(or);
                done
            }
            Body::And(and) => {
                let new = And::new(self.board.game(), and.order(), 1);
                let mut and = std::mem::replace(and, new);
                let done = self.open(id, key, &mut and);
                self.search.tree.node_mut(id).body = Body::And(and);
                done
            }
        }
    }

    /// Settles an attacker's node, or generates its candidates. One whose
    /// candidate has been won is won itself.
    fn expand(&mut self, key: u64, or: &mut Or) -> Result<(), Why> {
        if self.path.is_empty() && or.effort < 2 {
            or.effort = 2;
        }
        let Some(&(_, nodes)) = EFFORTS.get(usize::from(or.effort)) else { return Ok(()) };
        or.effort += 1;
        if let Some(proof) = self.settled(key, nodes)? {
            or.proof = Some(Box::new(proof));
            or.expanded = true;
            return Ok(());
        }
        if or.expanded {
            return Ok(());
        }
        or.candidates = self.search.generator.candidates(self.board, self.attacker, or.order, &or.hints);
        or.expanded = true;
        Ok(())
    }

    /// The win in the position on the board, if it is known or full threats win.
    fn settled(&mut self, key: u64, nodes: u64) -> Result<Option<Proof>, Why> {
        debug_assert_eq!(key, self.board.key(self.attacker));
        if let Some(proof) = self.search.zones.get(&key) {
            return Ok(Some(proof.clone()));
        }
        let forced = &mut self.search.forced;
        if forced.get(key).is_none() && !forced.wins(self.board, self.attacker, nodes, self.budget)? {
            return Ok(None);
        }
        let zones = forced.note(self.board, self.attacker, self.budget)?;
        Ok(forced.get(key).map(|proof| Proof { reply: proof.reply, zones }))
    }

    /// Settles some of the defender's moves.
    fn open(&mut self, id: Id, key: u64, and: &mut And) -> Result<(), Why> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        let method = self.search.options.method;
        and.begin(self.board, attacker);
        let mut rank = self.search.generator.disturbs(self.board, attacker);
        let won: Vec<_> = and.won_kids(&self.search.tree).collect();
        for (item, kid) in won {
            let Body::Or(or) = &self.search.tree.node(kid).body else { continue };
            let Some(proof) = or.proof.as_deref() else { continue };
            let reply = proof.reply;
            and.refuted(&item, reply, &proof.zones, self.board, attacker, method, &mut rank);
            for (kid, set) in and.open_kids() {
                if !reply.iter().any(|square| set.contains(square))
                    && let Body::Or(or) = &mut self.search.tree.node_mut(kid).body
                {
                    or.suggest(reply);
                }
                self.update(kid);
            }
        }
        let mut hard = 0;
        for _ in 0..CHECKS {
            if hard == MOST_HARD {
                break;
            }
            let Some(item) = and.next() else { break };
            let key = item.set.iter().fold(key, |key, square| key ^ stone_key(defender, square));
            let nodes = if item.order == 1 { PASS_NODES[usize::from(and.effort)] } else { CHECK_NODES };
            item.set.iter().for_each(|square| self.board.place(defender, square));
            let settled = self.settled(key, nodes);
            item.set.iter().for_each(|square| self.board.remove(defender, square));
            match settled? {
                Some(proof) => {
                    and.refuted(&item, proof.reply, &proof.zones, self.board, attacker, method, &mut rank);
                }
                None if item.order == 1 => {
                    and.effort += 1;
                    if usize::from(and.effort) == PASS_NODES.len() {
                        and.lose();
                    } else {
                        and.put_back(item);
                    }
                    break;
                }
                None => {
                    let kid = self.search.tree.or(key, item.order, id, LEAF);
                    if let Body::Or(or) = &mut self.search.tree.node_mut(kid).body
                        && or.hints.is_empty()
                    {
                        or.hints.clone_from(&and.replies);
                    }
                    and.add_kid(&item, kid);
                    hard += 1;
                }
            }
        }
        and.settle();
        Ok(())
    }
}
