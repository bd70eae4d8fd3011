//! The parameters of a game of the family.

use crate::{
    Move, MoveParseError, Square, SquareParseError,
    square::{column_name, split_square, write_column},
};
use std::{fmt, str::FromStr};

/// The longest side of a board.
pub const MAX_SIDE: u8 = 64;
/// The most stones a move can have.
pub const MAX_P: usize = 8;

/// A game Connect(m,n,k,p,q): the size of the board and the three numbers that
/// make its rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Game {
    cols: u8,
    rows: u8,
    k: u8,
    p: u8,
    q: u8,
}

impl Game {
    /// Connect6: Connect(19,19,6,2,1).
    pub const CONNECT6: Game = Game { cols: 19, rows: 19, k: 6, p: 2, q: 1 };
    /// Go-moku (five or more in a row, no forbidden moves): Connect(15,15,5,1,1).
    pub const GO_MOKU: Game = Game { cols: 15, rows: 15, k: 5, p: 1, q: 1 };
    /// Tic-tac-toe: Connect(3,3,3,1,1).
    pub const TIC_TAC_TOE: Game = Game { cols: 3, rows: 3, k: 3, p: 1, q: 1 };

    /// The games that have a name of their own.
    pub const NAMED: [(&'static str, Game); 3] =
        [("connect6", Game::CONNECT6), ("go-moku", Game::GO_MOKU), ("tic-tac-toe", Game::TIC_TAC_TOE)];

    /// The game Connect(m,n,k,p,q).
    ///
    /// ```
    /// # use lambda6_rules::Game;
    /// assert_eq!(Game::new(19, 19, 6, 2, 1), Ok(Game::CONNECT6));
    /// assert!(Game::new(65, 19, 6, 2, 1).is_err());
    /// ```
    pub fn new(m: u32, n: u32, k: u32, p: u32, q: u32) -> Result<Game, GameError> {
        let within = |name, value: u32, low: u32, high: u32| {
            if (low..=high).contains(&value) {
                Ok(value as u8)
            } else {
                Err(GameError::OutOfRange { name, value, low, high })
            }
        };
        let max = u32::from(MAX_SIDE);
        let cols = within("m", m, 1, max)?;
        let rows = within("n", n, 1, max)?;
        let k = within("k", k, 2, max)?;
        let p = within("p", p, 1, MAX_P as u32)?;
        let q = within("q", q, 1, MAX_P as u32)?;
        Ok(Game { cols, rows, k, p, q })
    }

    /// m, the number of columns.
    pub const fn cols(self) -> u8 {
        self.cols
    }

    /// n, the number of rows.
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// How many in a row win.
    pub const fn k(self) -> u8 {
        self.k
    }

    /// How many stones a move places.
    pub const fn p(self) -> u8 {
        self.p
    }

    /// How many stones the first move of the game places.
    pub const fn q(self) -> u8 {
        self.q
    }

    /// The number of squares.
    pub const fn area(self) -> usize {
        self.cols as usize * self.rows as usize
    }

    /// The name, if the game has one.
    pub fn name(self) -> Option<&'static str> {
        Game::NAMED.iter().find(|(_, game)| *game == self).map(|(name, _)| *name)
    }

    /// All squares in order.
    pub fn squares(self) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..self.area()).map(Square::new)
    }

    /// The square in column `col` from the left and row `row` from the bottom,
    /// both from 0. Panics when the board has no such square.
    pub const fn square(self, col: u8, row: u8) -> Square {
        assert!(col < self.cols && row < self.rows, "square off the board");
        Square::new((self.rows - 1 - row) as usize * self.cols as usize + col as usize)
    }

    /// The column from the left and the row from the bottom, both from 0.
    pub const fn col_row(self, square: Square) -> (u8, u8) {
        let index = square.index();
        let col = index % self.cols as usize;
        let row_from_top = index / self.cols as usize;
        (col as u8, self.rows - 1 - row_from_top as u8)
    }

    /// The square `dx` columns to the right of `square` and `dy` rows above it, if
    /// it is on the board.
    pub fn offset(self, square: Square, dx: i32, dy: i32) -> Option<Square> {
        let (col, row) = self.col_row(square);
        let (x, y) = (i32::from(col) + dx, i32::from(row) + dy);
        let on_board = (0..i32::from(self.cols)).contains(&x) && (0..i32::from(self.rows)).contains(&y);
        on_board.then(|| self.square(x as u8, y as u8))
    }

    /// The square's name, such as `j10`.
    pub fn square_name(self, square: Square) -> String {
        let mut name = String::new();
        self.write_square(square, &mut name);
        name
    }

    /// Adds the square's name to a text. Without `format!`, for speed:
    /// certificates contain millions of names.
    fn write_square(self, square: Square, text: &mut String) {
        let (col, row) = self.col_row(square);
        write_column(col, text);
        let row = row + 1;
        for unit in [100, 10, 1] {
            if row >= unit {
                text.push(char::from(b'0' + row / unit % 10));
            }
        }
    }

    /// The name of a column, such as `j`.
    pub fn column_name(self, col: u8) -> String {
        column_name(col)
    }

    /// Parses one square, such as `j10`.
    pub fn parse_square(self, text: &str) -> Result<Square, SquareParseError> {
        match split_square(self, text)? {
            (square, "") => Ok(square),
            (_, rest) => Err(SquareParseError::Syntax { found: rest.chars().take(12).collect() }),
        }
    }

    /// Splits the first square off a text that goes on behind it.
    pub fn split_square(self, text: &str) -> Result<(Square, &str), SquareParseError> {
        split_square(self, text)
    }

    /// Parses the squares of one move run together, such as `k11l10`.
    pub fn parse_move(self, text: &str) -> Result<Move, MoveParseError> {
        Move::parse(self, text)
    }

    /// The move's squares run together, such as `k11l10`.
    pub fn move_name(self, mv: &Move) -> String {
        let mut name = String::new();
        self.write_move(mv, &mut name);
        name
    }

    /// Adds the move's name to a text.
    pub fn write_move(self, mv: &Move, text: &mut String) {
        mv.iter().for_each(|square| self.write_square(square, text));
    }
}

