//! The walk through a proof: which of the defender's moves must be answered,
//! in which order, and when the answers are enough.
//!
//! The attacker says what they play, whenever they are asked; the walk decides
//! what to ask. It does so by *zones*. A zone sequence Z1, ..., Zr of a position
//! is a promise: the attacker still wins if the defender is given extra stones
//! that can be put in an order with the first outside Z1, the second outside Z2,
//! and so on. So, once the defender's move `M` is answered while the defender
//! holds back u stones, only additions that break the promise are left to walk.
//!
//! The definition is recursive: `attacker` asks `defender`, which asks `sub`,
//! which asks `sub` and `attacker`. A line can be thousands of moves long on a
//! large board, and a certificate comes from a stranger, so the recursion is
//! kept on a stack of our own: a [`Level`] is what one call of `defender` and
//! the calls of `sub` under it remember. The zones that a `sub` returns go into
//! those of its caller as they are, so all of them go into the level's.

use crate::board::{Board, Move, Square, Zones};
use crate::header::{Header, Method, Side};
use crate::reason::{Reason, Rejection};
use std::collections::BTreeSet;

/// Where the attacker's replies come from: a file, or a solver.
pub trait Replies {
    /// Why there is no reply, or no win.
    type Error: From<Rejection>;

    /// The attacker's reply in the position on the board. `number` counts the
    /// questions from 1. The walk checks the reply, whoever gives it.
    fn next(&mut self, number: u64, board: &Board) -> Result<Move, Self::Error>;

    /// Told when everything behind the reply with this number has been walked:
    /// for each square, in order, the first zone that has it, or r + 1 where
    /// none does. They are the zones of the position in which the reply was
    /// asked for. Nothing rests on it; it is for those who show proofs.
    fn settled(&mut self, number: u64, first_zones: &[u8]) {
        let _ = (number, first_zones);
    }

    /// Whether nothing is claimed about the defender's first moves that contain
    /// these stones. Only [`walk_except`] asks; the stones are not on the board.
    fn excepts(&mut self, _stones: Move, _board: &Board) -> Result<bool, Self::Error> {
        Ok(false)
    }
}

/// What was walked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of replies.
    pub replies: u64,
    /// How many of them connect k.
    pub wins: u64,
    /// How many of the others leave i threats, as the number of stones needed
    /// to meet all threats; the last, for i = p + 1, are more than can be met.
    pub by_threats: Vec<u64>,
    /// The most moves of the attacker in one line.
    pub longest: u64,
}

/// A call of `defender` under way.
#[derive(Default)]
struct Level {
    /// The reply that the defender answers, and its number; 0 if there is none.
    reply: Move,
    number: u64,
    /// The zones so far.
    zones: Zones,
    /// What is still to be walked, the first last.
    tasks: Vec<Task>,
    /// The sets of the defender's stones that have been walked.
    met: BTreeSet<Move>,
    /// The defender's stones on the board, whose answer is walked, and the
    /// square if they are those of a [`Task::Single`].
    asked: (Move, Option<Square>),
    /// The stones to which pairs are added, and the zones with them alone. One
    /// at a time: with a pair added the defender has no two stones left.
    base: Move,
    null: Zones,
    /// With [`Method::Mutual`]: squares s in order, with the zones of `base` and s.
    single: Vec<(Square, Zones)>,
}

#[derive(Clone, Copy)]
enum Task {
    /// `sub` of these stones.
    Sub(Move),
    /// The answer to `base` and this square, for the zones it leaves.
    Single(Square),
    /// `base` with this square and a later one, then the squares after it.
    Pairs(Square),
}

struct Walk<'a, S> {
    header: &'a Header,
    source: &'a mut S,
    board: Board,
    r: u8,
    /// How far a segment of the defender may be from completion, beyond the
    /// index of the zone, to count against the attacker's threats: p, for the
    /// defender may spend a move on it instead of on them.
    margin: u8,
    /// Whether the source may except moves of the defender's first move.
    excepting: bool,
    levels: Vec<Level>,
    /// The attacker's threats, as last listed.
    threats: Vec<Move>,
    summary: Summary,
}

/// Walks the proof of the header's claim with the replies of the source. The
/// claim is true if this succeeds. The header's number of replies is not looked
/// at.
pub fn walk<S: Replies>(header: &Header, source: &mut S) -> Result<Summary, S::Error> {
    run(header, source, header.game.p(), false)
}

