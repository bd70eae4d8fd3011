//! Transports of jobs: [`Local`] gives them to threads of this process, [`nats`] to
//! workers on any number of machines. Neither depends on what a job asks. A
//! [`Session`] is a search with one of them.

mod local;
pub mod nats;
mod session;

pub use local::Local;
pub use session::{Session, SessionError, Workers};
