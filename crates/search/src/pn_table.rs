//! Proof and disproof numbers of positions, in bounded memory.

use rules::{MAX_P, Move, Square};

/// A proof number, or a disproof number.
pub(crate) type Number = u32;

/// More than any sum comes to: what cannot be proved, or cannot be disproved.
pub(crate) const INFINITE: Number = u32::MAX / 4;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// How much is left to prove that the attacker wins: 0 when it is proved.
    pub(crate) proof: Number,
    /// How much is left to show that nothing wins: 0 when it is shown.
    pub(crate) disproof: Number,
}

impl Numbers {
    /// Nothing is known.
    pub(crate) const NEW: Numbers = Numbers { proof: 1, disproof: 1 };
    /// The attacker wins.
    pub(crate) const WON: Numbers = Numbers { proof: 0, disproof: INFINITE };
    /// Nothing wins.
    pub(crate) const FAILED: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    pub(crate) fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    squares: [u16; MAX_P],
    len: u8,
    used: bool,
    /// The work that was put in, as a power of two.
    work: u8,
}

const EMPTY: Entry =
    Entry { key: 0, numbers: Numbers::NEW, squares: [0; MAX_P], len: 0, used: false, work: 0 };

/// Entries a position can be in.
const WAYS: usize = 4;

/// A table of a fixed number of entries. A new one takes the place of the one in
/// its bucket that took the least work.
pub(crate) struct PnTable {
    entries: Vec<Entry>,
    mask: usize,
}

impl PnTable {
    /// A table that takes at most this many bytes (and at least a few hundred).
    pub(crate) fn with_bytes(bytes: usize) -> PnTable {
        let buckets = (bytes / size_of::<Entry>() / WAYS).max(2);
        let buckets = if buckets.is_power_of_two() { buckets } else { buckets.next_power_of_two() / 2 };
        PnTable { entries: vec![EMPTY; buckets * WAYS], mask: buckets - 1 }
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        ((key >> 20) as usize & self.mask) * WAYS
    }

    fn find(&self, key: u64) -> Option<&Entry> {
        let start = self.bucket(key);
        self.entries[start..start + WAYS].iter().find(|entry| entry.used && entry.key == key)
    }

    /// What is known of a position.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Numbers {
        self.find(key).map_or(Numbers::NEW, |entry| entry.numbers)
    }

    /// The move with which a position is won.
    pub(crate) fn winning_move(&self, key: u64) -> Option<Move> {
        let entry = self.find(key).filter(|entry| entry.numbers.proof == 0 && entry.len > 0)?;
        let mut mv = Move::NULL;
        for &square in &entry.squares[..usize::from(entry.len)] {
            mv.push(Square::new(square.into()));
        }
        Some(mv)
    }

    /// Notes what is known after so much work, and the move that wins.
    pub(crate) fn set(&mut self, key: u64, numbers: Numbers, work: u64, mv: Option<&Move>) {
        let start = self.bucket(key);
        let bucket = &mut self.entries[start..start + WAYS];
        let worth = |entry: &Entry| match entry {
            Entry { used: false, .. } => (1, 0),
            entry if entry.key == key => (0, 0),
            entry => (2, entry.work),
        };
        let Some(slot) = bucket.iter_mut().min_by_key(|entry| worth(entry)) else { return };
        let work = work.checked_ilog2().unwrap_or(0) as u8;
        let mut entry = Entry { key, numbers, used: true, work, ..EMPTY };
        for (slot, square) in entry.squares.iter_mut().zip(mv.into_iter().flat_map(Move::iter)) {
            *slot = square.index() as u16;
            entry.len += 1;
        }
        *slot = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_much_work_stays() {
        let mut table = PnTable::with_bytes(1);
        let mv = Move::pair(Square::new(3), Square::new(200));
        table.set(1, Numbers::WON, 1 << 30, Some(&mv));
        for key in 2..100 {
            table.set(key, Numbers { proof: 5, disproof: 7 }, 1, None);
            assert_eq!(table.get(key), Numbers { proof: 5, disproof: 7 });
        }
        assert_eq!(table.get(1), Numbers::WON);
        assert_eq!(table.winning_move(1), Some(mv));
        assert_eq!(table.winning_move(99), None);
        assert_eq!(table.get(1000), Numbers::NEW);
    }
}
