//! The board of the checker: squares, sets of squares, segments, zones.

use crate::header::{Game, MAX_P, Side};
use std::{cmp::Ordering, iter::zip};

/// The index of a square: by row from the top, then by column. On 19x19, a19
/// is 0, j10 is 180 and s1 is 360.
pub type Square = u16;

/// A set of at most [`MAX_P`] squares: a move, a part of one, the empty squares
/// of a threat. Sets are ordered as their sorted lists are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move {
    len: u8,
    /// Sorted, then zeros.
    at: [Square; MAX_P],
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

impl Ord for Move {
    fn cmp(&self, other: &Move) -> Ordering {
        self.squares().cmp(other.squares())
    }
}

impl PartialOrd for Move {
    fn partial_cmp(&self, other: &Move) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Segments are looked through in blocks of this many, which the compiler
/// turns into a few vector instructions.
const BLOCK: usize = 32;

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
    cells: Vec<Option<Side>>,
    empties: usize,
    /// The area, filled up to whole blocks.
    stride: usize,
    /// The steps of the directions: right, down, and both diagonals down.
    steps: [usize; 4],
    /// The segments through each square.
    through: Vec<Vec<u16>>,
    /// For each side its stones on each segment; [`NO_SEGMENT`] for both where
    /// none fits on the board.
    counts: [Vec<u8>; 2],
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
        let counts = [count.clone(), count];
        Board { game, cells: vec![None; area], empties: area, stride, steps, through, counts }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// What stands on each square, in the order of the squares.
    pub fn cells(&self) -> &[Option<Side>] {
        &self.cells
    }

