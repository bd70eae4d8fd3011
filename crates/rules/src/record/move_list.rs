//! Move lists: `1.j10 2.i9l10 3.j8l8`, with or without the numbers.
//!
//! Moves stand apart by white space or on lines of their own; the squares of a
//! move are run together. Every move is whole: one that lacks stones is an
//! error even at the end. `#` begins a comment that goes on to the end of the
//! line and belongs to the move before it, or to the start. A player who gives
//! up plays `resign`.
//!
//! Lines `key: value` may stand first, beginning with `game:`. They are those
//! of a [`Setup`], which the moves then start from if it has `to-move:`, and
//! `black-player`, `white-player`, `event`, `result`, `date`, `place` and
//! `source`.
//!
//! ```text
//! game: 15 15 5 1 1
//! event: an example
//!
//! 1.h8 2.i9
//! # to the side of the centre
//! 3.h9
//! ```

use super::{
    Format, ReadOptions, Record, WriteOptions,
    error::{At, Fault, Illegal, WriteError, excerpt},
    little_golem,
    node::{Info, RecordNodeId},
    replay::Replay,
    text::one_line,
};
use crate::{Game, Move, MoveParseError, PlayError, Position, Setup, SetupError, Side};

/// The header's keys: those of a setup first.
const KEYS: [(&str, &str); 11] = [
    ("game", ""),
    ("black", ""),
    ("white", ""),
    ("to-move", ""),
    ("black-player", "PB"),
    ("white-player", "PW"),
    ("event", "EV"),
    ("result", "RE"),
    ("date", "DT"),
    ("place", "PC"),
    ("source", "SO"),
];

/// Whether these bytes, which do not begin with white space, look like a move
/// list.
pub(super) fn is_start(bytes: &[u8]) -> bool {
    let run = |from: usize, of: fn(&u8) -> bool| bytes[from..].iter().take_while(|b| of(b)).count();
    let digits = run(0, u8::is_ascii_digit);
    let letters = run(0, u8::is_ascii_alphabetic);
    let numbered = digits > 0 && bytes.get(digits) == Some(&b'.');
    let square = (1..=2).contains(&letters) && run(letters, u8::is_ascii_digit) > 0;
    bytes.starts_with(b"#") || bytes.starts_with(b"game:") || numbered || square
}

pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Record, At> {
    let (mut record, body) = read_header(text, options)?;
    let replay = Replay::new(record.start.clone());
    let mut reader = Reader { text, replay, last: RecordNodeId::ROOT, commented: false };
    let mut at = body;
    while let Some(word) = next_word(text, at) {
        at = word.end;
        if text[word.start..].starts_with('#') {
            at = text[word.start..].find(['\n', '\r']).map_or(text.len(), |end| word.start + end);
            let line = &text[word.start + 1..at];
            reader.comment(&mut record, line.strip_prefix(' ').unwrap_or(line));
            continue;
        }
        let mut start = word.start + reader.number(word.start, &text[word.clone()])?;
        if start == word.end {
            let next = next_word(text, at).filter(|next| !text[next.start..].starts_with('#'));
            let next = next.ok_or_else(|| At::expected("a move behind the move number", text, at))?;
            (start, at) = (next.start, next.end);
        }
        reader.play(&mut record, start, &text[start..at])?;
    }
    Ok(record)
}

/// The next run of characters without white space.
fn next_word(text: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let start = from + text[from..].find(|c: char| !c.is_whitespace())?;
    let end = text[start..].find(char::is_whitespace).map_or(text.len(), |len| start + len);
    Some(start..end)
}

struct Reader<'a> {
    text: &'a str,
    replay: Replay,
    last: RecordNodeId,
    /// Whether the last node has a comment line already, if an empty one.
    commented: bool,
}

impl Reader<'_> {
    fn comment(&mut self, record: &mut Record, line: &str) {
        let extras = record.nodes[self.last.index()].extras_mut();
        if std::mem::replace(&mut self.commented, true) {
            extras.comment.push('\n');
        }
        extras.comment.push_str(line);
    }

    /// Checks the move number that the word begins with, if any; returns its
    /// length.
    fn number(&self, offset: usize, word: &str) -> Result<usize, At> {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Ok(0);
        }
        if word.as_bytes().get(digits) != Some(&b'.') {
            return Err(At::expected("a move such as i9l10 or 2.i9l10", word, 0).moved(offset));
        }
        let expected = self.replay.moves() + 1;
        if word[..digits].parse() != Ok(expected) {
            return Err(At::new(offset, Fault::Number { expected, found: excerpt(&word[..digits]) }));
        }
        Ok(digits + 1)
    }

    fn play(&mut self, record: &mut Record, offset: usize, word: &str) -> Result<(), At> {
        let side = self.replay.position().to_move();
        if let Some(result) = little_golem::resignation(side, word) {
            if record.info.result.is_empty() {
                record.info.result = result.to_string();
            }
            return Ok(());
        }
        let game = record.game();
        let room = self.replay.begin(side, offset)?;
        let mv = game.parse_move(word).map_err(|error| match error {
            MoveParseError::Square(error) => At::new(offset, Fault::Square(error)),
            MoveParseError::Twice(square) => {
                self.replay.illegal(offset, Illegal::Play(PlayError::Twice { square }))
            }
            MoveParseError::TooMany { p } => {
                let found = usize::from(p) + 1;
                self.replay.illegal(offset, Illegal::Play(PlayError::StoneCount { expected: room, found }))
            }
            MoveParseError::Empty => At::expected("a move", "", offset),
        })?;
        self.replay.place(side, mv.squares(), offset)?;
        if let Err(short) = self.replay.finish() {
            // Probably `i9 l10` in place of `i9l10`.
            let next = next_word(self.text, offset + word.len());
            let apart = next.is_some_and(|next| game.parse_move(&self.text[next]).is_ok());
            let why = Illegal::Apart { expected: room, found: mv.len() };
            return Err(if apart { self.replay.illegal(offset, why) } else { short });
        }
        self.last = record.push(self.last, Some((side, mv)));
        self.commented = false;
        Ok(())
    }
}

