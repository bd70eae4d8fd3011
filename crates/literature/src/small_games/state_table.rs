//! Proof and disproof numbers of states that are equal up to a symmetry of the
//! board, in bounded memory.

use super::State;
use crate::numbers::Numbers;
use lambda6_rules::{Game, Square, Symmetry};

/// A state up to symmetry. Entries hold it whole: no two states are confused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    own: u64,
    other: u64,
    turn: u8,
}

/// A key and what is known of its state, packed into 32 bytes.
#[derive(Clone, Copy, Default)]
struct Entry {
    own: u64,
    other: u64,
    proof: u32,
    disproof: u32,
    /// Positions searched below, roughly.
    work: u32,
    /// 0 for an empty entry.
    turn: u8,
}

impl Key {
    fn is_of(&self, entry: &Entry) -> bool {
        entry.turn == self.turn && entry.own == self.own && entry.other == self.other
    }
}

/// Entries that a state can be in.
const WAYS: usize = 4;

/// A table of a fixed number of entries. A new one takes the place of the one in
/// its bucket that took the least work.
pub(super) struct StateTable {
    /// For each symmetry: for each byte of a set of squares and each of its
    /// values, the image.
    symmetries: Vec<Vec<[u64; 256]>>,
    entries: Vec<Entry>,
    mask: usize,
}

impl StateTable {
    /// A table of about this many bytes.
    pub(super) fn with_bytes(game: Game, bytes: usize) -> StateTable {
        let buckets = 1 << (bytes / size_of::<Entry>() / WAYS).max(2).ilog2();
        StateTable {
            symmetries: Symmetry::of(game).map(|symmetry| images(game, symmetry)).collect(),
            entries: vec![Entry::default(); buckets * WAYS],
            mask: buckets - 1,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    /// One key for all states that are symmetric to each other.
    pub(super) fn key(&self, state: &State) -> Key {
        let image = |table: &[[u64; 256]], stones: u64| {
            stones.to_le_bytes().iter().zip(table).fold(0, |all, (&byte, part)| all | part[usize::from(byte)])
        };
        let images = self.symmetries.iter().map(|table| (image(table, state.own), image(table, state.other)));
        let (own, other) = images.min().unwrap_or((state.own, state.other));
        Key { own, other, turn: 1 + u8::from(state.attacks) * 64 + state.left }
    }

    fn bucket(&self, key: &Key) -> usize {
        let hash = (key.own ^ key.other.rotate_left(29) ^ u64::from(key.turn) << 57)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ hash >> 32).wrapping_mul(0xd1b5_4a32_d192_ed03);
        ((hash >> 20) as usize & self.mask) * WAYS
    }

    /// What is known of a state.
    pub(super) fn get(&self, key: &Key) -> Option<Numbers> {
        let start = self.bucket(key);
        let entry = self.entries[start..start + WAYS].iter().find(|entry| key.is_of(entry))?;
        Some(Numbers { proof: entry.proof, disproof: entry.disproof })
    }

    /// Notes what is known of a state, after so much work more.
    pub(super) fn set(&mut self, key: &Key, numbers: Numbers, work: u32) {
        let start = self.bucket(key);
        let worth = |entry: &Entry| match entry {
            Entry { turn: 0, .. } => 1,
            entry if key.is_of(entry) => 0,
            entry => 2 * (u64::from(entry.work) + 1),
        };
        if let Some(slot) = self.entries[start..start + WAYS].iter_mut().min_by_key(|entry| worth(entry)) {
            let before = if key.is_of(slot) { slot.work } else { 0 };
            let (Key { own, other, turn }, Numbers { proof, disproof }) = (*key, numbers);
            *slot = Entry { own, other, proof, disproof, work: before.saturating_add(work), turn };
        }
    }
}

fn images(game: Game, symmetry: Symmetry) -> Vec<[u64; 256]> {
    let image = |index: usize| {
        if index < game.area() { 1u64 << symmetry.apply(game, Square::new(index)).index() } else { 0 }
    };
    (0..game.area().div_ceil(8))
        .map(|byte| {
            std::array::from_fn(|value| {
                (0..8).filter(|bit| value >> bit & 1 != 0).fold(0, |all, bit| all | image(byte * 8 + bit))
            })
        })
        .collect()
}
