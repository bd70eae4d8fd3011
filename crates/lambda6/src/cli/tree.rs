//! `lambda6 tree`: reads the trees that searches write.

use super::Exit;
use crate::{input::Input, output};
use anyhow::{Context, Result};
use clap::Subcommand;
use lambda6_literature::tree::{INFINITE, Kind, Knot, Snapshot};
use serde::Serialize;
use std::ffi::OsString;

const AFTER_HELP: &str = "\
`lambda6 solve --search pns-2b --tree FILE` writes trees; docs/FORMATS.md describes them.

Examples:
  lambda6 tree show tree.sgf
  lambda6 tree show tree.json --json";

const AFTER_HELP_SHOW: &str = "\
The numbers of all nodes are recomputed from the leaves. Exit code 0: they are those of
the file. 1: they are not. 2: the file is not a tree.

Examples:
  lambda6 tree show tree.sgf
  lambda6 tree show tree.json --json";

/// Read the trees of searches
#[derive(Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(crate) enum TreeCommand {
    Show(Show),
}

impl TreeCommand {
    pub(crate) fn run(&self) -> Result<Exit> {
        let TreeCommand::Show(command) = self;
        command.run()
    }
}

/// Count the nodes of a tree and check its numbers
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP_SHOW)]
pub(crate) struct Show {
    /// The tree, in SGF or JSON: a file or `-`
    #[arg(value_name = "FILE")]
    file: OsString,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct ShowJson {
    search: String,
    attacker: &'static str,
    nodes: usize,
    attacker_nodes: usize,
    proved: usize,
    refuted: usize,
    zones: usize,
    proof: Option<u32>,
    disproof: Option<u32>,
    line: Vec<String>,
    /// The first node whose numbers do not follow from those below it.
    first_wrong: Option<usize>,
}

impl Show {
    fn run(&self) -> Result<Exit> {
        let input = Input::from_argument(&self.file)?;
        let tree = read(&input.bytes).with_context(|| input.name.clone())?;
        let count = |test: &dyn Fn(&Knot) -> bool| tree.nodes.iter().filter(|knot| test(knot)).count();
        let finite = |number: u32| Some(number).filter(|&number| number != INFINITE);
        let numbers = tree.root().map(|root| (finite(root.pn), finite(root.dn)));
        let (proof, disproof) = numbers.unwrap_or_default();
        let shown = ShowJson {
            search: tree.search.clone(),
            attacker: tree.attacker.name(),
            nodes: tree.nodes.len(),
            attacker_nodes: count(&|knot| knot.kind == Kind::Or),
            proved: count(&|knot| knot.pn == 0),
            refuted: count(&|knot| knot.dn == 0),
            zones: count(&|knot| !knot.zones.is_empty()),
            proof,
            disproof,
            line: output::line_names(tree.game(), &tree.main_line()),
            first_wrong: tree.first_wrong(),
        };
        let answer = if shown.first_wrong.is_none() { Exit::Yes } else { Exit::No };
        output::either(self.json, "tree-show", &shown, || shown.text())?;
        Ok(answer)
    }
}

impl ShowJson {
    fn text(&self) -> String {
        let number = |number: Option<u32>| number.map_or("infinite".to_string(), |n| n.to_string());
        let defender_nodes = self.nodes - self.attacker_nodes;
        let wrong = match self.first_wrong {
            None => "all follow from those below".to_string(),
            Some(node) => format!("those of node {node} do not follow from those below"),
        };
        let facts = [
            ("search", self.search.clone()),
            ("attacker", self.attacker.to_string()),
            ("proof number", number(self.proof)),
            ("disproof number", number(self.disproof)),
            (
                "nodes",
                format!(
                    "{} ({} of the attacker, {defender_nodes} of the defender)",
                    self.nodes, self.attacker_nodes
                ),
            ),
            ("proved", self.proved.to_string()),
            ("refuted", self.refuted.to_string()),
            ("with zones", self.zones.to_string()),
            ("line", self.line.join(" ")),
            ("numbers", wrong),
        ];
        facts.into_iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
    }
}

/// Reads a tree in either format.
fn read(bytes: &[u8]) -> Result<Snapshot> {
    if bytes.trim_ascii_start().starts_with(b"{") {
        let text = std::str::from_utf8(bytes).context("expected UTF-8")?;
        return Ok(Snapshot::from_json(text)?);
    }
    Ok(Snapshot::from_sgf(bytes)?)
}
