//! Searches over all positions of a set.

pub(crate) mod run;
