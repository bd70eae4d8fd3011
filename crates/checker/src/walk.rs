//! The walk through a proof: which of the defender's moves must be answered,
//! in which order, and when the answers are enough.
//!
//! The attacker's replies come from a source; the walk decides which questions to
//! ask. It does so by *zones*. A zone sequence Z1, ..., Zr of a position is a
//! promise: the attacker still wins if the defender is given extra stones that can
//! be put in an order with the first outside Z1, the second outside Z2, and so on.
//! So, once the defender's move `M` is answered while the defender holds back u
//! stones, only additions that break the promise are left to walk.
//!
//! The definition is recursive: `attacker` calls `defender`, which calls `sub`,
//! which calls `sub` and `attacker`. A line can be thousands of moves long on a
//! large board, and a certificate is untrusted input, so the recursion is kept on
//! an explicit stack: a [`Level`] holds the state of one call of `defender` and
//! of the calls of `sub` under it. The zones that a `sub` returns are added to
//! those of its caller unchanged, so all of them are added to the level's.
//!
//! Memory: a level takes O(p) bytes for each square of the board, and there are at
//! most as many levels as replies in a line; beyond that, each reply below a level
//! adds a set of stones and, with [`Method::Mutual`], a bit for each square.

use crate::board::{Bits, Board, Move, Square, Zones};
use crate::defences::{Batch, next_batch};
use crate::error::{Reason, Rejection};
use crate::header::{Header, Method, Side};
use crate::replies::{Pace, Replies};
use std::collections::BTreeSet;

/// Statistics of a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of replies.
    pub replies: u64,
    /// The number of replies that connect k.
    pub wins: u64,
    /// For each i, the number of other replies that leave the defender threats
    /// which i stones can meet and fewer cannot; the last, for i = p + 1, are
    /// those that leave more threats than can be met.
    pub by_threats: Vec<u64>,
    /// The largest number of the attacker's moves in one line.
    pub longest: u64,
}

/// The work of one step of the walk, for each square of the board.
const STEP: usize = 16;

/// The number of critical defences in the first batch: for p up to 4 there are
/// no more. A later batch is as large as all before it together, so that the
/// replies read bound the memory, and a logarithm bounds the number of searches.
const BATCH: usize = 256;
/// The largest batch: sorting it must not delay a look at the stop signal.
const MAX_BATCH: usize = 1 << 16;

/// The state of one call of `defender`.
#[derive(Default)]
struct Level {
    /// The reply that the defender answers, and its number; 0 if there is none.
    reply: Move,
    number: u64,
    /// Where the threats that the reply leaves begin in the list of all threats.
    threats: usize,
    /// The number of stones in the smallest critical defence.
    least: usize,
    /// The zones so far.
    zones: Zones,
    /// What is still to be walked; the last comes first.
    pending: Vec<Pending>,
    /// The sets of the defender's stones that have been walked.
    met: BTreeSet<Move>,
    /// The defender's stones on the board, whose answer is walked, and the
    /// square if they are those of [`Pending::Singles`].
    asked: (Move, Option<Square>),
    /// The stones to which pairs are added, and the zones with them alone. One
    /// at a time: with a pair added the defender has no two stones left.
    base: Move,
    null: Zones,
    /// With [`Method::Mutual`]: squares s in order, with the first zone of
    /// `base` and s.
    single: Vec<(Square, Bits)>,
}

/// Sets of the defender's stones still to be walked. Lists of squares are in
/// reverse order.
enum Pending {
    /// `sub` of these critical defences, then of those after them.
    Defences(Batch),
    /// `sub` of these stones with each of these squares.
    Sub(Move, Vec<Square>),
    /// The answers to `base` with each of these squares, for their zones.
    Singles(Vec<Square>),
    /// The pairs that are added to `base`, from this first square on.
    Pairs(Square),
}

