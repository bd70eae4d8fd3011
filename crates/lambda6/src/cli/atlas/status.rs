//! `lambda6 atlas status`: how far an atlas is.

use super::AtlasArgs;
use crate::{cli::Exit, output};
use anyhow::Result;
use lambda6_atlas::Atlas;
use serde::Serialize;
use std::fmt::Write as _;

const AFTER_HELP: &str = "\
Examples:
  lambda6 atlas status
  lambda6 atlas status --game go-moku --json";

/// Openings that are named in the text.
const NAMED: usize = 60;
/// Third moves that are named in the text.
const THIRDS: usize = 10;

/// Count what is proved and what is open
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Status {
    #[command(flatten)]
    atlas: AtlasArgs,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct StatusJson {
    game: String,
    groups: Vec<GroupJson>,
    /// Third moves up to symmetry, with the number of openings that they win.
    thirds: Vec<(String, usize)>,
    /// The names of the openings that are not proved.
    open: Vec<String>,
}

#[derive(Serialize)]
struct GroupJson {
    group: &'static str,
    openings: usize,
    proved: usize,
    tried_in_vain: usize,
    /// Moves tried.
    spent: u64,
}

impl Status {
    pub(crate) fn run(&self) -> Result<Exit> {
        let atlas = self.atlas.load()?;
        let status = status(&atlas);
        output::either(self.json, "atlas-status", &status, || text(&status))?;
        Ok(if status.open.is_empty() { Exit::Yes } else { Exit::No })
    }
}

fn status(atlas: &Atlas) -> StatusJson {
    let game = atlas.game();
    let groups = atlas.counts().into_iter().map(|(group, counts)| GroupJson {
        group: group.text(game),
        openings: counts.all,
        proved: counts.proved,
        tried_in_vain: counts.tried,
        spent: counts.spent,
    });
    let thirds = atlas.thirds().into_iter().map(|(third, count)| (game.move_name(&third), count));
    let open = atlas.rows().filter(|row| row.proved.is_none());
    StatusJson {
        game: game.to_string(),
        groups: groups.collect(),
        thirds: thirds.collect(),
        open: open.map(|row| atlas.openings().all()[row.number].name.clone()).collect(),
    }
}

fn text(status: &StatusJson) -> String {
    let mut text =
        format!("{:>8} {:>8} {:>8} {:>16}  second moves\n", "proved", "of", "in vain", "moves tried");
    for GroupJson { group, openings, proved, tried_in_vain, spent } in &status.groups {
        let _ = writeln!(text, "{proved:8} {openings:8} {tried_in_vain:8} {spent:16}  {group}");
    }
    let sum = |of: fn(&GroupJson) -> u64| status.groups.iter().map(of).sum::<u64>();
    let (proved, openings) = (sum(|group| group.proved as u64), sum(|group| group.openings as u64));
    let (tried, spent) = (sum(|group| group.tried_in_vain as u64), sum(|group| group.spent));
    let _ = writeln!(text, "{proved:8} {openings:8} {tried:8} {spent:16}  all");
    let thirds: Vec<String> =
        status.thirds.iter().take(THIRDS).map(|(third, count)| format!("{third} {count}")).collect();
    if !thirds.is_empty() {
        let _ = writeln!(text, "third moves that win, up to symmetry: {}", thirds.join(", "));
    }
    if (1..=NAMED).contains(&status.open.len()) {
        let _ = writeln!(text, "open: {}", status.open.join(" "));
    }
    text
}
