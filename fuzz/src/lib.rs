//! The bodies of the fuzz targets, as plain functions: the tests of the crates
//! run them on stable Rust over made-up input.

mod board;
mod certificate;
mod protocols;
mod records;

pub use board::board;
pub use certificate::certificate;
pub use protocols::{query, session};
pub use records::{record, setup};