/// Walks the proof of less than the header claims: that the attacker wins
/// against every move of the defender, who is to move, that contains none of
/// the sets of stones that the source [`excepts`](Replies::excepts).
///
/// Why leaving them out is sound: a move of the defender is met by a walk of its
/// own, or because it breaks no promise of a line won against a part of it. An
/// excepted set takes away the walks and the lines of moves that contain it and
/// of no others, and nobody asks for the zones of the first position.
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
    let board = header.board().map_err(|what| reject(Reason::Position(what)))?;
    // Later the defender cannot connect: `defend` rejects what comes before it.
    if board.has_connected(header.attacker.other()) {
        return Err(reject(Reason::AlreadyLost));
    }
    let (k, p) = (header.game.k(), header.game.p());
    let r = p.max(k.saturating_sub(p + 1)).max(1);
    let summary = Summary { by_threats: vec![0; usize::from(p) + 2], ..Summary::default() };
    let (levels, threats) = (Vec::new(), Vec::new());
    let mut walk = Walk { header, source, board, r, margin, excepting, levels, threats, summary };
    match header.to_move == header.attacker {
        true => walk.attack()?,
        false => {
            walk.board.list_active(header.attacker, p, &mut walk.threats);
            walk.defend(Move::default(), 0)?;
        }
    }
    while let Some(level) = walk.levels.last_mut() {
        match level.tasks.pop() {
            Some(Task::Sub(stones)) if !level.met.insert(stones) => {}
            Some(Task::Sub(stones)) => walk.ask(stones, None)?,
            Some(Task::Single(s)) => {
                let stones = joined(level.base, &[s]);
                walk.ask(stones, Some(s))?;
            }
            Some(Task::Pairs(s)) => walk.add_pairs(s),
            None => {
                let (reply, number, zones) = (level.reply, level.number, std::mem::take(&mut level.zones));
                walk.levels.pop();
                if number > 0 {
                    walk.settle(reply, number, zones);
                }
            }
        }
    }
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

    /// `attacker`: takes the next reply.
    fn attack(&mut self) -> Result<(), S::Error> {
        let attacker = self.header.attacker;
        self.summary.replies += 1;
        let number = self.summary.replies;
        let reply = self.source.next(number, &self.board)?;
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
        self.board.list_active(attacker, self.header.game.p(), &mut self.threats);
        // A threat that needs nothing is k in a row.
        let connected = self.threats.iter().any(|threat| threat.squares().is_empty());
        if connected && !squares.is_empty() {
            self.summary.wins += 1;
            let zones = self.board.active_zones(self.defender(), 0, self.r);
            self.settle(reply, number, zones);
            Ok(())
        } else if squares.len() < self.p() {
            self.reject(Reason::TooFew)
        } else {
            self.defend(reply, number)
        }
    }

    /// `defender`: lists the critical defences. A move that contains none leaves
    /// a threat, and the attacker wins on its empty squares, unless extra stones
    /// are on them or let the defender win first.
    fn defend(&mut self, reply: Move, number: u64) -> Result<(), S::Error> {
        let mut zones = self.board.active_zones(self.defender(), self.margin, self.r);
        // Z0, unless a test has another margin: the segments that need at most p.
        if !zones.is_empty(self.header.game.p() - self.margin) {
            return self.reject(Reason::DefenderConnects);
        } else if self.board.cells().iter().filter(|cell| cell.is_none()).take(self.p()).count() < self.p() {
            return self.reject(Reason::BoardFull);
        }
        let mut defences = Vec::new();
        if self.threats.is_empty() {
            zones = self.board.no_zones(self.r);
            defences.push(Move::default());
        } else {
            self.threats.iter().for_each(|&threat| zones.add(threat));
            find_defences(&self.threats, 0, self.p(), Move::default(), &mut defences);
        }
        defences.sort_unstable();
        defences.dedup();
        let least = defences.iter().map(|m| m.squares().len()).min().unwrap_or(self.p() + 1);
        self.summary.by_threats[least] += u64::from(number > 0);
        let tasks = defences.into_iter().rev().map(Task::Sub).collect();
        self.levels.push(Level { reply, number, zones, tasks, ..Level::default() });
        Ok(())
    }

    /// The defender plays these stones and holds back the rest of the move. In
    /// the first position the source may leave out all moves that have them.
    fn ask(&mut self, stones: Move, single: Option<Square>) -> Result<(), S::Error> {
        let first = self.excepting && self.levels.len() == 1;
        if first && self.source.excepts(stones, &self.board)? {
            return Ok(());
        }
        if let Some(level) = self.levels.last_mut() {
            level.asked = (stones, single);
        }
        self.board.put(self.defender(), stones.squares());
        self.attack()
    }

    /// Ends a call of `attacker`, which found these zones behind the reply, and
    /// goes on with what asked for it. With stones added to the defender's
    /// outside the zones their promise holds, and shifted it goes on holding:
    /// left are those inside.
    fn settle(&mut self, reply: Move, number: u64, mut zones: Zones) {
        zones.add(reply);
        self.source.settled(number, &zones.firsts()[..self.header.game.area()]);
        self.board.lift(self.header.attacker, reply.squares());
        let (p, method, defender) = (self.header.game.p(), self.header.method, self.defender());
        let Some(level) = self.levels.last_mut() else { return };
        let (stones, single) = level.asked;
        let free = p - stones.squares().len() as u8;
        level.zones.add_shifted(&zones, free);
        if let Some(s) = single {
            level.single.push((s, zones));
        } else if free > 0 {
            // Two stones are one after the other unless the method knows better.
            let in_pairs = free == 2 && method != Method::Rzop;
            level.tasks.extend(in_pairs.then_some(Task::Pairs(0)));
            // The stones are still on the board: the empty squares are others.
            let mut squares = zones.squares(if in_pairs { 1 } else { free });
            squares.retain(|&s| self.board.is_empty(s));
            level.tasks.extend(squares.iter().rev().map(|&s| match in_pairs && method == Method::Mutual {
                true => Task::Single(s),
                false => Task::Sub(joined(stones, &[s])),
            }));
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
        let Some(Level { tasks, base, null, single, .. }) = self.levels.last_mut() else { return };
        tasks.extend((s + 1 < area).then_some(Task::Pairs(s + 1)));
        let can_add = |s| self.board.is_empty(s) && !base.contains(s);
        let second = null.has(2, s) && !null.has(1, s);
        if !can_add(s) || !(second || method == Method::Mutual) {
            return;
        }
        let near = (method != Method::Srzop1).then(|| self.board.together(s, self.header.attacker));
        // Whether the second stone is in the first zone that the first one leaves.
        let disturbs = |first, second| {
            let found = single.binary_search_by_key(&first, |single| single.0);
            found.is_ok_and(|i| single[i].1.has(1, second))
        };
        let wanted = |t| match (null.has(1, s), null.has(1, t)) {
            (false, false) => {
                second && null.has(2, t) && near.as_ref().is_none_or(|near| near[usize::from(t)])
            }
            (s_first, t_first) => {
                method == Method::Mutual && (!s_first || disturbs(s, t)) && (!t_first || disturbs(t, s))
            }
        };
        let partners = (s + 1..area).rev().filter(|&t| can_add(t) && wanted(t));
        tasks.extend(partners.map(|t| Task::Sub(joined(*base, &[s, t]))));
    }
}

