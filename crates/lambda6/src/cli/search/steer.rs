//! `lambda6 search steer`: orders of a person.

use super::{pause::PATIENCE, visited};
use crate::{cli::Exit, output};
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use lambda6_jobs::{NodeId, SqliteStore};
use serde::Serialize;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Nodes are numbered; `search status` and the comments of `search export` show the numbers,
and 0 is the root. The orders are:
  suggest NODE MOVE   add this move as a promising one
  forbid NODE MOVE    do not search this move
  allow NODE MOVE     undo forbid
  force NODE          look for the next move of this node before anything else
  verify NODE         list all defences of this node before anything else
  pause NODE          do not search this node and the nodes below it
  resume NODE         undo pause, and retry jobs that failed too often
The process that works on the search carries the order out; if there is none, this
command does. No order changes what is proved.

Examples:
  lambda6 search steer opening.l6 suggest 0 k11l10
  lambda6 search steer opening.l6 pause 17 --json";

/// Suggest or forbid a move, force a node, pause a subtree
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Steer {
    /// The search's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The order
    #[arg(value_name = "ORDER", value_parser = PossibleValuesParser::new(lambda6_jobs::Steer::VERBS))]
    order: String,

    /// The number of the node
    #[arg(value_name = "NODE")]
    node: u32,

    /// The move, for suggest, forbid and allow
    #[arg(value_name = "MOVE")]
    mv: Option<String>,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct SteerJson {
    node: u32,
    done: bool,
}

impl Steer {
    pub(crate) fn run(&self) -> Result<Exit> {
        let game = visited(&self.file)?.settings().root.game();
        let mv = self.mv.as_ref().map(|text| game.parse_move(text)).transpose()?;
        let order = lambda6_jobs::Steer::new(&self.order, NodeId(self.node), mv)?;
        SqliteStore::give_order(&self.file, &order, PATIENCE)?;
        let document = SteerJson { node: self.node, done: true };
        output::either(self.json, "search-steer", document, || "done\n".to_string())?;
        Ok(Exit::Yes)
    }
}
