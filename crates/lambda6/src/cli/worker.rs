//! `lambda6 worker`: does jobs for the clients of a grid.

use super::Answer;
use crate::{nats_args::NatsArgs, output, search_args::MAX_MEMORY_MIB, version};
use anyhow::{Context, Result};
use grid::nats::{News, Stop, WorkerSettings, work};
use jobs::{Worker as Program, WorkerOptions};
use serde::Serialize;
use std::process;

const AFTER_HELP: &str = "\
Workers come and go as they like. The first Ctrl-C finishes the job and leaves; the second
hands the job back and leaves at once; what is handed back or left behind is given to
another worker. A worker must be the same program as the client (`lambda6 --version`).
docs/GRID.md tells how to start a server and which permissions a worker needs.

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

    /// The worker's name; made from the process's number if not given
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    name: Option<String>,

    /// Memory for tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MEMORY_MIB))]
    memory: u64,

    /// Leave after N jobs
    #[arg(long, value_name = "N")]
    jobs: Option<u64>,

    /// Print lines of JSON instead of text
    #[arg(long)]
    json: bool,
}

fn parse_name(text: &str) -> Result<String, String> {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    if text.is_empty() || text.len() > 64 || !text.bytes().all(fits) {
        return Err("expected up to 64 letters, digits, - or _".to_string());
    }
    Ok(text.to_string())
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
    pub(crate) fn run(&self) -> Result<Answer> {
        let stop = Stop::default();
        let asked = stop.clone();
        let json = self.json;
        let ask = move || {
            if asked.ask() == 1 {
                let leaving = NewsJson { event: "leaving", ..NewsJson::default() };
                // Nobody may be reading.
                let _ = say(json, leaving, "leaving when the job is done; Ctrl-C again hands it back");
            }
        };
        ctrlc::set_handler(ask).context("signals cannot be handled")?;
        let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
        let host: String = host.trim().chars().filter(char::is_ascii_alphanumeric).take(20).collect();
        let settings = WorkerSettings {
            name: self.name.clone().unwrap_or_else(|| format!("{host}-{}", process::id())),
            build: version::build(),
            jobs: self.jobs,
        };
        let options = WorkerOptions { table_bytes: (self.memory << 20) as usize, ..WorkerOptions::default() };
        let mut broken = None;
        let mut news = |news: News| {
            // Nobody may be reading: the work goes on all the same.
            broken = broken.take().or(self.tell(news).err());
        };
        let (access, grid) = (self.access.access(&self.nats)?, self.access.grid());
        work(&access, &grid, &settings, move || Program::new(options), &stop, &mut news)?;
        Ok(Answer::Yes)
    }

    fn tell(&self, news: News) -> Result<()> {
        let mut json = NewsJson::default();
        let text = match news {
            News::Waiting(why) => {
                json = NewsJson { event: "waiting", text: Some(why.clone()), ..json };
                format!("waiting for a client to set the grid up: {why}")
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
