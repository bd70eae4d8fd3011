//! `lambda6 serve`: serves the page.

use super::Exit;
use crate::{
    files,
    nats_args::NatsArgs,
    output,
    search_args::{parse_mib, parse_seconds},
    version,
};
use anyhow::{Context, Result, bail};
use lambda6_server::{Listening, Nats, Options, ServeError, Token};
use serde::Serialize;
use std::{env, io, net::SocketAddr, path::PathBuf, time::Duration};

const AFTER_HELP: &str = "\
The page is part of the program. By default the server listens on the loopback address, which
no other machine can reach. With --listen and another address, clients need a token: that of
--token-file, or of the environment variable LAMBDA6_TOKEN, or a random one, which is part of
the address that is printed.

Clients share the searches: at most --searches run at the same time, others wait, and no
search takes more time and memory than --time and --memory.

Each job-level search is a file in the directory of --data. Its jobs are done by threads of
the server or, with --nats, by workers on other machines (`lambda6 worker`). The page also
shows and steers searches that another process works on (`lambda6 search start FILE`).

/api/v1/openapi.json describes the interface. Ctrl-C ends it.

Examples:
  lambda6 serve --open
  lambda6 serve --listen 127.0.0.1:8080 --searches 1
  lambda6 serve --listen 0.0.0.0:6006 --token-file token.txt
  lambda6 serve --nats nats://server:4222
  lambda6 serve --json";

/// The default port, if it is free.
const PORT: u16 = 6006;

/// Open the page: play, analyse and prove in a browser
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Serve {
    /// The address to listen on [default: 127.0.0.1:6006, or a free port if that one is
    /// taken]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,

    /// A file with the token that clients must send
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// The directory of job-level searches; in the user's data directory if not given
    #[arg(long, value_name = "DIRECTORY")]
    data: Option<PathBuf>,

    /// Let job-level searches use the workers of this NATS server
    #[arg(long, value_name = "URL")]
    nats: Option<String>,

    #[command(flatten)]
    access: NatsArgs,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// Searches at the same time; the number of cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    searches: Option<u16>,

    /// The longest time of a search, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = parse_seconds)]
    time: Duration,

    /// The most memory for the tables of a search, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = parse_mib())]
    memory: u64,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct ServeJson {
    url: String,
    address: String,
}

impl Serve {
    pub(crate) fn run(&self) -> Result<Exit> {
        crate::return_freed_memory();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .context("the server cannot be started")?;
        runtime.block_on(self.serve())?;
        // A search that is still running does not keep the program alive.
        runtime.shutdown_background();
        Ok(Exit::Yes)
    }

    async fn serve(&self) -> Result<()> {
        let listening = self.listen().await?;
        let url = listening.url();
        let document = ServeJson { url: url.clone(), address: listening.address().to_string() };
        output::either(self.json, "serve", document, || format!("{url}\n"))?;
        if self.open
            && let Err(error) = open::that_detached(&url)
        {
            output::note(&format!("no browser could be opened ({error}): open {url}"));
        }
        tokio::select! {
            () = listening.serve() => {}
            () = interrupted() => {}
        }
        Ok(())
    }

    async fn listen(&self) -> Result<Listening> {
        let mut options = Options {
            address: self.listen.unwrap_or(SocketAddr::from(([127, 0, 0, 1], PORT))),
            token: self.token()?,
            jobs: self.data.clone().or_else(data_directory),
            nats: self.nats()?,
            build: version::build(),
            ..Options::default()
        };
        options.ceiling.time = self.time;
        options.ceiling.memory = (self.memory as usize) << 20;
        if let Some(searches) = self.searches {
            options.searches = usize::from(searches);
        }
        if !options.is_local() && options.token.is_none() {
            options.token = Some(Token::random().context("no random token could be made")?);
        }
        match Listening::start(options.clone()).await {
            Err(ServeError::Address { source, .. })
                if self.listen.is_none() && source.kind() == io::ErrorKind::AddrInUse =>
            {
                options.address.set_port(0);
                Ok(Listening::start(options).await?)
            }
            other => Ok(other?),
        }
    }

    fn nats(&self) -> Result<Option<Nats>> {
        let Some(url) = &self.nats else {
            if self.access.is_given() {
                bail!(
                    "--user, --token, --nkey, --creds and --tls-* are about the server of --nats, which is not given"
                );
            }
            return Ok(None);
        };
        Ok(Some(Nats { access: self.access.access(url)?, grid: self.access.grid() }))
    }

    fn token(&self) -> Result<Option<Token>> {
        let (text, source) = match (&self.token_file, env::var("LAMBDA6_TOKEN")) {
            (Some(path), _) => (files::read_text(path)?, path.display().to_string()),
            (None, Ok(text)) => (text, "LAMBDA6_TOKEN".to_string()),
            (None, Err(_)) => return Ok(None),
        };
        match Token::new(text.trim()) {
            Some(token) => Ok(Some(token)),
            None => bail!("{source}: expected a token of at least 16 letters, digits or any of -_.~"),
        }
    }
}

/// The directory of searches in the user's data directory.
fn data_directory() -> Option<PathBuf> {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = given("XDG_DATA_HOME").or_else(|| Some(given("HOME")?.join(".local/share")));
    Some(data?.join("lambda6").join("searches"))
}

/// Waits for Ctrl-C or a termination signal.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut ended) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = ended.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
