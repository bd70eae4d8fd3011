//! The lists of `BOARD` and of the commands of Yixin, which go on until `DONE`.

use super::parse::{List, Point};
use crate::{CoordError, session::short};
use lambda6_rules::{Game, Square};

/// What a stone of a list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// 1, the engine's own stone.
    Own,
    /// 2, the opponent's stone.
    Opponent,
    /// 3, a square on which the engine must not play.
    Marked,
}

/// A list that is being read. The first thing that is wrong with it is kept: a list
/// has one answer.
#[derive(Clone, Debug)]
pub(super) struct OpenList {
    pub(super) list: List,
    game: Game,
    items: Vec<(Square, Field)>,
    listed: Vec<bool>,
    count: usize,
    problem: Option<ListError>,
}

/// Why a list is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: item {item}: {problem}", list.name())]
pub(super) struct ListError {
    list: List,
    item: usize,
    problem: ItemProblem,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum ItemProblem {
    #[error("expected {expected} or DONE, found {found:?}")]
    Syntax { expected: &'static str, found: String },
    #[error("expected 1 (own stone), 2 (opponent's stone) or 3 (no stone allowed), found {0:?}")]
    Field(String),
    #[error(transparent)]
    Square(#[from] CoordError),
    #[error("{0} is in the list already")]
    Twice(Point),
}

impl OpenList {
    pub(super) fn new(list: List, game: Game) -> OpenList {
        let listed = vec![false; game.area()];
        OpenList { list, game, items: Vec::new(), listed, count: 0, problem: None }
    }

    /// Adds an item as written.
    pub(super) fn add(&mut self, text: &str) {
        self.count += 1;
        if self.problem.is_some() {
            return;
        }
        if let Err(problem) = self.try_add(text) {
            self.problem = Some(ListError { list: self.list, item: self.count, problem });
        }
    }

    fn try_add(&mut self, text: &str) -> Result<(), ItemProblem> {
        let stones = matches!(self.list, List::Board | List::Position);
        let expected = if stones { "x,y,field such as 7,7,1" } else { "x,y such as 7,7" };
        let syntax = || ItemProblem::Syntax { expected, found: short(text) };
        let parts: Vec<&str> = text.split(',').collect();
        let (point, field) = match parts[..] {
            [x, y, field] => (format!("{x},{y}"), Some(field)),
            [_, _] if !stones => (text.to_string(), None),
            _ => return Err(syntax()),
        };
        let point = Point::parse(&point).ok_or_else(syntax)?;
        let field = match field {
            // The squares of the other lists may have a field, which says nothing.
            _ if !stones => Field::Marked,
            Some("1") => Field::Own,
            Some("2") => Field::Opponent,
            Some("3") => Field::Marked,
            _ => return Err(ItemProblem::Field(short(field.unwrap_or_default()))),
        };
        let square = point.square(self.game)?;
        if stones && self.listed[square.index()] {
            return Err(ItemProblem::Twice(point));
        }
        if !self.listed[square.index()] {
            self.listed[square.index()] = true;
            self.items.push((square, field));
        }
        Ok(())
    }

    /// The items, in the order of the list.
    pub(super) fn finish(self) -> Result<Vec<(Square, Field)>, ListError> {
        self.problem.map_or(Ok(self.items), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: List, items: &[&str]) -> Result<Vec<(Square, Field)>, String> {
        let mut open = OpenList::new(list, Game::GO_MOKU);
        items.iter().for_each(|item| open.add(item));
        open.finish().map_err(|error| error.to_string())
    }

    #[test]
    fn stones_come_with_their_owner() {
        let square = |text| Game::GO_MOKU.parse_square(text).unwrap();
        let found = read(List::Board, &["0,0,1", "14,0,2", "7,14,3"]).unwrap();
        let expected =
            [(square("a15"), Field::Own), (square("o15"), Field::Opponent), (square("h1"), Field::Marked)];
        assert_eq!(found, expected);
        let squares = read(List::Block, &["0,0", "0,0", "14,0,1"]).unwrap();
        assert_eq!(squares, [(square("a15"), Field::Marked), (square("o15"), Field::Marked)]);
    }

    #[test]
    fn the_first_bad_item_is_named() {
        for (items, message) in [
            (&["7,7,1", "8,8"][..], "BOARD: item 2: expected x,y,field such as 7,7,1 or DONE, found \"8,8\""),
            (&["7,7,4"], "BOARD: item 1: expected 1 (own stone), 2 (opponent's stone) or 3 (no stone"),
            (&["7,15,1", "x"], "BOARD: item 1: (7,15) is off the 15x15 board"),
            (&["7,7,1", "8,8,2", "7,7,2"], "BOARD: item 3: 7,7 is in the list already"),
        ] {
            let error = read(List::Board, items).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
