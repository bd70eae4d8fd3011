//! The server: an HTTP interface to the engine, live events and the page's files.
//!
//! - [`Options`] says where to listen and what clients may ask for.
//! - `guard` admits requests by host, site and token.
//! - `body` reads request bodies within limits of memory and time.
//! - `routes` is the interface; `openapi` describes it, from the same code.
//! - `searches` runs searches in threads of their own and streams their events; a
//!   client that goes away stops its search.
//! - `jobs` starts, shows and steers job-level searches.
//! - `page` serves the files of `web/`, which are part of the binary.
//! - `listen` accepts connections, up to a limit.
//!
//! The documents are those of the `api` crate, which also runs in the browser.

mod body;
mod guard;
mod jobs;
mod listen;
mod openapi;
mod options;
mod page;
mod problem;
mod routes;
mod searches;

pub use listen::{Listening, Memory, ServeError};
pub use openapi::openapi;
pub use options::{Nats, Options, Token};
pub use routes::router;

use searches::Searches;
use std::sync::Arc;

/// The state that the handlers share.
pub(crate) struct App {
    pub(crate) service: Arc<lambda6_api::Service>,
    pub(crate) searches: Searches,
    /// Checks of certificates, each with its upload. They have places of their
    /// own: a slow upload keeps no search waiting.
    pub(crate) checks: Searches,
    /// The bytes of request bodies.
    pub(crate) bodies: Arc<body::BodyBytes>,
    pub(crate) options: Options,
    /// Requests without a search that are answered at once, on threads that may
    /// block.
    pub(crate) answers: tokio::sync::Semaphore,
    /// Job-level searches, if there is a directory for their files.
    pub(crate) jobs: Option<Arc<jobs::Jobs>>,
}

impl App {
    pub(crate) fn new(options: Options) -> Arc<App> {
        let mut about =
            lambda6_api::About::new(lambda6_api::Where::Server, &options.ceiling, options.searches);
        about.jobs = options.jobs.is_some();
        let jobs = options.jobs.clone().map(|directory| Arc::new(jobs::Jobs::new(directory, &options)));
        Arc::new(App {
            service: Arc::new(lambda6_api::Service::new(about, options.ceiling)),
            searches: Searches::new(options.searches, options.waiting),
            checks: Searches::new(options.uploads, options.waiting),
            bodies: body::BodyBytes::new(options.body_bytes),
            jobs,
            answers: tokio::sync::Semaphore::new(options.answers.max(1)),
            options,
        })
    }
}
