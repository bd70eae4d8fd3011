//! The lines of a board and the places of its squares on them.

use lambda6_rules::{Game, Square};

/// The four directions, in the order in which lines are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Down a column.
    Vertical,
    /// Down and right ("slash west").
    Falling,
    /// Along a row.
    Horizontal,
    /// Down and left ("slash east").
    Rising,
}

impl Direction {
    /// All four in order.
    pub const ALL: [Direction; 4] =
        [Direction::Vertical, Direction::Falling, Direction::Horizontal, Direction::Rising];

    /// Columns and rows (counted from the top) from one square to the next.
    const fn step(self) -> (i32, i32) {
        match self {
            Direction::Vertical => (0, 1),
            Direction::Falling => (1, 1),
            Direction::Horizontal => (1, 0),
            Direction::Rising => (-1, 1),
        }
    }
}

/// The number of a useful line: one with room for `k` stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineId(u16);

impl LineId {
    pub(crate) const fn new(index: usize) -> LineId {
        LineId(index as u16)
    }

    /// The line's number, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a line lies.
#[derive(Clone, Copy, Debug)]
struct Line {
    direction: Direction,
    start: u16,
    step: u16,
    len: u8,
}

/// The place of a square on one line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The segments of the line that contain the square, a bit for the position
    /// at which each begins.
    pub(crate) segments: u64,
    pub(crate) line: LineId,
    pub(crate) position: u8,
}

/// The lines of a board and the places of the squares on them, which stones do not
/// change.
///
/// Lines are numbered by direction (vertical, falling, horizontal, rising) and
/// then across the board, as in the bitboard paper; its printed formula for the
/// last direction is off by k-1, so lines are enumerated here rather than
/// computed. The positions along a line go up with the squares' numbers.
#[derive(Debug)]
pub struct Geometry {
    game: Game,
    lines: Vec<Line>,
    /// Four places a square. A line too short for `k` stones has no number; the
    /// place then names a spare line behind the last, on no segment.
    places: Vec<[Place; 4]>,
}

impl Geometry {
    /// The lines of this game's board.
    pub fn new(game: Game) -> Geometry {
        let mut lines = Vec::new();
        for direction in Direction::ALL {
            lines.extend(
                line_starts(game, direction).filter_map(|(col, row)| line_from(game, direction, col, row)),
            );
        }
        let spare = Place { segments: 0, line: LineId::new(lines.len()), position: 0 };
        let mut places = vec![[spare; 4]; game.area()];
        for (index, line) in lines.iter().enumerate() {
            let segments = line.segments(game.k());
            for position in 0..line.len {
                let square = usize::from(line.start) + usize::from(position) * usize::from(line.step);
                // The segments that begin up to k-1 before the position.
                let reach = low_bits(game.k()) << position >> (game.k() - 1).min(63);
                let reach = if position + 1 < game.k() { low_bits(position + 1) } else { reach };
                places[square][line.direction as usize] =
                    Place { segments: segments & reach, line: LineId::new(index), position };
            }
        }
        Geometry { game, lines, places }
    }

    /// The game whose board this is.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The useful lines.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = LineId> + use<> {
        (0..self.lines.len()).map(LineId::new)
    }

    /// The direction of a line.
    pub fn direction(&self, line: LineId) -> Direction {
        self.lines[line.index()].direction
    }

    /// The number of squares on a line.
    pub fn line_len(&self, line: LineId) -> u8 {
        self.lines[line.index()].len
    }

    /// The square at a position of a line.
    #[inline]
    pub fn square(&self, line: LineId, position: u32) -> Square {
        let line = &self.lines[line.index()];
        Square::new(usize::from(line.start) + position as usize * usize::from(line.step))
    }

    /// The index of a line's first square and what is added to it from each to the
    /// next: 1 for a row.
    #[inline]
    pub fn start_and_step(&self, line: LineId) -> (usize, usize) {
        let line = &self.lines[line.index()];
        (line.start.into(), line.step.into())
    }

    /// The useful lines through a square, with the square's position on each.
    pub fn lines_through(&self, square: Square) -> impl Iterator<Item = (LineId, u8)> + '_ {
        self.places[square.index()]
            .iter()
            .filter(|place| place.line.index() < self.lines.len())
            .map(|place| (place.line, place.position))
    }

    /// The segments of a line that contain a square, a bit for the position at which each
    /// begins, and the square's own position as a bit; none where it is not on
    /// the line.
    #[inline]
    pub fn segments_with(&self, line: LineId, square: Square) -> (u64, u64) {
        let place = self.places(square)[self.direction(line) as usize];
        if place.line == line { (place.segments, 1 << place.position) } else { (0, 0) }
    }

    #[inline]
    pub(crate) fn places(&self, square: Square) -> &[Place; 4] {
        &self.places[square.index()]
    }

    /// A bit for each position of the line at which a segment begins.
    pub(crate) fn segments(&self, line: LineId) -> u64 {
        self.lines[line.index()].segments(self.game.k())
    }
}

