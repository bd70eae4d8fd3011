//! `lambda6 atlas show`: what is known of an opening.

use super::{AtlasArgs, find};
use crate::{cli::Exit, output};
use anyhow::{Context, Result};
use lambda6_atlas::{Certificates, check::certificate_text, export};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
An OPENING is a name such as TX-H9, or White's move in any orientation.
Exit code 0: it is proved. 1: it is open.

Examples:
  lambda6 atlas show TX-H9
  lambda6 atlas show k12l11 --proof tx-h9.proof
  lambda6 atlas show --game go-moku a1 --json";

/// Tell what is known of an opening, and write its certificate
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Show {
    #[command(flatten)]
    atlas: AtlasArgs,

    /// The opening
    #[arg(value_name = "OPENING")]
    opening: String,

    /// Write the certificate to FILE, compressed if its name ends in .zst
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,

    /// Replace FILE if it exists
    #[arg(long)]
    force: bool,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn run(&self) -> Result<Exit> {
        if let Some(path) = &self.proof {
            output::check_writable(path, self.force)?;
        }
        let atlas = self.atlas.load()?;
        let number = find(&atlas, &self.opening)?;
        let row = export::row(&atlas, number);
        let name = &row.name;
        if let Some(path) = &self.proof {
            let text = certificate_text(&atlas, &Certificates::default(), number)?;
            let text = text.with_context(|| format!("{name}: is not proved, there is no certificate"))?;
            output::certificate_text(path, text, self.force)?;
        }
        output::either(self.json, "atlas-opening", &row, || match (&row.third, row.replies, row.longest) {
            (Some(third), Some(replies), Some(longest)) => format!(
                "{name} ({}): Black wins by {third}\nreplies: {replies}, longest line: {longest} moves of Black\n\
                 moves tried: {}\nsha256 of the certificate: {}\n",
                row.moves.join(" "),
                row.spent,
                row.sha256.as_deref().unwrap_or_default()
            ),
            _ => format!("{name} ({}): open, {} moves tried\n", row.moves.join(" "), row.spent),
        })?;
        Ok(if row.third.is_some() { Exit::Yes } else { Exit::No })
    }
}
