//! The board of the checker: squares, sets of squares, segments, zones.

use crate::header::{Game, MAX_P, Side};
use std::iter::zip;

/// The index of a square: by row from the top, then by column. On 19x19, a19
/// is 0, j10 is 180 and s1 is 360.
pub type Square = u16;

/// A set of at most [`MAX_P`] squares: a move, a part of one, the empty squares
/// of a threat. Sets none of which contains another, such as the critical
/// defences, are ordered like their sorted lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Sorted, then [`NO_SQUARE`].
    at: [Square; MAX_P],
    len: u8,
}

/// Beyond the squares of any board.
const NO_SQUARE: Square = Square::MAX;

impl Move {
    /// The set of these squares; none if one repeats or they are too many.
    pub fn new(squares: &[Square]) -> Option<Move> {
        let mut set = Move::default();
        squares.iter().all(|&s| set.insert(s)).then_some(set)
    }

    /// Adds a square; false if the set has it or is full.
    pub fn insert(&mut self, square: Square) -> bool {
        let mut place = usize::from(self.len);
        if place == MAX_P || self.contains(square) {
            return false;
        }
        while place > 0 && self.at[place - 1] > square {
            self.at[place] = self.at[place - 1];
            place -= 1;
        }
        self.at[place] = square;
        self.len += 1;
        true
    }

    /// The squares in order.
    pub fn squares(&self) -> &[Square] {
        &self.at[..usize::from(self.len)]
    }

    /// Whether the square is in the set.
    pub fn contains(&self, square: Square) -> bool {
        // Without an early exit the compiler compares all squares at once.
        self.at.iter().fold(false, |any, &s| any | (s == square))
    }

    /// The set with a square that is not in it. There is room: the sets that the
    /// walk makes have at most p squares.
    pub(crate) fn with(mut self, square: Square) -> Move {
        let inserted = self.insert(square);
        debug_assert!(inserted);
        self
    }
}

impl Default for Move {
    /// The empty set.
    fn default() -> Move {
        Move { at: [NO_SQUARE; MAX_P], len: 0 }
    }
}

/// The lengths of lists of bytes are multiples of this, so that the compiler turns
/// the loops over them into a few vector instructions per block.
const BLOCK: usize = 128;

/// The count of both sides where there is no segment: not 0, so that it is active
/// for neither.
const NO_SEGMENT: u8 = u8::MAX;

/// A count for each segment. Its length covers every value of a segment's number,
/// a `u16`, so that the compiler needs no bounds checks.
type Counts = [u8; 1 << 16];

/// The stones on the board, with the count of both sides' on every segment.
/// A source of replies sees it at each question; only the walk changes it.
///
/// A segment is named by its direction and its first square s: its number is
/// direction * stride + s, its squares are s, s + step, s + 2 step, ...
#[derive(Clone, Debug)]
pub struct Board {
    game: Game,
    /// The squares, then stones up to the stride.
    cells: Vec<Option<Side>>,
    /// The area, filled up to whole blocks.
    stride: usize,
    /// The steps of the directions: right, down, and both diagonals down.
    steps: [usize; 4],
    /// The segments through each square.
    through: Vec<Vec<u16>>,
    /// For each side its stones on each segment; [`NO_SEGMENT`] for both where
    /// none fits on the board.
    counts: [Box<Counts>; 2],
    /// Scratch space of [`Board::active_zones`]: a value for each square, after
    /// room for the lookups to the left of the board or above it, where there is
    /// no segment.
    scratch: [Vec<u8>; 2],
}

impl Board {
    /// The empty board.
    pub(crate) fn new(game: Game) -> Board {
        let (m, n, k) = (usize::from(game.m()), usize::from(game.n()), usize::from(game.k()));
        let (area, steps) = (m * n, [1, m, m + 1, m - 1]);
        let stride = area.next_multiple_of(BLOCK);
        let mut through = vec![Vec::new(); area];
        let mut count: Box<Counts> = Box::new([NO_SEGMENT; _]);
        for (direction, start) in (0..4).flat_map(|direction| (0..area).map(move |s| (direction, s))) {
            let (row, column) = (start / m, start % m);
            let fits_across = match direction {
                1 => true,
                3 => column + 1 >= k,
                _ => column + k <= m,
            };
            if fits_across && (direction == 0 || row + k <= n) {
                let segment = direction * stride + start;
                count[segment] = 0;
                (0..k).for_each(|i| through[start + i * steps[direction]].push(segment as u16));
            }
        }
        let mut cells = vec![None; area];
        cells.resize(stride, Some(Side::Black));
        let scratch = vec![u8::MAX; k * steps[2] + stride];
        let (counts, scratch) = ([count.clone(), count], [scratch.clone(), scratch]);
        Board { game, cells, stride, steps, through, counts, scratch }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// What stands on each square, in the order of the squares.
    pub fn cells(&self) -> &[Option<Side>] {
        &self.cells[..self.game.area()]
    }

    /// The squares with a stone of the side, in order.
    pub fn stones(&self, side: Side) -> impl Iterator<Item = Square> + '_ {
        zip(0.., self.cells()).filter(move |(_, cell)| **cell == Some(side)).map(|(s, _)| s)
    }

