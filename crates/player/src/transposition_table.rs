//! The transposition table of the tree search. Threads share it without locks.

use lambda6_rules::{Move, Square};
use std::sync::atomic::{AtomicU64, Ordering};

/// How a stored score bounds the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// An upper bound.
    Upper = 0,
    /// A lower bound.
    Lower = 1,
    /// The score itself.
    Exact = 2,
}

/// What is stored of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The score for the side to move, with wins counted from this position.
    pub score: i32,
    /// The depth of the search.
    pub depth: u8,
    /// How the score bounds the true one.
    pub bound: Bound,
    /// The best move, if it has one or two stones.
    pub mv: Move,
}

/// A slot is two words: the data, and the key xored with it. A torn write of two
/// threads leaves words that do not match and are not used.
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The table.
pub struct TranspositionTable {
    slots: Box<[Slot]>,
    mask: usize,
}

const NO_SQUARE: u64 = 0xfff;
/// Scores are stored in 22 bits.
const SCORE_OFFSET: i32 = 1 << 21;

impl TranspositionTable {
    /// A table of at most this many bytes, but at least 256 slots.
    pub fn with_bytes(bytes: usize) -> TranspositionTable {
        let slots = (bytes / size_of::<Slot>()).max(256);
        let slots = if slots.is_power_of_two() { slots } else { slots.next_power_of_two() / 2 };
        let empty = || Slot { check: AtomicU64::new(0), data: AtomicU64::new(0) };
        TranspositionTable { slots: (0..slots).map(|_| empty()).collect(), mask: slots - 1 }
    }

    /// Removes all entries.
    pub fn clear(&self) {
        for slot in &self.slots {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
    }

    fn slot(&self, key: u64) -> &Slot {
        &self.slots[(key >> 16) as usize & self.mask]
    }

    /// The entry of a position.
    pub fn get(&self, key: u64) -> Option<TableEntry> {
        let slot = self.slot(key);
        let data = slot.data.load(Ordering::Relaxed);
        if data == 0 || slot.check.load(Ordering::Relaxed) ^ data != key {
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
        Some(TableEntry { score, depth: (data >> 46 & 0xff) as u8, bound, mv })
    }

    /// Stores an entry. A deeper entry of another position stays unless the new
    /// one is nearly as deep.
    pub fn set(&self, key: u64, entry: &TableEntry) {
        let slot = self.slot(key);
        let old = slot.data.load(Ordering::Relaxed);
        let same = slot.check.load(Ordering::Relaxed) ^ old == key;
        if old != 0 && !same && (old >> 46 & 0xff) as u8 > entry.depth.saturating_add(2) && key & 3 != 0 {
            return;
        }
        let mut squares = [NO_SQUARE; 2];
        // The last square of the largest board is `NO_SQUARE` itself; a stone
        // there is not stored, nor is a move of three stones or more.
        if entry.mv.len() <= 2 {
            for (stored, square) in squares.iter_mut().zip(entry.mv.iter()) {
                *stored = square.index() as u64;
            }
        }
        let data = squares[0]
            | squares[1] << 12
            | ((entry.score + SCORE_OFFSET) as u64 & ((1 << 22) - 1)) << 24
            | u64::from(entry.depth) << 46
            | (entry.bound as u64) << 54
            | 1 << 63;
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key ^ data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_were_set_are_found() {
        let table = TranspositionTable::with_bytes(1 << 14);
        for (n, mv) in
            [Move::NULL, Move::single(Square::new(7)), Move::pair(Square::new(0), Square::new(360))]
                .into_iter()
                .enumerate()
        {
            for score in [-1_000_000, -1, 0, 12_345, 1_000_000] {
                let entry = TableEntry { score, depth: 12, bound: Bound::Lower, mv };
                let key = 0x1234_5678_9abc_def0 + n as u64;
                table.set(key, &entry);
                assert_eq!(table.get(key), Some(entry));
            }
        }
        assert_eq!(table.get(1), None);
        table.clear();
        assert_eq!(table.get(0x1234_5678_9abc_def0), None);
    }
}
