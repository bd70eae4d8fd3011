//! Winning moves that a long search has found, in a file from which a later search
//! resumes.
//!
//! The file is not trusted: its moves are tried first and proved again, which takes a
//! fraction of the time of the first search.

use crate::{files, output};
use anyhow::{Context, Result, bail};
use lambda6_rules::{Game, Move, Position, Side};
use std::{fmt::Write as _, fs, io::ErrorKind, path::Path};

/// Winning moves with the keys of their positions.
pub type WinningMoves = Vec<(u64, Move)>;

const FIRST_LINE: &str = "lambda6-search 1";

/// The first lines, which name the position and the attacker.
fn head(position: &Position, attacker: Side) -> String {
    format!("{FIRST_LINE}\n{}attacker: {attacker}\n\n", position.setup())
}

/// Reads the file; the list is empty if there is none yet.
pub fn load(path: &Path, position: &Position, attacker: Side) -> Result<WinningMoves> {
    let name = path.display();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(WinningMoves::new()),
        Err(error) => return Err(files::unreadable(path, &error)),
    };
    if !text.starts_with(FIRST_LINE) {
        bail!("{name}: line 1: expected {FIRST_LINE:?}");
    }
    let head = head(position, attacker);
    let Some(body) = text.strip_prefix(head.as_str()) else {
        bail!("{name}: is about another position or attacker");
    };
    let first = head.lines().count() + 1;
    body.lines()
        .enumerate()
        .map(|(i, line)| {
            entry(position.game(), line).with_context(|| {
                format!("{name}: line {}: expected a key of 16 hexadecimal digits and a move", first + i)
            })
        })
        .collect()
}

fn entry(game: Game, line: &str) -> Option<(u64, Move)> {
    let (key, mv) = line.split_once(' ')?;
    Some((u64::from_str_radix(key, 16).ok()?, game.parse_move(mv).ok()?))
}

/// Writes the file.
pub fn save(path: &Path, position: &Position, attacker: Side, known: &WinningMoves) -> Result<()> {
    let mut text = head(position, attacker);
    for (key, mv) in known {
        writeln!(text, "{key:016x} {}", position.game().move_name(mv))?;
    }
    output::file(path, text.as_bytes(), true)
}
