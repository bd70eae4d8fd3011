//! Shapes of rows, such as live and dead threes.
//!
//! A *connection* is a longest stretch of a line that holds stones of one side
//! and none of the other. Its *shape* is the pattern of its stones; with its
//! length `n` and the pattern read as a number `c`, the shape has the index
//! 2^n - 2^k + c in a table of all shapes that is filled once a game.
//!
//! The table describes one connection. Threats of several lines can share a
//! square, so proofs use [`defence`](crate::defence), not this.

use crate::{Board, LineId, geometry::low_bits, lineset::Bits};
use lambda6_rules::{Game, Side};

/// The longest connections that are tabulated: 2^20 entries of two bytes.
/// Longer ones, on larger boards, are worked out when they are asked for.
const TABLE_LEN: u8 = 19;

/// The kind of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Shape {
    /// The number of threats on this connection alone: the least number of
    /// stones that meets those on it; 255 when it holds a whole row.
    pub threats: u8,
    /// The most stones in one segment. With [`live`](Shape::live): a live-n or
    /// dead-n.
    pub stones: u8,
    /// *Live*: filled up to `k - p` stones in the best way it has two threats
    /// or more. *Dead*: it has one at most.
    pub live: bool,
}

impl Shape {
    /// Whether there are `k` in a row.
    pub fn is_connected(self) -> bool {
        self.threats == u8::MAX
    }

    /// The name, such as `live-3`; `empty`; `connected`.
    pub fn name(self) -> String {
        match self {
            shape if shape.is_connected() => "connected".to_string(),
            Shape { stones: 0, .. } => "empty".to_string(),
            Shape { stones, live: true, .. } => format!("live-{stones}"),
            Shape { stones, .. } => format!("dead-{stones}"),
        }
    }
}

/// A stretch of a line with stones of one side and none of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The line.
    pub line: LineId,
    /// The position on the line at which it begins.
    pub start: u8,
    /// Its length.
    pub len: u8,
    /// Its stones: bit 0 is the first position.
    pub code: u64,
}

/// The table of shapes of one game.
#[derive(Clone, Debug)]
pub struct Shapes {
    k: u8,
    p: u8,
    table: Vec<Shape>,
    table_len: u8,
}

impl Shapes {
    /// Fills the table for connections up to the length of this game's lines
    /// (at most 19 squares).
    pub fn new(game: Game) -> Shapes {
        let longest = game.cols().max(game.rows()).min(TABLE_LEN);
        let mut shapes = Shapes { k: game.k(), p: game.p(), table: Vec::new(), table_len: longest };
        for len in game.k()..=longest {
            for code in 0..1u64 << len {
                debug_assert_eq!(shapes.table.len(), shapes.index(len, code));
                shapes.table.push(Shape::default());
            }
            shapes.fill(len);
        }
        shapes
    }

    /// The index of a shape: 2^n - 2^k + c.
    pub fn index(&self, len: u8, code: u64) -> usize {
        ((1u64 << len) - (1u64 << self.k) + code) as usize
    }

    /// The shape of a connection: a look-up, unless it is longer than the table
    /// goes.
    pub fn shape(&self, connection: &Connection) -> Shape {
        if connection.len <= self.table_len {
            self.table[self.index(connection.len, connection.code)]
        } else {
            self.work_out(connection.len, connection.code)
        }
    }

    /// Fills in all shapes of one length. Each round adds a stone: `reach` has the most
    /// threats that the stones added so far can make.
    fn fill(&mut self, len: u8) {
        let base = self.index(len, 0);
        let codes = 1usize << len;
        for code in 0..codes {
            self.table[base + code] = self.without_life(len, code as u64);
        }
        let mut reach: Vec<u8> = self.table[base..].iter().map(|shape| shape.threats).collect();
        for added in 0..=self.k - self.p.min(self.k) {
            if added > 0 {
                // In place, from the fullest pattern down, would let one stone
                // count twice; a pattern's successors have larger codes, so
                // going up reads only what the last round left.
                for code in 0..codes {
                    let more = Bits(!(code as u64) & low_bits(len)).map(|bit| reach[code | 1 << bit]);
                    // A whole row does not make a shape live.
                    reach[code] = more.filter(|&threats| threats != u8::MAX).fold(reach[code], u8::max);
                }
            }
            for (shape, &threats) in self.table[base..].iter_mut().zip(&reach) {
                if shape.stones > 0 && added == (self.k - self.p.min(self.k)).saturating_sub(shape.stones) {
                    shape.live = threats >= 2;
                }
            }
        }
    }

    /// Threats and stones of a pattern, by sliding a window over it. The empty
    /// squares of a window are neighbours in the row of all empty squares, so
    /// that windows are intervals there and the greedy choice, the rightmost
    /// square of a threat not yet met, is exact for one line.
    fn without_life(&self, len: u8, code: u64) -> Shape {
        let mut shape = Shape::default();
        let mut last_met = 0;
        for start in 0..=len - self.k {
            let window = low_bits(self.k) << start;
            let stones = (code & window).count_ones() as u8;
            shape.stones = shape.stones.max(stones);
            if stones == self.k {
                return Shape { threats: u8::MAX, stones, live: true };
            }
            let empty = window & !code;
            if self.k - stones <= self.p && empty & last_met == 0 {
                shape.threats += 1;
                last_met = 1 << (63 - empty.leading_zeros());
            }
        }
        shape
    }

    /// A shape that is too long for the table: live when a stretch of it that
    /// the table could hold is.
    fn work_out(&self, len: u8, code: u64) -> Shape {
        let mut shape = self.without_life(len, code);
        if self.table_len >= self.k {
            for start in 0..=len - self.table_len {
                let part = code >> start & low_bits(self.table_len);
                let part = self.table[self.index(self.table_len, part)];
                shape.live |= part.live && part.stones == shape.stones;
            }
        }
        shape
    }
}

impl Board {
    /// The connections of `side` on a line: the stretches between the other
    /// side's stones that have room for a row and a stone in them.
    pub fn connections(&self, side: Side, line: LineId) -> impl Iterator<Item = Connection> + use<> {
        let len = self.geometry().line_len(line);
        let own = self.stones_on(side, line);
        let mut free = low_bits(len) & !self.stones_on(side.other(), line);
        let k = self.game().k();
        std::iter::from_fn(move || {
            while free != 0 {
                let start = free.trailing_zeros() as u8;
                let len = (free >> start).trailing_ones() as u8;
                free &= !(low_bits(len) << start);
                let code = own >> start & low_bits(len);
                if len >= k && code != 0 {
                    return Some(Connection { line, start, len, code });
                }
            }
            None
        })
    }
}
