//! Proof and disproof numbers of positions in bounded memory, for df-pn.

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// Moves of the attacker that have been opened.
    pub(super) opened: u16,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    /// How much work is in it, as the logarithm of the visits; 0 for an empty
    /// entry.
    work: u8,
}

const EMPTY: Entry = Entry { key: 0, numbers: Numbers { pn: 1, dn: 1, opened: 0 }, work: 0 };

/// Entries a position can be in.
const WAYS: usize = 4;

/// A table of a fixed number of entries. A new one takes the place of the one in
/// its bucket that took the least work. What is lost is searched again.
pub(super) struct NumberTable {
    entries: Vec<Entry>,
    mask: usize,
}

impl NumberTable {
    /// A table that takes at most so many bytes, and at least a few hundred.
    pub(super) fn with_bytes(bytes: usize) -> NumberTable {
        let buckets = (bytes / size_of::<Entry>() / WAYS).max(2);
        let buckets = 1 << buckets.ilog2();
        NumberTable { entries: vec![EMPTY; buckets * WAYS], mask: buckets - 1 }
    }

    fn bucket(&self, key: u64) -> usize {
        ((key >> 20) as usize & self.mask) * WAYS
    }

    pub(super) fn get(&self, key: u64) -> Option<Numbers> {
        let start = self.bucket(key);
        let entries = &self.entries[start..start + WAYS];
        entries.iter().find(|entry| entry.work > 0 && entry.key == key).map(|entry| entry.numbers)
    }

    /// Notes the numbers of a position that took so many visits.
    pub(super) fn set(&mut self, key: u64, numbers: Numbers, visits: u64) {
        let start = self.bucket(key);
        let work = visits.max(1).ilog2() as u8 + 1;
        let least = |entry: &&mut Entry| if entry.key == key { 0 } else { 1 + u32::from(entry.work) };
        if let Some(entry) = self.entries[start..start + WAYS].iter_mut().min_by_key(least) {
            *entry = Entry { key, numbers, work };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_most_work_stays() {
        let mut table = NumberTable::with_bytes(1);
        let numbers = |pn| Numbers { pn, dn: 1, opened: 0 };
        table.set(7, numbers(7), 1_000);
        for key in 100..200 {
            table.set(key, numbers(1), 1);
        }
        assert_eq!(table.get(7), Some(numbers(7)));
        assert_eq!(table.get(199), Some(numbers(1)));
        assert_eq!(table.get(99), None);
        table.set(7, numbers(8), 1);
        assert_eq!(table.get(7), Some(numbers(8)));
    }
}
