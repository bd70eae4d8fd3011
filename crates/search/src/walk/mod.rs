//! The defender's walk: which stones of the defender still need an answer, given
//! the zones of the answers so far.
//!
//! With the defender to move, a win is a win against *every* move. Most moves
//! need no answer of their own. The critical defences are answered with the
//! stones to spare passed on (null move); the zones of those wins tell which
//! single stones matter, and their zones which pairs do. [`DefenderWalk`] asks
//! for these answers one by one. It is the same walk as the checker's, and a
//! test compares the two question by question.

mod answer_all;
#[cfg(test)]
mod soundness;

use crate::{Method, Zones, zones::covered};
pub use answer_all::{Answered, Answers, answer_all};
use lambda6_rules::{Move, Side, Square};
use lambda6_threats::{Board, Defences, ThreatCount};
use rustc_hash::FxHashSet;
use std::{cmp::Reverse, collections::VecDeque};

/// The order in which questions come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkOrder {
    /// Depth first, in the order of the squares: the checker's order.
    Checker,
    /// Breadth first, the stones of highest rank first, because a walk that
    /// fails mostly fails at one of those.
    Ranked,
}

/// The stones of the defender that need an answer: the attacker must win after
/// them although the defender passes on the other stones of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    id: u32,
    /// The stones.
    pub stones: Move,
    /// How many stones the defender passes on.
    pub spare: usize,
    /// The question that this single stone was added to, where all single
    /// stones are answered before pairs are looked at.
    single_of: Option<u32>,
}

/// A question with its answer.
struct Asked {
    stones: Move,
    spare: u8,
    single_of: Option<u32>,
    /// The zones of the answer, kept as long as pairs depend on them.
    zones: Option<Box<Zones>>,
    /// Single stones that are not answered yet.
    singles: u32,
}

/// The defender's situation before any question.
pub enum Defending {
    /// The defender connects, or the move fills the board: the attacker does not
    /// win here.
    Escapes,
    /// There are more threats than a move can meet: the attacker wins, with these
    /// zones.
    Beaten(Zones),
    /// The defender has moves to be answered.
    Walk(DefenderWalk),
}

/// The state of a walk. It can be left and resumed between any two questions,
/// and answers may come in another order than the questions.
pub struct DefenderWalk {
    attacker: Side,
    method: Method,
    order: WalkOrder,
    zones: Zones,
    asked: Vec<Asked>,
    queue: VecDeque<u32>,
    met: FxHashSet<Move>,
    unanswered: u32,
}

impl DefenderWalk {
    /// Begins where the defender is to move on the board.
    pub fn begin(board: &Board, attacker: Side, method: Method, order: WalkOrder) -> Defending {
        let p = usize::from(board.game().p());
        match critical_defences(board, attacker) {
            None => Defending::Escapes,
            Some((zones, defences)) if defences.is_empty() => Defending::Beaten(zones),
            Some((zones, defences)) => {
                let first = defences.iter().map(|defence| (*defence, p - defence.len()));
                Defending::Walk(DefenderWalk::from_questions(zones, attacker, method, order, first))
            }
        }
    }

    /// A walk of these stones, each with the number of stones to spare. `zones`
    /// are those of the threats on the board.
    pub fn from_questions(
        zones: Zones,
        attacker: Side,
        method: Method,
        order: WalkOrder,
        questions: impl IntoIterator<Item = (Move, usize)>,
    ) -> DefenderWalk {
        let mut walk = DefenderWalk {
            attacker,
            method,
            order,
            zones,
            asked: Vec::new(),
            queue: VecDeque::new(),
            met: FxHashSet::default(),
            unanswered: 0,
        };
        for (stones, spare) in questions {
            walk.raise(stones, spare, None);
        }
        walk.enqueue(0);
        walk
    }

    /// The next question. It must be answered for the walk to be won.
    pub fn next_question(&mut self) -> Option<Question> {
        loop {
            let id = self.queue.pop_front()?;
            let Asked { stones, single_of, .. } = self.asked[id as usize];
            // In the checker's order a set of stones counts as asked when its
            // turn comes, in the other order as soon as it is queued.
            if self.order == WalkOrder::Checker && single_of.is_none() && !self.met.insert(stones) {
                self.unanswered -= 1;
                continue;
            }
            return Some(self.question(id));
        }
    }

    /// The next question if it adds another single stone to the same stones as
    /// this one.
    pub fn next_sibling(&mut self, of: &Question) -> Option<Question> {
        let parent = of.single_of?;
        let &id = self.queue.front()?;
        (self.asked[id as usize].single_of == Some(parent)).then(|| {
            self.queue.pop_front();
            self.question(id)
        })
    }

