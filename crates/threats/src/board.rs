//! The board: line bit masks, kept up to date stone by stone.

use crate::{
    Geometry, LineId, LineSet,
    geometry::{Place, low_bits},
    lineset::Bits,
};
use lambda6_rules::{Game, Position, Side, Square, stone_key, to_move_key};
use std::sync::Arc;

mod level;
mod naive;

pub use level::Level;

/// Bit planes enough to count to k = 64.
const PLANES: usize = 7;

/// One line. A *window* is a segment of it, named by the position at which it
/// begins; a mask of windows has a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Line {
    /// The stones of each side, a bit a position.
    stones: [u64; 2],
    /// The windows there are.
    windows: u64,
    /// A bit for each side and [`Level`]: whether the line has such a window.
    flags: u64,
    /// The number of stones of each side in each window, in binary: plane 0 has
    /// the ones. Window counts change together when a stone comes, so adding
    /// one to all of them is one carry chain over whole masks.
    planes: [[u64; 2]; PLANES],
}

/// Stones on a board, with the active segments of both sides by the number of
/// stones on them.
///
/// Placing a stone changes the four lines through its square only. There is no side
/// to move: searches place the stones they want to try.
///
/// ```
/// use lambda6_rules::{Game, Side};
/// use lambda6_threats::{Board, ThreatCount, defence};
///
/// let mut board = Board::new(Game::CONNECT6);
/// for name in ["g10", "h10", "i10", "j10"] {
///     board.place(Side::Black, board.game().parse_square(name)?);
/// }
/// // Four in an open row: White needs two stones.
/// assert_eq!(defence::count(&board, Side::Black), ThreatCount::Exactly(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    geometry: Arc<Geometry>,
    lines: Box<[Line]>,
    /// 0 for an empty square, else 1 + the side's index.
    squares: Box<[u8]>,
    /// The lines with a window of each side and level.
    hot: Hot,
    key: u64,
    empty: u16,
    /// The games that the update is specialised for.
    kernel: Kernel,
}

/// For each side and [`Level`], the lines that have such a window; in the order
/// of the bits of [`Line::flags`].
type Hot = [LineSet; 2 * LEVELS];

/// How many levels there are.
const LEVELS: usize = 3;

/// The games whose update is compiled for their numbers; the others look their
/// thresholds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    Connect6,
    Any {
        planes: u8,
        least: [u8; LEVELS],
    },
    /// Lines are recounted after every stone: see `naive.rs`.
    Naive {
        planes: u8,
        least: [u8; LEVELS],
    },
}

impl Board {
    /// An empty board.
    pub fn new(game: Game) -> Board {
        Board::with_geometry(Arc::new(Geometry::new(game)))
    }

    /// An empty board on lines that other boards may share.
    pub fn with_geometry(geometry: Arc<Geometry>) -> Board {
        let game = geometry.game();
        let (k, p) = (game.k(), game.p());
        let mut lines = vec![Line::default(); geometry.lines().len() + 1].into_boxed_slice();
        for line in geometry.lines() {
            lines[line.index()].windows = geometry.segments(line);
        }
        let kernel = match (k, p) {
            (6, 2) => Kernel::Connect6,
            _ => Kernel::Any {
                planes: 8 - k.leading_zeros() as u8,
                least: [p, p + 1, 2 * p].map(|need| k.saturating_sub(need)),
            },
        };
        let mut board = Board {
            lines,
            squares: vec![0; game.area()].into_boxed_slice(),
            hot: Default::default(),
            key: 0,
            empty: game.area() as u16,
            kernel,
            geometry,
        };
        board.flag_empty_lines();
        board
    }

    /// The stones of a position.
    pub fn from_position(position: &Position) -> Board {
        let mut board = Board::new(position.game());
        for side in Side::ALL {
            for square in position.stones(side) {
                board.place(side, square);
            }
        }
        board
    }

    /// With `k <= 2p` even an empty segment is within a move or two of a row, so
    /// lines can be hot before there is a stone.
    fn flag_empty_lines(&mut self) {
        if let Kernel::Any { least, .. } = self.kernel {
            for line in self.geometry.lines() {
                for side in Side::ALL {
                    for (level, &least) in least.iter().enumerate() {
                        if least == 0 {
                            self.hot[slot(side, level)].toggle(line);
                            self.lines[line.index()].flags |= flag(side, level);
                        }
                    }
                }
            }
        }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.geometry.game()
    }

    /// The lines of the board.
    pub fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    /// Whose stone stands on the square, if any.
    #[inline]
    pub fn at(&self, square: Square) -> Option<Side> {
        match self.squares[square.index()] {
            0 => None,
            1 => Some(Side::Black),
            _ => Some(Side::White),
        }
    }

    /// Whether the square is empty.
    #[inline]
    pub fn is_empty(&self, square: Square) -> bool {
        self.squares[square.index()] == 0
    }

    /// The number of empty squares.
    #[inline]
    pub fn empty_count(&self) -> usize {
        self.empty.into()
    }

