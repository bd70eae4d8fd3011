//! The coordinates of the protocols. All differ from those of this program's
//! records: SAU and Cloudict use letter pairs (rows from the top and from the
//! bottom), GTP leaves out the letter I, Botzone counts from 0.

use lambda6_rules::{Game, Move, Square, record::Rows};

/// The largest width and height with names in letter pairs.
pub const MAX_LETTERS: u8 = 26;
/// The largest width and height with names in GTP: A to Z without I.
pub const MAX_GTP: u8 = 25;

/// Why a text is not a square or a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoordError {
    /// The syntax is wrong.
    #[error("expected {expected}, found {found:?}")]
    Syntax {
        /// The expected syntax.
        expected: &'static str,
        /// The beginning of the text.
        found: String,
    },
    /// The board has no such square.
    #[error("{name} is off the {cols}x{rows} board")]
    OffBoard {
        /// The square as written.
        name: String,
        /// Columns of the board.
        cols: u8,
        /// Rows of the board.
        rows: u8,
    },
    /// More stones than a move has.
    #[error("a move has at most {p} stones")]
    TooMany {
        /// Stones a move.
        p: u8,
    },
}

fn syntax(expected: &'static str, found: &str) -> CoordError {
    CoordError::Syntax { expected, found: found.chars().take(20).collect() }
}

fn off_board(game: Game, name: &str) -> CoordError {
    CoordError::OffBoard { name: name.to_string(), cols: game.cols(), rows: game.rows() }
}

/// Whether every square of the board has a name in letter pairs.
pub fn letters_suffice(game: Game) -> bool {
    game.cols() <= MAX_LETTERS && game.rows() <= MAX_LETTERS
}

/// Whether every square of the board has a name in GTP.
pub fn gtp_suffices(game: Game) -> bool {
    game.cols() <= MAX_GTP && game.rows() <= MAX_GTP
}

/// The number of a row in the protocol's order, from 0.
fn row_index(game: Game, rows: Rows, row: u8) -> u8 {
    match rows {
        Rows::FromBottom => row,
        Rows::FromTop => game.rows() - 1 - row,
    }
}

/// A move in letter pairs, such as `JJ` or `IKKK`: column, then row.
pub fn letters(game: Game, rows: Rows, mv: &Move) -> String {
    let letter = |n: u8| char::from(b'A' + n.min(MAX_LETTERS - 1));
    mv.iter()
        .flat_map(|square| {
            let (col, row) = game.col_row(square);
            [letter(col), letter(row_index(game, rows, row))]
        })
        .collect()
}

/// Reads letter pairs. A pair `@@` at the end, which some programs write for a
/// missing stone, is skipped.
pub fn parse_letters(game: Game, rows: Rows, text: &str) -> Result<Move, CoordError> {
    let expected = "letter pairs such as JJ or IKKK";
    let text = text.trim();
    let bare = text.strip_suffix("@@").unwrap_or(text);
    let even = bare.len().is_multiple_of(2);
    if bare.is_empty() || !even || !bare.bytes().all(|b| b.is_ascii_alphabetic()) {
        return Err(syntax(expected, text));
    }
    let mut mv = Move::NULL;
    for pair in bare.as_bytes().chunks_exact(2) {
        let [col, row] = [pair[0], pair[1]].map(|b| b.to_ascii_uppercase() - b'A');
        if col >= game.cols() || row >= game.rows() {
            return Err(off_board(game, &String::from_utf8_lossy(pair)));
        }
        if mv.len() == usize::from(game.p()) || !mv.push(game.square(col, row_index(game, rows, row))) {
            return Err(CoordError::TooMany { p: game.p() });
        }
    }
    Ok(mv)
}

/// A square in GTP: `K10` for j10.
pub fn gtp(game: Game, square: Square) -> String {
    let (col, row) = game.col_row(square);
    let letter = if col < 8 { b'A' + col } else { b'B' + col.min(MAX_GTP - 1) };
    format!("{}{}", char::from(letter), row + 1)
}

/// A move in GTP: its squares with commas between them.
pub fn gtp_move(game: Game, mv: &Move) -> String {
    mv.iter().map(|square| gtp(game, square)).collect::<Vec<_>>().join(",")
}

/// Reads a square in GTP.
pub fn parse_gtp(game: Game, text: &str) -> Result<Square, CoordError> {
    let expected = "a vertex such as K10 (there is no column I)";
    let mut chars = text.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_uppercase() as u8);
    let digits = chars.as_str();
    let (Some(letter), true) = (letter, digits.len() <= 3 && digits.bytes().all(|b| b.is_ascii_digit()))
    else {
        return Err(syntax(expected, text));
    };
    if letter == b'I' || digits.is_empty() || digits.starts_with('0') {
        return Err(syntax(expected, text));
    }
    let col = if letter < b'I' { letter - b'A' } else { letter - b'B' };
    let row: u16 = digits.parse().map_err(|_| syntax(expected, text))?;
    if col >= game.cols() || row > u16::from(game.rows()) {
        return Err(off_board(game, text));
    }
    Ok(game.square(col, row as u8 - 1))
}

