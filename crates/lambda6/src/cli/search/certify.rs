//! `lambda6 search certify`: one certificate for a solved search.

use crate::{cli::Answer, cli::solve::write_proof, output};
use anyhow::{Result, bail};
use jobs::{NoCertificate, SqliteStore, Store, certify};
use search::{Limits, NoClock, Silent, Solver, SolverOptions, Verdict};
use serde::Serialize;
use std::{path::PathBuf, sync::atomic::AtomicBool};

const AFTER_HELP: &str = "\
Puts the tree and the proofs of the jobs together into one certificate, which
`lambda6 check` and any other checker accept. Exit code 1: the root is not solved.

Examples:
  lambda6 search certify opening.l6 opening.proof
  lambda6 search certify opening.l6 opening.proof.zst --json";

/// Write one certificate for a solved search
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Certify {
    /// The search's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The certificate, compressed if its name ends in .zst
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// Replace the file if it exists
    #[arg(long)]
    force: bool,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct CertifyJson {
    /// Whose win is certified; nothing if the root is not solved.
    winner: Option<&'static str>,
    replies: Option<usize>,
    file: Option<String>,
}

/// Moves tried for a position that no proof of a job covers.
const NODES: u64 = 1_000_000;

impl Certify {
    pub(crate) fn run(&self) -> Result<Answer> {
        if self.out.exists() && !self.force {
            bail!("{}: exists already (--force replaces it)", self.out.display());
        }
        let store = SqliteStore::visit(&self.file)?;
        let search = store.load()?;
        let settings = search.settings();
        let mut solver = None;
        let mut solve = |position: &rules::Position, side| {
            let method = settings.method;
            let options = SolverOptions { method, ..SolverOptions::default() };
            let solver = solver.get_or_insert_with(|| Solver::new(position.game(), options));
            let limits = Limits { nodes: Some(NODES), ..Limits::default() };
            let stop = AtomicBool::new(false);
            let report = solver.solve(position, side, limits, &NoClock, &stop, &mut Silent).ok()?;
            match report.verdict {
                Verdict::Win(win) => win.certificate.map(|certificate| certificate.replies().to_vec()),
                Verdict::Unknown(_) => None,
            }
        };
        match certify(search.tree(), &store, settings.method, &mut solve) {
            Ok(certificate) => {
                write_proof(&self.out, &certificate, self.force)?;
                let (winner, replies) = (certificate.attacker().name(), certificate.replies().len());
                let file = self.out.display().to_string();
                if self.json {
                    let (winner, replies, file) = (Some(winner), Some(replies), Some(file));
                    output::json("search-certify", CertifyJson { winner, replies, file })?;
                } else {
                    output::text(&format!("{file}: {winner} wins, {replies} replies\n"))?;
                }
                Ok(Answer::Yes)
            }
            Err(NoCertificate::NotWon(why)) => {
                if self.json {
                    let nothing = CertifyJson { winner: None, replies: None, file: None };
                    output::json("search-certify", nothing)?;
                } else {
                    output::text(&format!("no certificate: {why}\n"))?;
                }
                Ok(Answer::No)
            }
            Err(error) => Err(error.into()),
        }
    }
}
