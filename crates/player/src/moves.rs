//! Which moves to look at: the squares that appeal most, put together.

use crate::field::Field;
use rules::{MAX_P, Move, Side, Square};

/// A set of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareSet(Vec<u64>);

impl SquareSet {
    /// No square of a board with this many.
    pub fn new(area: usize) -> SquareSet {
        SquareSet(vec![0; area.div_ceil(64)])
    }

    /// Puts a square in.
    pub fn insert(&mut self, square: Square) {
        self.0[square.index() / 64] |= 1 << (square.index() % 64);
    }

    /// Whether the square is in.
    pub fn contains(&self, square: Square) -> bool {
        self.0[square.index() / 64] >> (square.index() % 64) & 1 != 0
    }
}

/// How wide to look.
#[derive(Clone, Copy, Debug)]
pub struct Width {
    /// First stones.
    pub first: usize,
    /// Second stones to each.
    pub second: usize,
    /// Moves in all.
    pub moves: usize,
}

/// A move and how much it appeals, in hundredths of a logarithm.
pub type Appealing = (i32, Move);

/// The generator, with memory that is used again.
#[derive(Clone, Debug, Default)]
pub struct Generator {
    squares: Vec<(i32, Square)>,
    seconds: Vec<(i32, Square)>,
    /// The moves found so far, sixteen bits a square.
    seen: Vec<u128>,
}

impl Generator {
    /// The moves of `stones` stones that appeal most, best first.
    ///
    /// With `sets`, every move contains one of them. With `zone`, every move has
    /// a stone in it.
    #[allow(clippy::too_many_arguments, reason = "what to look at and where to put it")]
    pub fn find(
        &mut self,
        field: &mut Field,
        side: Side,
        stones: usize,
        width: Width,
        sets: &[Move],
        zone: Option<&SquareSet>,
        moves: &mut Vec<Appealing>,
    ) {
        moves.clear();
        let all = field.game().squares().filter(|&square| field.is_empty(square));
        self.squares.clear();
        self.squares.extend(all.map(|square| (field.appeal(side, square), square)));
        // Beyond the first stones, only so many can be second ones.
        let most = if zone.is_some() { usize::MAX } else { width.first.max(width.second).saturating_add(8) };
        best_first(&mut self.squares, most);
        if sets.is_empty() {
            let mut firsts = 0;
            for i in 0..self.squares.len() {
                let (appeal, square) = self.squares[i];
                if zone.is_some_and(|zone| !zone.contains(square)) {
                    continue;
                }
                self.extend(field, side, Move::single(square), appeal, stones, width.second, moves);
                firsts += 1;
                if firsts == width.first {
                    break;
                }
            }
        } else {
            for set in sets {
                let appeal = set.iter().map(|square| field.appeal(side, square)).sum();
                self.extend(field, side, *set, appeal, stones, width.first, moves);
            }
        }
        moves.iter_mut().for_each(|(_, mv)| *mv = mv.sorted());
        moves.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.squares().cmp(b.1.squares())));
        // A move that was met both ways round comes with its better half first.
        self.seen.clear();
        moves.retain(|(_, mv)| {
            let key = mv.iter().fold(0u128, |key, square| (key << 16) | (square.index() as u128 + 1));
            self.seen.len() < width.moves && !self.seen.contains(&key) && {
                self.seen.push(key);
                true
            }
        });
    }

    /// Completes a set with each of the `seconds` squares that appeal most when
    /// it is on the board; stones beyond that are the best one after the other.
    #[allow(clippy::too_many_arguments, reason = "a step of `find`")]
    fn extend(
        &mut self,
        field: &mut Field,
        side: Side,
        set: Move,
        appeal: i32,
        stones: usize,
        seconds: usize,
        moves: &mut Vec<Appealing>,
    ) {
        if set.len() >= stones.min(MAX_P) {
            moves.push((appeal, set));
            return;
        }
        set.iter().for_each(|square| field.place(side, square));
        // Only the squares in line with a new stone have changed; of the others
        // the best were known before.
        self.seconds.clear();
        let known = seconds.saturating_add(set.len() + 4);
        let others = self.squares.iter().take(known).map(|&(_, square)| square);
        for square in others.chain(set.iter().flat_map(|square| field.in_line(square))) {
            if field.is_empty(square) {
                self.seconds.push((field.appeal(side, square), square));
            }
        }
        // A square can be there once for itself and once for each stone.
        best_first(&mut self.seconds, seconds.saturating_mul(1 + set.len()).max(1));
        self.seconds.dedup();
        self.seconds.truncate(seconds.max(1));
        if self.seconds.is_empty() {
            // Full up around here: any square will do.
            let any = field.game().squares().filter(|&square| field.is_empty(square)).take(stones);
            self.seconds.extend(any.map(|square| (0, square)));
        }
        let list = std::mem::take(&mut self.seconds);
        for &(second, square) in &list {
            let mut mv = set;
            mv.push(square);
            if mv.len() < stones {
                field.place(side, square);
                let mut rest = Vec::new();
                while mv.len() < stones {
                    let empty = field.game().squares().filter(|&square| field.is_empty(square));
                    let best = empty.max_by_key(|&s| (field.appeal(side, s), std::cmp::Reverse(s)));
                    let Some(best) = best else { break };
                    mv.push(best);
                    field.place(side, best);
                    rest.push(best);
                }
                rest.into_iter().rev().for_each(|square| field.remove(side, square));
                field.remove(side, square);
            }
            moves.push((appeal + second, mv));
        }
        self.seconds = list;
        set.iter().rev().for_each(|square| field.remove(side, square));
    }
}

/// The best `most`, in order.
fn best_first(squares: &mut Vec<(i32, Square)>, most: usize) {
    let order = |a: &(i32, Square), b: &(i32, Square)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
    if most < squares.len() {
        squares.select_nth_unstable_by(most, order);
        squares.truncate(most);
    }
    squares.sort_unstable_by(order);
}
