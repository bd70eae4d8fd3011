//! The defender's nodes: which moves of the defender have to be refuted.
//!
//! The same walk as the checker's (`docs/PROOF-FORMAT.md`), but in pieces: each
//! visit of a node settles some of the moves that are known to matter. A move
//! that is not refuted at once becomes a child of the node. Refuting a move with
//! stones to spare brings up the moves that answer the refutation.

use super::{
    symmetry::Turn,
    tree::{Id, NEVER, Tree},
};
use crate::{Method, Zones, forced::add_base};
use rules::{Game, Move, Side, Square};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use threats::{Board, Defences, ThreatCount};

/// A position with the defender to move.
pub(super) struct And {
    order: u8,
    /// The least order in which the defender's passes must be refuted.
    floor: u8,
    stage: Stage,
    zones: Zones,
    subs: Vec<Sub>,
    queue: VecDeque<u32>,
    met: FxHashSet<Move>,
    kids: Vec<Kid>,
    /// How often the search for a win against a pass has failed.
    pub(super) effort: u8,
    /// Moves that refuted something here, the latest first.
    pub(super) replies: Vec<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Open,
    Won,
    Lost,
}

/// Moves of the defender that contain these stones.
struct Sub {
    set: Move,
    /// Stones that are passed on.
    left: u8,
    /// The sub that this stone of one's own was added to, where all of them are
    /// refuted before pairs are looked at.
    single_of: Option<u32>,
    zones: Option<Box<Zones>>,
    /// Single stones not yet refuted.
    singles: u32,
}

/// A sub that was not refuted at once.
struct Kid {
    sub: u32,
    node: Id,
    /// What takes the position after the defender's stones to the node's.
    turn: Turn,
    absorbed: bool,
    /// Another child has the same node.
    twin: bool,
}

/// What is to be settled next.
pub(super) struct Item {
    sub: u32,
    /// The stones of the defender.
    pub(super) set: Move,
    /// The order in which the attacker must win.
    pub(super) order: u8,
}

impl And {
    /// Refuted by moves of this order. Passes may be refuted by those of `floor`
    /// and of a lower order.
    pub(super) fn new(game: Game, order: u8, floor: u8) -> And {
        And {
            order,
            floor,
            stage: Stage::New,
            zones: Zones::empty(game),
            subs: Vec::new(),
            queue: VecDeque::new(),
            met: FxHashSet::default(),
            kids: Vec::new(),
            effort: 0,
            replies: Vec::new(),
        }
    }

    pub(super) fn order(&self) -> u8 {
        self.order
    }

    pub(super) fn is_won(&self) -> bool {
        self.stage == Stage::Won
    }

    /// The zones of a node that is won.
    pub(super) fn zones(&self) -> &Zones {
        &self.zones
    }

