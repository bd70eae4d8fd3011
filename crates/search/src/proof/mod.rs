//! Work on proofs that have been found: reading them back, walking through them
//! with given defences, and making them smaller.

mod list;
mod shorten;
mod small;
#[cfg(test)]
mod soundness;
mod tree;
mod walk;
pub(crate) mod wide;

pub use list::{Answer, WalkError, Walkthrough};
pub use shorten::{Shorten, ShortenProgress};
pub use tree::Proof;
