//! The defender's half of the walk on our own board: which moves of the defender
//! are asked about, in the checker's order, and the zones that come of it.
//!
//! The checker's walk decides what a certificate proves, and every certificate
//! goes through it. This one is for work on proofs, where one has to know the
//! zones on the way, or to try another answer. That both ask the same questions
//! is tested.

use crate::{Method, Zones, forced::add_base, zones::covered};
use rules::{Move, Side, Square};
use rustc_hash::FxHashSet;
use threats::{Board, Defences, ThreatCount};

/// Answers the defender's moves.
pub(crate) trait Answers {
    /// What an answer comes with.
    type Answer;
    /// Why there is none.
    type Stop;

    /// The attacker's answer on the board, where the defender has played these
    /// stones and passed on the others.
    fn attack(&mut self, board: &mut Board, stones: &Move) -> Result<Self::Answer, Self::Stop>;

    /// The zones of the win that an answer begins.
    fn zones(answer: &Self::Answer) -> &Zones;

    /// The defender cannot be beaten here.
    fn refuse(&self) -> Self::Stop;
}

/// Answers in the order in which they were asked for, each with the stones of
/// the defender that it answers.
pub(crate) type Kids<A> = Vec<(Move, <A as Answers>::Answer)>;

/// Walks the defender's moves on the board: the zones and the answers.
pub(crate) fn defend<A: Answers>(
    board: &mut Board,
    attacker: Side,
    method: Method,
    answers: &mut A,
) -> Result<(Zones, Kids<A>), A::Stop> {
    let p = board.game().p();
    let Some((zones, defences)) = begin(board, attacker) else { return Err(answers.refuse()) };
    let mut walk =
        Walk { board, attacker, method, answers, zones, kids: Vec::new(), met: FxHashSet::default() };
    for defence in defences {
        let spare = usize::from(p) - defence.len();
        walk.sub(defence, spare)?;
    }
    Ok((walk.zones, walk.kids))
}

/// What is known before any answer: the zones of the threats, and the defences to
/// begin with. None where the defender connects, or fills the board.
pub(crate) fn begin(board: &Board, attacker: Side) -> Option<(Zones, Vec<Move>)> {
    let (defender, p) = (attacker.other(), usize::from(board.game().p()));
    if board.has_row(defender) || board.has_threat(defender) || board.empty_count() < p {
        return None;
    }
    let mut zones = Zones::empty(board.game());
    let mut defences = Defences::default();
    defences.find(board, attacker);
    let list = match defences.count() {
        // With no threat there is nothing to meet: the empty set meets it.
        ThreatCount::Exactly(0) => return Some((zones, vec![Move::NULL])),
        ThreatCount::Exactly(_) => defences.iter().copied().collect(),
        ThreatCount::More => Vec::new(),
    };
    add_base(&mut zones, board, attacker);
    Some((zones, list))
}

/// The zones after the move that connects, which is on the board.
pub(crate) fn zones_of_row(board: &Board, attacker: Side) -> Zones {
    let mut zones = Zones::empty(board.game());
    zones.add_counter_segments(board, attacker.other(), 0);
    zones
}

struct Walk<'a, A: Answers> {
    board: &'a mut Board,
    attacker: Side,
    method: Method,
    answers: &'a mut A,
    zones: Zones,
    kids: Kids<A>,
    met: FxHashSet<Move>,
}

