//! The errors of a grid.

use super::message::VERSION;
use lambda6_jobs::{TransportError, wire::FieldError};
use std::{io, path::PathBuf};

/// Why a client or a worker of a grid cannot go on, or a message is of no use. The
/// texts include those of the errors behind them, which are therefore no sources.
#[derive(Debug, thiserror::Error)]
pub enum GridError {
    /// The server cannot be reached or refuses the connection.
    #[error("{url}: {error}")]
    Connect {
        /// The server's address.
        url: String,
        /// What the library says.
        error: async_nats::ConnectError,
    },
    /// A credentials file cannot be read.
    #[error("{}: {error}", .path.display())]
    Credentials {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A thread or the asynchronous runtime cannot be started.
    #[error("the program cannot start its threads: {0}")]
    Start(io::Error),
    /// A request to the server failed.
    #[error("{what}: {error}")]
    Request {
        /// What was asked for.
        what: String,
        /// What the library says.
        error: async_nats::Error,
    },
    /// The server did not answer in time.
    #[error("no answer from the server")]
    Timeout,
    /// The thread that executes jobs has ended.
    #[error("the thread that executes jobs has ended")]
    NoThread,
    /// A message is not the JSON that it should be.
    #[error("the message cannot be read: {0}")]
    Unreadable(serde_json::Error),
    /// A message belongs to another version of the protocol.
    #[error("the message is of version {0}, this program knows {VERSION}")]
    Version(u32),
    /// A task or an answer has a wrong field.
    #[error(transparent)]
    Wire(#[from] FieldError),
    /// Client and worker are different programs, whose answers may differ.
    #[error("the client is {client} and this worker is {worker}: they must be the same")]
    Build {
        /// The client's build.
        client: String,
        /// The worker's build.
        worker: String,
    },
    /// A proof cannot be sent or put together.
    #[error("the proof {0}")]
    Proof(String),
}

impl GridError {
    /// An error of a request, with what was asked for.
    pub(super) fn request<E: Into<async_nats::Error>>(
        what: impl Into<String>,
    ) -> impl FnOnce(E) -> GridError {
        let what = what.into();
        move |error| GridError::Request { what, error: error.into() }
    }
}

impl From<GridError> for TransportError {
    fn from(error: GridError) -> TransportError {
        TransportError::new(error.to_string())
    }
}

/// A text that cannot be a part of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected up to {max} letters, digits, - or _")]
pub struct NameError {
    /// The greatest length.
    pub max: usize,
}
