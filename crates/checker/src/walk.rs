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
//! kept on a stack of our own: [`Frame`] is what one call remembers, [`Next`]
//! what is called or returned next.

use crate::board::{Board, Move, Square, Zones};
use crate::header::{Header, Method, Side};
use crate::reason::{Reason, Rejection};
use std::{collections::BTreeSet, vec};

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

/// A call under way.
enum Frame {
    /// The attacker's reply, with its number, is on the board.
    Attacker(Move, u64),
    /// The defender's critical defences still to be walked, and the zones so far.
    Defender(vec::IntoIter<Move>, Zones),
    Sub(Box<Sub>),
}

/// The defender's moves that contain `base`.
struct Sub {
    base: Move,
    /// How many stones the defender has beyond `base`.
    free: u8,
    /// The zones so far.
    zones: Zones,
    /// The zones with `base` alone.
    null: Zones,
    /// With [`Method::Mutual`]: squares s in order, with the zones of `base` and s.
    single: Vec<(Square, Zones)>,
    stage: Stage,
}

enum Stage {
    /// `base` is on the board and the attacker has been asked.
    Null,
    /// Squares to be added alone: those from this one on are to be looked at.
    Singles(Square),
    /// As `Singles`, with `base` and this square on the board and the attacker
    /// asked.
    Answering(Square),
    /// Squares to be added in pairs: this one and one of the list; then those
    /// after it.
    Pairs(Square, vec::IntoIter<Square>),
}

/// What happens next.
enum Next {
    Attack,
    Defend,
    Sub(Move),
    Resume,
    Return(Zones),
}

struct Walk<'a, S> {
    source: &'a mut S,
    board: Board,
    method: Method,
    attacker: Side,
    p: u8,
    r: u8,
    /// How far a segment of the defender may be from completion, beyond the
    /// index of the zone, to count against the attacker's threats: p, for the
    /// defender may spend a move on it instead of on them.
    margin: u8,
    /// Whether the source may except moves of the defender's first move.
    excepting: bool,
    frames: Vec<Frame>,
    /// For each `defender` under way what it has met.
    met: Vec<BTreeSet<Move>>,
    depth: u64,
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
    if board.has_active(header.attacker.other(), 0) {
        return Err(reject(Reason::AlreadyLost));
    }
    let (k, p) = (header.game.k(), header.game.p());
    let mut walk = Walk {
        source,
        board,
        method: header.method,
        attacker: header.attacker,
        p,
        r: p.max(k.saturating_sub(p + 1)).max(1),
        margin,
        excepting,
        frames: Vec::new(),
        met: Vec::new(),
        depth: 0,
        summary: Summary { by_threats: vec![0; usize::from(p) + 2], ..Summary::default() },
    };
    let mut next = if header.to_move == header.attacker { Next::Attack } else { Next::Defend };
    loop {
        next = match next {
            Next::Attack => walk.attack()?,
            Next::Defend => walk.defend()?,
            Next::Sub(base) => walk.sub(base)?,
            Next::Resume => walk.resume()?,
            Next::Return(zones) => match walk.frames.pop() {
                Some(frame) => walk.receive(frame, zones),
                None => return Ok(walk.summary),
            },
        }
    }
}

