//! The exact number of threats, and the sets of squares that meet them.
//!
//! A *critical defence* is a set of at most `p` empty squares that meets every
//! threat and no proper subset of which does. It is *normal* when it has as many
//! squares as there are threats, and *relaxed* when it has more. Every move that
//! meets all threats contains a critical defence.

use crate::{
    Board, Geometry, Level, LineId,
    lineset::Bits,
    one_stone::{self, Answer},
    work_meter::WorkMeter,
};
use lambda6_rules::{MAX_P, Move, Side, Square};
use std::ops::ControlFlow;

/// The least number of stones that meets all threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThreatCount {
    /// This many, at most `p`.
    Exactly(u8),
    /// More than `p`: one move does not meet them.
    More,
}

impl ThreatCount {
    /// Whether there are at least `count` threats.
    pub fn at_least(self, count: u8) -> bool {
        match self {
            ThreatCount::Exactly(exactly) => exactly >= count,
            ThreatCount::More => true,
        }
    }

    /// Whether there is no threat.
    pub fn is_none(self) -> bool {
        self == ThreatCount::Exactly(0)
    }
}

/// The number of threats of `attacker`.
pub fn count(board: &Board, attacker: Side) -> ThreatCount {
    if !board.has_threat(attacker) {
        return ThreatCount::Exactly(0);
    }
    if board.game().p() == 2 {
        let mut least = ThreatCount::More;
        pair_defences(board.geometry(), open_lines(board, attacker), |defence| {
            least = least.min(ThreatCount::Exactly(1 + u8::from(defence.1.is_some())));
        });
        return least;
    }
    let p = board.game().p();
    if p == 1 {
        return match one_stone::answer(board, attacker) {
            Answer::NotNeeded => ThreatCount::Exactly(0),
            Answer::Stone(_) => ThreatCount::Exactly(1),
            Answer::None => ThreatCount::More,
        };
    }
    let mut threats = Vec::new();
    for_each_threat(board, attacker, |threat| threats.push(*threat));
    match (1..=p).find(|&stones| can_hit(&threats, Move::NULL, usize::from(stones))) {
        Some(stones) => ThreatCount::Exactly(stones),
        None => ThreatCount::More,
    }
}

/// Calls `visit` with the squares of every threat of `attacker` (those that are
/// still empty), line by line. A threat that is complete has none.
pub fn for_each_threat(board: &Board, attacker: Side, mut visit: impl FnMut(&Move)) {
    for line in board.hot_lines(attacker, Level::Threat).iter() {
        for start in Bits(board.threat_windows(attacker, line)) {
            visit(&empty_squares(board, line, window_mask(board, start)));
        }
    }
}

/// The critical defences against the threats of one side, in the order of their
/// sorted lists of squares.
///
/// ```
/// use lambda6_rules::{Game, Side};
/// use lambda6_threats::{Board, Defences};
///
/// let mut board = Board::new(Game::CONNECT6);
/// for name in ["a1", "b1", "c1", "d1"] {
///     board.place(Side::Black, board.game().parse_square(name)?);
/// }
/// let mut defences = Defences::default();
/// defences.find(&board, Side::Black);
/// let names: Vec<_> = defences.iter().map(|mv| board.game().move_name(mv)).collect();
/// assert_eq!(names, ["e1", "f1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Defences {
    moves: Vec<Move>,
    threats: Vec<Move>,
    any: bool,
}

impl Defences {
    /// Finds the defences against the threats that `attacker` has now, in place of the
    /// last ones.
    pub fn find(&mut self, board: &Board, attacker: Side) {
        let _ = self.find_while(board, attacker, &mut || true);
    }

    /// The same, ended as soon as `go_on` returns false: see
    /// [`Attack::threat_moves_while`](crate::Attack::threat_moves_while). The defences
    /// are incomplete then. Against `p` threats there are up to p^p
    /// defences.
    pub fn find_while(
        &mut self,
        board: &Board,
        attacker: Side,
        go_on: &mut dyn FnMut() -> bool,
    ) -> ControlFlow<()> {
        self.find_watched(board, attacker, &mut WorkMeter::new(go_on))
    }

    #[inline]
    pub(crate) fn find_watched(
        &mut self,
        board: &Board,
        attacker: Side,
        meter: &mut WorkMeter<'_>,
    ) -> ControlFlow<()> {
        self.moves.clear();
        self.any = board.has_threat(attacker);
        match board.game().p() {
            _ if !self.any => {}
            1 => {
                if let Answer::Stone(square) = one_stone::answer(board, attacker) {
                    self.moves.push(Move::single(square));
                }
            }
            2 => self.find_pairs(board, attacker),
            _ => self.find_any(board, attacker, meter)?,
        }
        ControlFlow::Continue(())
    }