/// `base` and squares that are not in it; there is room, for a move has at most
/// p of them.
fn joined(mut base: Move, more: &[Square]) -> Move {
    let joined = more.iter().all(|&s| base.insert(s));
    debug_assert!(joined);
    base
}

/// Finds the minimal sets of at most `p` squares that meet every threat and
/// contain `chosen`, a minimal set that meets those before the one at `unmet`; a
/// set may be found more than once. That threat must be met on one of its
/// squares. In a minimal set each square meets a threat that no other one does,
/// and then it does so in every part of the set.
fn find_defences(threats: &[Move], unmet: usize, p: usize, chosen: Move, found: &mut Vec<Move>) {
    for &s in threats[unmet].squares() {
        let meets =
            |threat: &Move| threat.contains(s) || chosen.squares().iter().any(|&s| threat.contains(s));
        let next = threats[unmet..].iter().position(|threat| !meets(threat));
        if next.is_some() && chosen.squares().len() + 1 == p {
            continue;
        }
        let set = joined(chosen, &[s]);
        let met_by = |threat: &Move| set.squares().iter().filter(|&&s| threat.contains(s)).count();
        let needed = |&s: &Square| threats.iter().any(|threat| threat.contains(s) && met_by(threat) == 1);
        match next {
            _ if !set.squares().iter().all(needed) => {}
            Some(more) => find_defences(threats, unmet + more, p, set, found),
            None => found.push(set),
        }
    }
}
