//! The dependency-based hypergraph.
//!
//! A hyperedge is a primitive move. Its sources are the moves that it depends
//! on: those that placed a stone of the threats it makes. A vertex is the
//! position behind a hyperedge, so every vertex but the root has exactly one
//! hyperedge leading to it, and the two share a number here.
//!
//! The graph grows with the search. What is on the line being searched is
//! *active*; what was searched elsewhere stays, inactive, and is found again by
//! its stones and sources. A primitive move in an area of its own is therefore
//! one hyperedge, however many lines it was searched in, and its zones tell
//! what all of them found behind it.

use super::{macro_moves::Pieces, zones};
use lambda6_rules::{Game, Square};
use rustc_hash::FxHashMap;

/// The number of a hyperedge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeId(u32);

/// Places on the line, a bit each: the first primitive move is bit 0.
pub type Slots = u128;

/// The most places on a line.
pub const MAX_SLOTS: usize = Slots::BITS as usize;

/// Most hyperedges kept, of some 160 bytes each on 19x19: beyond that the
/// inactive ones are forgotten.
const MOST_EDGES: usize = 1 << 21;

#[derive(Clone, Copy, Debug)]
struct Edge {
    pieces: Pieces,
    /// Where the list of sources begins, and how long it is.
    sources: u32,
    len: u8,
    /// The round in which it was last active.
    round: u32,
}

/// A primitive move on the line.
#[derive(Clone, Copy, Debug)]
struct Active {
    edge: EdgeId,
    /// What it depends on.
    depends: Slots,
    /// What it is reachable from, itself included.
    reach: Slots,
    /// The defence against it makes threats.
    inverts: bool,
}

/// A macro-move on the line.
#[derive(Clone, Copy, Debug)]
struct Macro {
    /// The places of its primitive moves.
    slots: Slots,
    /// It had to block.
    forced: bool,
}

/// The hypergraph of one search.
#[derive(Clone, Debug)]
pub struct Graph {
    words: usize,
    edges: Vec<Edge>,
    sources: Vec<EdgeId>,
    /// For each hyperedge its attacking zone ZA and its defending-inversion zone
    /// ZI.
    zones: Vec<u64>,
    lookup: FxHashMap<u64, EdgeId>,
    /// By square: 1 + the place on the line of the move that put a stone there.
    owner: Vec<u8>,
    line: Vec<Active>,
    /// The macro-moves of the line.
    moves: Vec<Macro>,
    round: u32,
    /// Hyperedges made, those forgotten included.
    made: u64,
}

impl Graph {
    /// The graph that has only the root.
    pub fn new(game: Game) -> Graph {
        Graph {
            words: zones::words(game),
            edges: Vec::new(),
            sources: Vec::new(),
            zones: Vec::new(),
            lookup: FxHashMap::default(),
            owner: vec![0; game.area()],
            line: Vec::new(),
            moves: Vec::new(),
            round: 0,
            made: 0,
        }
    }

    /// Forgets everything; keeps the memory.
    pub fn clear(&mut self) {
        self.edges.clear();
        self.sources.clear();
        self.zones.clear();
        self.lookup.clear();
        self.owner.fill(0);
        self.line.clear();
        self.moves.clear();
        self.round = 0;
        self.made = 0;
    }

    /// Begins a new round of the search.
    pub fn new_round(&mut self) {
        self.round += 1;
    }

