//! Job-level proof-number search: one tree, many workers.
//!
//! The tree belongs to the *client*. A *job* is a run of a whole program on one
//! position: it returns the best move other than some, the status of the position
//! after it, and a proof where there is one. Proof-number search chooses the node of
//! the next job; a [`Policy`](policy::Policy) changes the numbers of nodes whose jobs
//! are under way, so that several workers get different nodes.
//!
//! - [`Tree`], [`Numbers`], [`Status`], [`policy`]: the tree and the choice of nodes
//! - [`Search`]: the state machine: select, pre-update, (execute), update; with
//!   postponed sibling generation, stoppers, and the orders of a person ([`Steer`])
//! - [`Client`]: the search with its [`Store`], leases and a bound on attempts
//! - [`Judge`]: checks every answer before it is used
//! - [`Execute`]: does a job
//! - [`certify()`]: one certificate for a solved tree
//! - [`simulate`]: the same in virtual time, with faults of workers and messages
//!
//! A [`Transport`] carries jobs to workers; none is implemented here.
//!
//! ```
//! use lambda6_jobs::{
//!     Checked, Client, Command, Event, Execute, MemoryStore, Patience, Settings, Value, Worker,
//!     WorkerOptions, certify_search,
//! };
//! use lambda6_rules::{Setup, Side};
//! use std::{sync::atomic::{AtomicBool, AtomicU64}, time::Duration};
//!
//! // Three stones of Black, which is to move and wins.
//! let setup = Setup::parse("game: 19 19 6 2 1\nblack: j10 j12 i11\nto-move: black\n")?;
//! let settings = Settings::new(setup.position()?, None, "example".to_string())?;
//! let mut client = Client::open(MemoryStore::new(settings), Checked, Patience::default())?;
//! let mut worker = Worker::new(WorkerOptions { table_bytes: 1 << 20, ..WorkerOptions::default() });
//! let (stop, nodes, now) = (AtomicBool::new(false), AtomicU64::new(0), Duration::ZERO);
//! while client.search().value().is_none() {
//!     for command in client.fill(now, 1)? {
//!         let Command::Submit(task) = command else { continue };
//!         let answer = worker.execute(&task, &stop, &nodes)?;
//!         let worker = "me".to_string();
//!         client.handle(now, Event::Answered { job: task.id, worker, answer, nodes: 1, millis: 1 })?;
//!     }
//! }
//! assert_eq!(client.search().value(), Some(Value::Win(Side::Black)));
//! let certificate = certify_search(client.search(), client.store(), &stop)?;
//! assert_eq!(certificate.attacker(), Side::Black);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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

pub use certify::{NoCertificate, Solve, certify, certify_search};
pub use change::{Change, End, Ended};
pub use client::{Client, Command, Event, JobCounts, Patience};
pub use execute::{Execute, ExecuteError, Worker, WorkerOptions};
pub use job::{Answer, JOB_LIMITS, Job, JobId, JobKey, JobProof, Kind, ProofId, Task};
pub use judge::{Checked, Judge, Refused, check_moves, check_replies};
pub use lambda6_player::Status;
pub use number::{Number, Numbers};
pub use policy::PolicyName;
pub use search::{Search, Settings, SettingsError};
pub use status::{initial_numbers, scale};
pub use steer::{Steer, SteerError, SteerParseError};
pub use store::{Done, MemoryStore, Order, OrderError, OrderState, Request, SqliteStore, Store, StoreError};
pub use transport::{DriveError, Left, Transport, TransportError, Until, WorkerInfo, drive};
pub use tree::{Derived, Node, NodeId, Origin, Tree, Value};
pub use wire::FieldError;
