//! The board of the checker: squares, sets of squares, segments, zones.

use crate::header::{Game, MAX_P, Side};
use std::{cmp::Ordering, iter::zip};

/// The index of a square: by row from the top, then by column. On 19x19, a19
/// is 0, j10 is 180 and s1 is 360.
pub type Square = u16;

/// A set of at most [`MAX_P`] squares: a move, a part of one, the empty squares
/// of a threat. Sets are ordered as their sorted lists are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Move {
    len: u8,
    at: [Square; MAX_P],
}

impl Move {
    /// The set of these squares; none if one repeats or they are too many.
    pub fn new(squares: &[Square]) -> Option<Move> {
        squares.iter().try_fold(Move::default(), |set, &s| set.with(s))
    }

    /// This set and one square more; none if it has the square or is full.
    pub fn with(mut self, square: Square) -> Option<Move> {
        let place = self.squares().binary_search(&square).err()?;
        let len = usize::from(self.len);
        (len < MAX_P).then(|| {
            self.at.copy_within(place..len, place + 1);
            self.at[place] = square;
            self.len += 1;
            self
        })
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

impl PartialEq for Move {
    fn eq(&self, other: &Move) -> bool {
        self.squares() == other.squares()
    }
}

impl Eq for Move {}

/// Segments are looked through in blocks of this many, which the compiler
/// turns into a few vector instructions.
const BLOCK: usize = 32;

/// The stones on the board, with the count of both sides' on every segment.
/// A source of replies sees it at each question; only the walk changes it.
#[derive(Clone, Debug)]
pub struct Board {
    game: Game,
    cells: Vec<Option<Side>>,
    empties: usize,
    /// The squares of all segments, k for each.
    segments: Vec<Square>,
    /// The segments through each square.
    through: Vec<Vec<u32>>,
    /// For each side its stones on each segment. The last block is filled up
    /// with segments that have a stone of either side, active for nobody.
    counts: [Vec<u8>; 2],
    /// The number of segments that each side has filled.
    filled: [usize; 2],
}

impl Board {
    /// The empty board.
    pub(crate) fn new(game: Game) -> Board {
        let (m, n, k) = (i32::from(game.m()), i32::from(game.n()), i32::from(game.k()));
        let mut segments = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for (y, x) in (0..n).flat_map(|y| (0..m).map(move |x| (y, x))) {
                let (end_x, end_y) = (x + dx * (k - 1), y + dy * (k - 1));
                if (0..m).contains(&end_x) && end_y < n {
                    segments.extend((0..k).map(|i| ((y + dy * i) * m + x + dx * i) as Square));
                }
            }
        }
        let mut through = vec![Vec::new(); game.area()];
        for (i, &s) in segments.iter().enumerate() {
            through[usize::from(s)].push((i / usize::from(game.k())) as u32);
        }
        let number = segments.len() / usize::from(game.k());
        let mut count = vec![0; number];
        count.resize(number.next_multiple_of(BLOCK), 1);
        Board {
            game,
            cells: vec![None; game.area()],
            empties: game.area(),
            segments,
            through,
            counts: [count.clone(), count],
            filled: [0; 2],
        }
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

    /// Whether the side has k in a row.
    pub fn connected(&self, side: Side) -> bool {
        self.filled[side as usize] > 0
    }

    /// Places a stone on an empty square.
    pub(crate) fn put(&mut self, side: Side, square: Square) {
        debug_assert!(self.is_empty(square));
        self.cells[usize::from(square)] = Some(side);
        self.empties -= 1;
        for &segment in &self.through[usize::from(square)] {
            let count = &mut self.counts[side as usize][segment as usize];
            *count += 1;
            self.filled[side as usize] += usize::from(*count == self.game.k());
        }
    }

    /// Takes the side's stone off the square.
    pub(crate) fn lift(&mut self, side: Side, square: Square) {
        debug_assert_eq!(self.cells[usize::from(square)], Some(side));
        self.cells[usize::from(square)] = None;
        self.empties += 1;
        for &segment in &self.through[usize::from(square)] {
            let count = &mut self.counts[side as usize][segment as usize];
            self.filled[side as usize] -= usize::from(*count == self.game.k());
            *count -= 1;
        }
    }

    /// Calls `found` with what is needed and the squares, for each of the side's
    /// active segments that needs at most `need`.
    pub(crate) fn active(&self, side: Side, need: u8, mut found: impl FnMut(u8, &[Square])) {
        let k = self.game.k();
        let least = k.saturating_sub(need);
        let live = |mine: u8, theirs: u8| (mine >= least) & (theirs == 0);
        let (mine, _) = self.counts[side as usize].as_chunks::<BLOCK>();
        let (theirs, _) = self.counts[side.other() as usize].as_chunks::<BLOCK>();
        for (block, (mine, theirs)) in zip(mine, theirs).enumerate() {
            if !zip(mine, theirs).fold(false, |any, (&a, &b)| any | live(a, b)) {
                continue;
            }
            for (i, (&a, &b)) in zip(mine, theirs).enumerate() {
                if live(a, b) {
                    let start = (block * BLOCK + i) * usize::from(k);
                    found(k - a, &self.segments[start..start + usize::from(k)]);
                }
            }
        }
    }

    /// The squares that share with `square` a segment on which the side has no
    /// stone.
    pub(crate) fn together(&self, square: Square, without: Side) -> Vec<bool> {
        let mut near = vec![false; self.cells.len()];
        let k = usize::from(self.game.k());
        for &segment in &self.through[usize::from(square)] {
            if self.counts[without as usize][segment as usize] == 0 {
                let start = segment as usize * k;
                self.segments[start..start + k].iter().for_each(|&s| near[usize::from(s)] = true);
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
#[derive(Clone, Debug)]
pub(crate) struct Zones(Vec<u8>);

impl Zones {
    pub(crate) fn none(area: usize, r: u8) -> Zones {
        Zones(vec![r + 1; area])
    }

    /// Puts the square into Zi and all zones after it.
    pub(crate) fn add(&mut self, i: u8, square: Square) {
        let first = &mut self.0[usize::from(square)];
        *first = (*first).min(i);
    }

    /// Whether Zi has the square; for i > r it is the whole board.
    pub(crate) fn has(&self, i: u8, square: Square) -> bool {
        self.0[usize::from(square)] <= i
    }

    pub(crate) fn unite(&mut self, other: &Zones) {
        zip(&mut self.0, &other.0).for_each(|(a, &b)| *a = (*a).min(b));
    }

    pub(crate) fn shift(&mut self, u: u8) {
        self.0.iter_mut().for_each(|first| *first = first.saturating_sub(u).max(1));
    }
}
