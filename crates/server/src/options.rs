//! Where to listen, and how much is allowed.

use api::Ceiling;
use std::{fmt, net::SocketAddr, path::PathBuf, time::Duration};
use subtle::ConstantTimeEq;

/// Where to listen, and how much clients may ask for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address. One that is not this machine's own needs a token.
    pub address: SocketAddr,
    /// What clients must know, if anything.
    pub token: Option<Token>,
    /// The most that one search may ask for.
    pub ceiling: Ceiling,
    /// Where the files of job-level searches are; without it there are none.
    pub jobs: Option<PathBuf>,
    /// The way to workers on other machines, if there are any.
    pub nats: Option<Nats>,
    /// The name and version of the program that does jobs.
    pub build: String,
    /// Searches at once.
    pub searches: usize,
    /// Streams at once: searches under way and those waiting for their turn.
    pub waiting: usize,
    /// Other questions answered at once; more wait.
    pub answers: usize,
    /// Connections at once; more wait to be accepted.
    pub connections: usize,
    /// The time that a client may take for a request, and the server for an
    /// answer or the beginning of a stream.
    pub patience: Duration,
}

impl Default for Options {
    fn default() -> Options {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        Options {
            address: SocketAddr::from(([127, 0, 0, 1], 6006)),
            token: None,
            ceiling: Ceiling::default(),
            jobs: None,
            nats: None,
            build: env!("CARGO_PKG_VERSION").to_string(),
            searches: cores,
            waiting: 64,
            answers: cores,
            connections: 1024,
            patience: Duration::from_secs(30),
        }
    }
}

impl Options {
    /// Whether only this machine can reach the server.
    pub fn is_local(&self) -> bool {
        self.address.ip().is_loopback()
    }
}

/// The way to the workers of a grid.
#[derive(Clone)]
pub struct Nats {
    /// The server, and how it knows us.
    pub access: grid::nats::Access,
    /// The grid's name there.
    pub grid: grid::nats::Grid,
}

/// Without the address and the secrets that may be in it.
impl fmt::Debug for Nats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nats").field("grid", &self.grid).finish_non_exhaustive()
    }
}

/// A secret. It is never printed with the rest of the options.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Shorter tokens can be guessed.
const LEAST: usize = 16;

impl Token {
    /// The token of this text; `None` when it is too short, or has characters
    /// that an address cannot carry.
    pub fn new(text: &str) -> Option<Token> {
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.~".contains(&b));
        (plain && text.len() >= LEAST).then(|| Token(text.to_string()))
    }

    /// A random token.
    pub fn random() -> Result<Token, getrandom::Error> {
        let mut bytes = [0; 20];
        getrandom::fill(&mut bytes)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The text, for whoever is to be let in.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether this is the token. Takes the same time wherever they differ.
    pub(crate) fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}
