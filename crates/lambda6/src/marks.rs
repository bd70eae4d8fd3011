//! What is drawn on the board besides the stones.
//!
//! A command collects [`Marks`] from the crates that know them; [`crate::board`]
//! draws the squares and names them in a legend; the lists go under the board and
//! into the JSON output. Another kind of mark is a [`Class`] and a place that adds
//! it: nothing else changes.

use rules::{Game, Move, Outcome, Position, Side, Square};
use std::collections::BTreeMap;

/// A kind of mark. Where two fall on one square, the earlier kind here is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A stone of the row that won.
    WinningRow(Side),
    /// A stone of the last move.
    LastMove(Side),
}

impl Class {
    /// What is drawn, in Unicode and in ASCII.
    pub(crate) fn symbol(self) -> (char, char) {
        match self {
            Class::WinningRow(Side::Black) => ('◆', 'B'),
            Class::WinningRow(Side::White) => ('◇', 'W'),
            Class::LastMove(Side::Black) => ('◉', '#'),
            Class::LastMove(Side::White) => ('◎', '@'),
        }
    }

    /// What the legend says.
    pub(crate) fn meaning(self) -> String {
        match self {
            Class::WinningRow(side) => format!("{side}'s winning row"),
            Class::LastMove(side) => format!("{side}'s last move"),
        }
    }
}

/// Sets of squares that belong together, such as the moves that meet a threat.
pub(crate) struct List {
    /// The name in JSON.
    pub(crate) key: &'static str,
    /// The name under the board.
    pub(crate) title: String,
    pub(crate) sets: Vec<Vec<Square>>,
}

impl List {
    /// The sets, each with its squares run together.
    pub(crate) fn names(&self, game: Game) -> Vec<String> {
        self.sets.iter().map(|set| set.iter().map(|&square| game.square_name(square)).collect()).collect()
    }
}

/// Marks on squares, and lists of squares.
#[derive(Default)]
pub(crate) struct Marks {
    squares: BTreeMap<Square, Class>,
    pub(crate) lists: Vec<List>,
}

impl Marks {
    /// All that is known about a position.
    pub(crate) fn of(position: &Position, last_move: Option<&Move>) -> Marks {
        let mut marks = Marks::default();
        marks.add_last_move(position, last_move);
        marks.add_winning_row(position);
        marks
    }

    /// Marks a square; a mark that matters more stays.
    pub(crate) fn add(&mut self, square: Square, class: Class) {
        let entry = self.squares.entry(square).or_insert(class);
        *entry = class.min(*entry);
    }

    /// The mark of a square.
    pub(crate) fn at(&self, square: Square) -> Option<Class> {
        self.squares.get(&square).copied()
    }

    /// The kinds of marks that are on the board, each once, in order.
    pub(crate) fn classes(&self) -> Vec<Class> {
        let mut classes: Vec<Class> = self.squares.values().copied().collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    fn add_last_move(&mut self, position: &Position, last_move: Option<&Move>) {
        for square in last_move.into_iter().flat_map(Move::iter) {
            if let Some(side) = position.at(square) {
                self.add(square, Class::LastMove(side));
            }
        }
    }

    fn add_winning_row(&mut self, position: &Position) {
        let Some(Outcome::Win(side)) = position.outcome() else { return };
        let Some(row) = winning_row(position, side) else { return };
        for &square in &row {
            self.add(square, Class::WinningRow(side));
        }
        self.lists.push(List { key: "winning_row", title: "winning row".to_string(), sets: vec![row] });
    }
}

/// The stones of one row of `side` that is long enough to win.
fn winning_row(position: &Position, side: Side) -> Option<Vec<Square>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn played(game: Game, moves: &str) -> Position {
        let mut position = Position::new(game);
        for text in moves.split_whitespace() {
            position.play(&game.parse_move(text).unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn the_winning_row_is_found_in_every_direction_and_in_full() {
        let game = Game::TIC_TAC_TOE;
        for (moves, row) in [
            ("a1 a2 b1 b2 c1", "a1b1c1"),
            ("b3 a1 b2 a2 b1", "b3b2b1"),
            ("a3 a1 b2 a2 c1", "a3b2c1"),
            ("c3 a3 b2 a2 a1", "c3b2a1"),
        ] {
            let marks = Marks::of(&played(game, moves), None);
            assert_eq!(marks.lists[0].names(game), [row], "{moves}");
            assert_eq!(marks.classes(), [Class::WinningRow(Side::Black)]);
        }
    }

    #[test]
    fn the_winning_row_is_drawn_over_the_last_move() {
        let game = Game::TIC_TAC_TOE;
        let last = game.parse_move("c1").unwrap();
        let marks = Marks::of(&played(game, "a1 a2 b1 b2 c1"), Some(&last));
        assert_eq!(marks.at(last.squares()[0]), Some(Class::WinningRow(Side::Black)));
        let marks = Marks::of(&played(game, "a1 a2 b1 b2"), game.parse_move("b2").ok().as_ref());
        assert_eq!(marks.classes(), [Class::LastMove(Side::White)]);
        assert!(marks.lists.is_empty());
    }
}