impl<A: Answers> Walk<'_, A> {
    /// Asks for the answer to these stones; where it is in `kids`.
    fn ask(&mut self, stones: Move, spare: usize) -> Result<usize, A::Stop> {
        let defender = self.attacker.other();
        stones.iter().for_each(|square| self.board.place(defender, square));
        let answer = self.answers.attack(self.board, &stones);
        stones.iter().for_each(|square| self.board.remove(defender, square));
        let answer = answer?;
        self.zones.union_shifted(A::zones(&answer), spare);
        self.kids.push((stones, answer));
        Ok(self.kids.len() - 1)
    }

    fn zones_of(&self, kid: usize) -> &Zones {
        A::zones(&self.kids[kid].1)
    }

    /// Every move of the defender that contains `stones` and `spare` more.
    fn sub(&mut self, stones: Move, spare: usize) -> Result<(), A::Stop> {
        if !self.met.insert(stones) {
            return Ok(());
        }
        let null = self.ask(stones, spare)?;
        if spare == 0 {
            return Ok(());
        }
        let in_pairs = spare == 2 && self.method != Method::Rzop;
        let zone = if in_pairs { 1 } else { spare };
        let inside: Vec<Square> =
            self.zones_of(null).empty_squares(self.board, zone).filter(|&s| !stones.contains(s)).collect();
        let mut singles = Vec::new();
        for s in inside {
            if in_pairs && self.method == Method::Mutual {
                singles.push((s, self.ask(with(&stones, &[s]), 1)?));
            } else {
                self.sub(with(&stones, &[s]), spare - 1)?;
            }
        }
        if in_pairs {
            for (s, t) in self.pairs(&stones, null, &singles) {
                self.sub(with(&stones, &[s, t]), 0)?;
            }
        }
        Ok(())
    }

    fn pairs(&self, stones: &Move, null: usize, singles: &[(Square, usize)]) -> Vec<(Square, Square)> {
        let singles: Vec<_> = singles.iter().map(|&(s, kid)| (s, self.zones_of(kid))).collect();
        pairs(self.board, self.attacker, self.method, stones, self.zones_of(null), &singles)
    }
}

/// The pairs of spare stones that are walked after the single ones, in order.
pub(crate) fn pairs(
    board: &Board,
    attacker: Side,
    method: Method,
    stones: &Move,
    null: &Zones,
    singles: &[(Square, &Zones)],
) -> Vec<(Square, Square)> {
    let game = board.game();
    let free = |s: Square| board.is_empty(s) && !stones.contains(s);
    let mut of_single: Vec<Option<&Zones>> = vec![None; game.area()];
    singles.iter().for_each(|&(s, zones)| of_single[s.index()] = Some(zones));
    let all: Vec<Square> = null.empty_squares(board, 2).filter(|&s| free(s)).collect();
    let mut pairs = Vec::new();
    // Both outside the first zone and inside the second.
    let outer: Vec<Square> = all.iter().copied().filter(|&s| !null.contains(1, s)).collect();
    for (i, &s) in outer.iter().enumerate() {
        let near = (method != Method::Srzop1).then(|| together(board, s, attacker));
        let later = outer[i + 1..].iter();
        pairs.extend(later.filter(|t| near.as_ref().is_none_or(|near| near[t.index()])).map(|&t| (s, t)));
    }
    if method == Method::Mutual {
        for &(s, zones) in singles {
            for t in zones.empty_squares(board, 1).filter(|&t| free(t) && t != s) {
                // A pair of two single ones is counted from its first.
                let wanted = match of_single[t.index()] {
                    Some(other) => s < t && other.contains(1, s),
                    None => !null.contains(1, t),
                };
                if wanted {
                    pairs.push((s.min(t), s.max(t)));
                }
            }
        }
        pairs.sort_unstable();
    }
    pairs
}

/// The squares that share with `square` a segment on which the side has no stone.
fn together(board: &Board, square: Square, without: Side) -> Vec<bool> {
    let k = board.game().k();
    let mut near = vec![false; board.game().area()];
    for (line, position) in board.geometry().lines_through(square) {
        // Windows that begin up to k - 1 before the square.
        let first = (position + 1).saturating_sub(k);
        let reach = u64::MAX >> (63 - position) & u64::MAX << first;
        let mut squares = covered(board.active(without.other(), line) & reach, k);
        while squares != 0 {
            near[board.geometry().square(line, squares.trailing_zeros()).index()] = true;
            squares &= squares - 1;
        }
    }
    near
}

/// `stones` and squares that are not among them, in order.
pub(crate) fn with(stones: &Move, more: &[Square]) -> Move {
    let mut mv = *stones;
    for &square in more {
        mv.push(square);
    }
    mv.sorted()
}