    /// The question with this number, which [`Question::id`] gave.
    pub fn question(&self, id: u32) -> Question {
        let Asked { stones, spare, single_of, .. } = self.asked[id as usize];
        Question { id, stones, spare: usize::from(spare), single_of }
    }

    /// Asks the question again, before all others.
    pub fn put_back(&mut self, question: Question) {
        self.queue.push_front(question.id);
    }

    /// Questions that wait for their turn.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// The stones of the questions that wait, in order.
    pub fn waiting_stones(&self) -> impl Iterator<Item = Move> + '_ {
        self.queue.iter().map(|&id| self.asked[id as usize].stones)
    }

    /// Whether every question is answered: the attacker wins.
    pub fn is_won(&self) -> bool {
        self.unanswered == 0
    }

    /// The zones so far; of the whole win when [`DefenderWalk::is_won`].
    pub fn zones(&self) -> &Zones {
        &self.zones
    }

    /// The same, for a walk that has ended.
    pub fn into_zones(self) -> Zones {
        self.zones
    }

    /// The approximate memory used.
    pub fn bytes(&self) -> usize {
        let kept = self.asked.iter().filter(|asked| asked.zones.is_some()).count();
        self.zones.bytes() * (1 + kept) + self.asked.capacity() * (size_of::<Asked>() + 2 * size_of::<Move>())
    }

    /// Answers a question about a whole move, from which no further questions
    /// follow; the zones are not needed any more.
    pub fn answer_without_zones(&mut self, question: Question) {
        debug_assert_eq!(question.spare, 0);
        self.unanswered -= 1;
    }

    /// Answers a question: the attacker wins, with these zones. Raises the
    /// questions that follow. `board` is the board that the walk began with;
    /// `rank` says which squares come first in [`WalkOrder::Ranked`].
    pub fn answer(
        &mut self,
        question: Question,
        board: &Board,
        zones: &Zones,
        rank: &mut dyn FnMut(Square) -> u32,
    ) {
        let Question { id, stones, spare, single_of } = question;
        self.unanswered -= 1;
        self.zones.union_shifted(zones, spare);
        let first = self.asked.len();
        if let Some(parent) = single_of {
            self.asked[id as usize].zones = Some(Box::new(zones.clone()));
            self.asked[parent as usize].singles -= 1;
            if self.asked[parent as usize].singles == 0 {
                self.raise_mutual_pairs(parent, board, rank);
            }
        } else if spare == 2 && self.method != Method::Rzop {
            self.raise_singles(id, board, zones, rank);
        } else if spare > 0 {
            for square in self.squares(board, zones, spare, &stones, rank) {
                self.raise(stones.with(square), spare - 1, None);
            }
        }
        self.enqueue(first);
    }

    /// The empty squares of zone `i` beside the stones.
    fn squares(
        &self,
        board: &Board,
        zones: &Zones,
        i: usize,
        stones: &Move,
        rank: &mut dyn FnMut(Square) -> u32,
    ) -> Vec<Square> {
        let mut squares: Vec<Square> =
            zones.empty_squares(board, i).filter(|&s| !stones.contains(s)).collect();
        if self.order == WalkOrder::Ranked {
            squares.sort_by_key(|&square| Reverse(rank(square)));
        }
        squares
    }

    /// Two stones to spare: single stones in the first zone, then pairs.
    fn raise_singles(&mut self, id: u32, board: &Board, zones: &Zones, rank: &mut dyn FnMut(Square) -> u32) {
        let stones = self.asked[id as usize].stones;
        let squares = self.squares(board, zones, 1, &stones, rank);
        if self.method != Method::Mutual {
            for square in squares {
                self.raise(stones.with(square), 1, None);
            }
            for (s, t) in outer_pairs(board, self.attacker, self.method, &stones, zones) {
                self.raise(stones.with(s).with(t), 0, None);
            }
            return;
        }
        // The zones of all single stones cut the pairs down, so they are answered first.
        self.asked[id as usize].zones = Some(Box::new(zones.clone()));
        self.asked[id as usize].singles = squares.len() as u32;
        if squares.is_empty() {
            self.raise_mutual_pairs(id, board, rank);
        }
        for square in squares {
            self.raise(stones.with(square), 1, Some(id));
        }
    }

    /// The pairs that remain when every single stone is answered: those with
    /// both stones outside the first zone, and those in which each stone lies in
    /// the zone of the answer to the other.
    fn raise_mutual_pairs(&mut self, id: u32, board: &Board, rank: &mut dyn FnMut(Square) -> u32) {
        let Some(null) = self.asked[id as usize].zones.take() else { return };
        let stones = self.asked[id as usize].stones;
        let mut singles: Vec<(Square, Box<Zones>)> = Vec::new();
        for asked in self.asked[id as usize..].iter_mut().filter(|asked| asked.single_of == Some(id)) {
            if let (Some(&square), Some(zones)) = (asked.stones.squares().last(), asked.zones.take()) {
                singles.push((square, zones));
            }
        }
        let singles: Vec<(Square, &Zones)> = singles.iter().map(|(s, zones)| (*s, &**zones)).collect();
        let mut pairs = mutual_pairs(board, &stones, &null, &singles);
        let outer = outer_pairs(board, self.attacker, self.method, &stones, &null);
        match self.order {
            WalkOrder::Ranked => {
                pairs.sort_by_cached_key(|&(s, t)| Reverse(rank(s) + rank(t)));
                pairs.extend(outer);
            }
            WalkOrder::Checker => {
                pairs.extend(outer);
                pairs.sort_unstable();
            }
        }
        for (s, t) in pairs {
            self.raise(stones.with(s).with(t), 0, None);
        }
    }

    fn raise(&mut self, stones: Move, spare: usize, single_of: Option<u32>) {
        if self.order == WalkOrder::Ranked && single_of.is_none() && !self.met.insert(stones.sorted()) {
            return;
        }
        self.unanswered += 1;
        self.asked.push(Asked { stones, spare: spare as u8, single_of, zones: None, singles: 0 });
    }

    /// Puts the questions raised since `first` into the queue.
    fn enqueue(&mut self, first: usize) {
        let raised = first as u32..self.asked.len() as u32;
        match self.order {
            WalkOrder::Checker => raised.rev().for_each(|id| self.queue.push_front(id)),
            WalkOrder::Ranked => self.queue.extend(raised),
        }
    }
}

