//! Setups: positions from untrusted input, not yet checked.

use crate::{Game, GameError, Position, Side, SideParseError, Square, SquareParseError};
use std::fmt;

/// Stones and a side to move, as given. [`Setup::position`] checks them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The game.
    pub game: Game,
    /// The black stones.
    pub black: Vec<Square>,
    /// The white stones.
    pub white: Vec<Square>,
    /// Who is to move.
    pub to_move: Side,
}

impl Setup {
    /// The position, if the setup is valid: every stone is on the board, no two
    /// are on one square, and the game is not over.
    pub fn position(&self) -> Result<Position, SetupError> {
        let mut position = Position::empty(self.game, self.to_move);
        for (side, squares) in [(Side::Black, &self.black), (Side::White, &self.white)] {
            for &square in squares {
                if square.index() >= self.game.area() {
                    return Err(SetupError::OffBoard { index: square.index() });
                }
                let name = || self.game.square_name(square);
                match position.at(square) {
                    Some(other) if other == side => return Err(SetupError::Twice { side, square: name() }),
                    Some(_) => return Err(SetupError::BothSides { square: name() }),
                    None => position.place(side, square),
                }
            }
        }
        match position.outcome() {
            Some(crate::Outcome::Win(side)) => Err(SetupError::Won { side, k: self.game.k() }),
            Some(crate::Outcome::Draw) => Err(SetupError::Full),
            None => Ok(position),
        }
    }

    /// Reads the header lines of a certificate: `game`, `black`, `white`,
    /// `to-move`, each `key: value` on a line of its own. `black` and `white`
    /// may be missing. Other keys, and what follows an empty line, are ignored.
    ///
    /// ```
    /// # use lambda6_rules::{Setup, Side};
    /// let setup = Setup::parse("game: 19 19 6 2 1\nblack: j10 j12 i11\nto-move: white\n")?;
    /// assert_eq!(setup.black.len(), 3);
    /// assert_eq!(setup.position()?.to_move(), Side::White);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(text: &str) -> Result<Setup, SetupError> {
        let fields = Fields::read(text)?;
        let game_field = fields.required("game")?;
        let game = game_field.value.parse().map_err(|e| game_field.error(0, SetupFault::Game(e)))?;
        let to_move = fields.required("to-move")?;
        let side = to_move.value.parse().map_err(|e| to_move.error(0, SetupFault::Side(e)))?;
        Ok(Setup {
            game,
            black: fields.squares(game, "black")?,
            white: fields.squares(game, "white")?,
            to_move: side,
        })
    }
}

impl fmt::Display for Setup {
    /// The four header lines that [`Setup::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |squares: &[Square]| {
            squares.iter().map(|&s| format!(" {}", self.game.square_name(s))).collect::<String>()
        };
        writeln!(f, "game: {}", self.game)?;
        writeln!(f, "black:{}", list(&self.black))?;
        writeln!(f, "white:{}", list(&self.white))?;
        writeln!(f, "to-move: {}", self.to_move)
    }
}

/// One `key: value` line.
struct Field<'a> {
    key: &'a str,
    value: &'a str,
    line: usize,
    /// Column of the value's first character, from 1.
    column: usize,
}

impl Field<'_> {
    /// An error `offset` bytes into the value.
    fn error(&self, offset: usize, fault: SetupFault) -> SetupError {
        let column = self.column + self.value[..offset].chars().count();
        SetupError::Text { line: self.line, column, fault }
    }
}

struct Fields<'a>(Vec<Field<'a>>);

impl<'a> Fields<'a> {
    const KEYS: [&'static str; 4] = ["game", "black", "white", "to-move"];

    fn read(text: &'a str) -> Result<Fields<'a>, SetupError> {
        let mut fields = Fields(Vec::new());
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() {
                if fields.0.is_empty() { continue } else { break }
            }
            if number == 1 && line.starts_with("connect-proof ") {
                continue;
            }
            let at = |column, fault| SetupError::Text { line: number, column, fault };
            let Some((key, rest)) = line.split_once(':') else {
                return Err(at(1, SetupFault::NoColon(line.trim().chars().take(40).collect())));
            };
            let value = rest.trim_start();
            let column = line[..line.len() - value.len()].chars().count() + 1;
            let (key, value) = (key.trim(), value.trim_end());
            // In this order, so that a text of unknown keys takes linear time.
            if Fields::KEYS.contains(&key) && fields.get(key).is_some() {
                return Err(at(1, SetupFault::KeyTwice(key.to_string())));
            }
            fields.0.push(Field { key, value, line: number, column });
        }
        Ok(fields)
    }

    fn get(&self, key: &str) -> Option<&Field<'a>> {
        self.0.iter().find(|field| field.key == key)
    }

