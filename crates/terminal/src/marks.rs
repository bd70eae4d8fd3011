//! Marks that are drawn on the board besides the stones.
//!
//! [`Marks::of`] collects the marks of a position; [`crate::board`] draws the squares
//! and a legend; the lists are printed under the board and in the JSON output. A new
//! kind of mark needs a [`MarkKind`] and code that adds it.

use lambda6_rules::{Game, Move, Outcome, Position, Side, Square};
use lambda6_threats::{
    Board, Defences, Row, ThreatCount, defence, row_name, rows, rows_are_named,
    sight::{self, MAX_COUNTED_P},
};
use std::collections::{BTreeMap, BTreeSet};

/// A kind of mark. If a square has several, the first kind in this order is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// A stone of the row that won.
    WinningRow(Side),
    /// A stone of the last move.
    LastMove(Side),
    /// An empty square of a critical defence of the side to move.
    Defence,
    /// An empty square of a threat.
    Threat(Side),
    /// An empty square on which one stone of the side to move makes two threats
    /// or more.
    DoubleCell,
    /// An empty square on which one stone of the side to move makes one threat.
    SingleCell,
}

impl MarkKind {
    /// The symbol in Unicode and in ASCII.
    pub fn symbol(self) -> (char, char) {
        match self {
            MarkKind::WinningRow(Side::Black) => ('◆', 'B'),
            MarkKind::WinningRow(Side::White) => ('◇', 'W'),
            MarkKind::LastMove(Side::Black) => ('◉', '#'),
            MarkKind::LastMove(Side::White) => ('◎', '@'),
            MarkKind::Defence => ('+', '+'),
            MarkKind::Threat(Side::Black) => ('b', 'b'),
            MarkKind::Threat(Side::White) => ('w', 'w'),
            MarkKind::DoubleCell => ('2', '2'),
            MarkKind::SingleCell => ('1', '1'),
        }
    }

    /// The text of the legend.
    pub fn meaning(self, game: Game) -> String {
        if rows_are_named(game) {
            let last = usize::from(game.k()) - 1;
            let (four, open) = (row_name(last, false), row_name(last, true));
            match self {
                MarkKind::Threat(side) => return format!("completes {side}'s {four}"),
                MarkKind::DoubleCell => return format!("makes an {open} or two {four}s"),
                MarkKind::SingleCell => return format!("makes a {four}"),
                _ => {}
            }
        }
        match self {
            MarkKind::WinningRow(side) => format!("{side}'s winning row"),
            MarkKind::LastMove(side) => format!("{side}'s last move"),
            MarkKind::Defence => "defence".to_string(),
            MarkKind::Threat(side) => format!("{side}'s threat"),
            MarkKind::DoubleCell => "makes two threats".to_string(),
            MarkKind::SingleCell => "makes a threat".to_string(),
        }
    }
}

/// Sets of squares that belong together, such as the moves that meet a threat.
pub struct List {
    /// The name in JSON.
    pub key: &'static str,
    /// The name under the board; `None` if the list is only part of the JSON output.
    pub title: Option<String>,
    /// The sets of squares, in order.
    pub sets: Vec<Vec<Square>>,
}

impl List {
    /// The sets, each with its squares run together.
    pub fn names(&self, game: Game) -> Vec<String> {
        self.sets.iter().map(|set| set.iter().map(|&square| game.square_name(square)).collect()).collect()
    }
}

/// Marks on squares, and lists of squares.
#[derive(Default)]
pub struct Marks {
    squares: BTreeMap<Square, MarkKind>,
    /// The lists that are printed under the board.
    pub lists: Vec<List>,
    /// The number of threats of each side; `None` if the game is over or has too many
    /// stones a move to count them.
    pub threats: Option<[ThreatCount; 2]>,
    /// Fours and threes of each side; `None` if the game is over or has no names for them.
    pub rows: Option<[Vec<Row>; 2]>,
}

impl Marks {
    /// All marks of a position.
    pub fn of(position: &Position, last_move: Option<&Move>) -> Marks {
        let mut marks = Marks::default();
        marks.add_last_move(position, last_move);
        marks.add_winning_row(position);
        if position.outcome().is_none() {
            marks.add_threats(position);
        }
        marks
    }

    /// Marks a square, unless it has a mark of an earlier kind.
    pub fn add(&mut self, square: Square, class: MarkKind) {
        let entry = self.squares.entry(square).or_insert(class);
        *entry = class.min(*entry);
    }

    /// The mark of a square.
    pub fn at(&self, square: Square) -> Option<MarkKind> {
        self.squares.get(&square).copied()
    }