struct Walk<'a, S> {
    header: &'a Header,
    pace: Pace<'a, S>,
    board: Board,
    r: u8,
    /// How far a segment of the defender may be from completion, beyond the
    /// index of the zone, to count against the attacker's threats: p, for the
    /// defender may spend a move on it instead of on them.
    margin: u8,
    /// Whether the source may except moves of the defender's first move.
    excepting: bool,
    levels: Vec<Level>,
    /// The attacker's threats at each level, one level after the other, then
    /// those after the last reply.
    threats: Vec<Move>,
    summary: Summary,
}

/// Walks the proof of the header's claim with the replies of the source. The
/// claim is true if this succeeds. The header's number of replies is not
/// compared.
pub fn walk<S: Replies>(header: &Header, source: &mut S) -> Result<Summary, S::Error> {
    run(header, source, header.game.p(), false)
}

/// Walks the proof of less than the header claims: that the attacker wins
/// against every move of the defender, who is to move, that contains none of
/// the sets of stones that the source [`excepts`](Replies::excepts).
///
/// Why leaving them out is sound: a move of the defender is met by a walk of its
/// own, or because it breaks no promise of a line won against a part of it. An
/// excepted set removes the walks and the lines of moves that contain it and of
/// no others, and the zones of the first position are not used.
pub fn walk_except<S: Replies>(header: &Header, source: &mut S) -> Result<Summary, S::Error> {
    run(header, source, header.game.p(), header.to_move != header.attacker)
}

/// The walk with another margin. The tests show with a smaller one that it is
/// needed.
#[cfg(test)]
pub(crate) fn walk_with_margin<S: Replies>(
    header: &Header,
    source: &mut S,
    margin: u8,
) -> Result<Summary, S::Error> {
    run(header, source, margin, false)
}

fn run<S: Replies>(
    header: &Header,
    source: &mut S,
    margin: u8,
    excepting: bool,
) -> Result<Summary, S::Error> {
    let reject = |reason| S::Error::from(Rejection { reply: 0, reason });
    let board = header.board().map_err(|error| reject(Reason::Position(error)))?;
    // Later the defender cannot connect: `defend` rejects the move before.
    if board.has_connected(header.attacker.other()) {
        return Err(reject(Reason::AlreadyLost));
    } else if board.has_connected(header.attacker) {
        return Err(reject(Reason::AlreadyWon));
    }
    let (k, p) = (header.game.k(), header.game.p());
    let r = p.max(k.saturating_sub(p + 1)).max(1);
    let summary = Summary { by_threats: vec![0; usize::from(p) + 2], ..Summary::default() };
    let (levels, threats, pace) = (Vec::new(), Vec::new(), Pace::new(source));
    let mut walk = Walk { header, pace, board, r, margin, excepting, levels, threats, summary };
    match header.to_move == header.attacker {
        true => walk.attack()?,
        false => {
            walk.board.list_active(header.attacker, p, &mut walk.threats);
            walk.defend(Move::default(), 0, 0)?;
        }
    }
    while walk.step()? {}
    Ok(walk.summary)
}