    fn find_pairs(&mut self, board: &Board, attacker: Side) {
        let moves = &mut self.moves;
        pair_defences(board.geometry(), open_lines(board, attacker), |(a, b)| {
            moves.push(match b {
                None => Move::single(a),
                Some(b) => Move::pair(a.min(b), a.max(b)),
            });
        });
        self.sort_and_drop_supersets();
    }

    fn find_any(&mut self, board: &Board, attacker: Side, meter: &mut WorkMeter<'_>) -> ControlFlow<()> {
        self.threats.clear();
        let threats = &mut self.threats;
        for_each_threat(board, attacker, |threat| threats.push(*threat));
        let p = usize::from(board.game().p());
        hit(&self.threats, Move::NULL, p, &mut Vec::new(), &mut self.moves, meter)?;
        for mv in &mut self.moves {
            *mv = mv.sorted();
        }
        self.sort_and_drop_supersets_watched(meter)
    }

    /// A set that meets everything is critical when every stone of it meets a
    /// threat that no other does.
    fn sort_and_drop_supersets_watched(&mut self, meter: &mut WorkMeter<'_>) -> ControlFlow<()> {
        self.moves.sort_unstable_by(|a, b| a.squares().cmp(b.squares()));
        let threats = &self.threats;
        let mut done = ControlFlow::Continue(());
        self.moves.retain(|mv| {
            if done.is_continue() {
                done = meter.spend(threats.len());
            }
            mv.iter().all(|needed| {
                threats.iter().any(|threat| {
                    threat.contains(needed)
                        && threat.iter().all(|square| square == needed || !mv.contains(square))
                })
            })
        });
        done
    }

    fn sort_and_drop_supersets(&mut self) {
        self.moves.sort_unstable_by(|a, b| a.squares().cmp(b.squares()));
        self.moves.dedup();
        let contains = |big: &Move, small: &Move| {
            small.len() < big.len() && small.iter().all(|square| big.contains(square))
        };
        let mut i = 0;
        while i < self.moves.len() {
            if self.moves.iter().any(|other| contains(&self.moves[i], other)) {
                self.moves.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// The number of threats.
    pub fn count(&self) -> ThreatCount {
        match self.moves.iter().map(Move::len).min() {
            Some(least) => ThreatCount::Exactly(least as u8),
            None if self.any => ThreatCount::More,
            None => ThreatCount::Exactly(0),
        }
    }

    /// All critical defences. None when there is no threat (nothing needs to be
    /// met) and when there are too many (nothing meets them): see
    /// [`Defences::count`].
    pub fn iter(&self) -> std::slice::Iter<'_, Move> {
        self.moves.iter()
    }

    /// Those with as many squares as there are threats.
    pub fn normal(&self) -> impl Iterator<Item = &Move> {
        let least = self.moves.iter().map(Move::len).min();
        self.moves.iter().filter(move |mv| Some(mv.len()) == least)
    }

    /// Those with more squares than there are threats.
    pub fn relaxed(&self) -> impl Iterator<Item = &Move> {
        let least = self.moves.iter().map(Move::len).min();
        self.moves.iter().filter(move |mv| Some(mv.len()) != least)
    }

    /// The *conservative defence*: the squares of all critical defences at once,
    /// in order. A win against a defender who may have them all is a win
    /// against each.
    pub fn conservative(&self, squares: &mut Vec<Square>) {
        squares.clear();
        squares.extend(self.moves.iter().flat_map(|mv| mv.iter()));
        squares.sort_unstable();
        squares.dedup();
    }
}

/// The first threat that is not met.
fn open_threat<'a>(threats: &'a [Move], chosen: &Move) -> Option<&'a Move> {
    threats.iter().find(|threat| !meets(threat, chosen))
}

fn meets(threat: &Move, chosen: &Move) -> bool {
    threat.iter().any(|square| chosen.contains(square))
}

/// Whether there are more than `left` threats, none of which is met, without a
/// square in common: so many stones do not meet them.
fn are_too_many(threats: &[Move], chosen: &Move, left: usize) -> bool {
    let mut apart: [Option<&Move>; MAX_P] = [None; MAX_P];
    let mut count = 0;
    for threat in threats {
        let is_apart = apart[..count].iter().flatten().all(|other| !meets(threat, other));
        if is_apart && !meets(threat, chosen) {
            if count == left {
                return true;
            }
            apart[count] = Some(threat);
            count += 1;
        }
    }
    false
}

/// Whether `left` more stones beside `chosen` can meet all threats.
fn can_hit(threats: &[Move], chosen: Move, left: usize) -> bool {
    let Some(open) = open_threat(threats, &chosen) else { return true };
    if are_too_many(threats, &chosen, left) {
        return false;
    }
    open.iter().any(|square| {
        let mut more = chosen;
        more.push(square);
        can_hit(threats, more, left - 1)
    })
}