/// Reads the header; returns where the moves begin.
fn read_header(text: &str, options: &ReadOptions) -> Result<(Record, usize), At> {
    let fallback = options.game.unwrap_or(Game::CONNECT6);
    let skipped = text.len() - text.trim_start().len();
    if !text[skipped..].starts_with("game:") {
        return Ok((Record::new(fallback), 0));
    }
    let mut end = skipped;
    let mut info = Info::default();
    let mut game = None;
    let mut setup = false;
    let mut seen = [false; KEYS.len()];
    for line in text[skipped..].split_inclusive('\n') {
        let Some((key, value)) = line.split_once(':') else { break };
        let Some(index) = KEYS.iter().position(|(known, _)| *known == key.trim()) else { break };
        let (key, ident) = KEYS[index];
        if std::mem::replace(&mut seen[index], true) {
            return Err(At::new(end, Fault::SetupText(crate::SetupFault::KeyTwice(key.to_string()))));
        }
        match key {
            "game" => {
                let offset = end + line.len() - value.trim_start().len();
                game = Some(value.parse::<Game>().map_err(|e| At::new(offset, Fault::Game(e)))?);
            }
            _ if ident.is_empty() => setup = true,
            _ => {
                if let Some(field) = info.field_mut(ident) {
                    *field = one_line(value);
                }
            }
        }
        end += line.len();
    }
    let game = game.unwrap_or(fallback);
    if let Some(expected) = options.game.filter(|&expected| expected != game) {
        return Err(At::new(skipped, Fault::OtherGame { expected, found: format!("{game:?}") }));
    }
    let start = if setup { read_setup(&text[..end], skipped)? } else { Position::new(game) };
    Ok((Record { info, ..Record::starting(start) }, end))
}

fn read_setup(header: &str, skipped: usize) -> Result<Position, At> {
    // A setup ends with the first empty line, and so does its text; those before
    // it are skipped there as here.
    let setup = Setup::parse(header).and_then(|setup| setup.position());
    setup.map_err(|error| match error {
        SetupError::Text { line, column, fault } => {
            let line_start = header.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
            let before: usize = header[line_start..].chars().take(column - 1).map(char::len_utf8).sum();
            At::new(line_start + before, Fault::SetupText(fault))
        }
        error => At::new(skipped, Fault::Setup(error)),
    })
}

pub(super) fn write(record: &Record, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
    const FORMAT: Format = Format::MoveList;
    let record = record.one_node_a_move();
    if !options.lossy {
        record.check_linear(FORMAT)?;
        if record.half_move().is_some() {
            return Err(WriteError::HalfMove(FORMAT));
        }
    }
    let mut out = header(&record);
    let mut line_begun = false;
    let mut replay = Replay::new(record.start.clone());
    for id in record.main_nodes() {
        let node = record.node(id);
        if let Some((side, mv)) = node.stones {
            if !plays_whole(&mut replay, side, &mv) {
                break;
            }
            let space = if line_begun { " " } else { "" };
            out.push_str(&format!("{space}{}.{}", replay.moves(), record.game().move_name(&mv)));
            line_begun = true;
        }
        if !node.comment().is_empty() {
            if line_begun {
                out.push('\n');
            }
            for line in node.comment().split('\n') {
                out.push_str(if line.is_empty() { "#" } else { "# " });
                out.push_str(line);
                out.push('\n');
            }
            line_begun = false;
        }
    }
    if line_begun {
        out.push('\n');
    }
    if out.is_empty() {
        // An empty file is not a record.
        out = format!("game: {}\n", record.game());
    }
    Ok(out.into_bytes())
}

fn plays_whole(replay: &mut Replay, side: Side, mv: &Move) -> bool {
    replay.place(side, mv.squares(), 0).is_ok() && replay.finish().is_ok()
}

/// The header and the empty line behind it, if there is something in it.
fn header(record: &Record) -> String {
    let mut out = String::new();
    if record.has_setup() {
        out.push_str(&record.start.setup().to_string());
    }
    for (ident, value) in record.info.fields() {
        let key = KEYS.iter().find(|(_, known)| *known == ident).map_or("", |(key, _)| key);
        if !value.is_empty() {
            out.push_str(&format!("{key}: {value}\n"));
        }
    }
    let empty = out.is_empty() && record.game() == Game::CONNECT6;
    if !empty && !record.has_setup() {
        out.insert_str(0, &format!("game: {}\n", record.game()));
    }
    if empty { out } else { out + "\n" }
}

impl Record {
    /// Refuses what a plain line of moves cannot carry.
    pub(super) fn check_linear(&self, format: Format) -> Result<(), WriteError> {
        for node in &self.nodes {
            if node.has_variations() {
                return Err(WriteError::Variations(format));
            }
            if !node.markup().is_empty() {
                return Err(WriteError::Markup(format));
            }
            if let Some(property) = node.properties().first() {
                return Err(WriteError::Property { format, ident: property.ident.clone() });
            }
        }
        Ok(())
    }
}
