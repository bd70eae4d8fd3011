//! `lambda6 search export`: the tree of a search as a file.

use super::{OutputArgs, visited};
use crate::{cli::Exit, output};
use anyhow::{Result, bail};
use lambda6_jobs::{Store, export};
use serde::Serialize;

const AFTER_HELP: &str = "\
The name of OUT tells the format: .sgf is a game record with the moves as variations, the best
first, and numbers and values in the comments; .json is a list of nodes.

Examples:
  lambda6 search export opening.l6 tree.sgf
  lambda6 search export opening.l6 tree.json --force --json";

/// Write the tree of a search as SGF or JSON
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Export {
    #[command(flatten)]
    files: OutputArgs,
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
    pub(crate) fn run(&self) -> Result<Exit> {
        let OutputArgs { file, out, force, json } = &self.files;
        let search = visited(file)?.load()?;
        let tree = search.tree();
        let bytes = match out.extension().and_then(|extension| extension.to_str()) {
            Some("sgf") => export::sgf(tree)?,
            Some("json") => serde_json::to_vec(&TreeJson {
                position: tree.root().setup().to_string(),
                attacker: tree.attacker().name(),
                nodes: export::nodes(&search),
            })?,
            _ => bail!("{}: expected a name that ends in .sgf or .json", out.display()),
        };
        output::file(out, &bytes, *force)?;
        let (file, nodes) = (out.display().to_string(), tree.len());
        let text = format!("{file}: {nodes} nodes\n");
        output::either(*json, "search-export", ExportJson { file, nodes }, || text)?;
        Ok(Exit::Yes)
    }
}