/// All ways to meet `threats` with `left` more stones beside `chosen`, found by
/// taking a threat that is not met and trying each of its squares. Those tried
/// are out of bounds for the squares that come after, so that no set is found
/// twice. Some may contain others.
fn hit(
    threats: &[Move],
    chosen: Move,
    left: usize,
    tried: &mut Vec<Square>,
    found: &mut Vec<Move>,
    meter: &mut WorkMeter<'_>,
) -> ControlFlow<()> {
    meter.spend(threats.len())?;
    let Some(open) = open_threat(threats, &chosen) else {
        found.push(chosen);
        return ControlFlow::Continue(());
    };
    if are_too_many(threats, &chosen, left) {
        return ControlFlow::Continue(());
    }
    let before = tried.len();
    for square in open.iter() {
        if !tried.contains(&square) {
            let mut more = chosen;
            more.push(square);
            hit(threats, more, left - 1, tried, found, meter)?;
            tried.push(square);
        }
    }
    tried.truncate(before);
    ControlFlow::Continue(())
}

/// A line with threats.
#[derive(Clone, Copy, Debug)]
pub struct OpenLine {
    /// The line.
    pub line: LineId,
    /// The segments of it that are threats, a bit for the position at which each begins.
    pub windows: u64,
    /// Its empty positions, a bit each.
    pub empty: u64,
}

/// The lines on which `attacker` has threats.
#[inline]
fn open_lines(board: &Board, attacker: Side) -> impl Iterator<Item = OpenLine> + Clone {
    board.hot_lines(attacker, Level::Threat).iter().map(move |line| OpenLine {
        line,
        windows: board.threat_windows(attacker, line),
        empty: board.empty_on(line),
    })
}

/// For p = 2: calls `visit` with every way to meet all threats on some lines with one
/// stone or with two (the first of which does not do alone), without collecting
/// them.
///
/// One of the at most two squares of the first threat must be taken. What is
/// left open on a line is windows; the squares common to windows that begin
/// between `first` and `last` are those between `last` and the end of the
/// `first`, so a line costs the same however many windows it has.
#[inline]
pub(crate) fn pair_defences(
    geometry: &Geometry,
    lines: impl Iterator<Item = OpenLine> + Clone,
    mut visit: impl FnMut((Square, Option<Square>)),
) {
    let window = crate::geometry::low_bits(geometry.game().k());
    let Some(first) = lines.clone().next() else { return };
    for position in Bits(first.empty & window << first.windows.trailing_zeros()) {
        let a = geometry.square(first.line, position);
        let places = geometry.places(a);
        let mut common = Common::All;
        for OpenLine { line, windows, empty } in lines.clone() {
            let met = places[geometry.direction(line) as usize];
            let open = if met.line == line { windows & !met.segments } else { windows };
            if open == 0 {
                continue;
            }
            let (first, last) = (open.trailing_zeros(), 63 - open.leading_zeros());
            let squares = empty & window << first & window << last;
            common.keep(Bits(squares).map(|position| geometry.square(line, position)));
            if common.is_empty() {
                break;
            }
        }
        match common {
            Common::All => visit((a, None)),
            Common::Some(squares, len) => squares[..len].iter().for_each(|&b| visit((a, Some(b)))),
        }
    }
}

/// The squares that lie on every window seen so far: at most two, for a threat
/// has no more.
enum Common {
    All,
    Some([Square; 2], usize),
}

impl Common {
    #[inline]
    fn keep(&mut self, squares: impl Iterator<Item = Square> + Clone) {
        let mut kept = [Square::new(0); 2];
        let mut len = 0;
        for square in squares {
            let common = match self {
                Common::All => true,
                Common::Some(known, n) => known[..*n].contains(&square),
            };
            if common {
                kept[len] = square;
                len += 1;
            }
        }
        *self = Common::Some(kept, len);
    }

    #[inline]
    fn is_empty(&self) -> bool {
        matches!(self, Common::Some(_, 0))
    }
}

/// The positions of the window that begins at `start`.
#[inline]
pub(crate) fn window_mask(board: &Board, start: u32) -> u64 {
    crate::geometry::low_bits(board.game().k()) << start
}

/// The empty squares of a line within a mask of positions; at most [`MAX_P`].
fn empty_squares(board: &Board, line: LineId, mask: u64) -> Move {
    let mut mv = Move::NULL;
    for position in Bits(board.empty_on(line) & mask).take(MAX_P) {
        mv.push(board.geometry().square(line, position));
    }
    mv
}
