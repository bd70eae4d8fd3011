//! Sets of squares of a fixed size: no memory of their own, and loops that the
//! compiler unrolls.

use rules::Square;

/// A set of squares: W words of 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Squares<const W: usize>([u64; W]);

impl<const W: usize> Squares<W> {
    pub(super) const EMPTY: Squares<W> = Squares([0; W]);

    pub(super) fn words(&self) -> &[u64] {
        &self.0
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
    pub(super) fn add(&mut self, other: &Squares<W>) {
        for i in 0..W {
            self.0[i] |= other.0[i];
        }
    }

    #[inline]
    pub(super) fn and(mut self, other: &Squares<W>) -> Squares<W> {
        for i in 0..W {
            self.0[i] &= other.0[i];
        }
        self
    }

    #[inline]
    pub(super) fn minus(mut self, other: &Squares<W>) -> Squares<W> {
        for i in 0..W {
            self.0[i] &= !other.0[i];
        }
        self
    }

    #[inline]
    pub(super) fn meets(&self, other: &Squares<W>) -> bool {
        (0..W).fold(0, |all, i| all | self.0[i] & other.0[i]) != 0
    }

    #[inline]
    pub(super) fn is_within(&self, other: &Squares<W>) -> bool {
        (0..W).all(|i| self.0[i] & !other.0[i] == 0)
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The squares in order.
    #[inline]
    pub(super) fn iter(self) -> Iter<W> {
        Iter { left: self, word: 0 }
    }
}

/// The squares of a set that are left to tell.
pub(super) struct Iter<const W: usize> {
    left: Squares<W>,
    word: usize,
}

impl<const W: usize> Iterator for Iter<W> {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        while self.word < W {
            let word = &mut self.left.0[self.word];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(Square::new(self.word * 64 + bit));
            }
            self.word += 1;
        }
        None
    }

    /// Word by word, which sums and the like gain by.
    #[inline]
    fn fold<B, F: FnMut(B, Square) -> B>(self, start: B, mut add: F) -> B {
        let mut sum = start;
        for i in self.word..W {
            let mut word = self.left.0[i];
            while word != 0 {
                sum = add(sum, Square::new(i * 64 + word.trailing_zeros() as usize));
                word &= word - 1;
            }
        }
        sum
    }
}

impl<const W: usize> Default for Squares<W> {
    fn default() -> Squares<W> {
        Squares::EMPTY
    }
}

impl<const W: usize> FromIterator<Square> for Squares<W> {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Squares<W> {
        let mut set = Squares::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}
