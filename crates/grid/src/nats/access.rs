//! The way into a server.

use async_nats::{Client, ConnectOptions};
use jobs::TransportError;
use std::path::PathBuf;

/// The server, and how it knows us.
#[derive(Clone, Default)]
pub struct Access {
    /// Its address: `nats://host:4222`, or several with commas between.
    pub url: String,
    /// A user and the password.
    pub user: Option<(String, String)>,
    /// A token.
    pub token: Option<String>,
    /// The seed of an nkey.
    pub nkey: Option<String>,
    /// A credentials file.
    pub credentials: Option<PathBuf>,
    /// The certificate of the authority that signed the server's, if it is not
    /// one that the system knows.
    pub ca: Option<PathBuf>,
    /// Our own certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl Access {
    /// Connects. A server that goes away later is waited for; one that is not
    /// there now is an error.
    pub(super) async fn connect(&self, name: &str, inbox: &str) -> Result<Client, TransportError> {
        let mut options = ConnectOptions::new().name(name).custom_inbox_prefix(inbox);
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
            let failed = |error: std::io::Error| TransportError::new(format!("{}: {error}", path.display()));
            options = options.credentials_file(path).await.map_err(failed)?;
        }
        if let Some(ca) = self.ca.clone() {
            options = options.add_root_certificates(ca).require_tls(true);
        }
        if let Some((certificate, key)) = self.certificate.clone() {
            options = options.add_client_certificate(certificate, key);
        }
        let servers: Vec<&str> = self.url.split(',').map(str::trim).collect();
        let connected = options.connect(servers).await;
        connected.map_err(|error| TransportError::new(format!("{}: {error}", self.url)))
    }
}
