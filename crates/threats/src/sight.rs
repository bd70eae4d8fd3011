//! What a drawing of a board shows: the squares on which a stone makes threats, and
//! the row that won.

use crate::{Board, Play, defence};
use lambda6_rules::{Outcome, Position, Side, Square};

/// The most stones a move for which threats are counted and defences found for a
/// drawing: the number of defences grows like p to the power of p.
pub const MAX_COUNTED_P: u8 = 4;

/// The squares on which one stone makes threats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// One threat.
    pub single: Vec<Square>,
    /// Two threats or more.
    pub double: Vec<Square>,
}

/// The threat cells of a side without threats. A side with threats has none: it wins
/// by completing them.
pub fn threat_cells(board: &mut Board, side: Side) -> Cells {
    let mut cells = Cells::default();
    if board.has_threat(side) {
        return cells;
    }
    for square in board.game().squares() {
        if !board.is_empty(square) {
            continue;
        }
        let made = board.play(side, [square], |board| defence::count(board, side));
        if made.at_least(2) {
            cells.double.push(square);
        } else if made.at_least(1) {
            cells.single.push(square);
        }
    }
    cells
}

/// The stones of one row that is long enough to win, if the game was won.
pub fn winning_row(position: &Position) -> Option<Vec<Square>> {
    let Some(Outcome::Win(side)) = position.outcome() else { return None };
    let game = position.game();
    let row_from = |start: Square, (dx, dy): (i32, i32)| -> Vec<Square> {
        (0..)
            .map_while(|i| game.offset(start, dx * i, dy * i))
            .take_while(|&square| position.has(side, square))
            .collect()
    };
    // The squares run from the top left, so the first stone met of a row is its
    // left end, or its upper end in a column.
    position
        .stones(side)
        .flat_map(|start| [(1, 0), (0, -1), (1, -1), (-1, -1)].map(|step| row_from(start, step)))
        .find(|row| row.len() >= usize::from(game.k()))
}
