//! The same knowledge as [`Board`](crate::Board) in another form: a counter for
//! every segment and side, and the active segments in sets by their count.
//!
//! It is a second implementation that shares only the list of lines with the first,
//! for property tests to compare.

use crate::{Geometry, LineId};
use lambda6_rules::{Game, Side, Square};

/// Stones on a board, with a counter a segment.
#[derive(Clone, Debug)]
pub struct SegmentBoard {
    game: Game,
    squares: Vec<Option<Side>>,
    /// The squares of each segment.
    segments: Vec<Segment>,
    /// The segments each square lies on.
    through: Vec<Vec<u32>>,
    counts: [Vec<u8>; 2],
    /// For each side and number of stones, the active segments: a bit each.
    active: [Vec<Vec<u64>>; 2],
}

#[derive(Clone, Debug)]
struct Segment {
    line: LineId,
    start: u8,
    squares: Vec<Square>,
}

impl SegmentBoard {
    /// An empty board.
    pub fn new(geometry: &Geometry) -> SegmentBoard {
        let game = geometry.game();
        let mut segments = Vec::new();
        let mut through = vec![Vec::new(); game.area()];
        for line in geometry.lines() {
            for start in 0..=geometry.line_len(line) - game.k() {
                let squares: Vec<_> = (start..start + game.k())
                    .map(|position| geometry.square(line, position.into()))
                    .collect();
                for square in &squares {
                    through[square.index()].push(segments.len() as u32);
                }
                segments.push(Segment { line, start, squares });
            }
        }
        let words = segments.len().div_ceil(64);
        let mut by_count = vec![vec![0; words]; usize::from(game.k()) + 1];
        for index in 0..segments.len() {
            by_count[0][index / 64] |= 1 << (index % 64);
        }
        SegmentBoard {
            game,
            squares: vec![None; game.area()],
            counts: [vec![0; segments.len()], vec![0; segments.len()]],
            active: [by_count.clone(), by_count],
            segments,
            through,
        }
    }

    /// Places a stone on an empty square.
    pub fn place(&mut self, side: Side, square: Square) {
        self.squares[square.index()] = Some(side);
        let SegmentBoard { through, counts, active, .. } = self;
        let (own, other) = (side.index(), side.other().index());
        for &segment in &through[square.index()] {
            let index = segment as usize;
            let (mine, theirs) = (usize::from(counts[own][index]), usize::from(counts[other][index]));
            counts[own][index] += 1;
            let (word, bit) = (index / 64, 1u64 << (index % 64));
            if theirs == 0 {
                active[own][mine][word] &= !bit;
                active[own][mine + 1][word] |= bit;
            }
            if mine == 0 {
                active[other][theirs][word] &= !bit;
            }
        }
    }

    /// Removes a stone.
    pub fn remove(&mut self, side: Side, square: Square) {
        self.squares[square.index()] = None;
        let SegmentBoard { through, counts, active, .. } = self;
        let (own, other) = (side.index(), side.other().index());
        for &segment in &through[square.index()] {
            let index = segment as usize;
            counts[own][index] -= 1;
            let (mine, theirs) = (usize::from(counts[own][index]), usize::from(counts[other][index]));
            let (word, bit) = (index / 64, 1u64 << (index % 64));
            if theirs == 0 {
                active[own][mine + 1][word] &= !bit;
                active[own][mine][word] |= bit;
            }
            if mine == 0 {
                active[other][theirs][word] |= bit;
            }
        }
    }

    /// The active segments of `side` with `count` of its stones: the line, where
    /// on it they begin, and their empty squares.
    pub fn active(&self, side: Side, count: u8) -> impl Iterator<Item = (LineId, u8, Vec<Square>)> + '_ {
        let set = &self.active[side.index()][usize::from(count)];
        (0..self.segments.len()).filter(|index| set[index / 64] >> (index % 64) & 1 != 0).map(|index| {
            let segment = &self.segments[index];
            let empty = segment.squares.iter().copied().filter(|s| self.squares[s.index()].is_none());
            (segment.line, segment.start, empty.collect())
        })
    }

    /// The empty squares of every threat of `side`.
    pub fn threats(&self, side: Side) -> Vec<Vec<Square>> {
        let least = self.game.k().saturating_sub(self.game.p());
        (least..=self.game.k())
            .flat_map(|count| self.active(side, count))
            .map(|(_, _, empty)| empty)
            .collect()
    }
}
