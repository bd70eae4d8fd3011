//! `lambda6 search export`: the tree of a search as a file.

use crate::{cli::Answer, output};
use anyhow::{Result, bail};
use jobs::{SqliteStore, Store, export};
use serde::Serialize;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
The name tells the format: .sgf is a game record with the moves as variations, the best
first, and numbers and values in the comments; .json is a list of nodes.

Examples:
  lambda6 search export opening.l6 tree.sgf
  lambda6 search export opening.l6 tree.json --force --json";

/// Write the tree of a search as SGF or JSON
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Export {
    /// The search's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The file to be written: .sgf or .json
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
struct ExportJson {
    file: String,
    nodes: usize,
}

/// What a `.json` file holds.
#[derive(Serialize)]
struct TreeJson {
    position: String,
    attacker: &'static str,
    nodes: Vec<export::NodeJson>,
}

impl Export {
    pub(crate) fn run(&self) -> Result<Answer> {
        let search = SqliteStore::visit(&self.file)?.load()?;
        let tree = search.tree();
        let bytes = match self.out.extension().and_then(|extension| extension.to_str()) {
            Some("sgf") => export::sgf(tree)?,
            Some("json") => serde_json::to_vec(&TreeJson {
                position: tree.root().setup().to_string(),
                attacker: tree.attacker().name(),
                nodes: export::nodes(&search),
            })?,
            _ => bail!("{}: expected a name that ends in .sgf or .json", self.out.display()),
        };
        output::file(&self.out, &bytes, self.force)?;
        let (file, nodes) = (self.out.display().to_string(), tree.len());
        if self.json {
            output::json("search-export", ExportJson { file, nodes })?;
        } else {
            output::text(&format!("{file}: {nodes} nodes\n"))?;
        }
        Ok(Answer::Yes)
    }
}
