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
use std::{collections::BTreeSet, fmt, vec};

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
}

/// The walk failed: the claim is not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The reply at which it failed, counted from 1; 0 if before the first.
    pub reply: u64,
    /// What was wrong.
    pub reason: Reason,
}

/// What can be wrong with a reply, or with the list of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The header's stones do not make a position.
    Position(String),
    /// The defender has k in a row before the attacker's first move.
    AlreadyLost,
    /// The reply is not squares run together.
    Malformed,
    /// The board has no such square.
    OffBoard,
    /// There is a stone on this square already.
    Occupied(String),
    /// The reply has a square twice.
    Repeated,
    /// The reply has more than p squares.
    TooMany,
    /// The reply has fewer than p squares and does not win.
    TooFew,
    /// The defender can connect in one move.
    DefenderConnects,
    /// Fewer than p squares are empty, so the defender can no longer be beaten.
    BoardFull,
    /// The walk asks for a reply and there is none.
    RunOut,
    /// The walk is over and there is another reply.
    LeftOver,
    /// The number of replies is not this one, which the header gives.
    Count(u64),
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
    walk_with_margin(header, source, header.game.p())
}

/// The walk. The tests show with a smaller margin that it is needed.
pub(crate) fn walk_with_margin<S: Replies>(
    header: &Header,
    source: &mut S,
    margin: u8,
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
            Next::Sub(base) => walk.sub(base),
            Next::Resume => walk.resume(),
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
    fn sub(&mut self, base: Move) -> Next {
        if !self.met.last_mut().is_some_and(|met| met.insert(base)) {
            return Next::Resume;
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
        Next::Attack
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
    fn resume(&mut self) -> Next {
        match self.frames.pop() {
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
            Some(Frame::Sub(mut sub)) => match self.next_addition(&mut sub) {
                Some(next) => {
                    self.frames.push(Frame::Sub(sub));
                    next
                }
                None => Next::Return(sub.zones),
            },
            Some(Frame::Attacker(..)) | None => unreachable!("only `defend` and `sub` are resumed"),
        }
    }

    /// The next stones to add to `base`. With stones added outside these the
    /// promise of the zones found so far holds, and shifted it goes on holding.
    fn next_addition(&mut self, sub: &mut Sub) -> Option<Next> {
        // Two stones are one after the other unless the method knows better.
        let in_pairs = sub.free == 2 && self.method != Method::Rzop;
        let area = self.board.cells().len() as Square;
        if let Stage::Singles(from) = sub.stage {
            let zone = if in_pairs { 1 } else { sub.free };
            match (from..area).find(|&s| self.can_add(sub, s) && sub.null.has(zone, s)) {
                Some(s) if in_pairs && self.method == Method::Mutual => {
                    sub.stage = Stage::Answering(s);
                    self.put(self.defender(), joined(sub.base, &[s]));
                    return Some(Next::Attack);
                }
                Some(s) => {
                    sub.stage = Stage::Singles(s + 1);
                    return Some(Next::Sub(joined(sub.base, &[s])));
                }
                None if in_pairs => sub.stage = Stage::Pairs(0, self.partners(sub, 0).into_iter()),
                None => return None,
            }
        }
        while let Stage::Pairs(s, partners) = &mut sub.stage {
            if let Some(t) = partners.next() {
                return Some(Next::Sub(joined(sub.base, &[*s, t])));
            }
            let s = *s + 1;
            if s >= area {
                return None;
            }
            sub.stage = Stage::Pairs(s, self.partners(sub, s).into_iter());
        }
        None
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
/// no other one does, and then it does so in every part of the set.
fn find_defences(threats: &[Move], p: usize, chosen: Move, found: &mut Vec<Move>) {
    let met_by = |threat: &Move| chosen.squares().iter().filter(|&&s| threat.contains(s)).count();
    let unmet = threats.iter().find(|threat| !chosen.squares().iter().any(|&s| threat.contains(s)));
    if unmet.is_some() && chosen.squares().len() == p {
        return;
    }
    let needed = |&s: &Square| threats.iter().any(|threat| threat.contains(s) && met_by(threat) == 1);
    if !chosen.squares().iter().all(needed) {
        return;
    }
    match unmet {
        Some(threat) => {
            for &s in threat.squares() {
                find_defences(threats, p, joined(chosen, &[s]), found);
            }
        }
        None => found.push(chosen),
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reply {}: {}", self.reply, self.reason)
    }
}

impl std::error::Error for Rejection {}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Position(what) => return write!(f, "not a position: {what}"),
            Reason::Occupied(square) => return write!(f, "there is a stone on {square} already"),
            Reason::Count(number) => return write!(f, "the header says that there are {number} replies"),
            Reason::AlreadyLost => "the defender has connected already",
            Reason::Malformed => "not squares run together, as in k11l10",
            Reason::OffBoard => "a square off the board",
            Reason::Repeated => "a square twice",
            Reason::TooMany => "more squares than a move has",
            Reason::TooFew => "fewer squares than a move has, and they do not win",
            Reason::DefenderConnects => "the defender can connect in one move",
            Reason::BoardFull => "the defender fills the board",
            Reason::RunOut => "the walk asks for it and there is none",
            Reason::LeftOver => "the walk is over and does not ask for it",
        })
    }
}
