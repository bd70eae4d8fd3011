//! Numbers that look random and are the same on every machine.

/// SplitMix64: a counter with a strong mixing function behind it.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers that depend on this seed only.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        // The high half of a product: no division, and a bias far below one in
        // 2^32 for the small numbers asked for here.
        ((u128::from(self.number()) * u128::from(end)) >> 64) as u64
    }

    /// Puts a list in random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.number(), 6_457_827_717_110_365_317);
        assert_eq!(random.number(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn shuffling_keeps_every_element() {
        let mut list: Vec<u32> = (0..100).collect();
        Random::new(1).shuffle(&mut list);
        assert_ne!(list[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        list.sort_unstable();
        assert!(list.into_iter().eq(0..100));
    }
}
