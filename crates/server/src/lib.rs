//! The page: an HTTP interface to the engine, live events, and the page's files.
//!
//! - [`Options`] says where to listen and how much clients may ask for.
//! - `guard` decides who may ask: which hosts, which sites, which token.
//! - `routes` is the interface, described by an OpenAPI document that is made
//!   from the same code.
//! - `searches` runs searches in threads of their own and streams what they say;
//!   a client that goes away stops its search.
//! - `jobs` starts, shows and steers job-level searches.
//! - `page` serves the files of `web/`, which are part of the binary.
//! - `listen` accepts connections, not more than it can serve.
//!
//! What is asked and answered is the business of the `api` crate, which also
//! runs in the browser.

mod guard;
mod jobs;
mod jobs_routes;
mod listen;
mod options;
mod page;
mod problem;
mod routes;
mod searches;

pub use listen::{Listening, ServeError};
pub use options::{Nats, Options, Token};
pub use routes::{openapi, router};

use searches::Searches;
use std::sync::Arc;

/// What the handlers share.
pub(crate) struct App {
    pub(crate) desk: Arc<api::Desk>,
    pub(crate) searches: Searches,
    pub(crate) options: Options,
    /// How many questions are answered at once on threads that may block.
    pub(crate) answers: tokio::sync::Semaphore,
    /// Job-level searches, if there is a place for their files.
    pub(crate) jobs: Option<Arc<jobs::Jobs>>,
}

impl App {
    pub(crate) fn new(options: Options) -> Arc<App> {
        let mut about = api::About::new(api::Where::Server, &options.ceiling, options.searches);
        about.jobs = options.jobs.is_some();
        let jobs = options.jobs.clone().map(|directory| Arc::new(jobs::Jobs::new(directory, &options)));
        Arc::new(App {
            desk: Arc::new(api::Desk::new(about, options.ceiling)),
            searches: Searches::new(options.searches, options.waiting),
            jobs,
            answers: tokio::sync::Semaphore::new(options.answers.max(1)),
            options,
        })
    }
}
