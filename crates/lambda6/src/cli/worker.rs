//! `lambda6 worker`: does jobs for the clients of a grid.

use super::Exit;
use crate::{nats_args::NatsArgs, output, search_args::parse_mib, version};
use anyhow::{Context, Result};
use lambda6_grid::nats::{NameError, News, Stop, WorkerName, WorkerSettings, work};
use lambda6_jobs::{Worker as Program, WorkerOptions};
use serde::Serialize;
use std::process;

const AFTER_HELP: &str = "\
Workers can join and leave at any time, and wait for a server that is not up yet. The first
Ctrl-C finishes the job and leaves; the second hands the job back and leaves at once; a job
that is handed back or left behind is given to another worker. A worker must be the same
program as the client (`lambda6 --version`). docs/GRID.md tells how to start a server and
which permissions a worker needs.

Examples:
  lambda6 worker --nats nats://server:4222
  NATS_PASSWORD=secret lambda6 worker --nats tls://server:4222 --user worker --tls-ca ca.pem
  lambda6 worker --nats nats://localhost:4222 --jobs 10 --json";

/// Do jobs for searches on other machines
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Worker {
    /// The NATS server
    #[arg(long, value_name = "URL")]
    nats: String,

    #[command(flatten)]
    access: NatsArgs,

    /// The worker's name, which no other worker of its owner has; made from the
    /// machine's name and the process's number if not given
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    name: Option<String>,

    /// The worker's owner, as the server's permissions name it; the user's name if
    /// not given
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    owner: Option<String>,

    /// Memory for tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = parse_mib())]
    memory: u64,

    /// Leave after N jobs
    #[arg(long, value_name = "N")]
    jobs: Option<u64>,

    /// Print lines of JSON instead of text
    #[arg(long)]
    json: bool,
}

fn parse_name(text: &str) -> Result<String, NameError> {
    WorkerName::new(WorkerName::DEFAULT_OWNER, text).map(|name| name.process().to_string())
}

/// The documents that `--json` prints; docs/FORMATS.md describes them.
#[derive(Serialize, Default)]
struct NewsJson {
    event: &'static str,
    job: Option<u64>,
    text: Option<String>,
    millis: Option<u64>,
}

impl Worker {
    pub(crate) fn run(&self) -> Result<Exit> {
        let stop = Stop::default();
        let asked = stop.clone();
        let json = self.json;
        let ask = move || {
            if asked.ask() == 1 {
                let leaving = NewsJson { event: "leaving", ..NewsJson::default() };
                // Standard output may be closed.
                let _ = say(json, leaving, "leaving when the job is done; Ctrl-C again hands it back");
            }
        };
        ctrlc::set_handler(ask).context("signals cannot be handled")?;
        let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
        let host: String = host.trim().chars().filter(char::is_ascii_alphanumeric).take(20).collect();
        let process = self.name.clone().unwrap_or_else(|| format!("{host}-{}", process::id()));
        let owner = self.owner.as_deref().or(self.access.user()).unwrap_or(WorkerName::DEFAULT_OWNER);
        let settings = WorkerSettings {
            name: WorkerName::new(owner, &process).with_context(|| format!("the owner {owner:?}"))?,
            build: version::build(),
            jobs: self.jobs,
        };
        let options = WorkerOptions { table_bytes: (self.memory << 20) as usize, ..WorkerOptions::default() };
        let mut broken = None;
        let mut news = |news: News| {
            // Standard output may be closed: the worker continues.
            broken = broken.take().or(self.tell(news).err());
        };
        let (access, grid) = (self.access.access(&self.nats)?, self.access.grid());
        work(&access, &grid, &settings, move || Program::new(options), &stop, &mut news)?;
        Ok(Exit::Yes)
    }

    fn tell(&self, news: News) -> Result<()> {
        let mut json = NewsJson::default();
        let text = match news {
            News::Waiting(why) => {
                json = NewsJson { event: "waiting", text: Some(why.clone()), ..json };
                format!("waiting for the server: {why}")
            }
            News::Ready => {
                json.event = "ready";
                "ready".to_string()
            }
            News::Begin { job, words } => {
                json = NewsJson { event: "begin", job: Some(job), text: Some(words.clone()), ..json };
                format!("job {job} begins: {words}")
            }
            News::Done { job, words, millis } => {
                let text = Some(words.clone());
                json = NewsJson { event: "done", job: Some(job), text, millis: Some(millis) };
                format!("job {job} done in {:.1} s: {words}", millis as f64 / 1e3)
            }
            News::CalledOff(job) => {
                json = NewsJson { event: "called-off", job: Some(job), ..json };
                format!("job {job} called off")
            }
            News::Returned(job) => {
                json = NewsJson { event: "returned", job: Some(job), ..json };
                format!("job {job} handed back")
            }
            News::Trouble(why) => {
                json = NewsJson { event: "trouble", text: Some(why.clone()), ..json };
                format!("trouble: {why}")
            }
        };
        say(self.json, json, &text)
    }
}

fn say(as_json: bool, json: NewsJson, text: &str) -> Result<()> {
    if as_json { output::json("worker", json) } else { output::text(&format!("{text}\n")) }
}
