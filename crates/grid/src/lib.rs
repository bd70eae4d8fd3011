//! How jobs travel: [`Local`] gives them to threads of this process, [`nats`] to
//! workers on any number of machines. Neither knows what a job is about.

mod local;
pub mod nats;

pub use local::Local;
