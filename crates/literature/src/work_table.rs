//! What is known of positions in bounded memory, for searches by proof numbers.

#[derive(Clone, Copy)]
struct Entry<V> {
    key: u64,
    value: V,
    /// One more than the logarithm of the work that was put in; 0 for an empty
    /// entry.
    work: u8,
}

/// Entries a position can be in.
const WAYS: usize = 4;

/// A table of a fixed number of entries. A new one takes the place of the one in
/// its bucket that took the least work. What is lost is searched again.
pub(crate) struct WorkTable<V> {
    entries: Vec<Entry<V>>,
    mask: usize,
}

impl<V: Copy + Default> WorkTable<V> {
    /// A table that takes at most so many bytes, and at least a few hundred.
    pub(crate) fn with_bytes(bytes: usize) -> WorkTable<V> {
        let buckets = 1 << (bytes / size_of::<Entry<V>>() / WAYS).max(2).ilog2();
        let empty = Entry { key: 0, value: V::default(), work: 0 };
        WorkTable { entries: vec![empty; buckets * WAYS], mask: buckets - 1 }
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        ((key >> 20) as usize & self.mask) * WAYS
    }

    /// What is known of a position.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<V> {
        let start = self.bucket(key);
        let entries = &self.entries[start..start + WAYS];
        entries.iter().find(|entry| entry.work > 0 && entry.key == key).map(|entry| entry.value)
    }

    /// Notes what is known of a position after so much work.
    pub(crate) fn set(&mut self, key: u64, value: V, work: u64) {
        let start = self.bucket(key);
        let work = work.max(1).ilog2() as u8 + 1;
        let worth = |entry: &Entry<V>| match entry {
            Entry { work: 0, .. } => 1,
            entry if entry.key == key => 0,
            entry => 1 + u32::from(entry.work),
        };
        if let Some(slot) = self.entries[start..start + WAYS].iter_mut().min_by_key(|entry| worth(entry)) {
            *slot = Entry { key, value, work };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_most_work_stays() {
        let mut table = WorkTable::with_bytes(1);
        table.set(7, 7, 1_000);
        for key in 100..200 {
            table.set(key, 1, 1);
            assert_eq!(table.get(key), Some(1));
        }
        assert_eq!(table.get(7), Some(7));
        assert_eq!(table.get(99), None);
        table.set(7, 8, 1);
        assert_eq!(table.get(7), Some(8));
    }
}