    /// The hyperedges there are.
    #[allow(clippy::len_without_is_empty, reason = "no caller asks whether it is empty")]
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// The hyperedges made so far.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// The places of the macro-moves on the line, one after the other, without
    /// those that had to block.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Slots> + '_ {
        self.moves.iter().filter(|mv| !mv.forced).map(|mv| mv.slots)
    }

    /// How many macro-moves the next one follows at once: the last, and where
    /// that had to block the one before it too, and so on.
    pub fn recent(&self) -> usize {
        let forced = self.moves.iter().rev().take_while(|mv| mv.forced).count();
        (forced + 1).min(self.moves.len())
    }

    /// The places of the macro-moves that the next one follows at once.
    pub fn recent_slots(&self) -> Slots {
        self.moves.iter().rev().take(self.recent()).fold(0, |all, mv| all | mv.slots)
    }

    /// The place on the line of the move that put a stone on this square: no
    /// bit when it stood there before.
    #[inline]
    pub fn slot_of(&self, square: Square) -> Slots {
        match self.owner[square.index()] {
            0 => 0,
            slot => 1 << (slot - 1),
        }
    }

    /// What a primitive move with these dependencies is reachable from.
    #[inline]
    pub fn reach(&self, depends: Slots) -> Slots {
        self.slots(depends).fold(depends, |reach, slot| reach | self.line[slot].reach)
    }

    fn slots(&self, mut slots: Slots) -> impl Iterator<Item = usize> + use<> {
        std::iter::from_fn(move || {
            let slot = slots.trailing_zeros() as usize;
            if slot == MAX_SLOTS {
                return None;
            }
            slots &= slots - 1;
            Some(slot)
        })
    }

    /// The hyperedge of a primitive move with these dependencies, perhaps on one
    /// more hyperedge that is not on the line: the other half of its move.
    pub fn find(&self, pieces: Pieces, depends: Slots, half: Option<EdgeId>) -> Option<EdgeId> {
        self.look_up(pieces, depends, half).ok()
    }

    fn sources(&self, depends: Slots, half: Option<EdgeId>) -> impl Iterator<Item = EdgeId> + '_ {
        self.slots(depends).map(|slot| self.line[slot].edge).chain(half)
    }

    /// The hyperedge, or the free key under which to put it. Sources are a set,
    /// whatever their order on the line: the key is a sum over them.
    fn look_up(&self, pieces: Pieces, depends: Slots, half: Option<EdgeId>) -> Result<EdgeId, u64> {
        let own = pieces.iter().fold(1, |key, square| mix(key ^ (square.index() as u64 + 1)));
        let mut key = self
            .sources(depends, half)
            .fold(own, |key: u64, source| key.wrapping_add(mix(u64::from(source.0) | 1 << 40)));
        let len = depends.count_ones() as usize + usize::from(half.is_some());
        loop {
            match self.lookup.get(&key) {
                None => return Err(key),
                Some(&id) => {
                    let edge = &self.edges[id.0 as usize];
                    let known = self.sources_of(edge);
                    if edge.pieces == pieces
                        && known.len() == len
                        && self.sources(depends, half).all(|source| known.contains(&source))
                    {
                        return Ok(id);
                    }
                    key = key.wrapping_add(1);
                }
            }
        }
    }

    fn sources_of(&self, edge: &Edge) -> &[EdgeId] {
        &self.sources[edge.sources as usize..][..usize::from(edge.len)]
    }

    /// Whether the hyperedge was active in this round.
    #[inline]
    pub fn is_known(&self, edge: EdgeId) -> bool {
        self.edges[edge.0 as usize].round == self.round
    }

    /// The attacking zone: the stones of all moves reachable from this one.
    #[inline]
    pub fn attacking_zone(&self, edge: EdgeId) -> &[u64] {
        &self.zones[edge.0 as usize * 2 * self.words..][..self.words]
    }

    /// The defending-inversion zone: the squares that block threats which the
    /// defender gets by answering moves reachable from this one.
    #[inline]
    pub fn inversion_zone(&self, edge: EdgeId) -> &[u64] {
        &self.zones[(edge.0 as usize * 2 + 1) * self.words..][..self.words]
    }

    fn zone_mut(&mut self, edge: EdgeId, which: usize) -> &mut [u64] {
        &mut self.zones[(edge.0 as usize * 2 + which) * self.words..][..self.words]
    }

    /// Begins a macro-move, which had to block or not; [`Graph::add`] adds its
    /// primitive moves.
    pub fn begin_move(&mut self, forced: bool) {
        if self.edges.len() >= MOST_EDGES {
            self.forget_inactive();
        }
        self.moves.push(Macro { slots: 0, forced });
    }

    /// Adds a primitive move to the macro-move begun last, and marks it active.
    /// Its place on the line.
    pub fn add(&mut self, pieces: Pieces, depends: Slots) -> usize {
        let slot = self.line.len();
        debug_assert!(slot < MAX_SLOTS, "the line is too long");
        let reach = self.reach(depends) | 1 << slot;
        let edge = match self.look_up(pieces, depends, None) {
            Ok(edge) => edge,
            Err(key) => self.create(pieces, depends, key, reach & !(1 << slot)),
        };
        self.edges[edge.0 as usize].round = self.round;
        for square in pieces.iter() {
            self.owner[square.index()] = slot as u8 + 1;
        }
        self.line.push(Active { edge, depends, reach, inverts: false });
        if let Some(mv) = self.moves.last_mut() {
            mv.slots |= 1 << slot;
        }
        slot
    }

    /// A hyperedge is found again by its stones and sources, and a source by
    /// its own: so everything it is reachable from is the same each time, and
    /// the attacking zones need to be told once.
    fn create(&mut self, pieces: Pieces, depends: Slots, key: u64, ancestors: Slots) -> EdgeId {
        let edge = EdgeId(self.edges.len() as u32);
        let (start, len) = (self.sources.len() as u32, depends.count_ones() as u8);
        for slot in self.slots(depends) {
            self.sources.push(self.line[slot].edge);
        }
        self.edges.push(Edge { pieces, sources: start, len, round: self.round });
        self.made += 1;
        self.lookup.insert(key, edge);
        self.zones.resize(self.zones.len() + 2 * self.words, 0);
        for square in pieces.iter() {
            zones::insert(self.zone_mut(edge, 0), square);
        }
        for slot in self.slots(ancestors) {
            let ancestor = self.line[slot].edge;
            for square in pieces.iter() {
                zones::insert(self.zone_mut(ancestor, 0), square);
            }
        }
        edge
    }

    /// Notes that the defence against the primitive move at this place makes
    /// threats, which these squares block, or none. Moves that it depends on hear of it
    /// through an unbroken chain of such defences, or all of them do (`wide`).
    pub fn note_inversion(&mut self, slot: usize, blocks: &[Square], wide: bool) {
        self.line[slot].inverts = !blocks.is_empty();
        if blocks.is_empty() {
            return;
        }
        let mut told: Slots = 1 << slot;
        if wide {
            told = self.line[slot].reach;
        } else {
            for earlier in (0..=slot).rev() {
                if told >> earlier & 1 != 0 {
                    let more = self.slots(self.line[earlier].depends).filter(|&on| self.line[on].inverts);
                    told |= more.fold(0, |all, on| all | 1 << on);
                }
            }
        }
        for slot in self.slots(told) {
            let edge = self.line[slot].edge;
            let zone = self.zone_mut(edge, 1);
            blocks.iter().for_each(|&square| zones::insert(zone, square));
        }
    }

    /// Takes the last macro-move off the line: its hyperedges become inactive.
    pub fn end_move(&mut self) {
        let Some(Macro { slots, .. }) = self.moves.pop() else { return };
        for _ in 0..slots.count_ones() {
            if let Some(active) = self.line.pop() {
                for square in self.edges[active.edge.0 as usize].pieces.iter() {
                    self.owner[square.index()] = 0;
                }
            }
        }
    }

    /// Builds the graph of the line anew, without what is inactive. The zones
    /// of what stays shrink to the line.
    pub fn forget_inactive(&mut self) {
        let line: Vec<_> =
            self.line.iter().map(|a| (self.edges[a.edge.0 as usize].pieces, a.depends, a.inverts)).collect();
        let moves = std::mem::take(&mut self.moves);
        let (round, made) = (self.round, self.made);
        self.clear();
        (self.round, self.made) = (round, made);
        let mut rest = line.into_iter();
        for Macro { slots, forced } in moves {
            self.moves.push(Macro { slots: 0, forced });
            for (pieces, depends, inverts) in rest.by_ref().take(slots.count_ones() as usize) {
                let slot = self.add(pieces, depends);
                self.line[slot].inverts = inverts;
            }
        }
        self.made = made;
    }

    /// The active hyperedges in the order of the line: their stones, and the
    /// places of what they depend on.
    pub fn active(&self) -> impl Iterator<Item = (Pieces, Slots)> + '_ {
        self.line.iter().map(|active| (self.edges[active.edge.0 as usize].pieces, active.depends))
    }

    /// The hyperedge at a place on the line.
    pub fn edge_at(&self, slot: usize) -> EdgeId {
        self.line[slot].edge
    }
}

#[inline]
fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    key ^ key >> 29
}
