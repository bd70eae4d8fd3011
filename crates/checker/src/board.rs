//! The board of the checker: squares, sets of squares, segments, zones.

use crate::header::{Game, MAX_P, Side};
use std::iter::zip;

/// The index of a square: by row from the top, then by column. On 19x19, a19
/// is 0, j10 is 180 and s1 is 360.
pub type Square = u16;

/// A set of at most [`MAX_P`] squares: a move, a part of one, the empty squares
/// of a threat. Sets are ordered as their sorted lists are, a list before its
/// continuations: the zeros after the squares are less than any square but the
/// first, and of no square and square 0 the lengths decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Sorted, then zeros.
    at: [Square; MAX_P],
    len: u8,
}

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
        self.squares().contains(&square)
    }
}

/// Lists of bytes are as long as whole blocks of this many, so that the compiler
/// turns the loops over them into a few vector instructions a block.
const BLOCK: usize = 128;

/// The count of either side where there is no segment: not 0, so that it is
/// active for nobody.
const NO_SEGMENT: u8 = u8::MAX;

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
    counts: [Vec<u8>; 2],
    /// Where zones are made: a value for each square, after room for what is
    /// looked up to the left of the board or above it, which is no segment.
    scratch: [Vec<u8>; 2],
}

impl Board {
    /// The empty board.
    pub(crate) fn new(game: Game) -> Board {
        let (m, n, k) = (usize::from(game.m()), usize::from(game.n()), usize::from(game.k()));
        let (area, steps) = (m * n, [1, m, m + 1, m - 1]);
        let stride = area.next_multiple_of(BLOCK);
        let mut through = vec![Vec::new(); area];
        let mut count = vec![NO_SEGMENT; 4 * stride];
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

    /// Whether there is such a square and nothing stands on it.
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
        (&self.counts[side as usize], &self.counts[side.other() as usize])
    }

    fn squares(&self, segment: usize) -> impl Iterator<Item = Square> {
        let (step, start) = (self.steps[segment / self.stride], segment % self.stride);
        (0..usize::from(self.game.k())).map(move |i| (start + i * step) as Square)
    }

    /// Whether the side has k in a row.
    pub(crate) fn has_connected(&self, side: Side) -> bool {
        let k = self.game.k();
        self.counts(side).0.iter().fold(false, |any, &mine| any | (mine == k))
    }

    /// Whether the side has an active segment that needs at most `need`.
    pub(crate) fn has_active(&self, side: Side, need: u8) -> bool {
        let least = self.game.k().saturating_sub(need);
        let (mine, theirs) = self.counts(side);
        zip(mine, theirs).fold(false, |any, (&mine, &theirs)| any | ((mine >= least) & (theirs == 0)))
    }

    /// Lists the empty squares of each active segment of the side that needs at
    /// most `need`, which is at most p.
    pub(crate) fn list_active(&self, side: Side, need: u8, list: &mut Vec<Move>) {
        let least = self.game.k().saturating_sub(need);
        let (mine, theirs) = self.counts(side);
        list.clear();
        let live = |mine, theirs| (mine >= least) & (theirs == 0);
        for_each(mine, theirs, live, |segment| {
            let mut empty = Move::default();
            for s in self.squares(segment).filter(|&s| self.is_empty(s)) {
                empty.insert(s);
            }
            list.push(empty);
        });
    }

    /// The zones in which Zi has the empty squares of the side's active segments
    /// that need at most i + `margin`.
    pub(crate) fn active_zones(&mut self, side: Side, margin: u8, r: u8) -> Zones {
        let mut zones = self.no_zones(r);
        let [now, next] = &mut self.scratch;
        let k = usize::from(self.game.k());
        let (room, most) = (now.len() - self.stride, self.game.k().saturating_sub(margin));
        let [mine, theirs] = [side, side.other()].map(|side| self.counts[side as usize].chunks(self.stride));
        for ((mine, theirs), step) in zip(zip(mine, theirs), self.steps) {
            // For each segment the first zone it is in, or 0 for the first.
            for (first, (&mine, &theirs)) in zip(&mut now[room..], zip(mine, theirs)) {
                let zone = most.saturating_sub(mine);
                *first = if theirs == 0 { zone } else { u8::MAX };
            }
            // A square is on the k segments that begin there, a step before, ...:
            // with the least of the last `known` at hand, that of up to twice as
            // many is the less of two.
            let mut known = 1;
            while 2 * known < k {
                let pairs = zip(&now[room..], &now[room - known * step..]);
                zip(&mut next[room..], pairs).for_each(|(least, (&a, &b))| *least = a.min(b));
                std::mem::swap(now, next);
                known *= 2;
            }
            let pairs = zip(&now[room..], &now[room - (k - known) * step..]);
            zip(&mut zones.first, pairs).for_each(|(first, (&a, &b))| *first = a.min(b).min(*first));
        }
        zip(&mut zones.first, &self.cells)
            .for_each(|(first, cell)| *first = if cell.is_none() { (*first).max(1) } else { r + 1 });
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
                self.squares(usize::from(segment)).for_each(|s| near[usize::from(s)] = true);
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

    /// Calls `found` with each square of Zi in order, and perhaps with numbers
    /// beyond those of the board's squares.
    pub(crate) fn for_each(&self, i: u8, mut found: impl FnMut(Square)) {
        for_each(&self.first, &self.first, |first, _| first <= i, |s| found(s as Square));
    }

    /// For each square the first zone that has it, beyond the board too.
    pub(crate) fn firsts(&self) -> &[u8] {
        &self.first
    }
}

/// Calls `found` with each index at which the test holds for the lists' values.
fn for_each(a: &[u8], b: &[u8], test: impl Fn(u8, u8) -> bool, mut found: impl FnMut(usize)) {
    let blocks = zip(a.as_chunks::<BLOCK>().0, b.as_chunks::<BLOCK>().0);
    for (block, (a, b)) in blocks.enumerate() {
        let mut hits = [0; BLOCK];
        zip(&mut hits, zip(a, b)).for_each(|(hit, (&a, &b))| *hit = u8::from(test(a, b)));
        if hits.iter().fold(0, |any, hit| any | hit) != 0 {
            for (word, hits) in hits.as_chunks::<8>().0.iter().enumerate() {
                let mut hits = u64::from_le_bytes(*hits);
                while hits != 0 {
                    found(block * BLOCK + word * 8 + hits.trailing_zeros() as usize / 8);
                    hits &= hits - 1;
                }
            }
        }
    }
}
