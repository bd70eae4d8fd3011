//! The options for connections to a NATS server, which client and worker share.

use crate::files;
use anyhow::{Result, bail};
use lambda6_grid::nats::{Access, Grid};
use std::{env, path::PathBuf};

/// The grid and the credentials.
#[derive(clap::Args)]
pub(crate) struct NatsArgs {
    /// The grid's name on the server
    #[arg(long, value_name = "NAME", default_value_t)]
    grid: Grid,

    /// User; the password is taken from the environment variable NATS_PASSWORD
    #[arg(long, value_name = "USER")]
    user: Option<String>,

    /// Take a token from the environment variable NATS_TOKEN
    #[arg(long, conflicts_with = "user")]
    token: bool,

    /// File with the seed of an nkey
    #[arg(long, value_name = "FILE", conflicts_with_all = ["user", "token"])]
    nkey: Option<PathBuf>,

    /// Credentials file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["user", "token", "nkey"])]
    creds: Option<PathBuf>,

    /// Certificate of the authority that signed the server's; asks for TLS
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,

    /// Certificate of our own
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,

    /// The key of our certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl NatsArgs {
    pub(crate) fn grid(&self) -> Grid {
        self.grid.clone()
    }

    /// The user's name, if one is given.
    pub(crate) fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// Whether any credentials are given.
    pub(crate) fn is_given(&self) -> bool {
        let files = [&self.nkey, &self.creds, &self.tls_ca, &self.tls_cert];
        self.user.is_some() || self.token || files.iter().any(|file| file.is_some())
    }

    /// The server at this address with the credentials.
    pub(crate) fn access(&self, url: &str) -> Result<Access> {
        let secret = |name: &str| match env::var(name) {
            Ok(secret) => Ok(secret),
            Err(_) => bail!("the environment variable {name} is not set"),
        };
        let read = |path: &PathBuf| Ok::<_, anyhow::Error>(files::read_text(path)?.trim().to_string());
        Ok(Access {
            url: url.to_string(),
            user: self
                .user
                .clone()
                .map(|user| Ok::<_, anyhow::Error>((user, secret("NATS_PASSWORD")?)))
                .transpose()?,
            token: if self.token { Some(secret("NATS_TOKEN")?) } else { None },
            nkey: self.nkey.as_ref().map(read).transpose()?,
            credentials: self.creds.clone(),
            ca: self.tls_ca.clone(),
            certificate: self.tls_cert.clone().zip(self.tls_key.clone()),
        })
    }
}