    /// Whether the board has this square and it is empty.
    pub fn is_empty(&self, square: Square) -> bool {
        self.cells.get(usize::from(square)) == Some(&None)
    }

    /// Places stones of the side on these squares, which are empty.
    pub(crate) fn put(&mut self, side: Side, squares: &[Square]) {
        self.change(side, squares, Some(side), 1);
    }

    /// Takes the side's stones off these squares.
    pub(crate) fn lift(&mut self, side: Side, squares: &[Square]) {
        self.change(side, squares, None, 1u8.wrapping_neg());
    }

    fn change(&mut self, side: Side, squares: &[Square], cell: Option<Side>, by: u8) {
        let counts = &mut self.counts[side as usize];
        for s in squares.iter().map(|&s| usize::from(s)) {
            debug_assert!((self.cells[s] == Some(side)) != (cell == Some(side)));
            self.cells[s] = cell;
            for &segment in &self.through[s] {
                let count = &mut counts[usize::from(segment)];
                *count = count.wrapping_add(by);
            }
        }
    }

    /// For all segments in order, the side's stones and the opponent's.
    fn counts(&self, side: Side) -> (&[u8], &[u8]) {
        let all = ..4 * self.stride;
        (&self.counts[side as usize][all], &self.counts[side.other() as usize][all])
    }

    /// The first square of a segment and the step to the next.
    fn line(&self, segment: u16) -> (usize, usize) {
        let segment = usize::from(segment);
        (segment % self.stride, self.steps[segment / self.stride])
    }

    /// Whether the side has k in a row.
    pub(crate) fn has_connected(&self, side: Side) -> bool {
        self.counts(side).0.contains(&self.game.k())
    }

    /// Adds to the list the empty squares of each active segment of the side that
    /// needs at most `need`, which is at most p.
    pub(crate) fn list_active(&self, side: Side, need: u8, list: &mut Vec<Move>) {
        let least = self.game.k().saturating_sub(need);
        let (mine, theirs) = self.counts(side);
        let live = |mine, theirs| (mine >= least) & (theirs == 0);
        find(mine, theirs, live, |segment| list.push(self.empties(segment)));
    }

    /// The empty squares of a segment that needs at most p.
    #[inline(never)]
    fn empties(&self, segment: u16) -> Move {
        let (mut s, step) = self.line(segment);
        let mut empty = Move::default();
        for _ in 0..self.game.k() {
            if self.cells[s].is_none() {
                // They come in order.
                empty.at[usize::from(empty.len)] = s as Square;
                empty.len += 1;
            }
            s += step;
        }
        empty
    }

    /// The zones in which Zi has the empty squares of the side's active segments
    /// that need at most i + `margin`. There may be squares in Z0.
    pub(crate) fn active_zones(&mut self, side: Side, margin: u8, r: u8) -> Zones {
        let Board { stride, cells, steps, counts, scratch: [now, next], .. } = self;
        let (k, most) = (usize::from(self.game.k()), self.game.k().saturating_sub(margin));
        let room = now.len() - *stride;
        let (mut now, mut next) = (&mut now[..], &mut next[..]);
        let mut zones = Zones { first: vec![r + 1; *stride] };
        let [mine, theirs] = [side, side.other()].map(|side| counts[side as usize].chunks(*stride));
        for ((mine, theirs), step) in zip(zip(mine, theirs), steps) {
            // For each segment the first zone that has its empty squares.
            merge(&mut now[room..], [mine, theirs, theirs], |_, [mine, theirs, _]| {
                let zone = most.saturating_sub(mine);
                if theirs == 0 { zone } else { u8::MAX }
            });
            // A square is on the k segments that begin there, a step before, ...:
            // with the least of the last `known` at hand, that of up to three
            // times as many is the least of three.
            let mut known = 1;
            while 2 * known < k {
                let more = k.min(3 * known);
                let lists = [0, known, more - known].map(|back| &now[room - back * *step..]);
                merge(&mut next[room..], lists, |_, [a, b, c]| a.min(b).min(c));
                std::mem::swap(&mut now, &mut next);
                known = more;
            }
            let lists = [0, k - known, 0].map(|back| &now[room - back * *step..]);
            merge(&mut zones.first, lists, |first, [a, b, _]| first.min(a).min(b));
        }
        zip(&mut zones.first, cells)
            .for_each(|(first, cell)| *first = if cell.is_none() { *first } else { r + 1 });
        zones
    }

