//! Options of the server.

use lambda6_api::Ceiling;
use std::{fmt, net::SocketAddr, path::PathBuf, time::Duration};
use subtle::ConstantTimeEq;

/// Where to listen, and what clients may ask for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address. One that is not this machine's own needs a token.
    pub address: SocketAddr,
    /// The secret that clients must send, if there is one.
    pub token: Option<Token>,
    /// Limits on what one request may ask for.
    pub ceiling: Ceiling,
    /// The directory of job-level searches; without it there are none.
    pub jobs: Option<PathBuf>,
    /// Access to workers on other machines, if there are any.
    pub nats: Option<Nats>,
    /// The name and version of the program that does jobs.
    pub build: String,
    /// Searches at once.
    pub searches: usize,
    /// Streams at once: searches under way and those waiting for their turn.
    pub waiting: usize,
    /// Certificates received and checked at once; more wait, unread.
    pub uploads: usize,
    /// Bytes of request bodies held at once; requests beyond are refused. The
    /// certificates being checked count in [`Ceiling::proofs`] instead.
    pub body_bytes: usize,
    /// Requests without a search answered at once; more wait.
    pub answers: usize,
    /// Connections at once; more wait to be accepted.
    pub connections: usize,
    /// The time for a client to send the body of a request.
    pub upload_time: Duration,
    /// The time for an answer, or the beginning of a stream, to a whole request.
    pub answer_time: Duration,
}

impl Default for Options {
    fn default() -> Options {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        Options {
            address: SocketAddr::from(([127, 0, 0, 1], 6006)),
            token: None,
            ceiling: Ceiling { threads: cores, ..Ceiling::default() },
            jobs: None,
            nats: None,
            build: env!("CARGO_PKG_VERSION").to_string(),
            searches: cores,
            waiting: 64,
            uploads: 2,
            body_bytes: 64 << 20,
            answers: cores,
            connections: 1024,
            upload_time: Duration::from_secs(30),
            answer_time: Duration::from_secs(60),
        }
    }
}

impl Options {
    /// Whether only this machine can reach the server.
    pub fn is_local(&self) -> bool {
        self.address.ip().is_loopback()
    }
}

/// Access to the workers of a grid.
#[derive(Clone)]
pub struct Nats {
    /// The address of the NATS server and the credentials.
    pub access: lambda6_grid::nats::Access,
    /// The grid's name there.
    pub grid: lambda6_grid::nats::Grid,
}

/// Leaves out the address, which may hold a password.
impl fmt::Debug for Nats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nats").field("grid", &self.grid).finish_non_exhaustive()
    }
}

/// A secret. It is not printed with the other options.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Bytes of the shortest token that cannot be guessed.
const MIN_LENGTH: usize = 16;

impl Token {
    /// The token of this text; `None` when it is too short, or has characters
    /// that an address cannot carry.
    pub fn new(text: &str) -> Option<Token> {
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.~".contains(&b));
        (plain && text.len() >= MIN_LENGTH).then(|| Token(text.to_string()))
    }

    /// A random token.
    pub fn random() -> Result<Token, getrandom::Error> {
        let mut bytes = [0; 20];
        getrandom::fill(&mut bytes)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The text, to give to clients.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether this is the token, in time that does not depend on where they
    /// differ.
    pub(crate) fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}
