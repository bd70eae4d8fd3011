//! The transposition table: what is known of positions, in bounded memory.

use lambda6_rules::{MAX_P, Move, Square};

/// What a search knows of a position with the attacker to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The attacker wins with this move.
    Win(Move),
    /// No win with this many more moves of the attacker.
    Fail {
        /// Moves of the attacker searched.
        depth: u8,
        /// Whether the depth cut anything off; if not, a deeper search finds
        /// nothing either.
        cut: bool,
    },
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    squares: [u16; MAX_P],
    len: u8,
    depth: u8,
    kind: Kind,
    generation: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Empty,
    Win,
    Cut,
    Exhausted,
}

const EMPTY: Entry =
    Entry { key: 0, squares: [0; MAX_P], len: 0, depth: 0, kind: Kind::Empty, generation: 0 };

/// Entries a position can be in.
const WAYS: usize = 4;

/// A table of a fixed number of entries. A new entry takes the place of the one
/// in its bucket that is worth least: an old one, then a shallow failure.
///
/// A failure is good for the search that found it: the same attacker, class of
/// moves and way to defend. A caller that changes those calls [`Table::clear`], or
/// salts the keys.
#[derive(Clone, Debug)]
pub struct Table {
    entries: Vec<Entry>,
    mask: usize,
    generation: u8,
}

impl Table {
    /// A table that takes at most this many bytes (and at least a few hundred).
    pub fn with_bytes(bytes: usize) -> Table {
        let buckets = (bytes / size_of::<Entry>() / WAYS).max(2);
        let buckets = if buckets.is_power_of_two() { buckets } else { buckets.next_power_of_two() / 2 };
        Table { entries: vec![EMPTY; buckets * WAYS], mask: buckets - 1, generation: 0 }
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// Begins a new search: what earlier ones left may be overwritten first.
    pub fn new_search(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        // The high bits: keys that differ by a xor of few squares spread well
        // either way, but the low ones are compared in full.
        ((key >> 20) as usize & self.mask) * WAYS
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Known> {
        let start = self.bucket(key);
        let entry =
            self.entries[start..start + WAYS].iter().find(|e| e.kind != Kind::Empty && e.key == key)?;
        Some(match entry.kind {
            Kind::Win => {
                let mut mv = Move::NULL;
                for &square in &entry.squares[..usize::from(entry.len)] {
                    mv.push(Square::new(square.into()));
                }
                Known::Win(mv)
            }
            _ => Known::Fail { depth: entry.depth, cut: entry.kind == Kind::Cut },
        })
    }

    /// Notes what is known. A win is never replaced by a failure of the same
    /// position.
    pub fn set(&mut self, key: u64, known: Known) {
        let start = self.bucket(key);
        let generation = self.generation;
        let bucket = &mut self.entries[start..start + WAYS];
        let worth = |entry: &Entry| {
            if entry.kind != Kind::Empty && entry.key == key {
                return (0, 0);
            }
            match entry.kind {
                Kind::Empty => (1, 0),
                kind => {
                    let old = entry.generation != generation;
                    let kept = if kind == Kind::Win { 40 } else { 0 } + u32::from(entry.depth);
                    (if old { 2 } else { 3 }, kept)
                }
            }
        };
        let Some(slot) = bucket.iter_mut().min_by_key(|entry| worth(entry)) else { return };
        let mut entry = Entry { key, generation, ..EMPTY };
        match known {
            Known::Win(mv) => {
                entry.kind = Kind::Win;
                entry.len = mv.len() as u8;
                for (slot, square) in entry.squares.iter_mut().zip(mv.iter()) {
                    *slot = square.index() as u16;
                }
            }
            Known::Fail { depth, cut } => {
                if slot.key == key && slot.kind == Kind::Win {
                    return;
                }
                entry.kind = if cut { Kind::Cut } else { Kind::Exhausted };
                entry.depth = depth;
            }
        }
        *slot = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_is_found_and_wins_stay() {
        let mut table = Table::with_bytes(1 << 16);
        let mv = Move::pair(Square::new(3), Square::new(200));
        table.set(7, Known::Fail { depth: 3, cut: true });
        assert_eq!(table.get(7), Some(Known::Fail { depth: 3, cut: true }));
        table.set(7, Known::Win(mv));
        table.set(7, Known::Fail { depth: 9, cut: false });
        assert_eq!(table.get(7), Some(Known::Win(mv)));
        assert_eq!(table.get(8), None);
    }

    #[test]
    fn memory_is_bounded() {
        let mut table = Table::with_bytes(1 << 14);
        let bytes = table.bytes();
        assert!(bytes <= 1 << 14);
        for key in 0..100_000u64 {
            table.set(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), Known::Fail { depth: 1, cut: true });
        }
        assert_eq!(table.bytes(), bytes);
    }
}