    /// About the memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.zones.bytes()
            + self.subs.capacity() * (size_of::<Sub>() + size_of::<Move>() * 2)
            + self.subs.iter().filter(|sub| sub.zones.is_some()).count() * self.zones.bytes()
            + self.kids.capacity() * size_of::<Kid>()
    }

    /// All children.
    pub(super) fn kids(&self) -> impl Iterator<Item = Id> + '_ {
        self.kids.iter().filter(|kid| !kid.absorbed).map(|kid| kid.node)
    }

    /// The nodes of the tree have moved.
    pub(super) fn rename(&mut self, place: impl Fn(Id) -> Id) {
        for kid in self.kids.iter_mut().filter(|kid| !kid.absorbed) {
            kid.node = place(kid.node);
        }
    }

    /// Moves known to matter that are not refuted yet.
    pub(super) fn left(&self) -> usize {
        self.queue.len() + self.kids.iter().filter(|kid| !kid.absorbed).count()
    }

    /// The numbers; `known` are those of a node that has not been visited.
    pub(super) fn numbers(&self, tree: &Tree, known: (u32, u32)) -> (u32, u32) {
        match self.stage {
            Stage::New => return known,
            Stage::Won => return (0, NEVER),
            Stage::Lost => return (NEVER, 0),
            Stage::Open => {}
        }
        let (mut most, mut others, mut dn) = (0, 0u32, NEVER);
        for kid in self.kids.iter().filter(|kid| !kid.absorbed && !kid.twin) {
            let node = tree.node(kid.node);
            if node.pn > 0 {
                others += 1;
                most = most.max(node.pn);
                dn = dn.min(node.dn);
            }
        }
        if dn == 0 || most == NEVER {
            return (NEVER, 0);
        }
        let waiting = self.queue.len() as u32;
        if waiting > 0 || others == 0 {
            dn = dn.min(1);
        }
        let pn = most
            + others.saturating_sub(1)
            + waiting.div_ceil(tree.waiting)
            + [0, 4, 9][usize::from(self.effort.min(2))];
        (pn.clamp(1, NEVER - 1), dn.clamp(1, NEVER - 1))
    }

    /// Whether there is work to do at the node itself.
    pub(super) fn wants_visit(&self, tree: &Tree) -> bool {
        match self.stage {
            Stage::New => true,
            Stage::Won | Stage::Lost => false,
            Stage::Open => {
                !self.queue.is_empty()
                    || self.kids.iter().any(|kid| !kid.absorbed && tree.node(kid.node).pn == 0)
            }
        }
    }

    /// The child to search next: the one that is easiest to show not won.
    pub(super) fn choose(&self, tree: &Tree) -> Option<(Id, Turn, Move)> {
        self.kids
            .iter()
            .filter(|kid| !kid.absorbed && tree.node(kid.node).pn > 0 && !tree.node(kid.node).taken)
            .map(|kid| (tree.node(kid.node), kid))
            .min_by_key(|(node, _)| (node.dn.saturating_add(node.visits), node.pn))
            .map(|(_, kid)| (kid.node, kid.turn, self.subs[kid.sub as usize].set))
    }

    /// The first visit: what the defender must meet.
    pub(super) fn begin(&mut self, board: &Board, attacker: Side) {
        if self.stage != Stage::New {
            return;
        }
        let defender = attacker.other();
        let p = board.game().p();
        if board.has_row(defender) || board.has_threat(defender) || board.empty_count() < usize::from(p) {
            self.stage = Stage::Lost;
            return;
        }
        let mut defences = Defences::default();
        defences.find(board, attacker);
        self.stage = Stage::Open;
        match defences.count() {
            ThreatCount::Exactly(0) => self.push(Move::NULL, p, None),
            ThreatCount::More => {
                add_base(&mut self.zones, board, attacker);
                self.stage = Stage::Won;
            }
            ThreatCount::Exactly(_) => {
                add_base(&mut self.zones, board, attacker);
                for defence in defences.iter() {
                    self.push(*defence, p - defence.len() as u8, None);
                }
            }
        }
    }

    fn push(&mut self, set: Move, left: u8, single_of: Option<u32>) {
        if self.met.insert(set.sorted()) {
            self.queue.push_back(self.subs.len() as u32);
            self.subs.push(Sub { set, left, single_of, zones: None, singles: 0 });
        }
    }

    /// Takes the next move to settle.
    pub(super) fn next(&mut self) -> Option<Item> {
        let sub = self.queue.pop_front()?;
        let Sub { set, left, .. } = self.subs[sub as usize];
        Some(Item { sub, set, order: self.order.saturating_sub(left).max(self.floor.min(self.order)) })
    }

    /// The move is to be settled again.
    pub(super) fn put_back(&mut self, item: Item) {
        self.queue.push_front(item.sub);
    }

    /// The move is not refuted yet, and becomes a child: this node, where `turn`
    /// takes the position.
    pub(super) fn add_kid(&mut self, item: &Item, node: Id, turn: Turn) {
        let twin = turn != 0 && self.kids.iter().any(|kid| !kid.absorbed && kid.node == node);
        self.kids.push(Kid { sub: item.sub, node, turn, absorbed: false, twin });
    }

    /// The move is not refuted, and never will be.
    pub(super) fn lose(&mut self) {
        self.stage = Stage::Lost;
        self.clear();
    }

    fn clear(&mut self) {
        (self.subs, self.kids, self.queue) = (Vec::new(), Vec::new(), VecDeque::new());
        self.met = FxHashSet::default();
    }

    /// Children that have been won: their subs are to be refuted now.
    pub(super) fn won_kids<'a>(&'a mut self, tree: &'a Tree) -> impl Iterator<Item = (Item, Id, Turn)> + 'a {
        let (subs, order) = (&self.subs, self.order);
        self.kids.iter_mut().filter(|kid| !kid.absorbed && tree.node(kid.node).pn == 0).map(move |kid| {
            kid.absorbed = true;
            (Item { sub: kid.sub, set: subs[kid.sub as usize].set, order }, kid.node, kid.turn)
        })
    }

    /// The children that are not won, with the defender's stones.
    pub(super) fn open_kids(&self) -> impl Iterator<Item = (Id, Turn, Move)> + '_ {
        let open = self.kids.iter().filter(|kid| !kid.absorbed);
        open.map(|kid| (kid.node, kid.turn, self.subs[kid.sub as usize].set))
    }

    /// The move is refuted by `reply`, in these zones.
    ///
    /// `rank` tells how much a stone of the defender's may disturb; the most
    /// disturbing are settled first.
    pub(super) fn refuted(
        &mut self,
        item: &Item,
        reply: Move,
        zones: &Zones,
        on: (&Board, Side, Method),
        rank: &mut dyn FnMut(Square) -> u32,
    ) {
        let (board, attacker, method) = on;
        if let Some(place) = self.replies.iter().position(|&known| known == reply) {
            self.replies[..=place].rotate_right(1);
        } else {
            self.replies.insert(0, reply);
            self.replies.truncate(8);
        }
        let Sub { set, left, single_of, .. } = self.subs[item.sub as usize];
        self.zones.union_shifted(zones, usize::from(left));
        if let Some(parent) = single_of {
            self.subs[item.sub as usize].zones = Some(Box::new(zones.clone()));
            self.subs[parent as usize].singles -= 1;
            if self.subs[parent as usize].singles == 0 {
                self.pairs(parent, on, rank);
            }
            return;
        }
        if left == 0 {
            return;
        }
        let mut squares: Vec<Square> =
            zones.empty_squares(board, 1.max(usize::from(left))).filter(|&s| !set.contains(s)).collect();
        if left == 2 && method != Method::Rzop {
            squares.retain(|&square| zones.contains(1, square));
        }
        squares.sort_by_key(|&square| std::cmp::Reverse(rank(square)));
        let before = self.subs.len();
        let together = left == 2 && method == Method::Mutual;
        for square in squares {
            let mut more = set;
            more.push(square);
            if together {
                // Each sub keeps its own single stones: they are not shared with
                // another critical defence's.
                self.queue.push_back(self.subs.len() as u32);
                let single_of = Some(item.sub);
                self.subs.push(Sub { set: more, left: 1, single_of, zones: None, singles: 0 });
            } else {
                self.push(more, left - 1, None);
            }
        }
        if together {
            self.subs[item.sub as usize].zones = Some(Box::new(zones.clone()));
            self.subs[item.sub as usize].singles = (self.subs.len() - before) as u32;
            if self.subs.len() == before {
                self.pairs(item.sub, on, rank);
            }
        } else if left == 2 && method != Method::Rzop {
            self.far_pairs(set, zones, board, attacker, method);
        }
    }

    /// Pairs of stones outside the first zone and inside the second.
    fn far_pairs(&mut self, set: Move, zones: &Zones, board: &Board, attacker: Side, method: Method) {
        let far: Vec<Square> = zones
            .empty_squares(board, 2)
            .filter(|&square| !zones.contains(1, square) && !set.contains(square))
            .collect();
        for (i, &s) in far.iter().enumerate() {
            for &t in &far[i + 1..] {
                if method == Method::Srzop1 || on_one_segment(board, attacker, s, t) {
                    let mut more = set;
                    more.push(s);
                    more.push(t);
                    self.push(more, 0, None);
                }
            }
        }
    }

    /// Pairs that answer all lines found, when every single stone is refuted.
    fn pairs(&mut self, of: u32, on: (&Board, Side, Method), rank: &mut dyn FnMut(Square) -> u32) {
        let (board, attacker, method) = on;
        let Some(first) = self.subs[of as usize].zones.take() else { return };
        let set = self.subs[of as usize].set;
        let mut singles: Vec<(Square, Box<Zones>)> = Vec::new();
        for sub in self.subs.iter_mut().filter(|sub| sub.single_of == Some(of)) {
            if let (Some(&square), Some(zones)) = (sub.set.squares().last(), sub.zones.take()) {
                singles.push((square, zones));
            }
        }
        let mut by_square: Vec<Option<&Zones>> = vec![None; board.game().area()];
        for (square, zones) in &singles {
            by_square[square.index()] = Some(zones);
        }
        let mut pairs: Vec<(u32, Move)> = Vec::new();
        for (s, zones) in &singles {
            for t in zones.empty_squares(board, 1) {
                if t == *s || set.contains(t) {
                    continue;
                }
                match by_square[t.index()] {
                    // Both are in the first zone: each pair once.
                    Some(other) if t < *s || !other.contains(1, *s) => continue,
                    _ => {}
                }
                let mut more = set;
                more.push((*s).min(t));
                more.push((*s).max(t));
                pairs.push((rank(*s) + rank(t), more));
            }
        }
        pairs.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
        for (_, pair) in pairs {
            self.push(pair, 0, None);
        }
        self.far_pairs(set, &first, board, attacker, method);
    }

    /// After a visit: whether everything is refuted.
    pub(super) fn settle(&mut self) {
        if self.stage == Stage::Open && self.queue.is_empty() && self.kids.iter().all(|kid| kid.absorbed) {
            self.stage = Stage::Won;
            self.clear();
        }
    }
}

/// Whether two squares lie together on a segment without a stone of `attacker`.
pub(crate) fn on_one_segment(board: &Board, attacker: Side, s: Square, t: Square) -> bool {
    let k = u32::from(board.game().k());
    for (line, at) in board.geometry().lines_through(s) {
        let Some((_, other)) = board.geometry().lines_through(t).find(|&(other, _)| other == line) else {
            continue;
        };
        let (low, high) = (u32::from(at.min(other)), u32::from(at.max(other)));
        if high - low >= k {
            return false;
        }
        // Windows that begin at high-k+1 ..= low contain both.
        let begin = (high + 1).saturating_sub(k);
        let mask = ((1u64 << (low - begin) << 1) - 1) << begin;
        return board.active(attacker.other(), line) & mask != 0;
    }
    false
}