    /// The Zobrist key of the stones with this side to move: the key that a
    /// [`Position`] with the same stones has.
    #[inline]
    pub fn key(&self, to_move: Side) -> u64 {
        self.key ^ to_move_key(to_move)
    }

    /// Places a stone on an empty square.
    #[inline]
    pub fn place(&mut self, side: Side, square: Square) {
        debug_assert!(self.is_empty(square), "a stone on a stone");
        self.squares[square.index()] = 1 + side.index() as u8;
        self.key ^= stone_key(side, square);
        self.empty -= 1;
        self.update::<true>(side, square);
    }

    /// Removes a stone.
    #[inline]
    pub fn remove(&mut self, side: Side, square: Square) {
        debug_assert_eq!(self.at(square), Some(side), "no such stone");
        self.squares[square.index()] = 0;
        self.key ^= stone_key(side, square);
        self.empty += 1;
        self.update::<false>(side, square);
    }

    #[inline]
    fn update<const ADD: bool>(&mut self, side: Side, square: Square) {
        let Board { geometry, lines, hot, kernel, .. } = self;
        let places = geometry.places(square);
        match *kernel {
            // Of 0 to 6 stones in three bits, four or more have the highest set,
            // two or more one of the higher two, and three lies between.
            Kernel::Connect6 => update_lines::<ADD, 3>(lines, hot, side, places, |p| {
                [p[2], p[2] | (p[1] & p[0]), p[2] | p[1]]
            }),
            Kernel::Any { planes: 0..=3, least } => {
                update_lines::<ADD, 3>(lines, hot, side, places, |p| least.map(|least| at_least(p, least)))
            }
            Kernel::Any { least, .. } => update_lines::<ADD, PLANES>(lines, hot, side, places, |p| {
                least.map(|least| at_least(p, least))
            }),
            Kernel::Naive { least, .. } => self.rescan(least),
        }
    }

    /// The lines on which `side` has an active window of this level.
    #[inline]
    pub fn hot_lines(&self, side: Side, level: Level) -> &LineSet {
        &self.hot[slot(side, level as usize)]
    }

    /// Whether `side` has a threat.
    #[inline]
    pub fn has_threat(&self, side: Side) -> bool {
        !self.hot_lines(side, Level::Threat).is_empty()
    }

    /// The active windows of `side` on a line, whatever they need.
    #[inline]
    pub fn active(&self, side: Side, line: LineId) -> u64 {
        let line = &self.lines[line.index()];
        let other = side.other().index();
        line.windows & !line.planes.iter().fold(0, |all, plane| all | plane[other])
    }

    /// The active windows of `side` on a line that have exactly `count` of its
    /// stones.
    #[inline]
    pub fn windows_with(&self, side: Side, line: LineId, count: u8) -> u64 {
        let planes = &self.lines[line.index()].planes;
        let mut mask = self.active(side, line);
        for (bit, plane) in planes.iter().enumerate() {
            let plane = plane[side.index()];
            mask &= if count >> bit & 1 != 0 { plane } else { !plane };
        }
        mask
    }

    /// The active windows of `side` on a line that need at most `need` stones.
    #[inline]
    pub fn windows_needing(&self, side: Side, line: LineId, need: u8) -> u64 {
        if self.fits3() {
            let [ones, twos, fours, ..] = &self.lines[line.index()].planes;
            let planes = [ones, twos, fours].map(|plane| plane[side.index()]);
            return at_least(&planes, self.game().k().saturating_sub(need)) & self.active3(side, line);
        }
        let planes = self.lines[line.index()].planes.map(|plane| plane[side.index()]);
        at_least(&planes, self.game().k().saturating_sub(need)) & self.active(side, line)
    }

    /// The windows that are a threat of `side` on a line.
    #[inline]
    pub(crate) fn threat_windows(&self, side: Side, line: LineId) -> u64 {
        if self.kernel == Kernel::Connect6 {
            return self.lines[line.index()].planes[2][side.index()] & self.active3(side, line);
        }
        self.windows_needing(side, line, self.game().p())
    }

    /// As [`Board::windows_with`], for boards whose counts fit three planes.
    #[inline]
    pub(crate) fn windows_with3(&self, side: Side, line: LineId, count: u8) -> u64 {
        let planes = &self.lines[line.index()].planes;
        let side_index = side.index();
        let bit = |i: usize| if count >> i & 1 != 0 { planes[i][side_index] } else { !planes[i][side_index] };
        self.active3(side, line) & bit(0) & bit(1) & bit(2)
    }

    #[inline]
    fn active3(&self, side: Side, line: LineId) -> u64 {
        let line = &self.lines[line.index()];
        let other = side.other().index();
        line.windows & !(line.planes[0][other] | line.planes[1][other] | line.planes[2][other])
    }

    /// Whether counts fit three planes.
    #[inline]
    pub(crate) fn fits3(&self) -> bool {
        matches!(
            self.kernel,
            Kernel::Connect6 | Kernel::Any { planes: 0..=3, .. } | Kernel::Naive { planes: 0..=3, .. }
        )
    }

