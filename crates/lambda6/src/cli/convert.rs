//! `lambda6 convert`: writes a game in another format.

use super::Exit;
use crate::{
    output,
    position_arg::{RecordArgs, parse_rows},
};
use anyhow::{Context, Result, anyhow, bail};
use lambda6_rules::record::{Format, Record, Rows, WriteError, WriteOptions};
use serde::Serialize;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
POSITION is read as for every command: a file, `-` for standard input, a list of
moves, the name of an opening, or a setup.

Formats:
  move-list     1.j10 2.i8h9 3.k11l10
  little-golem  SGF, one node a move, squares by name
  gm511         SGF with GM[511], one node a stone, letter pairs
  gm511-pairs   SGF with GM[511], one node a move, letter pairs
  contest       the records of Chinese contests, in GB2312

A file is written completely or not at all, and an existing one is replaced only with
--force. Contents that the format cannot keep are an error without --lossy.

Examples:
  lambda6 convert game.sgf
  lambda6 convert game.sgf --to contest --output game.txt
  lambda6 convert old.sgf --rows bottom --to gm511 --output new.sgf
  lambda6 convert 'j10 i8h9 k11l10' --to little-golem";

/// Write a game in another format
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Convert {
    #[command(flatten)]
    record: RecordArgs,

    /// The format to write [default: move-list]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,

    /// The row that the letter `a` is to mean in SGF with letter pairs: top or
    /// bottom
    #[arg(long, value_name = "ROW", value_parser = parse_rows)]
    to_rows: Option<Rows>,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    force: bool,

    /// Leave out what the format cannot keep, with a warning
    #[arg(long)]
    lossy: bool,

    /// Print what was done as one line of JSON; the game goes to --output
    #[arg(long, requires = "output")]
    json: bool,
}

impl Convert {
    pub(crate) fn run(&self) -> Result<Exit> {
        let format = self.format()?;
        let (record, input) = self.record.load()?;
        let (bytes, lost) = self.write(&record, format).with_context(|| input.name.clone())?;
        if let Some(lost) = &lost {
            output::note(&format!("warning: {}: not everything is kept: {lost}", input.name));
        }
        match &self.output {
            Some(path) => output::file(path, &bytes, self.force)?,
            None => output::bytes(&bytes)?,
        }
        if self.json {
            let report = ConvertJson {
                from: record.format().name(),
                to: format.name(),
                moves: record.main_line().len(),
                bytes: bytes.len(),
                lost: lost.map(|lost| lost.to_string()),
            };
            output::json("convert", report)?;
        }
        Ok(Exit::Yes)
    }

    fn format(&self) -> Result<Format> {
        let is_sgf = self
            .output
            .as_ref()
            .and_then(|path| path.extension())
            .is_some_and(|e| e.eq_ignore_ascii_case("sgf"));
        match self.to {
            Some(format) => Ok(format),
            None if is_sgf => bail!("which SGF? say --to little-golem, --to gm511 or --to gm511-pairs"),
            None => Ok(Format::MoveList),
        }
    }

    /// The contents of the file, and what of the record is missing there.
    fn write(&self, record: &Record, format: Format) -> Result<(Vec<u8>, Option<WriteError>)> {
        let options = WriteOptions { rows: self.to_rows, lossy: false };
        let refused = match record.write(format, &options) {
            Ok(bytes) => return Ok((bytes, None)),
            Err(refused) => refused,
        };
        match record.write(format, &WriteOptions { lossy: true, ..options }) {
            Ok(bytes) if self.lossy => Ok((bytes, Some(refused))),
            Ok(_) => Err(anyhow!("{refused} (--lossy leaves it out)")),
            Err(error) => Err(error.into()),
        }
    }
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct ConvertJson {
    from: &'static str,
    to: &'static str,
    moves: usize,
    bytes: usize,
    lost: Option<String>,
}
