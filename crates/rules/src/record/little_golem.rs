//! SGF as Little Golem writes it:
//! `(;FF[4]EV[...]PB[...]PW[...]SO[...];B[j10];W[i11k11])`.
//!
//! A node is a move. A square is a column, `i` among them, and a row counted
//! from the bottom; the squares of a move are run together. The files have no
//! GM, SZ or RE; we write the size and, as in [`super::gm511`], the property LC
//! when the game is not Connect6. A player who gives up plays `resign`.

use super::error::Fault;
use crate::{Game, Side, Square};

/// Splits the first square off a run of squares.
pub(super) fn split_name(game: Game, text: &str) -> Result<(Square, &str), Fault> {
    game.split_square(text).map_err(Fault::Square)
}

/// Appends a square's name.
pub(super) fn push_name(out: &mut String, game: Game, square: Square) {
    out.push_str(&game.square_name(square));
}

/// The result, if a move's text says that `side` gives up.
pub(super) fn resignation(side: Side, text: &str) -> Option<&'static str> {
    let gives_up = text.trim().eq_ignore_ascii_case("resign");
    gives_up.then_some(match side {
        Side::Black => "W+Resign",
        Side::White => "B+Resign",
    })
}