    /// The squares with a stone of the side, in order.
    pub fn stones(&self, side: Side) -> impl Iterator<Item = Square> + '_ {
        zip(0.., &self.cells).filter(move |(_, cell)| **cell == Some(side)).map(|(s, _)| s)
    }

    /// Whether there is such a square and nothing stands on it.
    pub fn is_empty(&self, square: Square) -> bool {
        self.cells.get(usize::from(square)) == Some(&None)
    }

    /// The number of empty squares.
    pub fn empties(&self) -> usize {
        self.empties
    }

    /// Whether the side has an active segment that needs at most `need`; with 0,
    /// whether it has k in a row.
    pub fn has_active(&self, side: Side, need: u8) -> bool {
        let least = self.game.k().saturating_sub(need);
        let (mine, theirs) = self.counts(side);
        zip(mine, theirs).fold(false, |any, (&mine, &theirs)| any | ((mine >= least) & (theirs == 0)))
    }

    /// Places a stone on an empty square.
    pub(crate) fn put(&mut self, side: Side, square: Square) {
        debug_assert!(self.is_empty(square));
        self.cells[usize::from(square)] = Some(side);
        self.empties -= 1;
        let counts = &mut self.counts[side as usize];
        self.through[usize::from(square)].iter().for_each(|&segment| counts[usize::from(segment)] += 1);
    }

    /// Takes the side's stone off the square.
    pub(crate) fn lift(&mut self, side: Side, square: Square) {
        debug_assert_eq!(self.cells[usize::from(square)], Some(side));
        self.cells[usize::from(square)] = None;
        self.empties += 1;
        let counts = &mut self.counts[side as usize];
        self.through[usize::from(square)].iter().for_each(|&segment| counts[usize::from(segment)] -= 1);
    }

    /// For all segments in order, the side's stones and the opponent's.
    fn counts(&self, side: Side) -> (&[u8], &[u8]) {
        (&self.counts[side as usize], &self.counts[side.other() as usize])
    }

    fn squares(&self, segment: usize) -> impl Iterator<Item = Square> {
        let (step, start) = (self.steps[segment / self.stride], segment % self.stride);
        (0..usize::from(self.game.k())).map(move |i| (start + i * step) as Square)
    }

    /// The empty squares of each active segment of the side that needs at most
    /// `need`, which is at most p.
    pub(crate) fn active(&self, side: Side, need: u8) -> Vec<Move> {
        let least = self.game.k().saturating_sub(need);
        let live = |(&mine, &theirs): (&u8, &u8)| (mine >= least) & (theirs == 0);
        let mut found = Vec::with_capacity(16);
        let (mine, theirs) = self.counts(side);
        let (mine, theirs) = (mine.as_chunks::<BLOCK>().0, theirs.as_chunks::<BLOCK>().0);
        for (block, (mine, theirs)) in zip(mine, theirs).enumerate() {
            if zip(mine, theirs).fold(false, |any, pair| any | live(pair)) {
                for (i, _) in zip(mine, theirs).enumerate().filter(|&(_, pair)| live(pair)) {
                    let mut empty = Move::default();
                    for s in self.squares(block * BLOCK + i).filter(|&s| self.is_empty(s)) {
                        empty.insert(s);
                    }
                    found.push(empty);
                }
            }
        }
        found
    }

    /// The zones in which Zi has the empty squares of the side's active segments
    /// that need at most i + `margin`.
    pub(crate) fn active_zones(&self, side: Side, margin: u8, r: u8) -> Zones {
        let mut zones = self.no_zones(r);
        let (k, none) = (self.game.k(), r + 1);
        let (mine, theirs) = self.counts(side);
        // The first zone that a segment is in, as Zones has it for a square. The
        // segments of one direction by their first square, after room for what
        // is looked up to the left of the board or above it.
        let room = usize::from(k) * self.steps[2];
        let mut firsts = vec![none; room + self.stride];
        let mut leasts = firsts.clone();
        let directions = zip(mine.chunks(self.stride), theirs.chunks(self.stride));
        for ((mine, theirs), step) in zip(directions, self.steps) {
            for (first, (&mine, &theirs)) in zip(&mut firsts[room..], zip(mine, theirs)) {
                let needs = k.saturating_sub(mine).saturating_sub(margin).max(1).min(none);
                *first = if theirs == 0 { needs } else { none };
            }
            // A square is on the k segments that begin there, a step before, ...:
            // with the least of the last `known` at hand, that of up to twice as
            // many is the less of two.
            let mut known = 1;
            while known < usize::from(k) {
                let more = known.min(usize::from(k) - known);
                let pairs = zip(&firsts[room..], &firsts[room - more * step..]);
                zip(&mut leasts[room..], pairs).for_each(|(least, (&a, &b))| *least = a.min(b));
                std::mem::swap(&mut firsts, &mut leasts);
                known += more;
            }
            unite(&mut zones.first, &firsts[room..]);
        }
        for (first, cell) in zip(&mut zones.first, &self.cells) {
            *first = if cell.is_none() { *first } else { none };
        }
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
///
/// The list is filled up to whole blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Zones {
    first: Vec<u8>,
}

impl Zones {
    /// Adds squares to every zone.
    pub(crate) fn add(&mut self, squares: Move) {
        squares.squares().iter().for_each(|&s| self.first[usize::from(s)] = 1);
    }

    /// Whether Zi has the square; for i > r it is the whole board.
    pub(crate) fn has(&self, i: u8, square: Square) -> bool {
        self.first[usize::from(square)] <= i
    }

    /// For each of the board's squares the first zone that has it.
    pub(crate) fn firsts(&self, area: usize) -> &[u8] {
        &self.first[..area]
    }

    pub(crate) fn unite(&mut self, other: &Zones) {
        unite(&mut self.first, &other.first);
    }

    pub(crate) fn shift(&mut self, u: u8) {
        self.first.iter_mut().for_each(|first| *first = first.saturating_sub(u).max(1));
    }
}

fn unite(firsts: &mut [u8], others: &[u8]) {
    zip(firsts, others).for_each(|(a, &b)| *a = b.min(*a));
}
