//! Squares and their names.

use crate::Game;

/// A square of one game's board, numbered by row from the top and then by
/// column: on 19x19, `a19` is 0 and `s1` is 360.
///
/// The order of squares is the order in which certificates walk them. A square
/// has a meaning only together with its [`Game`], which names and parses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u16);

impl Square {
    /// The square with this number, which must be on the board.
    pub const fn new(index: usize) -> Square {
        debug_assert!(index < (crate::MAX_SIDE as usize) * (crate::MAX_SIDE as usize));
        Square(index as u16)
    }

    /// The square's number, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a text is not a square of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SquareParseError {
    /// There is no column letter and row number where a square should be.
    #[error("expected a square such as j10, found {found:?}")]
    Syntax {
        /// The beginning of what stands there instead.
        found: String,
    },
    /// A well-formed name of a square that the board does not have.
    #[error("{name} is off the {cols}x{rows} board")]
    OffBoard {
        /// The name as written.
        name: String,
        /// Columns of the board.
        cols: u8,
        /// Rows of the board.
        rows: u8,
    },
}

/// The name of a column: `a` to `z`, then `aa`, `ab`, ... (`i` is not skipped).
pub(crate) fn column_name(col: u8) -> String {
    let mut name = String::new();
    write_column(col, &mut name);
    name
}

/// Adds the name of a column to a text.
pub(crate) fn write_column(col: u8, text: &mut String) {
    let letter = |n: u8| char::from(b'a' + n);
    if col >= 26 {
        text.push(letter(col / 26 - 1));
    }
    text.push(letter(col % 26));
}

/// Splits the first square off `text`. Upper case is accepted.
pub(crate) fn split_square(game: Game, text: &str) -> Result<(Square, &str), SquareParseError> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = text[letters..].bytes().take_while(u8::is_ascii_digit).count();
    if letters == 0 || digits == 0 {
        return Err(SquareParseError::Syntax { found: text.chars().take(12).collect() });
    }
    let (name, rest) = text.split_at(letters + digits);
    let off_board = || SquareParseError::OffBoard {
        name: name.chars().take(12).collect(),
        cols: game.cols(),
        rows: game.rows(),
    };
    if letters > 2 || digits > 4 {
        return Err(off_board());
    }
    let col =
        name[..letters].bytes().fold(0u32, |n, b| n * 26 + u32::from(b.to_ascii_lowercase() - b'a') + 1) - 1;
    let row: u32 = name[letters..].bytes().fold(0, |n, b| n * 10 + u32::from(b - b'0'));
    let leading_zero = name.as_bytes()[letters] == b'0';
    if leading_zero || col >= u32::from(game.cols()) || row > u32::from(game.rows()) {
        return Err(off_board());
    }
    Ok((game.square(col as u8, row as u8 - 1), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_centre_have_their_names() {
        let game = Game::CONNECT6;
        for (name, index) in [("a19", 0), ("s19", 18), ("j10", 180), ("a1", 342), ("s1", 360)] {
            assert_eq!(game.parse_square(name), Ok(Square::new(index)));
            assert_eq!(game.square_name(Square::new(index)), name);
        }
    }

    #[test]
    fn wide_boards_continue_after_z_with_aa() {
        let game = Game::new(64, 64, 6, 2, 1).unwrap();
        for (col, name) in [(25, "z"), (26, "aa"), (27, "ab"), (51, "az"), (52, "ba"), (63, "bl")] {
            assert_eq!(column_name(col), name);
        }
        for index in 0..game.area() {
            let square = Square::new(index);
            assert_eq!(game.parse_square(&game.square_name(square)), Ok(square));
        }
    }

    #[test]
    fn what_is_not_a_square_is_refused() {
        let game = Game::CONNECT6;
        for text in ["", "j", "10", "10j", "jé", "-1"] {
            assert!(matches!(game.parse_square(text), Err(SquareParseError::Syntax { .. })), "{text}");
        }
        for text in ["t1", "a20", "a0", "a01", "aa1", "zzzzzz9", "a99999999999999999999"] {
            assert!(matches!(game.parse_square(text), Err(SquareParseError::OffBoard { .. })), "{text}");
        }
        assert!(game.parse_square("j10k").is_err());
    }
}