/// Reads a move in GTP: one vertex, or several with commas between them.
pub fn parse_gtp_move(game: Game, text: &str) -> Result<Move, CoordError> {
    let mut mv = Move::NULL;
    for part in text.split(',') {
        let square = parse_gtp(game, part)?;
        if mv.len() == usize::from(game.p()) || !mv.push(square) {
            return Err(CoordError::TooMany { p: game.p() });
        }
    }
    Ok(mv)
}

/// A square as Botzone numbers it: column and row from 0, rows from the top.
pub fn xy(game: Game, square: Square) -> (i64, i64) {
    let (col, row) = game.col_row(square);
    (i64::from(col), i64::from(row_index(game, Rows::FromTop, row)))
}

/// The square with these numbers on Botzone.
pub fn from_xy(game: Game, x: i64, y: i64) -> Result<Square, CoordError> {
    let within = |value: i64, size: u8| u8::try_from(value).ok().filter(|&v| v < size);
    match (within(x, game.cols()), within(y, game.rows())) {
        (Some(col), Some(row)) => Ok(game.square(col, game.rows() - 1 - row)),
        _ => Err(off_board(game, &format!("({x},{y})"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        Game::CONNECT6.parse_square(name).unwrap()
    }

    #[test]
    fn corners_and_centre_in_every_protocol() {
        let game = Game::CONNECT6;
        for (name, top, bottom, in_gtp, numbers) in [
            ("j10", "JJ", "JJ", "K10", (9, 9)),
            ("a1", "AS", "AA", "A1", (0, 18)),
            ("s1", "SS", "SA", "T1", (18, 18)),
            ("a19", "AA", "AS", "A19", (0, 0)),
            ("s19", "SA", "SS", "T19", (18, 0)),
            ("h8", "HL", "HH", "H8", (7, 11)),
            ("i8", "IL", "IH", "J8", (8, 11)),
        ] {
            let mv = Move::single(square(name));
            assert_eq!(letters(game, Rows::FromTop, &mv), top);
            assert_eq!(letters(game, Rows::FromBottom, &mv), bottom);
            assert_eq!(gtp(game, square(name)), in_gtp);
            assert_eq!(xy(game, square(name)), numbers);
        }
    }

    #[test]
    fn every_square_of_every_board_reads_back() {
        for (m, n) in [(19, 19), (15, 15), (3, 5), (25, 25), (1, 25)] {
            let game = Game::new(m, n, 3, 2, 1).unwrap();
            for square in game.squares() {
                let mv = Move::single(square);
                for rows in [Rows::FromTop, Rows::FromBottom] {
                    assert_eq!(parse_letters(game, rows, &letters(game, rows, &mv)), Ok(mv));
                }
                assert_eq!(parse_gtp(game, &gtp(game, square)), Ok(square));
                let (x, y) = xy(game, square);
                assert_eq!(from_xy(game, x, y), Ok(square));
            }
        }
    }

    #[test]
    fn texts_that_are_no_squares_are_refused() {
        let game = Game::CONNECT6;
        for text in ["", "J", "JJJ", "J1", "JJ IK", "éé", "@@", "JJ@@@@"] {
            let error = parse_letters(game, Rows::FromTop, text).unwrap_err();
            assert!(matches!(error, CoordError::Syntax { .. }), "{text}: {error}");
        }
        assert!(matches!(parse_letters(game, Rows::FromTop, "TT"), Err(CoordError::OffBoard { .. })));
        assert!(matches!(parse_letters(game, Rows::FromTop, "AABBCC"), Err(CoordError::TooMany { p: 2 })));
        assert_eq!(parse_letters(game, Rows::FromTop, "jj@@"), Ok(Move::single(square("j10"))));
        for text in ["", "K", "10", "I10", "K0", "K01", "K1000", "é1", "K-1", "K10 ", "pass"] {
            assert!(matches!(parse_gtp(game, text), Err(CoordError::Syntax { .. })), "{text}");
        }
        for text in ["U1", "A20", "Z9"] {
            assert!(matches!(parse_gtp(game, text), Err(CoordError::OffBoard { .. })), "{text}");
        }
        for (x, y) in [(-1, 0), (0, 19), (i64::MAX, 0), (0, i64::MIN), (256, 0)] {
            assert!(from_xy(game, x, y).is_err());
        }
    }
}