impl Question {
    /// The number of the question in its walk.
    pub fn id(&self) -> u32 {
        self.id
    }
}

/// The zones of the threats and the critical defences, where the defender is to
/// move: the null move where there is no threat, nothing where there are more
/// threats than a move can meet. `None` where the defender connects, or where
/// the move fills the board.
pub fn critical_defences(board: &Board, attacker: Side) -> Option<(Zones, Vec<Move>)> {
    let (defender, p) = (attacker.other(), usize::from(board.game().p()));
    if board.has_row(defender) || board.has_threat(defender) || board.empty_count() < p {
        return None;
    }
    let mut defences = Defences::default();
    defences.find(board, attacker);
    Some(match defences.count() {
        // With no threat there is nothing to meet: the null move meets it.
        ThreatCount::Exactly(0) => (Zones::empty(board.game()), vec![Move::NULL]),
        ThreatCount::Exactly(_) => (Zones::of_threats(board, attacker), defences.iter().copied().collect()),
        ThreatCount::More => (Zones::of_threats(board, attacker), Vec::new()),
    })
}

/// Pairs of stones outside the first zone and inside the second, which both
/// segmented forms ask for; all but the first form only those on one segment.
fn outer_pairs(
    board: &Board,
    attacker: Side,
    method: Method,
    stones: &Move,
    zones: &Zones,
) -> Vec<(Square, Square)> {
    let outer: Vec<Square> = zones
        .empty_squares(board, 2)
        .filter(|&square| !zones.contains(1, square) && !stones.contains(square))
        .collect();
    let mut pairs = Vec::new();
    for (i, &s) in outer.iter().enumerate() {
        let near = (method != Method::Srzop1).then(|| open_segments(board, s, attacker));
        let later = outer[i + 1..].iter().filter(|t| near.as_ref().is_none_or(|near| near[t.index()]));
        pairs.extend(later.map(|&t| (s, t)));
    }
    pairs
}

/// Pairs with a stone in the first zone: the other stone lies in the zone of the
/// answer to it, and the same holds the other way round if that one was answered
/// too. In the order of the single stones, the smaller square of a pair first.
fn mutual_pairs(
    board: &Board,
    stones: &Move,
    null: &Zones,
    singles: &[(Square, &Zones)],
) -> Vec<(Square, Square)> {
    let mut of_single: Vec<Option<&Zones>> = vec![None; board.game().area()];
    singles.iter().for_each(|(s, zones)| of_single[s.index()] = Some(zones));
    let mut pairs = Vec::new();
    for (s, zones) in singles {
        for t in zones.empty_squares(board, 1).filter(|t| !stones.contains(*t) && t != s) {
            // A pair of two answered stones is counted from its smaller square.
            let wanted = match of_single[t.index()] {
                Some(other) => *s < t && other.contains(1, *s),
                None => !null.contains(1, t),
            };
            if wanted {
                pairs.push(((*s).min(t), (*s).max(t)));
            }
        }
    }
    pairs
}

/// By square: whether it shares with `square` a segment on which `without` has
/// no stone.
pub fn open_segments(board: &Board, square: Square, without: Side) -> Vec<bool> {
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
