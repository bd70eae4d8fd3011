//! Move generation: the squares with the highest appeal, combined into moves.

use lambda6_rules::{MAX_P, Move, Side, Square};
use lambda6_search::{Zones, evaluation::Evaluation};
use lambda6_threats::{Board, Play};
use std::cmp::Reverse;

/// A set of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareSet(Vec<u64>);

impl SquareSet {
    /// The empty set for a board of `area` squares.
    pub fn new(area: usize) -> SquareSet {
        SquareSet(vec![0; area.div_ceil(64)])
    }

    /// The empty squares of a win's first zone: a defender's move without a stone
    /// there changes nothing, unless both of its stones are in the second zone.
    pub fn first_zone(zones: &Zones, board: &Board) -> SquareSet {
        let mut set = SquareSet::new(board.game().area());
        zones.empty_squares(board, 1).for_each(|square| set.insert(square));
        set
    }

    /// Adds a square.
    pub fn insert(&mut self, square: Square) {
        self.0[square.index() / 64] |= 1 << (square.index() % 64);
    }

    /// Whether the set has the square.
    pub fn contains(&self, square: Square) -> bool {
        self.0[square.index() / 64] >> (square.index() % 64) & 1 != 0
    }
}

/// How many moves to generate.
#[derive(Clone, Copy, Debug)]
pub struct Width {
    /// First stones.
    pub first: usize,
    /// Second stones for each first stone.
    pub second: usize,
    /// Moves in all.
    pub moves: usize,
}

/// A move with its appeal (hundredths of a logarithm) or its value.
pub type ValuedMove = (i32, Move);

/// Which moves to generate.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    pub side: Side,
    /// The stones of a move.
    pub stones: usize,
    pub width: Width,
    /// If not empty, every move contains one of these sets.
    pub sets: &'a [Move],
    /// If given, every move has a stone in this zone.
    pub zone: Option<&'a SquareSet>,
}

/// The generator, with buffers that are used again.
#[derive(Clone, Debug, Default)]
pub struct Generator {
    squares: Vec<(i32, Square)>,
    seconds: Vec<(i32, Square)>,
    /// The moves found so far, sixteen bits a square.
    seen: Vec<u128>,
}

impl Generator {
    /// Fills `moves` with the moves of the highest appeal, best first.
    pub fn find(
        &mut self,
        evaluation: &mut Evaluation,
        request: MoveRequest<'_>,
        moves: &mut Vec<ValuedMove>,
    ) {
        let MoveRequest { side, width, sets, zone, .. } = request;
        moves.clear();
        self.squares.clear();
        self.squares.extend(empty(evaluation).map(|square| (evaluation.appeal(side, square), square)));
        // Squares beyond these are neither first nor second stones.
        let most = if zone.is_some() { usize::MAX } else { width.first.max(width.second).saturating_add(8) };
        best_first(&mut self.squares, most);
        if sets.is_empty() {
            let mut firsts = 0;
            for i in 0..self.squares.len() {
                let (appeal, square) = self.squares[i];
                if zone.is_some_and(|zone| !zone.contains(square)) {
                    continue;
                }
                self.extend(evaluation, request, (appeal, Move::single(square)), width.second, moves);
                firsts += 1;
                if firsts == width.first {
                    break;
                }
            }
        } else {
            for set in sets {
                let appeal = set.iter().map(|square| evaluation.appeal(side, square)).sum();
                self.extend(evaluation, request, (appeal, *set), width.first, moves);
            }
        }
        moves.iter_mut().for_each(|(_, mv)| *mv = mv.sorted());
        moves.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.squares().cmp(b.1.squares())));
        // A move that was found from both of its stones stays once, with the
        // higher appeal.
        self.seen.clear();
        moves.retain(|(_, mv)| {
            let key = mv.iter().fold(0u128, |key, square| (key << 16) | (square.index() as u128 + 1));
            self.seen.len() < width.moves && !self.seen.contains(&key) && {
                self.seen.push(key);
                true
            }
        });
    }

    /// Completes a set with each of the `seconds` squares of the highest appeal
    /// when the set is on the board; further stones are chosen greedily.
    fn extend(
        &mut self,
        evaluation: &mut Evaluation,
        request: MoveRequest<'_>,
        (appeal, set): ValuedMove,
        seconds: usize,
        moves: &mut Vec<ValuedMove>,
    ) {
        let MoveRequest { side, stones, .. } = request;
        if set.len() >= stones.min(MAX_P) {
            moves.push((appeal, set));
            return;
        }
        evaluation.play(side, set, |evaluation| {
            self.find_seconds(evaluation, request, &set, seconds);
            for &(second, square) in &self.seconds {
                let mut mv = set;
                mv.push(square);
                if mv.len() < stones {
                    fill_greedily(evaluation, side, stones, &mut mv, square);
                }
                moves.push((appeal + second, mv));
            }
        });
    }

    /// Fills `self.seconds` for a set that is on the board.
    fn find_seconds(
        &mut self,
        evaluation: &Evaluation,
        request: MoveRequest<'_>,
        set: &Move,
        seconds: usize,
    ) {
        // Only squares in line with a new stone have changed; of the others the
        // best are known.
        self.seconds.clear();
        let known = seconds.saturating_add(set.len() + 4);
        let known = self.squares.iter().take(known).map(|&(_, square)| square);
        for square in known.chain(set.iter().flat_map(|square| evaluation.in_line(square))) {
            if evaluation.is_empty(square) {
                self.seconds.push((evaluation.appeal(request.side, square), square));
            }
        }
        // A square can be there once for itself and once for each stone.
        best_first(&mut self.seconds, seconds.saturating_mul(1 + set.len()).max(1));
        self.seconds.dedup();
        self.seconds.truncate(seconds.max(1));
        if self.seconds.is_empty() {
            // No empty square in line: take any.
            self.seconds.extend(empty(evaluation).take(request.stones).map(|square| (0, square)));
        }
    }
}

fn empty(evaluation: &Evaluation) -> impl Iterator<Item = Square> + '_ {
    evaluation.game().squares().filter(|&square| evaluation.is_empty(square))
}

/// Adds the stones of the highest appeal, one after the other, until the move has
/// `stones`. All stones of the move but `last` are on the board.
fn fill_greedily(evaluation: &mut Evaluation, side: Side, stones: usize, mv: &mut Move, last: Square) {
    let given = mv.len() - 1;
    evaluation.place(side, last);
    while mv.len() < stones {
        let best = empty(evaluation).max_by_key(|&square| (evaluation.appeal(side, square), Reverse(square)));
        let Some(best) = best else { break };
        mv.push(best);
        evaluation.place(side, best);
    }
    evaluation.remove_all(side, &mv.squares()[given..]);
}

/// Keeps the best `most`, in order.
fn best_first(squares: &mut Vec<(i32, Square)>, most: usize) {
    let order = |a: &(i32, Square), b: &(i32, Square)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
    if most < squares.len() {
        squares.select_nth_unstable_by(most, order);
        squares.truncate(most);
    }
    squares.sort_unstable_by(order);
}
