//! Reviews of the games of a file: made in several threads, kept in a file, told as text.

pub(crate) mod games;
pub(crate) mod report;
pub(crate) mod state;
pub(crate) mod work;