    /// The sequence of r empty zones.
    pub(crate) fn no_zones(&self, r: u8) -> Zones {
        Zones { first: vec![r + 1; self.stride] }
    }

    /// The squares that share with `square` a segment on which the side has no
    /// stone.
    pub(crate) fn together(&self, square: Square, without: Side) -> Vec<bool> {
        let mut near = vec![false; self.cells.len()];
        for &segment in &self.through[usize::from(square)] {
            if self.counts[without as usize][usize::from(segment)] == 0 {
                let (s, step) = self.line(segment);
                (0..usize::from(self.game.k())).for_each(|i| near[s + i * step] = true);
            }
        }
        near
    }
}

/// A zone sequence Z1, ..., Zr.
///
/// Every rule that makes zones makes Zi a part of Z(i+1), so it is enough to
/// know for each square the first zone that has it; r+1 for a square in none.
/// With that the union is a minimum, and the shift `Z << u` a subtraction: a
/// square in no zone comes to be in the zones from r+1-u on, which are the
/// zones that the shift fills with the whole board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Zones {
    first: Vec<u8>,
}

impl Zones {
    /// Whether Zi has no square.
    pub(crate) fn is_empty(&self, i: u8) -> bool {
        self.first.iter().fold(true, |none, &first| none & (first > i))
    }

    /// Adds squares to every zone.
    pub(crate) fn add(&mut self, squares: Move) {
        squares.squares().iter().for_each(|&s| self.first[usize::from(s)] = 1);
    }

    /// Adds the zones of `other << u`.
    pub(crate) fn add_shifted(&mut self, other: &Zones, u: u8) {
        zip(&mut self.first, &other.first).for_each(|(a, b)| *a = b.saturating_sub(u).max(1).min(*a));
    }

    /// Whether Zi has the square; for i > r it is the whole board.
    pub(crate) fn has(&self, i: u8, square: Square) -> bool {
        self.first[usize::from(square)] <= i
    }

    /// The squares of Zi in order, and perhaps numbers beyond those of the board.
    pub(crate) fn squares(&self, i: u8) -> Vec<Square> {
        let mut squares = Vec::new();
        find(&self.first, &self.first, |first, _| first <= i, |s| squares.push(s));
        squares
    }

    /// The squares of Zi as bits.
    pub(crate) fn bits(&self, i: u8) -> Bits {
        let word =
            |firsts: &[u8]| firsts.iter().rev().fold(0, |word, &first| word << 1 | u64::from(first <= i));
        Bits(self.first.chunks(64).map(word).collect())
    }

    /// For each square the first zone that has it, beyond the board too.
    pub(crate) fn firsts(&self) -> &[u8] {
        &self.first
    }
}

/// A set of squares, a bit for each.
#[derive(Clone, Debug)]
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    /// Whether the set has the square.
    pub(crate) fn has(&self, square: Square) -> bool {
        self.0[usize::from(square) / 64] >> (square % 64) & 1 == 1
    }
}

/// Replaces each value by `f` of it and of the values of three other lists. A
/// function of its own, because the compiler then knows that they do not overlap.
#[inline(never)]
fn merge(values: &mut [u8], lists: [&[u8]; 3], f: impl Fn(u8, [u8; 3]) -> u8) {
    let [a, b, c] = lists.map(|list| &list[..values.len()]);
    for i in 0..values.len() {
        values[i] = f(values[i], [a[i], b[i], c[i]]);
    }
}

/// Calls `found` with the indices at which the test holds for the lists' values,
/// in order.
fn find(a: &[u8], b: &[u8], test: impl Fn(u8, u8) -> bool, mut found: impl FnMut(u16)) {
    let blocks = zip(a.as_chunks::<BLOCK>().0, b.as_chunks::<BLOCK>().0);
    for (block, (a, b)) in blocks.enumerate() {
        if !zip(a, b).fold(false, |any, (&a, &b)| any | test(a, b)) {
            continue;
        }
        // A bit in each byte, to be found sixteen bytes at a time.
        let mut hits = [0; BLOCK];
        (0..BLOCK).for_each(|i| hits[i] = u8::from(test(a[i], b[i])));
        for (word, hits) in hits.as_chunks::<16>().0.iter().enumerate() {
            let mut hits = u128::from_le_bytes(*hits);
            while hits != 0 {
                found((block * BLOCK + word * 16) as u16 + hits.trailing_zeros() as u16 / 8);
                hits &= hits - 1;
            }
        }
    }
}