/// Why parameters or a text do not give a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// One of the five numbers is too small or too large.
    #[error("{name} = {value} is out of range: expected {low} to {high}")]
    OutOfRange {
        /// m, n, k, p or q.
        name: &'static str,
        /// What was given.
        value: u32,
        /// The least that is possible.
        low: u32,
        /// The most that is possible.
        high: u32,
    },
    /// The text is neither a name nor five numbers.
    #[error("{0:?} is not a game: expected connect6, go-moku, tic-tac-toe or five numbers m n k p q")]
    Syntax(String),
}

impl FromStr for Game {
    type Err = GameError;

    /// A name, or `m n k p q` separated by spaces or commas.
    fn from_str(text: &str) -> Result<Game, GameError> {
        let syntax = || GameError::Syntax(text.trim().chars().take(40).collect());
        let lower = text.trim().to_ascii_lowercase();
        let named = match lower.as_str() {
            "gomoku" => Some(Game::GO_MOKU),
            "tictactoe" => Some(Game::TIC_TAC_TOE),
            name => Game::NAMED.iter().find(|(known, _)| *known == name).map(|(_, game)| *game),
        };
        if let Some(game) = named {
            return Ok(game);
        }
        let numbers = lower
            .split(|c: char| c == ',' || c.is_whitespace())
            .filter(|word| !word.is_empty())
            .map(|word| word.parse::<u32>().map_err(|_| syntax()))
            .collect::<Result<Vec<_>, _>>()?;
        match numbers[..] {
            [m, n, k, p, q] => Game::new(m, n, k, p, q),
            _ => Err(syntax()),
        }
    }
}

impl fmt::Display for Game {
    /// The five numbers, as a setup's `game:` line has them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {} {}", self.cols, self.rows, self.k, self.p, self.q)
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Connect({},{},{},{},{})", self.cols, self.rows, self.k, self.p, self.q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_round_trip_through_text() {
        for text in ["19 19 6 2 1", "connect6", "Connect6", "19,19,6,2,1", " 19 19  6 2 1 "] {
            assert_eq!(text.parse(), Ok(Game::CONNECT6), "{text}");
        }
        for (name, game) in Game::NAMED {
            assert_eq!(game.to_string().parse(), Ok(game));
            assert_eq!(name.parse(), Ok(game));
            assert_eq!(game.name(), Some(name));
        }
    }

    #[test]
    fn impossible_games_are_refused() {
        for text in ["0 19 6 2 1", "19 65 6 2 1", "19 19 1 2 1", "19 19 6 0 1", "19 19 6 2 9", "19 19 6 9 1"]
        {
            assert!(matches!(text.parse::<Game>(), Err(GameError::OutOfRange { .. })), "{text}");
        }
        for text in ["", "chess", "19 19 6 2", "19 19 6 2 1 1", "19 19 6 2 -1"] {
            assert!(matches!(text.parse::<Game>(), Err(GameError::Syntax(_))), "{text}");
        }
    }

    #[test]
    fn coordinates_round_trip_on_odd_boards() {
        let game = Game::new(5, 3, 3, 1, 1).unwrap();
        assert_eq!(game.square(0, 2), Square::new(0));
        assert_eq!(game.square(4, 0), Square::new(14));
        for square in game.squares() {
            let (col, row) = game.col_row(square);
            assert_eq!(game.square(col, row), square);
        }
        assert_eq!(game.offset(game.square(0, 0), -1, 0), None);
        assert_eq!(game.offset(game.square(0, 0), 4, 2), Some(game.square(4, 2)));
    }
}
