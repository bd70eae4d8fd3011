//! Sets of squares of a fixed size, on the stack.

use lambda6_rules::Square;

/// A set of squares, in `W` words of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SquareSet<const W: usize>([u64; W]);

impl<const W: usize> SquareSet<W> {
    pub(super) const EMPTY: SquareSet<W> = SquareSet([0; W]);

    /// The set with these bits, of which there may be fewer words than `W`.
    pub(super) fn from_words(words: &[u64]) -> SquareSet<W> {
        let mut set = SquareSet::EMPTY;
        set.0[..words.len()].copy_from_slice(words);
        set
    }

    #[inline]
    pub(super) fn insert(&mut self, square: Square) {
        self.0[square.index() / 64] |= 1 << (square.index() % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, square: Square) {
        self.0[square.index() / 64] &= !(1 << (square.index() % 64));
    }

    #[inline]
    pub(super) fn contains(&self, square: Square) -> bool {
        self.0[square.index() / 64] >> (square.index() % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn add(&mut self, other: &SquareSet<W>) {
        (0..W).for_each(|i| self.0[i] |= other.0[i]);
    }

    #[inline]
    pub(super) fn and(mut self, other: &SquareSet<W>) -> SquareSet<W> {
        (0..W).for_each(|i| self.0[i] &= other.0[i]);
        self
    }

    #[inline]
    pub(super) fn minus(mut self, other: &SquareSet<W>) -> SquareSet<W> {
        (0..W).for_each(|i| self.0[i] &= !other.0[i]);
        self
    }

    #[inline]
    pub(super) fn is_within(&self, other: &SquareSet<W>) -> bool {
        (0..W).all(|i| self.0[i] & !other.0[i] == 0)
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The number of squares in both sets.
    #[inline]
    pub(super) fn common(&self, other: &SquareSet<W>) -> u32 {
        (0..W).map(|i| (self.0[i] & other.0[i]).count_ones()).sum()
    }

    /// The squares in order.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = Square> {
        self.0.into_iter().enumerate().flat_map(|(i, word)| {
            let not_zero = |word: u64| (word != 0).then_some(word);
            std::iter::successors(not_zero(word), move |word| not_zero(word & (word - 1)))
                .map(move |word| Square::new(i * 64 + word.trailing_zeros() as usize))
        })
    }
}

impl<const W: usize> FromIterator<Square> for SquareSet<W> {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> SquareSet<W> {
        let mut set = SquareSet::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}