impl Line {
    fn segments(&self, k: u8) -> u64 {
        low_bits(self.len - k + 1)
    }
}

/// The lowest `count` bits, for 0 to 64.
pub(crate) const fn low_bits(count: u8) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The squares (column, row from the top) from which nothing lies before.
fn line_starts(game: Game, direction: Direction) -> impl Iterator<Item = (i32, i32)> {
    let (dx, dy) = direction.step();
    let (cols, rows) = (i32::from(game.cols()), i32::from(game.rows()));
    let is_start =
        move |&(col, row): &(i32, i32)| !(0..cols).contains(&(col - dx)) || !(0..rows).contains(&(row - dy));
    // Falling lines begin on the left edge (from the bottom up) and on the top
    // edge; rising ones on the top edge and then down the right edge.
    let left = (1..rows).rev().map(|row| (0, row));
    let top = (0..cols).map(|col| (col, 0));
    let right = (1..rows).map(move |row| (cols - 1, row));
    left.chain(top).chain(right).filter(is_start)
}

fn line_from(game: Game, direction: Direction, col: i32, row: i32) -> Option<Line> {
    let (dx, dy) = direction.step();
    let (cols, rows) = (i32::from(game.cols()), i32::from(game.rows()));
    let across = match dx {
        0 => i32::MAX,
        1 => cols - col,
        _ => col + 1,
    };
    let down = if dy == 0 { i32::MAX } else { rows - row };
    let len = across.min(down);
    (len >= i32::from(game.k())).then(|| Line {
        direction,
        start: (row * cols + col) as u16,
        step: (dy * cols + dx) as u16,
        len: len as u8,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connect6_has_92_useful_lines_and_924_segments() {
        let geometry = Geometry::new(Game::CONNECT6);
        // 3m + 3n - 4k + 2
        assert_eq!(geometry.lines().len(), 92);
        let segments: u32 = geometry.lines().map(|line| geometry.segments(line).count_ones()).sum();
        assert_eq!(segments, 924);
    }

    #[test]
    fn a_centre_square_lies_on_24_segments() {
        let geometry = Geometry::new(Game::CONNECT6);
        let centre = Game::CONNECT6.parse_square("j10").unwrap();
        let segments: u32 = geometry.places(centre).iter().map(|p| p.segments.count_ones()).sum();
        assert_eq!(segments, 24);
    }

    #[test]
    fn places_and_squares_agree_on_boards_of_all_shapes() {
        for (m, n, k) in
            [(19, 19, 6), (3, 3, 3), (5, 9, 4), (64, 64, 6), (1, 7, 3), (64, 2, 64), (4, 4, 5), (64, 64, 64)]
        {
            let game = Game::new(m, n, k, 1, 1).unwrap();
            let geometry = Geometry::new(game);
            for line in geometry.lines() {
                let mut on_segments = 0;
                for position in 0..geometry.line_len(line) {
                    let square = geometry.square(line, position.into());
                    assert!(geometry.lines_through(square).any(|found| found == (line, position)));
                    let place = geometry.places(square)[geometry.direction(line) as usize];
                    for start in 0..64u8 {
                        let contains = (start..start.saturating_add(k as u8)).contains(&position)
                            && start + k as u8 <= geometry.line_len(line);
                        assert_eq!(place.segments >> start & 1 != 0, contains);
                        on_segments += u32::from(contains);
                    }
                }
                assert_eq!(on_segments, geometry.segments(line).count_ones() * k);
            }
        }
    }
}
