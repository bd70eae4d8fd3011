//! Sets of squares by numbers of their own: no larger than they have to be, and of the same size on
//! every board.

/// Squares by their numbers, those of the stones first: at most 64 times this.
const WORDS: usize = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers([u64; WORDS]);

impl Numbers {
    pub(super) const EMPTY: Numbers = Numbers([0; WORDS]);

    /// How many numbers there are.
    pub(super) const MOST: usize = 64 * WORDS;

    #[inline]
    pub(super) fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    #[inline]
    pub(super) fn add(&mut self, other: &Numbers) {
        (0..WORDS).for_each(|i| self.0[i] |= other.0[i]);
    }

    #[inline]
    pub(super) fn and(mut self, other: &Numbers) -> Numbers {
        (0..WORDS).for_each(|i| self.0[i] &= other.0[i]);
        self
    }

    #[inline]
    pub(super) fn minus(mut self, other: &Numbers) -> Numbers {
        (0..WORDS).for_each(|i| self.0[i] &= !other.0[i]);
        self
    }

    /// How many the two have in common.
    #[inline]
    pub(super) fn common(&self, other: &Numbers) -> u32 {
        (0..WORDS).map(|i| (self.0[i] & other.0[i]).count_ones()).sum()
    }

    /// The numbers in order.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(i, word)| {
            let some = |word: u64| (word != 0).then_some(word);
            std::iter::successors(some(word), move |word| some(word & (word - 1)))
                .map(move |word| i * 64 + word.trailing_zeros() as usize)
        })
    }
}
