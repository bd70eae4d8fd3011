//! Job-level search: one tree, many workers.
//!
//! The tree belongs to the *client*. A *job* is the work of a whole program: the
//! best move of a position but for some, what the position after it looks like,
//! and a proof where there is one. Proof-number search says which node is worked
//! on next; a [`Policy`](policy::Policy) says what the tree looks like while
//! answers are still out, so that many workers find something useful to do.
//!
//! - [`Tree`], [`Numbers`], [`Status`], [`policy`]: the tree and how nodes are
//!   chosen
//! - [`Search`]: the state machine: select, pre-update, (execute), update; the
//!   postponed siblings, the stopper, and what a person can order ([`Steer`])
//! - [`Client`]: the search with its [`Store`], leases and bounded attempts
//! - [`Judge`]: no answer is believed before it is checked
//! - [`Execute`]: what a worker does
//! - [`certify()`]: one certificate for a solved tree
//! - [`simulate`]: all of this in virtual time, with everything that goes wrong
//!
//! Nothing here knows how messages travel.

mod certify;
mod change;
mod client;
mod execute;
pub mod export;
mod job;
mod judge;
mod number;
pub mod policy;
mod search;
pub mod simulate;
mod status;
mod steer;
mod store;
mod transport;
mod tree;
pub mod wire;

pub use certify::{NoCertificate, Solve, certify};
pub use change::{Change, End, Ended};
pub use client::{Client, Command, Event, Patience, Tally};
pub use execute::{Execute, ExecuteError, Worker, WorkerOptions};
pub use job::{Answer, Job, JobId, JobKey, JobLimits, Kind, Proof, ProofId, Task};
pub use judge::{Checked, Judge, Refused, check_moves, check_replies};
pub use number::{Number, Numbers};
pub use player::Status;
pub use policy::PolicyName;
pub use search::{Search, Settings};
pub use status::{initial_numbers, scale};
pub use steer::{Steer, SteerError};
pub use store::{Done, MemoryStore, Order, OrderState, SqliteStore, Store, StoreError};
pub use transport::{DriveError, Left, Transport, TransportError, Until, WorkerInfo, drive};
pub use tree::{Derived, Node, NodeId, Origin, Tree, Value};
