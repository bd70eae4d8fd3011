//! Accepting connections.

use crate::{App, Options, routes};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use std::{io, net::SocketAddr, sync::Arc, time::Duration};
use tokio::{net::TcpListener, sync::Semaphore};

/// Why the server does not listen.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be bound.
    #[error("cannot listen on {address}: {source}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// Other machines can reach the address and there is no token.
    #[error("{0} can be reached from other machines: a token is needed")]
    NoToken(SocketAddr),
}

/// A server that listens.
pub struct Listening {
    listener: TcpListener,
    app: Arc<App>,
    address: SocketAddr,
}

/// The time for a client to send the head of a request, or another request on
/// the same connection.
const HEAD_TIME: Duration = Duration::from_secs(30);

/// The pause after an error of the system, such as too many open files.
const PAUSE: Duration = Duration::from_millis(50);

impl Listening {
    /// Begins to listen.
    pub async fn start(options: Options) -> Result<Listening, ServeError> {
        let address = options.address;
        if !options.is_local() && options.token.is_none() {
            return Err(ServeError::NoToken(address));
        }
        let bound = async {
            let listener = TcpListener::bind(address).await?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, bound_to) = bound.await.map_err(|source| ServeError::Address { address, source })?;
        Ok(Listening { listener, app: App::new(options), address: bound_to })
    }

    /// The address, with the port that the system chose if none was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The memory that requests hold, to be read while the server runs.
    pub fn memory(&self) -> Memory {
        Memory(Arc::clone(&self.app))
    }

    /// The address to open in a browser, with the token in the fragment, which
    /// browsers do not send.
    pub fn url(&self) -> String {
        let host = match self.address {
            address if address.ip().is_unspecified() => format!("localhost:{}", address.port()),
            address => address.to_string(),
        };
        match &self.app.options.token {
            Some(token) => format!("http://{host}/#token={}", token.text()),
            None => format!("http://{host}/"),
        }
    }

    /// Serves until the future is dropped. Then the job-level search of this server
    /// is asked to stop.
    pub async fn serve(self) {
        let _stop = StopJobs(Arc::clone(&self.app));
        let places = Arc::new(Semaphore::new(self.app.options.connections.max(1)));
        let router = routes::router_of(Arc::clone(&self.app));
        let mut builder = Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(64 << 10);
        let builder = Arc::new(builder);
        loop {
            // Connections beyond the limit wait in the system's queue.
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let stream = match self.listener.accept().await {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!("a connection was not accepted: {error}");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            };
            let service = TowerToHyperService::new(router.clone());
            let builder = Arc::clone(&builder);
            tokio::spawn(async move {
                let _place = place;
                if let Err(error) = builder.serve_connection(TokioIo::new(stream), service).await {
                    tracing::debug!("a connection broke: {error}");
                }
            });
        }
    }
}

/// The memory that requests hold.
pub struct Memory(Arc<App>);

impl Memory {
    /// Bytes of request bodies, of certificates being checked, and of the proofs
    /// that are kept.
    pub fn bytes(&self) -> usize {
        self.0.bodies.held() + self.0.service.proofs.bytes()
    }
}

struct StopJobs(Arc<App>);

impl Drop for StopJobs {
    fn drop(&mut self) {
        if let Some(jobs) = &self.0.jobs {
            jobs.stop_all();
        }
    }
}
