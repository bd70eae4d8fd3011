//! Records of games: read and written with their variations, comments and
//! marks.
//!
//! | format | looks like |
//! |---|---|
//! | [`MoveList`](Format::MoveList) | `1.j10 2.i9l10` or `j10 i9l10` |
//! | [`LittleGolem`](Format::LittleGolem) | `(;FF[4]PB[..]PW[..];B[j10];W[i11k11])` |
//! | [`Gm511`](Format::Gm511) | `(;GM[511];B[JJ];W[IH];W[HI])` |
//! | [`Gm511Pairs`](Format::Gm511Pairs) | `(;GM[511]SZ[19];B[jj];W[ihhi])` |
//! | [`Contest`](Format::Contest) | `{[C6][a B][b W][先手胜][..][..];B(J,10);W(I,11);W(I,12)}` |
//!
//! [`read`] detects the format. It checks every line of play against the rules;
//! an error gives line, column and move number of the first violation. It reads
//! at most [`MAX_BYTES`] bytes and keeps at most [`MAX_ITEMS`] nodes,
//! properties and marks, takes time in proportion to the length of the text,
//! and does not recurse. It reads one game; [`games`] finds the games of a file
//! that holds many.
//!
//! The three kinds of SGF carry everything. Move lists have comments but no
//! variations and no marks; contest records are Connect6 games without either.
//! [`Record::write`] refuses what a format cannot carry, unless it is told to
//! leave it out.
//!
//! The SGF parser is part of this crate because sgf-parse, the maintained one on
//! crates.io, drops moves of two stones in files without GM, turns `SZ[19]` into
//! `SZ[19:19]`, and overflows the stack on deeply nested variations. The tests
//! compare the two on files that both can read.
//!
//! ```
//! use lambda6_rules::record::{self, Format, ReadOptions, WriteOptions};
//!
//! let record = record::read(b"1.j10 2.i11k11", &ReadOptions::default())?;
//! let sgf = record.write(Format::LittleGolem, &WriteOptions::default())?;
//! assert_eq!(sgf, b"(;FF[4];B[j10];W[i11k11])\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collection;
mod contest;
mod error;
mod gm511;
mod little_golem;
mod move_list;
mod node;
mod read_any;
mod regrain;
mod replay;
mod sgf;
mod sgf_read;
mod sgf_write;
mod text;
mod tree;

pub use collection::{GameText, games};
pub use error::{Fault, Illegal, Place, RecordError, WriteError};
pub use node::{Info, Mark, Markup, Property, RecordNode, RecordNodeId};
pub use read_any::{AnyError, read_any};
pub use tree::Record;

use crate::Game;
use error::At;
use std::{fmt, str::FromStr};

/// The greatest number of bytes that [`read`] reads.
pub const MAX_BYTES: usize = 64 << 20;
/// The greatest number of nodes, properties, values and marks of one record.
pub const MAX_ITEMS: usize = 4 << 20;

/// A file format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// A list of moves, numbered or not.
    MoveList,
    /// SGF as Little Golem writes it.
    LittleGolem,
    /// SGF with letter pairs, one node a stone.
    Gm511,
    /// SGF with letter pairs, one node a move.
    Gm511Pairs,
    /// The records of Chinese computer games contests, in GB2312.
    Contest,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] =
        [Format::MoveList, Format::LittleGolem, Format::Gm511, Format::Gm511Pairs, Format::Contest];

    /// The format's name, such as `little-golem`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::MoveList => "move-list",
            Format::LittleGolem => "little-golem",
            Format::Gm511 => "gm511",
            Format::Gm511Pairs => "gm511-pairs",
            Format::Contest => "contest",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a record format: expected {formats}",
    formats = Format::ALL.map(Format::name).join(", ")
)]
pub struct FormatParseError(pub String);

impl FromStr for Format {
    type Err = FormatParseError;

    fn from_str(text: &str) -> Result<Format, FormatParseError> {
        let known = Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(text));
        known.ok_or_else(|| FormatParseError(error::excerpt(text)))
    }
}

/// The side from which letters count rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Rows {
    /// `a` is the highest row, as SGF has it.
    #[default]
    FromTop,
    /// `a` is the lowest row.
    FromBottom,
}

/// What the caller knows about a record before it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The game; a record of another game is an error. If not given, the game
    /// that the record names, or Connect6 on the board that it names.
    pub game: Option<Game>,
    /// How SGF with letter pairs counts rows. If not given, as the file says, or
    /// else from the top. (The moves do not tell: the mirror image of a legal
    /// game is legal.) The other formats always number rows from the bottom.
    pub rows: Option<Rows>,
}

/// How a record is to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// How SGF with letter pairs counts rows: from the top, if not given.
    pub rows: Option<Rows>,
    /// Leave out what the format cannot carry (variations, comments, marks,
    /// properties, texts, a half move at the end) rather than refuse.
    pub lossy: bool,
}

/// The format of a record, detected from its content; `None` if it looks like
/// no known format. A record with errors has a format too.
pub fn detect(bytes: &[u8]) -> Option<Format> {
    let bytes = bytes.get(..MAX_BYTES).unwrap_or(bytes);
    match family(bytes)? {
        Family::MoveList => Some(Format::MoveList),
        Family::Contest => Some(Format::Contest),
        Family::Sgf => {
            let text = text::sgf(text::without_mark(bytes)).unwrap_or_else(|(text, _)| text);
            Some(sgf_read::flavour(&sgf::parse(&text).0))
        }
    }
}

enum Family {
    MoveList,
    Sgf,
    Contest,
}

fn family(bytes: &[u8]) -> Option<Family> {
    let bytes = text::without_mark(bytes).trim_ascii_start();
    match bytes.first()? {
        b'{' => Some(Family::Contest),
        _ if move_list::is_start(bytes) => Some(Family::MoveList),
        _ => sgf::find_start(bytes).map(|_| Family::Sgf),
    }
}

/// Reads a record in any format.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Record, RecordError> {
    let start = Some(Place { line: 1, column: 1 });
    let whole = |fault| RecordError { place: start, fault };
    if bytes.len() > MAX_BYTES {
        return Err(whole(Fault::TooLong { bytes: bytes.len(), max: MAX_BYTES }));
    }
    let bytes = text::without_mark(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(whole(Fault::Empty));
    }
    let family = family(bytes).ok_or_else(|| whole(Fault::UnknownFormat))?;
    let decoded = match family {
        Family::MoveList => text::utf8(bytes),
        Family::Contest => text::gb2312(bytes),
        Family::Sgf => text::sgf(bytes),
    };
    let (text, result) = match decoded {
        Ok(text) => {
            let result = match family {
                Family::MoveList => move_list::read(&text, options),
                Family::Contest => contest::read(&text, options),
                Family::Sgf => sgf_read::read(&text, options),
            };
            (text, result)
        }
        Err((text, at)) => (text, Err(at)),
    };
    result.map_err(|At { offset, fault }| RecordError { place: Some(Place::of(&text, offset)), fault })
}

impl Record {
    /// The record in this format, as the bytes of a file.
    pub fn write(&self, format: Format, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        match format {
            Format::MoveList => move_list::write(self, options),
            Format::Contest => contest::write(self, options),
            Format::LittleGolem => sgf_write::write(&self.one_node_a_move(), format, options),
            Format::Gm511Pairs => sgf_write::write(&self.one_node_a_move(), format, options),
            Format::Gm511 => sgf_write::write(&self.one_node_a_stone(), format, options),
        }
    }
}
