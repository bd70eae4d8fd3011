//! Sets of lines.

use crate::LineId;

/// Words enough for the 378 useful lines of a 64x64 board with k = 2.
const WORDS: usize = 6;

/// A set of lines of one board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineSet([u64; WORDS]);

impl LineSet {
    /// Puts the line in if it is not there, takes it out if it is.
    #[inline]
    pub(crate) fn toggle(&mut self, line: LineId) {
        self.0[line.index() / 64] ^= 1 << (line.index() % 64);
    }

    /// Whether the line is in the set.
    pub fn contains(&self, line: LineId) -> bool {
        self.0[line.index() / 64] >> (line.index() % 64) & 1 != 0
    }

    /// Whether no line is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The lines in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = LineId> + Clone + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| Bits(bits).map(move |bit| LineId::new(word * 64 + bit as usize)))
    }
}

/// The numbers of the bits set in a word, in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits(pub(crate) u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
