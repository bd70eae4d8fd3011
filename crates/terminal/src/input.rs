//! Input text: a file, standard input or the argument itself.

use crate::files;
use anyhow::{Context, Result, bail};
use lambda6_rules::record;
use std::{
    ffi::OsStr,
    fs::File,
    io::{self, ErrorKind, Read},
    path::Path,
};

/// The most bytes that are read, so that a wrong file does not fill the memory.
const MAX_BYTES: u64 = record::MAX_BYTES as u64;

/// A text and its origin.
pub struct Input {
    /// Its name in error messages.
    pub name: String,
    /// The text, not yet decoded.
    pub bytes: Vec<u8>,
    /// Where it comes from.
    pub origin: Origin,
}

/// The origin of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A file that was named.
    File,
    /// Standard input, named by `-`.
    StandardInput,
    /// The argument itself.
    Argument,
}

impl Input {
    /// Reads the text of an argument: `-` is standard input, the name of an existing
    /// file is that file, and anything else is the text itself, unless it can only be
    /// the name of a file.
    pub fn from_argument(argument: &OsStr) -> Result<Input> {
        if argument == "-" {
            return Input::read("standard input".to_string(), Origin::StandardInput, io::stdin().lock());
        }
        let path = Path::new(argument);
        // A long text is no path, and the system's error for it would be confusing.
        let could_be_path = argument.len() < 4096 && !argument.as_encoded_bytes().contains(&b'\n');
        if could_be_path && path.exists() {
            return Input::from_file(path);
        }
        match argument.to_str() {
            Some(text) if !looks_like_path(text) => Ok(Input {
                name: format!("{:?}", shortened(text)),
                bytes: text.as_bytes().to_vec(),
                origin: Origin::Argument,
            }),
            _ => Err(files::unreadable(path, &ErrorKind::NotFound.into())),
        }
    }

    fn from_file(path: &Path) -> Result<Input> {
        let name = path.display().to_string();
        files::check_readable(path)?;
        let file = File::open(path).map_err(|error| files::unreadable(path, &error))?;
        Input::read(name, Origin::File, file)
    }

    fn read(name: String, origin: Origin, source: impl Read) -> Result<Input> {
        let mut bytes = Vec::new();
        source
            .take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .with_context(|| format!("{name}: cannot be read"))?;
        if bytes.len() as u64 > MAX_BYTES {
            bail!("{name}: is larger than {} MiB, no game or position is", MAX_BYTES >> 20);
        }
        Ok(Input { name, bytes, origin })
    }

    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.bytes.trim_ascii().is_empty()
    }
}

/// The beginning of a text, short enough for a message.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

/// Whether a text that names no existing file was meant as the name of one: it has a
/// directory, an extension, or no digit, which every square has.
fn looks_like_path(text: &str) -> bool {
    // Records and setups may contain all of these.
    let is_text = text.trim_start().starts_with(['(', ';', '{']) || text.contains([':', '\n']);
    if is_text || text.trim().is_empty() {
        return false;
    }
    let extension = Path::new(text).extension().and_then(OsStr::to_str).unwrap_or("");
    let has_extension = !extension.is_empty() && extension.bytes().all(|b| b.is_ascii_alphabetic());
    text.contains('/') || has_extension || !text.bytes().any(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_told_from_moves_and_records() {
        for text in ["game.sgf", "games/1", "./j10", "nofile", "my game 7.txt", "README", "x.y.zst"] {
            assert!(looks_like_path(text), "{text}");
        }
        for text in [
            "j10",
            "j10 i8h9 k11l10",
            "1.j10 2.i9l10 3.j8l8",
            "TX-H9",
            "(;GM[511];B[JJ])",
            ";B[JJ]",
            "game: tic-tac-toe",
            "to-move: black\n",
            "",
        ] {
            assert!(!looks_like_path(text), "{text}");
        }
    }

    #[test]
    fn more_than_the_limit_is_not_read() {
        let endless = io::repeat(b'j');
        let error = Input::read("endless".to_string(), Origin::File, endless).err().unwrap();
        assert_eq!(error.to_string(), "endless: is larger than 64 MiB, no game or position is");
    }

    #[test]
    fn long_arguments_are_shortened_in_messages() {
        assert_eq!(shortened("j10"), "j10");
        assert_eq!(shortened(&"é".repeat(50)), format!("{}...", "é".repeat(40)));
    }
}
