//! The transposition table: what the tree search knows of positions. Threads
//! share it without locks.

use rules::{Move, Square};
use std::sync::atomic::{AtomicU64, Ordering};

/// How a score is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// At most.
    Upper = 0,
    /// At least.
    Lower = 1,
    /// Exactly.
    Exact = 2,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The score for the side to move, with wins counted from this position.
    pub score: i32,
    /// How deep it was searched.
    pub depth: u8,
    /// How the score is meant.
    pub bound: Bound,
    /// The best move, where it has one or two stones.
    pub mv: Move,
}

/// An entry is two words: the data, and the key xored with it. A torn write of
/// two threads leaves words that do not match, and is not believed.
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

/// The table.
pub struct Table {
    entries: Box<[Entry]>,
    mask: usize,
}

const NO_SQUARE: u64 = 0xfff;
/// Scores are kept in 22 bits.
const SCORE_OFFSET: i32 = 1 << 21;

impl Table {
    /// A table that takes at most this many bytes (and at least a few thousand).
    pub fn with_bytes(bytes: usize) -> Table {
        let entries = (bytes / size_of::<Entry>()).max(256);
        let entries = if entries.is_power_of_two() { entries } else { entries.next_power_of_two() / 2 };
        let empty = || Entry { check: AtomicU64::new(0), data: AtomicU64::new(0) };
        Table { entries: (0..entries).map(|_| empty()).collect(), mask: entries - 1 }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for entry in &self.entries {
            entry.check.store(0, Ordering::Relaxed);
            entry.data.store(0, Ordering::Relaxed);
        }
    }

    fn entry(&self, key: u64) -> &Entry {
        &self.entries[(key >> 16) as usize & self.mask]
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Option<Known> {
        let entry = self.entry(key);
        let data = entry.data.load(Ordering::Relaxed);
        if data == 0 || entry.check.load(Ordering::Relaxed) ^ data != key {
            return None;
        }
        let mut mv = Move::NULL;
        for shift in [0, 12] {
            let square = data >> shift & NO_SQUARE;
            if square != NO_SQUARE {
                mv.push(Square::new(square as usize));
            }
        }
        let bound = match data >> 54 & 3 {
            0 => Bound::Upper,
            1 => Bound::Lower,
            _ => Bound::Exact,
        };
        let score = (data >> 24 & ((1 << 22) - 1)) as i32 - SCORE_OFFSET;
        Some(Known { score, depth: (data >> 46 & 0xff) as u8, bound, mv })
    }

    /// Notes what is known. A deeper entry of another position stays unless the
    /// new one is nearly as deep.
    pub fn set(&self, key: u64, known: &Known) {
        let entry = self.entry(key);
        let old = entry.data.load(Ordering::Relaxed);
        let same = entry.check.load(Ordering::Relaxed) ^ old == key;
        if old != 0 && !same && (old >> 46 & 0xff) as u8 > known.depth.saturating_add(2) && key & 3 != 0 {
            return;
        }
        let mut squares = [NO_SQUARE; 2];
        // The last square of the largest board is `NO_SQUARE` itself; a move
        // there is not kept, nor is one of three stones or more.
        if known.mv.len() <= 2 {
            for (slot, square) in squares.iter_mut().zip(known.mv.iter()) {
                *slot = square.index() as u64;
            }
        }
        let data = squares[0]
            | squares[1] << 12
            | ((known.score + SCORE_OFFSET) as u64 & ((1 << 22) - 1)) << 24
            | u64::from(known.depth) << 46
            | (known.bound as u64) << 54
            | 1 << 63;
        entry.data.store(data, Ordering::Relaxed);
        entry.check.store(key ^ data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_is_found() {
        let table = Table::with_bytes(1 << 14);
        for (n, mv) in
            [Move::NULL, Move::single(Square::new(7)), Move::pair(Square::new(0), Square::new(360))]
                .into_iter()
                .enumerate()
        {
            for score in [-1_000_000, -1, 0, 12_345, 1_000_000] {
                let known = Known { score, depth: 12, bound: Bound::Lower, mv };
                let key = 0x1234_5678_9abc_def0 + n as u64;
                table.set(key, &known);
                assert_eq!(table.get(key), Some(known));
            }
        }
        assert_eq!(table.get(1), None);
        table.clear();
        assert_eq!(table.get(0x1234_5678_9abc_def0), None);
    }
}
