//! Zobrist keys. They are computed, not random: they are the same in every build
//! and on every machine, so that files may contain them.

use crate::{Side, Square};

/// SplitMix64's output function: a bijection that scatters neighbours.
const fn scatter(seed: u64) -> u64 {
    let z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x6a09_e667_f3bc_c909);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The key of a stone of `side` on `square`.
pub const fn stone_key(side: Side, square: Square) -> u64 {
    scatter(square.index() as u64 * 2 + side.index() as u64 + 1)
}

/// The key of the side to move: Black's is 0.
pub const fn to_move_key(side: Side) -> u64 {
    match side {
        Side::Black => 0,
        Side::White => scatter(0),
    }
}
