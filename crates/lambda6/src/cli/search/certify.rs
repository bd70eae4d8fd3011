//! `lambda6 search certify`: one certificate for a solved search.

use super::{OutputArgs, visited};
use crate::{cli::Exit, interrupt, output, progress};
use anyhow::Result;
use lambda6_jobs::{NoCertificate, Store, certify_search};
use serde::Serialize;

const AFTER_HELP: &str = "\
Joins the tree and the proofs of the jobs into one certificate, which `lambda6 check` and
any other checker accept, compressed if the name of OUT ends in .zst.
Exit code 1: the root is not solved.

Examples:
  lambda6 search certify opening.l6 opening.proof
  lambda6 search certify opening.l6 opening.proof.zst --json";

/// Write one certificate for a solved search
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Certify {
    #[command(flatten)]
    files: OutputArgs,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct CertifyJson {
    /// Whose win is certified; nothing if the root is not solved.
    winner: Option<&'static str>,
    replies: Option<usize>,
    file: Option<String>,
}

impl Certify {
    pub(crate) fn run(&self) -> Result<Exit> {
        let OutputArgs { file, out, force, json } = &self.files;
        output::check_writable(out, *force)?;
        let store = visited(file)?;
        let search = store.load()?;
        let spinner = progress::spinner();
        let certified = certify_search(&search, &store, &*interrupt::stop_flag()?);
        drop(spinner);
        match certified {
            Ok(certificate) => {
                output::certificate(out, &certificate, *force)?;
                let (winner, replies) = (certificate.attacker().name(), certificate.replies().len());
                let file = out.display().to_string();
                let text = format!("{file}: {winner} wins, {replies} replies\n");
                let document = CertifyJson { winner: Some(winner), replies: Some(replies), file: Some(file) };
                output::either(*json, "search-certify", document, || text)?;
                Ok(Exit::Yes)
            }
            Err(NoCertificate::NotWon(why)) => {
                let document = CertifyJson { winner: None, replies: None, file: None };
                output::either(*json, "search-certify", document, || format!("no certificate: {why}\n"))?;
                Ok(Exit::No)
            }
            Err(error) => Err(error.into()),
        }
    }
}