    /// The kinds of marks that are on the board, each once, in order.
    pub fn classes(&self) -> Vec<MarkKind> {
        let mut classes: Vec<MarkKind> = self.squares.values().copied().collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    fn add_last_move(&mut self, position: &Position, last_move: Option<&Move>) {
        for square in last_move.into_iter().flat_map(Move::iter) {
            if let Some(side) = position.at(square) {
                self.add(square, MarkKind::LastMove(side));
            }
        }
    }

    fn add_winning_row(&mut self, position: &Position) {
        let Some(Outcome::Win(side)) = position.outcome() else { return };
        let Some(row) = sight::winning_row(position) else { return };
        for &square in &row {
            self.add(square, MarkKind::WinningRow(side));
        }
        self.lists.push(List { key: "winning_row", title: Some("winning row".to_string()), sets: vec![row] });
    }

    fn add_threats(&mut self, position: &Position) {
        let mut board = Board::from_position(position);
        self.rows = rows_are_named(position.game()).then(|| Side::ALL.map(|side| rows(&board, side)));
        let defender = position.to_move();
        for (side, key) in [(Side::Black, "black_threats"), (Side::White, "white_threats")] {
            let mut sets = BTreeSet::new();
            defence::for_each_threat(&board, side, |threat| {
                sets.insert(threat.sorted().squares().to_vec());
            });
            let title = (!sets.is_empty()).then(|| format!("{side}'s threats"));
            self.add_list(key, title, sets.into_iter().collect(), Some(MarkKind::Threat(side)));
        }
        if position.game().p() > MAX_COUNTED_P {
            return;
        }
        let mut defences = Defences::default();
        defences.find(&board, defender.other());
        let sets: Vec<_> = defences.iter().map(|defence| defence.squares().to_vec()).collect();
        let title = (!sets.is_empty()).then(|| format!("{defender}'s defences"));
        self.add_list("defences", title, sets, Some(MarkKind::Defence));
        self.threats = Some(Side::ALL.map(|side| defence::count(&board, side)));
        for (side, single, double) in [
            (Side::Black, "black_single_cells", "black_double_cells"),
            (Side::White, "white_single_cells", "white_double_cells"),
        ] {
            let cells = sight::threat_cells(&mut board, side);
            let each = |squares: Vec<Square>| squares.into_iter().map(|square| vec![square]).collect();
            let class = |class| (side == position.to_move()).then_some(class);
            self.add_list(single, None, each(cells.single), class(MarkKind::SingleCell));
            self.add_list(double, None, each(cells.double), class(MarkKind::DoubleCell));
        }
    }

    /// Adds a list, and marks its squares if a kind of mark is given.
    fn add_list(
        &mut self,
        key: &'static str,
        title: Option<String>,
        sets: Vec<Vec<Square>>,
        class: Option<MarkKind>,
    ) {
        if let Some(class) = class {
            sets.iter().flatten().for_each(|&square| self.add(square, class));
        }
        self.lists.push(List { key, title, sets });
    }
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
            assert_eq!(marks.lists.len(), 1);
            assert_eq!(marks.lists[0].names(game), [row], "{moves}");
            assert_eq!(marks.classes(), [MarkKind::WinningRow(Side::Black)]);
        }
    }

    #[test]
    fn the_winning_row_is_drawn_over_the_last_move() {
        let game = Game::TIC_TAC_TOE;
        let last = game.parse_move("c1").unwrap();
        let marks = Marks::of(&played(game, "a1 a2 b1 b2 c1"), Some(&last));
        assert_eq!(marks.at(last.squares()[0]), Some(MarkKind::WinningRow(Side::Black)));
        let marks = Marks::of(&played(game, "a1 a2"), game.parse_move("a2").ok().as_ref());
        assert_eq!(marks.classes(), [MarkKind::LastMove(Side::White), MarkKind::SingleCell]);
    }

    #[test]
    fn threats_defences_and_cells_are_marked() {
        let game = Game::CONNECT6;
        // A dead four of Black's in the corner, White to move with a live three.
        let position = played(game, "a1 j10k10 b1c1 l10s19 d1s1");
        let marks = Marks::of(&position, None);
        let class = |name| marks.at(game.parse_square(name).unwrap());
        assert_eq!(class("e1"), Some(MarkKind::Defence));
        assert_eq!(class("f1"), Some(MarkKind::Defence));
        assert_eq!(class("g1"), None);
        assert_eq!(class("i10"), Some(MarkKind::DoubleCell));
        assert_eq!(class("g10"), Some(MarkKind::SingleCell));
        assert_eq!(class("f10"), None);
        assert_eq!(marks.threats, Some([ThreatCount::Exactly(1), ThreatCount::Exactly(0)]));
        let list = |key| marks.lists.iter().find(|list| list.key == key).unwrap().names(game);
        assert_eq!(list("black_threats"), ["e1f1"]);
        assert_eq!(list("defences"), ["e1", "f1"]);
        assert_eq!(list("black_single_cells"), Vec::<String>::new());
    }
}
