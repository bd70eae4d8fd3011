//! Addresses, credentials and connections.

use super::error::GridError;
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, ServerError};
use std::{error::Error, io, path::PathBuf, time::Duration};

/// A server's address and the credentials of this program.
#[derive(Clone, Default)]
pub struct Access {
    /// The address: `nats://host:4222`, or several separated by commas.
    pub url: String,
    /// A user and the password.
    pub user: Option<(String, String)>,
    /// A token.
    pub token: Option<String>,
    /// The seed of an nkey.
    pub nkey: Option<String>,
    /// A credentials file.
    pub credentials: Option<PathBuf>,
    /// The certificate of the authority that signed the server's certificate, if
    /// the system does not know it.
    pub ca: Option<PathBuf>,
    /// The certificate of this program and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// Time between two attempts to connect.
const RETRY: Duration = Duration::from_millis(500);

impl Access {
    /// Connects, and reconnects by itself when the connection is lost later. While
    /// no server answers at the address, `waiting` is told why and decides whether
    /// to try again. A server that answers and refuses is an error.
    pub(super) async fn connect(
        &self,
        name: &str,
        inbox: &str,
        waiting: &mut dyn FnMut(&GridError) -> bool,
    ) -> Result<Client, GridError> {
        let servers: Vec<&str> = self.url.split(',').map(str::trim).collect();
        loop {
            let options = self.options().await?.name(name).custom_inbox_prefix(inbox);
            let error = match options.connect(&servers).await {
                Ok(client) => return Ok(client),
                Err(error) => error,
            };
            let absent = is_absent(&error);
            let error = GridError::Connect { url: self.url.clone(), error };
            if !absent || !waiting(&error) {
                return Err(error);
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    async fn options(&self) -> Result<ConnectOptions, GridError> {
        let mut options = ConnectOptions::new();
        if let Some((user, password)) = self.user.clone() {
            options = options.user_and_password(user, password);
        }
        if let Some(token) = self.token.clone() {
            options = options.token(token);
        }
        if let Some(seed) = self.nkey.clone() {
            options = options.nkey(seed);
        }
        if let Some(path) = &self.credentials {
            let failed = |error| GridError::Credentials { path: path.clone(), error };
            options = options.credentials_file(path).await.map_err(failed)?;
        }
        if let Some(ca) = self.ca.clone() {
            options = options.add_root_certificates(ca).require_tls(true);
        }
        if let Some((certificate, key)) = self.certificate.clone() {
            options = options.add_client_certificate(certificate, key);
        }
        Ok(options)
    }
}

/// Whether no server answered, or one that was just starting or ending. A server that
/// sent an error or whose certificate is wrong is there.
fn is_absent(error: &ConnectError) -> bool {
    match error.kind() {
        ConnectErrorKind::TimedOut | ConnectErrorKind::Dns => true,
        ConnectErrorKind::Io => {
            let source = error.source();
            let io = source.and_then(|source| source.downcast_ref::<io::Error>());
            // This is the kind of every error of TLS.
            let tls = io.is_some_and(|error| error.kind() == io::ErrorKind::InvalidData);
            !tls && !source.is_some_and(|source| source.is::<ServerError>())
        }
        _ => false,
    }
}
