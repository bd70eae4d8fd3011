//! Opens a search in a file for work, together with its workers.

use crate::{
    Local,
    nats::{Access, ClientSettings, Grid, GridError, NatsClient},
};
use lambda6_jobs::{
    Checked, Client, Patience, SqliteStore, StoreError, Transport, TransportError, Worker, WorkerOptions,
};
use std::time::Duration;

/// How often the server delivers a job before the job is given up.
const DELIVERIES: i64 = 8;

/// The workers of a search. It may hold a password, so that it has no `Debug`.
#[derive(Clone)]
pub enum Workers {
    /// Threads of this process.
    Threads {
        /// Their number.
        count: usize,
        /// The options of each.
        options: WorkerOptions,
    },
    /// Workers on other machines.
    Grid {
        /// The server.
        access: Box<Access>,
        /// The grid on it.
        grid: Grid,
        /// How long a job may make no progress before it is given to another worker.
        lease: Duration,
    },
}

impl Workers {
    /// The usual lease of a grid's jobs.
    pub const LEASE: Duration = Duration::from_secs(30);
}

/// Why a session cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The search cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] TransportError),
    /// The grid cannot be used.
    #[error(transparent)]
    Grid(#[from] GridError),
}

/// A search and its workers, to be run with [`lambda6_jobs::drive`].
pub struct Session {
    /// The search.
    pub client: Client<SqliteStore, Checked>,
    /// The way to its workers.
    pub transport: Box<dyn Transport + Send>,
}

impl Session {
    /// Opens a search with its workers. `build` names this program. While no server of
    /// a grid answers, `waiting` is told why and decides whether to try again.
    pub fn open(
        store: SqliteStore,
        workers: Workers,
        build: String,
        waiting: &mut dyn FnMut(&GridError) -> bool,
    ) -> Result<Session, SessionError> {
        let (patience, transport): (Patience, Box<dyn Transport + Send>) = match workers {
            Workers::Threads { count, options } => {
                let threads = Local::start(count, move || Worker::new(options))?;
                (Patience::with_threads(), Box::new(threads))
            }
            Workers::Grid { access, grid, lease } => {
                let (search, game) = (store.name()?, store.settings().root.game());
                let settings = ClientSettings { grid, search, build, game, lease, deliveries: DELIVERIES };
                (Patience::with_grid(lease), Box::new(NatsClient::start(&access, settings, waiting)?))
            }
        };
        Ok(Session { client: Client::open(store, Checked, patience)?, transport })
    }
}
