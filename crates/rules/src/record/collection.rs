//! Files of many games: SGF collections, as Little Golem gives them for a player.

use super::{AnyError, ReadOptions, Record, error::Place, read_any, sgf};

/// The text of one game of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameText<'a> {
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// The games of a file. SGF may hold many, one behind the other, with or without anything
/// between them; every other text is one game. A game that is not closed reaches to the end.
///
/// ```
/// use lambda6_rules::record::{self, ReadOptions};
///
/// let games = record::games(b"(;FF[4];B[j10];W[i8h9])\n(;FF[4];B[j10])\n");
/// assert_eq!((games.len(), games[1].line), (2, 2));
/// assert_eq!(games[0].read(&ReadOptions::default())?.main_line().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn games(bytes: &[u8]) -> Vec<GameText<'_>> {
    let is_sgf = matches!(super::family(bytes), Some(super::Family::Sgf));
    let mut games = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(found) = sgf::find_start(&bytes[at..]).filter(|_| is_sgf) {
        let start = at + found;
        line += line_feeds(&bytes[at..start]);
        let end = start + length(&bytes[start..]);
        games.push(GameText { line, bytes: &bytes[start..end] });
        line += line_feeds(&bytes[start..end]);
        at = end;
    }
    match games.len() {
        // What stands before a single game may say how it is to be read.
        0 | 1 => vec![GameText { line: 1, bytes }],
        _ => games,
    }
}

/// The bytes up to the parenthesis that closes the first one.
fn length(bytes: &[u8]) -> usize {
    let (mut open, mut in_value, mut escaped) = (0_usize, false, false);
    for (at, &byte) in bytes.iter().enumerate() {
        match (byte, in_value) {
            _ if escaped => escaped = false,
            (b'\\', true) => escaped = true,
            (b']', true) => in_value = false,
            (_, true) => {}
            (b'[', false) => in_value = true,
            (b'(', false) => open += 1,
            (b')', false) => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    bytes.len()
}

fn line_feeds(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

impl GameText<'_> {
    /// Reads the game. An error names the line of the file.
    pub fn read(&self, options: &ReadOptions) -> Result<Record, AnyError> {
        read_any(self.bytes, options).map_err(|error| match error {
            AnyError::Record(mut error) => {
                let moved = |place: Place| Place { line: place.line + self.line - 1, ..place };
                error.place = error.place.map(moved);
                AnyError::Record(error)
            }
            error => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_in_values_divide_nothing() {
        let text = b"notes\n(;FF[4]C[a (;B[1 \\] b)];B[j10]\n(;W[i8h9])(;W[i9h9]))\n\n (;FF[4];B[j10]) x (;FF[4];B[a1]";
        let found = games(text);
        assert_eq!(found.iter().map(|game| game.line).collect::<Vec<_>>(), [2, 5, 5]);
        assert!(found[0].bytes.ends_with(b"(;W[i9h9]))") && found[1].bytes == b"(;FF[4];B[j10])");
        assert!(found[2].bytes.ends_with(b"[a1]"));
    }

    #[test]
    fn an_error_names_the_line_of_the_file() {
        let found = games(b"(;FF[4];B[j10])\n(;FF[4];B[j10]\n;W[j10a1])");
        let error = found[1].read(&ReadOptions::default()).unwrap_err().to_string();
        assert!(error.starts_with("line 3, column 4: move 2"), "{error}");
    }

    #[test]
    fn other_texts_are_one_game() {
        for text in ["", "j10 i8h9", "game: 3 3 3 1 1\n\n1.b2", "(;FF[4];B[j10])", "TX-H9"] {
            assert_eq!(games(text.as_bytes()), [GameText { line: 1, bytes: text.as_bytes() }]);
        }
    }
}