impl<S: Replies> Walk<'_, S> {
    fn reject<T>(&self, reason: Reason) -> Result<T, S::Error> {
        Err(Rejection { reply: self.summary.replies, reason }.into())
    }

    fn defender(&self) -> Side {
        self.header.attacker.other()
    }

    fn p(&self) -> usize {
        usize::from(self.header.game.p())
    }

    /// Walks the next set of the last level, or ends the level. False at the end
    /// of the walk.
    fn step(&mut self) -> Result<bool, S::Error> {
        self.pace.spend(STEP * self.header.game.area())?;
        let Some(level) = self.levels.last_mut() else { return Ok(false) };
        match level.pending.last_mut() {
            Some(Pending::Defences(batch)) => match batch.list.pop() {
                Some(stones) => self.sub(stones)?,
                None => {
                    let last = batch.more_after;
                    level.pending.pop();
                    if let Some(last) = last {
                        self.add_defences(last)?;
                    }
                }
            },
            Some(Pending::Sub(stones, squares)) => match squares.pop() {
                Some(square) => {
                    let stones = stones.with(square);
                    self.sub(stones)?;
                }
                None => drop(level.pending.pop()),
            },
            Some(Pending::Singles(squares)) => match squares.pop() {
                Some(square) => {
                    let stones = level.base.with(square);
                    self.ask(stones, Some(square))?;
                }
                None => drop(level.pending.pop()),
            },
            Some(&mut Pending::Pairs(first)) => {
                level.pending.pop();
                self.add_pairs(first);
            }
            None => {
                let Level { reply, number, threats, least, ref mut zones, .. } = *level;
                let zones = std::mem::take(zones);
                self.levels.pop();
                self.end_defend(reply, number, threats, least, zones);
            }
        }
        Ok(true)
    }

    /// `attacker`: takes the next reply.
    fn attack(&mut self) -> Result<(), S::Error> {
        let attacker = self.header.attacker;
        self.summary.replies += 1;
        let number = self.summary.replies;
        let reply = self.pace.source.next(number, &self.board)?;
        let squares = reply.squares();
        if squares.len() > self.p() {
            return self.reject(Reason::TooMany);
        } else if let Some(&s) = squares.iter().find(|&&s| !self.board.is_empty(s)) {
            return self.reject(match usize::from(s) < self.header.game.area() {
                true => Reason::Occupied(self.header.game.name(s)),
                false => Reason::OffBoard,
            });
        }
        self.board.put(attacker, squares);
        // The attacker's first move comes before the first level or after it.
        let depth = self.levels.len() as u64 + u64::from(self.header.to_move == attacker);
        self.summary.longest = self.summary.longest.max(depth);
        let threats = self.threats.len();
        self.board.list_active(attacker, self.header.game.p(), &mut self.threats);
        // A threat that needs nothing is k in a row.
        if self.threats[threats..].iter().any(|threat| threat.squares().is_empty()) {
            self.summary.wins += 1;
            let zones = self.board.active_zones(self.defender(), 0, self.r);
            self.settle(reply, number, threats, zones);
            Ok(())
        } else if squares.len() < self.p() {
            self.reject(Reason::TooFew)
        } else {
            self.defend(reply, number, threats)
        }
    }

    /// `defender`, with the threats from this index on: begins with the first
    /// critical defence. A move that contains none leaves a threat, and the
    /// attacker wins on its empty squares, unless extra stones are on them or let
    /// the defender win first.
    fn defend(&mut self, reply: Move, number: u64, threats: usize) -> Result<(), S::Error> {
        let mut zones = self.board.active_zones(self.defender(), self.margin, self.r);
        // Z0, unless a test has another margin: the segments that need at most p.
        if !zones.is_empty(self.header.game.p() - self.margin) {
            return self.reject(Reason::DefenderConnects);
        } else if self.board.cells().iter().filter(|cell| cell.is_none()).take(self.p()).count() < self.p() {
            return self.reject(Reason::BoardFull);
        }
        match self.threats[threats..].is_empty() {
            true => zones = self.board.no_zones(self.r),
            false => self.threats[threats..].iter().for_each(|&threat| zones.add(threat)),
        }
        let batch = next_batch(&self.threats[threats..], self.p(), None, BATCH, &mut self.pace)?;
        if batch.list.is_empty() {
            self.end_defend(reply, number, threats, self.p() + 1, zones);
            return Ok(());
        }
        let (least, pending) = (batch.least, vec![Pending::Defences(batch)]);
        self.levels.push(Level { reply, number, threats, least, zones, pending, ..Level::default() });
        Ok(())
    }

    /// Adds to the last level the critical defences after this one: as many as
    /// replies have been read at this level.
    fn add_defences(&mut self, last: Move) -> Result<(), S::Error> {
        let p = self.p();
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        let (threats, most) = (&self.threats[level.threats..], level.met.len().clamp(BATCH, MAX_BATCH));
        let batch = next_batch(threats, p, Some(last), most, &mut self.pace)?;
        level.least = level.least.min(batch.least);
        level.pending.push(Pending::Defences(batch));
        Ok(())
    }

    /// `sub`, unless this level has walked the stones before.
    fn sub(&mut self, stones: Move) -> Result<(), S::Error> {
        match self.levels.last_mut().is_some_and(|level| level.met.insert(stones)) {
            true => self.ask(stones, None),
            false => Ok(()),
        }
    }

    /// The defender plays these stones and holds back the rest of the move. In
    /// the first position the source may leave out all moves that contain them.
    fn ask(&mut self, stones: Move, single: Option<Square>) -> Result<(), S::Error> {
        let first = self.excepting && self.levels.len() == 1;
        let excepted = first && self.pace.source.excepts(stones, &self.board)?;
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        if excepted {
            level.met.remove(&stones);
            return Ok(());
        }
        level.asked = (stones, single);
        self.board.put(self.defender(), stones.squares());
        self.attack()
    }

    /// Ends a call of `defender`: all its critical defences have been walked, the
    /// smallest of which has `least` stones.
    fn end_defend(&mut self, reply: Move, number: u64, threats: usize, least: usize, zones: Zones) {
        if number > 0 {
            self.summary.by_threats[least] += 1;
            self.settle(reply, number, threats, zones);
        }
    }

    /// Ends a call of `attacker`, which found these zones behind the reply, and
    /// goes on with the caller. If extra stones of the defender lie outside the
    /// zones, their promise holds, and it goes on holding with the zones shifted:
    /// the stones inside are left to walk.
    fn settle(&mut self, reply: Move, number: u64, threats: usize, mut zones: Zones) {
        self.threats.truncate(threats);
        zones.add(reply);
        self.pace.source.settled(number, &zones.firsts()[..self.header.game.area()]);
        self.board.lift(self.header.attacker, reply.squares());
        let (p, method, defender) = (self.header.game.p(), self.header.method, self.defender());
        let Some(level) = self.levels.last_mut() else { return };
        let (stones, single) = level.asked;
        let free = p - stones.squares().len() as u8;
        level.zones.add_shifted(&zones, free);
        if let Some(s) = single {
            level.single.push((s, zones.bits(1)));
        } else if free > 0 {
            // Two stones are one after the other unless the method knows better.
            let in_pairs = free == 2 && method != Method::Rzop;
            // The stones are still on the board: the empty squares are others.
            let mut squares = zones.squares(if in_pairs { 1 } else { free });
            squares.retain(|&s| self.board.is_empty(s));
            squares.reverse();
            level.pending.extend(in_pairs.then_some(Pending::Pairs(0)));
            level.pending.push(match in_pairs && method == Method::Mutual {
                true => Pending::Singles(squares),
                false => Pending::Sub(stones, squares),
            });
            if in_pairs {
                (level.base, level.null) = (stones, zones);
                level.single.clear();
            }
        }
        self.board.lift(defender, stones.squares());
    }

    /// Lists the squares after s that must be walked in a pair with it.
    fn add_pairs(&mut self, s: Square) {
        let (method, area) = (self.header.method, self.header.game.area() as Square);
        let Some(Level { pending, base, null, single, .. }) = self.levels.last_mut() else { return };
        pending.extend((s + 1 < area).then_some(Pending::Pairs(s + 1)));
        let can_add = |s| self.board.is_empty(s) && !base.contains(s);
        let second = null.has(2, s) && !null.has(1, s);
        if !can_add(s) || !(second || method == Method::Mutual) {
            return;
        }
        let near = (method != Method::Srzop1).then(|| self.board.together(s, self.header.attacker));
        // Whether the second stone is in the first zone that the first one leaves.
        let disturbs = |first, second| {
            let found = single.binary_search_by_key(&first, |single| single.0);
            found.is_ok_and(|i| single[i].1.has(second))
        };
        let wanted = |t| match (null.has(1, s), null.has(1, t)) {
            (false, false) => {
                second && null.has(2, t) && near.as_ref().is_none_or(|near| near[usize::from(t)])
            }
            (s_first, t_first) => {
                method == Method::Mutual && (!s_first || disturbs(s, t)) && (!t_first || disturbs(t, s))
            }
        };
        let partners: Vec<Square> = (s + 1..area).rev().filter(|&t| can_add(t) && wanted(t)).collect();
        if !partners.is_empty() {
            pending.push(Pending::Sub(base.with(s), partners));
        }
    }
}