impl<S: Replies> Walk<'_, S> {
    fn reject<T>(&self, reason: Reason) -> Result<T, S::Error> {
        Err(Rejection { reply: self.summary.replies, reason }.into())
    }

    fn defender(&self) -> Side {
        self.attacker.other()
    }

    fn put(&mut self, side: Side, stones: Move) {
        stones.squares().iter().for_each(|&s| self.board.put(side, s));
    }

    fn lift(&mut self, side: Side, stones: Move) {
        stones.squares().iter().for_each(|&s| self.board.lift(side, s));
    }

    /// `attacker`: takes the next reply.
    fn attack(&mut self) -> Result<Next, S::Error> {
        self.summary.replies += 1;
        let reply = self.source.next(self.summary.replies, &self.board)?;
        if reply.squares().len() > usize::from(self.p) {
            return self.reject(Reason::TooMany);
        }
        for &s in reply.squares() {
            if usize::from(s) >= self.board.cells().len() {
                return self.reject(Reason::OffBoard);
            } else if !self.board.is_empty(s) {
                return self.reject(Reason::Occupied(self.board.game().name(s)));
            }
        }
        self.put(self.attacker, reply);
        self.depth += 1;
        self.summary.longest = self.summary.longest.max(self.depth);
        self.frames.push(Frame::Attacker(reply, self.summary.replies));
        if !reply.squares().is_empty() && self.board.has_active(self.attacker, 0) {
            self.summary.wins += 1;
            Ok(Next::Return(self.board.active_zones(self.defender(), 0, self.r)))
        } else if reply.squares().len() < usize::from(self.p) {
            self.reject(Reason::TooFew)
        } else {
            Ok(Next::Defend)
        }
    }

    /// `defender`: lists the critical defences. A move that contains none leaves
    /// a threat, and the attacker wins on its empty squares, unless extra stones
    /// are on them or let the defender win first.
    fn defend(&mut self) -> Result<Next, S::Error> {
        if self.board.has_active(self.defender(), self.p) {
            return self.reject(Reason::DefenderConnects);
        } else if self.board.empties() < usize::from(self.p) {
            return self.reject(Reason::BoardFull);
        }
        let threats = self.board.active(self.attacker, self.p);
        let mut zones = match threats.is_empty() {
            true => self.board.no_zones(self.r),
            false => self.board.active_zones(self.defender(), self.margin, self.r),
        };
        threats.iter().for_each(|&threat| zones.add(threat));
        let mut defences = Vec::new();
        find_defences(&threats, usize::from(self.p), Move::default(), &mut defences);
        defences.sort_unstable();
        defences.dedup();
        let least = defences.iter().map(|m| m.squares().len()).min().unwrap_or(usize::from(self.p) + 1);
        self.summary.by_threats[least] += u64::from(self.depth > 0);
        self.met.push(BTreeSet::new());
        self.frames.push(Frame::Defender(defences.into_iter(), zones));
        Ok(Next::Resume)
    }

    /// `sub`: the defender plays `base` and holds back the rest of the move. If
    /// the same defender has been here, all that could follow is in its zones.
    fn sub(&mut self, base: Move) -> Result<Next, S::Error> {
        if !self.met.last_mut().is_some_and(|met| met.insert(base)) || self.excepts(base)? {
            return Ok(Next::Resume);
        }
        self.put(self.defender(), base);
        let free = self.p - base.squares().len() as u8;
        self.frames.push(Frame::Sub(Box::new(Sub {
            base,
            free,
            zones: Zones::default(),
            null: Zones::default(),
            single: Vec::new(),
            stage: Stage::Null,
        })));
        Ok(Next::Attack)
    }

    /// Gives the frame what it called for. The frame is off the stack.
    fn receive(&mut self, frame: Frame, mut returned: Zones) -> Next {
        match frame {
            Frame::Attacker(reply, number) => {
                returned.add(reply);
                self.source.settled(number, returned.firsts(self.board.cells().len()));
                self.lift(self.attacker, reply);
                self.depth -= 1;
                return Next::Return(returned);
            }
            Frame::Defender(defences, mut zones) => {
                zones.unite(&returned);
                self.frames.push(Frame::Defender(defences, zones));
            }
            Frame::Sub(mut sub) => {
                match sub.stage {
                    Stage::Null => {
                        self.lift(self.defender(), sub.base);
                        if sub.free == 0 {
                            return Next::Return(returned);
                        }
                        sub.null = returned.clone();
                        returned.shift(sub.free);
                        sub.zones = returned;
                        sub.stage = Stage::Singles(0);
                    }
                    Stage::Answering(s) => {
                        self.lift(self.defender(), joined(sub.base, &[s]));
                        sub.single.push((s, returned.clone()));
                        returned.shift(1);
                        sub.zones.unite(&returned);
                        sub.stage = Stage::Singles(s + 1);
                    }
                    Stage::Singles(_) | Stage::Pairs(..) => sub.zones.unite(&returned),
                }
                self.frames.push(Frame::Sub(sub));
            }
        }
        Next::Resume
    }

    /// Goes on with the call on top of the stack: finds what it calls for next.
    fn resume(&mut self) -> Result<Next, S::Error> {
        Ok(match self.frames.pop() {
            Some(Frame::Defender(mut defences, zones)) => match defences.next() {
                Some(base) => {
                    self.frames.push(Frame::Defender(defences, zones));
                    Next::Sub(base)
                }
                None => {
                    self.met.pop();
                    Next::Return(zones)
                }
            },
            Some(Frame::Sub(mut sub)) => match self.next_addition(&mut sub)? {
                Some(next) => {
                    self.frames.push(Frame::Sub(sub));
                    next
                }
                None => Next::Return(sub.zones),
            },
            Some(Frame::Attacker(..)) | None => unreachable!("only `defend` and `sub` are resumed"),
        })
    }

    /// The next stones to add to `base`. With stones added outside these the
    /// promise of the zones found so far holds, and shifted it goes on holding.
    fn next_addition(&mut self, sub: &mut Sub) -> Result<Option<Next>, S::Error> {
        // Two stones are one after the other unless the method knows better.
        let in_pairs = sub.free == 2 && self.method != Method::Rzop;
        let area = self.board.cells().len() as Square;
        if let Stage::Singles(from) = sub.stage {
            let zone = if in_pairs { 1 } else { sub.free };
            match (from..area).find(|&s| self.can_add(sub, s) && sub.null.has(zone, s)) {
                Some(s) if in_pairs && self.method == Method::Mutual => {
                    let base = joined(sub.base, &[s]);
                    if self.excepts(base)? {
                        sub.stage = Stage::Singles(s + 1);
                        return Ok(Some(Next::Resume));
                    }
                    sub.stage = Stage::Answering(s);
                    self.put(self.defender(), base);
                    return Ok(Some(Next::Attack));
                }
                Some(s) => {
                    sub.stage = Stage::Singles(s + 1);
                    return Ok(Some(Next::Sub(joined(sub.base, &[s]))));
                }
                None if in_pairs => sub.stage = Stage::Pairs(0, self.partners(sub, 0).into_iter()),
                None => return Ok(None),
            }
        }
        while let Stage::Pairs(s, partners) = &mut sub.stage {
            if let Some(t) = partners.next() {
                return Ok(Some(Next::Sub(joined(sub.base, &[*s, t]))));
            }
            let s = *s + 1;
            if s >= area {
                return Ok(None);
            }
            sub.stage = Stage::Pairs(s, self.partners(sub, s).into_iter());
        }
        Ok(None)
    }

    /// Whether the source leaves out moves with these stones: in the first
    /// position, before any reply, and nowhere else.
    fn excepts(&mut self, stones: Move) -> Result<bool, S::Error> {
        Ok(self.excepting && self.depth == 0 && self.source.excepts(stones, &self.board)?)
    }

    fn can_add(&self, sub: &Sub, s: Square) -> bool {
        self.board.is_empty(s) && !sub.base.contains(s)
    }

    /// The squares after s that must be walked in a pair with it.
    fn partners(&self, sub: &Sub, s: Square) -> Vec<Square> {
        let in_null = |i, s| sub.null.has(i, s);
        let mutual = self.method == Method::Mutual;
        let second = in_null(2, s) && !in_null(1, s);
        if !self.can_add(sub, s) || !(mutual || second) {
            return Vec::new();
        }
        let near =
            if self.method == Method::Srzop1 { None } else { Some(self.board.together(s, self.attacker)) };
        // Whether the second stone is in the first zone that the first one leaves.
        let disturbs = |first, second| {
            let found = sub.single.binary_search_by_key(&first, |single| single.0);
            found.is_ok_and(|i| sub.single[i].1.has(1, second))
        };
        let wanted = |t: Square| {
            if !in_null(1, s) && !in_null(1, t) {
                second && in_null(2, t) && near.as_ref().is_none_or(|near| near[usize::from(t)])
            } else {
                mutual && (!in_null(1, s) || disturbs(s, t)) && (!in_null(1, t) || disturbs(t, s))
            }
        };
        (s + 1..self.board.cells().len() as Square).filter(|&t| self.can_add(sub, t) && wanted(t)).collect()
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
/// contain `chosen`; a set may be found more than once. An unmet threat must be
/// met on one of its squares. In a minimal set each square meets a threat that
/// no other one does, and then it does so in every part of the set; the square
/// added last meets one that no other does, or it would not have been unmet.
fn find_defences(threats: &[Move], p: usize, chosen: Move, found: &mut Vec<Move>) {
    let met_by = |threat: &Move| chosen.squares().iter().filter(|&&s| threat.contains(s)).count();
    let meets = |threat: &Move| chosen.squares().iter().any(|&s| threat.contains(s));
    let Some(unmet) = threats.iter().find(|threat| !meets(threat)) else {
        return found.push(chosen);
    };
    if chosen.squares().len() == p {
        return;
    }
    for &s in unmet.squares() {
        let alone = |threat: &Move| met_by(threat) == 1 && !threat.contains(s);
        let needed = |&old: &Square| threats.iter().any(|threat| threat.contains(old) && alone(threat));
        if chosen.squares().iter().all(needed) {
            find_defences(threats, p, joined(chosen, &[s]), found);
        }
    }
}
