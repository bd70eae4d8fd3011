//! Positions with forced wins, found by self-play.

mod random;

pub use random::Random;
