//! x
pub mod client;
pub mod entrant;
pub mod openings;
pub mod stats;