    /// The number of active windows of `side` that contain a square and have
    /// exactly `count` stones.
    #[inline]
    pub fn windows_through(&self, side: Side, square: Square, count: u8) -> u32 {
        let fits3 = self.fits3();
        let windows = |place: &Place| {
            let windows = if fits3 {
                self.windows_with3(side, place.line, count)
            } else {
                self.windows_with(side, place.line, count)
            };
            (windows & place.segments).count_ones()
        };
        self.geometry.places(square).iter().map(windows).sum()
    }

    /// The stones of `side` on a line, a bit a position.
    #[inline]
    pub fn stones_on(&self, side: Side, line: LineId) -> u64 {
        self.lines[line.index()].stones[side.index()]
    }

    /// The empty positions of a line, a bit each.
    #[inline]
    pub fn empty_on(&self, line: LineId) -> u64 {
        let stones = self.lines[line.index()].stones;
        low_bits(self.geometry.line_len(line)) & !(stones[0] | stones[1])
    }

    /// The number of active segments of `side` over the whole board that have
    /// `count` of its stones.
    pub fn segments_with(&self, side: Side, count: u8) -> u32 {
        self.geometry.lines().map(|line| self.windows_with(side, line, count).count_ones()).sum()
    }

    /// Whether `side` has `k` in a row.
    pub fn has_row(&self, side: Side) -> bool {
        self.hot_lines(side, Level::Threat)
            .iter()
            .any(|line| self.windows_with(side, line, self.game().k()) != 0)
    }

    /// Whether `side` has `k` in a row through this square: a run of stones
    /// shifted over itself, so that a bit is left where a whole row begins.
    #[inline]
    pub fn has_row_through(&self, side: Side, square: Square) -> bool {
        self.geometry.places(square).iter().any(|place| {
            let stones = self.lines[place.line.index()].stones[side.index()];
            let mut rows = place.segments;
            for i in 0..self.game().k() {
                rows &= stones >> i;
            }
            rows != 0
        })
    }

    /// Recomputes what [`Board::place`] and [`Board::remove`] keep up to date
    /// and says whether it is the same: for tests and fuzzing.
    pub fn is_consistent(&self) -> bool {
        let mut fresh = Board::with_geometry(Arc::clone(&self.geometry));
        for square in self.game().squares() {
            if let Some(side) = self.at(square) {
                fresh.place(side, square);
            }
        }
        let useful = self.geometry.lines().len();
        fresh.lines[..useful] == self.lines[..useful]
            && fresh.squares == self.squares
            && fresh.hot == self.hot
            && fresh.key == self.key
            && fresh.empty == self.empty
    }
}

/// Brings the four lines through a square up to date, when a stone of `side`
/// came (`ADD`) or went. `N` planes hold the counts; `levels` finds the windows
/// of each level in them.
#[inline(always)]
fn update_lines<const ADD: bool, const N: usize>(
    lines: &mut [Line],
    hot: &mut Hot,
    side: Side,
    places: &[Place; 4],
    levels: impl Fn(&[u64; N]) -> [u64; LEVELS],
) {
    let (own, other) = (side.index(), side.other().index());
    for place in places {
        let line = &mut lines[place.line.index()];
        line.stones[own] ^= 1 << place.position;
        let mut carry = place.segments;
        for plane in &mut line.planes[..N] {
            let before = plane[own];
            plane[own] = before ^ carry;
            carry &= if ADD { before } else { !before };
        }
        let own_planes: [u64; N] = std::array::from_fn(|i| line.planes[i][own]);
        let other_planes: [u64; N] = std::array::from_fn(|i| line.planes[i][other]);
        let any = |planes: &[u64; N]| planes.iter().fold(0, |all, plane| all | plane);
        let own_active = line.windows & !any(&other_planes);
        let other_active = line.windows & !any(&own_planes);
        let (of_own, of_other) = (levels(&own_planes), levels(&other_planes));
        let mut flags = 0;
        for level in 0..LEVELS {
            flags |= u64::from(of_own[level] & own_active != 0) * flag(side, level);
            flags |= u64::from(of_other[level] & other_active != 0) * flag(side.other(), level);
        }
        // Most stones do not change the levels of a line.
        let changed = flags ^ line.flags;
        if changed != 0 {
            line.flags = flags;
            for bit in Bits(changed) {
                hot[bit as usize].toggle(place.line);
            }
        }
    }
}

/// The place of a side and a level in [`Hot`].
#[inline(always)]
const fn slot(side: Side, level: usize) -> usize {
    side.index() * LEVELS + level
}

/// The bit of [`Line::flags`] for a side and a level.
#[inline(always)]
const fn flag(side: Side, level: usize) -> u64 {
    1 << slot(side, level)
}

/// The windows whose count in `planes` is at least `least`: a comparison with a
/// constant, from the lowest bit up.
#[inline(always)]
fn at_least<const N: usize>(planes: &[u64; N], least: u8) -> u64 {
    let mut mask = u64::MAX;
    for (bit, plane) in planes.iter().enumerate() {
        mask = if least >> bit & 1 != 0 { mask & plane } else { mask | plane };
    }
    mask
}
