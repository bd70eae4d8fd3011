//! `lambda6 atlas export`: the table for other programs.

use super::AtlasArgs;
use crate::{cli::Exit, output};
use anyhow::Result;
use clap::ValueEnum;
use lambda6_atlas::export;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  lambda6 atlas export > atlas.tsv
  lambda6 atlas export --format html --output atlas.html
  lambda6 atlas export --format sgf --output atlas.sgf";

/// Write the table of all openings
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Export {
    #[command(flatten)]
    atlas: AtlasArgs,

    /// The format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", conflicts_with = "json")]
    format: Format,

    /// Write to FILE instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace FILE if it exists
    #[arg(long)]
    force: bool,

    /// The same as --format json
    #[arg(long)]
    json: bool,
}

#[derive(ValueEnum, Clone, Copy, Default, PartialEq, Eq)]
enum Format {
    /// A table with tabs
    #[default]
    Tsv,
    /// One document with a list of openings
    Json,
    /// A game record with a variation for each proved opening
    Sgf,
    /// One page for a browser
    Html,
}

impl Export {
    pub(crate) fn run(&self) -> Result<Exit> {
        let atlas = self.atlas.load()?;
        let text = match if self.json { Format::Json } else { self.format } {
            Format::Tsv => export::tsv(&atlas),
            Format::Json => serde_json::to_string(&export::table(&atlas))? + "\n",
            Format::Sgf => export::sgf(&atlas)?,
            Format::Html => export::html(&atlas),
        };
        match &self.output {
            Some(path) => output::file(path, text.as_bytes(), self.force)?,
            None => output::text(&text)?,
        }
        Ok(Exit::Yes)
    }
}