    fn required(&self, key: &'static str) -> Result<&Field<'a>, SetupError> {
        self.get(key).ok_or(SetupError::Missing { key })
    }

    fn squares(&self, game: Game, key: &str) -> Result<Vec<Square>, SetupError> {
        let Some(field) = self.get(key) else { return Ok(Vec::new()) };
        let mut squares = Vec::new();
        let mut rest = field.value;
        while !rest.is_empty() {
            let offset = field.value.len() - rest.len();
            let (square, tail) =
                game.split_square(rest).map_err(|e| field.error(offset, SetupFault::Square(e)))?;
            squares.push(square);
            rest = tail.trim_start();
        }
        Ok(squares)
    }
}

/// Why a setup is not a valid position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A square number that the board does not have.
    #[error("square number {index} is off the board")]
    OffBoard {
        /// The square's number.
        index: usize,
    },
    /// A square is listed twice for one side.
    #[error("{square} is listed twice among the {side} stones")]
    Twice {
        /// Whose list.
        side: Side,
        /// The square's name.
        square: String,
    },
    /// A square is listed for both sides.
    #[error("{square} has both a black and a white stone")]
    BothSides {
        /// The square's name.
        square: String,
    },
    /// The game is over: one side has won.
    #[error("the game is over: {side} already has {k} in a row")]
    Won {
        /// Who has won.
        side: Side,
        /// How many in a row win.
        k: u8,
    },
    /// The game is over: no square is empty.
    #[error("the game is over: the board is full")]
    Full,
    /// A line that must be there is not.
    #[error("the line \"{key}: ...\" is missing")]
    Missing {
        /// What the line should begin with.
        key: &'static str,
    },
    /// A line cannot be read.
    #[error("line {line}, column {column}: {fault}")]
    Text {
        /// From 1.
        line: usize,
        /// In characters, from 1.
        column: usize,
        /// What is wrong there.
        fault: SetupFault,
    },
}

/// What is wrong at one place of a setup's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupFault {
    /// Not a `key: value` line.
    #[error("expected \"key: value\", found {0:?}")]
    NoColon(String),
    /// A key is given twice.
    #[error("the key {0:?} stands twice")]
    KeyTwice(String),
    /// In `game:`.
    #[error(transparent)]
    Game(GameError),
    /// In `to-move:`.
    #[error(transparent)]
    Side(SideParseError),
    /// In `black:` or `white:`.
    #[error(transparent)]
    Square(SquareParseError),
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "game: 19 19 6 2 1\nblack: j10\nwhite: i8 h9\nto-move: black\n";

    #[test]
    fn a_setup_round_trips_through_its_text() {
        let setup = Setup::parse(TEXT).unwrap();
        assert_eq!(setup.to_string(), TEXT);
        let sorted = setup.position().unwrap().setup();
        assert_eq!(sorted.white, [setup.white[1], setup.white[0]]);
        assert_eq!(sorted.position(), setup.position());
    }

    #[test]
    fn the_header_of_a_certificate_is_a_setup() {
        let certificate = format!("connect-proof 1\n{TEXT}attacker: black\nreplies: 1\n\nk11l10\n");
        assert_eq!(Setup::parse(&certificate), Setup::parse(TEXT));
        assert_eq!(Setup::parse(&TEXT.replace('\n', "\r\n")), Setup::parse(TEXT));
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        let error = |text: &str| Setup::parse(text).and_then(|s| s.position()).unwrap_err().to_string();
        assert_eq!(error(&TEXT.replace("h9", "t9")), "line 3, column 11: t9 is off the 19x19 board");
        assert_eq!(
            error(&TEXT.replace("white: i8 h9", "white i8")),
            "line 3, column 1: expected \"key: value\", found \"white i8\""
        );
        assert_eq!(error(&TEXT.replace("h9", "i8")), "i8 is listed twice among the white stones");
        assert_eq!(error(&TEXT.replace("h9", "j10")), "j10 has both a black and a white stone");
        assert_eq!(
            error(&TEXT.replace("to-move: black", "to-move: red")),
            "line 4, column 10: \"red\" is not a side: expected black or white"
        );
        assert_eq!(error("black: j10\n"), "the line \"game: ...\" is missing");
        assert_eq!(
            error(&TEXT.replace("game: 19 19", "game: 19 99")),
            "line 1, column 7: n = 99 is out of range: expected 1 to 64"
        );
        assert_eq!(
            error(&TEXT.replace("j10", "a1 b1 c1 d1 e1 f1")),
            "the game is over: black already has 6 in a row"
        );
        assert_eq!(error(&format!("{TEXT}black: a1\n")), "line 5, column 1: the key \"black\" stands twice");
    }

    #[test]
    fn a_square_of_another_board_is_refused() {
        let setup = Setup {
            game: Game::TIC_TAC_TOE,
            black: vec![Square::new(9)],
            white: vec![],
            to_move: Side::White,
        };
        assert_eq!(setup.position(), Err(SetupError::OffBoard { index: 9 }));
    }
}
