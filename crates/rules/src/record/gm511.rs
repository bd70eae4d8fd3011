//! SGF with letter pairs, GM\[511\] as Connect6 programs write it:
//! `(;GM[511];B[JJ];W[IH];W[HI])` with one node a stone, and
//! `(;GM[511]SZ[19];B[jj];W[ihhi])` with the stones of a move in one node.
//!
//! A pair is a column and a row, `a` being the first. SGF counts rows from the
//! top; some programs count them from the bottom. The two differ by a mirror
//! image, which is as legal a game, so the moves do not tell them apart: the
//! caller says which it is, or the file does with `LR[bottom]`, a property of
//! this crate; without either, rows count from the top.
//!
//! On boards up to 26x26 capitals and small letters mean the same. On larger
//! ones, as SGF has it, `a` to `z` are 1 to 26 and `A` to `Z` are 27 to 52.
//!
//! SZ gives the board's size. Where a game differs from Connect6 in more than
//! that, another property of ours gives all five numbers: `LC[15 15 5 1 1]`.

use super::{Rows, error::Fault};
use crate::{Game, Square, SquareParseError};

/// The longest side of a board that letters can name.
pub(super) const MAX_LETTER_SIDE: u8 = 52;
/// The longest side where the case of a letter means nothing.
const ONE_CASE_SIDE: u8 = 26;

fn one_case(game: Game) -> bool {
    game.cols().max(game.rows()) <= ONE_CASE_SIDE
}

/// Splits the first square off a run of letter pairs.
pub(super) fn split_pair(game: Game, rows: Rows, text: &str) -> Result<(Square, &str), Fault> {
    if game.cols().max(game.rows()) > MAX_LETTER_SIDE {
        return Err(Fault::LetterBoard { cols: game.cols(), rows: game.rows() });
    }
    let index = |letter: u8| match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' if one_case(game) => Some(letter - b'A'),
        b'A'..=b'Z' => Some(letter - b'A' + ONE_CASE_SIDE),
        _ => None,
    };
    let pair = match text.as_bytes() {
        [x, y, ..] => index(*x).zip(index(*y)),
        _ => None,
    };
    let Some((col, row)) = pair else {
        return Err(Fault::Expected {
            expected: "a square of two letters such as jj",
            found: text.chars().take(12).collect(),
        });
    };
    let (name, rest) = text.split_at(2);
    if col >= game.cols() || row >= game.rows() {
        let (cols, rows) = (game.cols(), game.rows());
        return Err(Fault::Square(SquareParseError::OffBoard { name: name.to_string(), cols, rows }));
    }
    let from_bottom = if rows == Rows::FromTop { game.rows() - 1 - row } else { row };
    Ok((game.square(col, from_bottom), rest))
}

/// Appends a square's pair of letters, in capitals if the board leaves the
/// choice. The caller has made sure that letters can name the board.
pub(super) fn push_pair(out: &mut String, game: Game, rows: Rows, capitals: bool, square: Square) {
    let (col, from_bottom) = game.col_row(square);
    let row = if rows == Rows::FromTop { game.rows() - 1 - from_bottom } else { from_bottom };
    for index in [col, row] {
        out.push(char::from(match index {
            ONE_CASE_SIDE.. => b'A' + (index - ONE_CASE_SIDE),
            _ if capitals && one_case(game) => b'A' + index,
            _ => b'a' + index,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(game: Game, rows: Rows, text: &str) -> String {
        let (square, rest) = split_pair(game, rows, text).unwrap();
        assert_eq!(rest, "");
        game.square_name(square)
    }

    #[test]
    fn corners_and_centre_in_both_orientations() {
        let game = Game::CONNECT6;
        for (pair, top, bottom) in [
            ("AA", "a19", "a1"),
            ("SA", "s19", "s1"),
            ("AS", "a1", "a19"),
            ("SS", "s1", "s19"),
            ("JJ", "j10", "j10"),
        ] {
            for text in [pair.to_string(), pair.to_ascii_lowercase()] {
                assert_eq!(name(game, Rows::FromTop, &text), top);
                assert_eq!(name(game, Rows::FromBottom, &text), bottom);
            }
        }
    }

    #[test]
    fn boards_over_26_tell_capitals_from_small_letters() {
        let game = Game::new(52, 40, 6, 2, 1).unwrap();
        assert_eq!(name(game, Rows::FromBottom, "aa"), "a1");
        assert_eq!(name(game, Rows::FromBottom, "AA"), "aa27");
        assert_eq!(name(game, Rows::FromTop, "Za"), "az40");
    }

    #[test]
    fn pairs_round_trip_on_boards_of_all_sizes() {
        for (m, n) in [(1, 1), (3, 5), (19, 19), (26, 26), (27, 3), (52, 52)] {
            let game = Game::new(m, n, 6, 2, 1).unwrap();
            for (rows, capitals) in [(Rows::FromTop, true), (Rows::FromBottom, true), (Rows::FromTop, false)]
            {
                for square in game.squares() {
                    let mut text = String::new();
                    push_pair(&mut text, game, rows, capitals, square);
                    assert_eq!(split_pair(game, rows, &text), Ok((square, "")));
                }
            }
        }
    }

    #[test]
    fn what_is_not_a_pair_is_refused() {
        for text in ["", "j", "j1", "éé", "1j", "漢"] {
            let error = split_pair(Game::CONNECT6, Rows::FromTop, text).unwrap_err();
            assert!(matches!(error, Fault::Expected { .. }), "{text}");
        }
        let error = split_pair(Game::CONNECT6, Rows::FromTop, "tt").unwrap_err();
        assert_eq!(error.to_string(), "tt is off the 19x19 board");
        let large = Game::new(53, 3, 3, 1, 1).unwrap();
        assert!(matches!(split_pair(large, Rows::FromTop, "aa"), Err(Fault::LetterBoard { .. })));
    }
}
