//! The names of things in a certificate, and its header.

use crate::board::{Board, Square};
use std::{collections::HashMap, fmt, io, io::BufRead, io::Read};

/// The longest side of a board, and the most in a row.
pub const MAX_SIDE: u8 = 64;
/// The most stones a move can have.
pub const MAX_P: usize = 8;
/// The longest header that is read, in bytes.
const MAX_HEADER: u64 = 1 << 20;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves first in a game.
    Black,
    /// Moves second.
    White,
}

impl Side {
    /// The opponent.
    pub const fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}

/// Which of the defender's moves are walked when two stones are still free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Pairs by way of a single stone in the second zone.
    Rzop,
    /// Pairs by way of a single stone in the first zone, or with both in the second.
    Srzop1,
    /// As `Srzop1`; pairs in the second zone only if they can help one another.
    Srzop2,
    /// As `Srzop2`; a pair must also disturb the line won against each of its stones.
    Mutual,
}

/// A game Connect(m,n,k,p,q): m columns, n rows, k in a row win, p stones a
/// move, q on the first move of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Game([u8; 5]);

impl Game {
    /// The game, if its numbers are within the limits of this crate.
    pub fn new(m: u64, n: u64, k: u64, p: u64, q: u64) -> Result<Game, String> {
        let mut numbers = [0; 5];
        for (i, (name, value)) in [("m", m), ("n", n), ("k", k), ("p", p), ("q", q)].into_iter().enumerate() {
            let most = if name == "p" { MAX_P as u8 } else { MAX_SIDE };
            numbers[i] = u8::try_from(value)
                .ok()
                .filter(|v| (1..=most).contains(v))
                .ok_or_else(|| format!("{name} is {value}: only 1 to {most} are supported"))?;
        }
        Ok(Game(numbers))
    }

    /// The number of columns.
    pub fn m(self) -> u8 {
        self.0[0]
    }

    /// The number of rows.
    pub fn n(self) -> u8 {
        self.0[1]
    }

    /// How many in a row win.
    pub fn k(self) -> u8 {
        self.0[2]
    }

    /// How many stones a move places.
    pub fn p(self) -> u8 {
        self.0[3]
    }

    /// How many stones the first move of the game places. No rule of the walk
    /// asks for it.
    pub fn q(self) -> u8 {
        self.0[4]
    }

    /// The number of squares.
    pub fn area(self) -> usize {
        usize::from(self.m()) * usize::from(self.n())
    }

    /// The name of a square: column `a`, ..., `z`, `aa`, ..., then the row,
    /// from 1 at the bottom.
    pub fn name(self, square: Square) -> String {
        let (row, column) = (square / u16::from(self.m()), (square % u16::from(self.m())) as u8);
        let first = column.checked_div(26).filter(|&c| c > 0).map(|c| char::from(b'a' + c - 1));
        let letters: String = first.into_iter().chain([char::from(b'a' + column % 26)]).collect();
        format!("{letters}{}", i32::from(self.n()) - i32::from(row))
    }

    /// Reads squares run together, as in `k11l10`. There is one way to write a
    /// square: small letters, no leading zero.
    pub fn parse(self, text: &[u8]) -> Result<Vec<Square>, BadSquare> {
        self.squares(text).collect()
    }

    /// The squares of a text up to the first that is none.
    pub(crate) fn squares(self, text: &[u8]) -> impl Iterator<Item = Result<Square, BadSquare>> {
        let mut rest = text;
        std::iter::from_fn(move || {
            let (letters, after) = rest.split_at(run(rest, u8::is_ascii_lowercase));
            let (digits, after) = after.split_at(run(after, u8::is_ascii_digit));
            if rest.is_empty() {
                return None;
            } else if letters.is_empty() || digits.is_empty() || digits[0] == b'0' {
                return Some(Err(BadSquare::Malformed));
            }
            // Saturated numbers are off the board, as they should be.
            let value = |text: &[u8], base: u32, one: u8| {
                text.iter().fold(0u32, |v, c| v.saturating_mul(base).saturating_add(u32::from(c - one)))
            };
            let (column, row) = (value(letters, 26, b'a' - 1), value(digits, 10, b'0'));
            let (m, n) = (u32::from(self.m()), u32::from(self.n()));
            rest = after;
            Some(match column > m || row > n {
                true => Err(BadSquare::OffBoard),
                false => Ok(((n - row) * m + column - 1) as Square),
            })
        })
    }
}

/// How many bytes at the beginning are of the class.
fn run(text: &[u8], class: impl Fn(&u8) -> bool) -> usize {
    text.iter().position(|c| !class(c)).unwrap_or(text.len())
}

/// Why a text is not a list of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadSquare {
    /// It is not letters and a number by turns.
    Malformed,
    /// The board has no such square.
    OffBoard,
}

/// What a certificate claims, and how many replies it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub game: Game,
    /// Black's stones.
    pub black: Vec<Square>,
    /// White's stones.
    pub white: Vec<Square>,
    /// Who moves.
    pub to_move: Side,
    /// Who is claimed to win.
    pub attacker: Side,
    /// How the defender's moves are walked.
    pub method: Method,
    /// The number of replies.
    pub replies: u64,
}

/// A header that cannot be read: the line (counted from 1) and what is wrong
/// with it.
pub(crate) type BadHeader = (u64, String);

impl Header {
    /// The board with the header's stones; an error names a square that is off
    /// the board or taken twice.
    pub fn board(&self) -> Result<Board, String> {
        let mut board = Board::new(self.game);
        for (side, stones) in [(Side::Black, &self.black), (Side::White, &self.white)] {
            for &s in stones {
                if !board.is_empty(s) {
                    return Err(format!("two stones on {}, or it is off the board", self.game.name(s)));
                }
                board.put(side, &[s]);
            }
        }
        Ok(board)
    }

    /// Reads a header up to and including the empty line that ends it.
    pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Result<Header, BadHeader>> {
        let mut lines = Vec::new();
        let mut input = input.take(MAX_HEADER);
        loop {
            let (number, mut line) = (lines.len() as u64 + 1, Vec::new());
            input.read_until(b'\n', &mut line)?;
            let bad = |what: &str| Ok(Err((number, what.to_string())));
            if line.pop() != Some(b'\n') {
                return bad("the header must end with an empty line");
            }
            match String::from_utf8(line) {
                Err(_) => return bad("not UTF-8"),
                Ok(line) if line.contains('\r') => return bad("a carriage return: lines end with LF alone"),
                Ok(line) if number == 1 && line != "connect-proof 1" => {
                    return bad("the first line must be `connect-proof 1`");
                }
                Ok(line) if line.is_empty() => return Ok(Header::parse(&lines)),
                Ok(line) => lines.push(line),
            }
        }
    }

    fn parse(lines: &[String]) -> Result<Header, BadHeader> {
        const KEYS: [&str; 7] = ["game", "black", "white", "to-move", "attacker", "method", "replies"];
        let end = lines.len() as u64 + 1;
        let mut values = HashMap::new();
        for (number, line) in (1..).zip(lines).skip(1) {
            let (key, value) = match line.split_once(':') {
                Some((key, value)) if value.is_empty() || value.starts_with(' ') => {
                    (key, value.trim_matches(' '))
                }
                _ => return Err((number, "expected `key: value`".into())),
            };
            if KEYS.contains(&key) && values.insert(key, (number, value)).is_some() {
                return Err((number, format!("a second `{key}`")));
            }
        }
        let get = |key| values.get(key).copied().ok_or_else(|| (end, format!("no `{key}` in the header")));

        let (line, text) = get("game")?;
        let numbers: Option<Vec<u64>> = text.split(' ').map(number).collect();
        let game = match numbers.as_deref() {
            Some(&[m, n, k, p, q]) => Game::new(m, n, k, p, q).map_err(|what| (line, what))?,
            _ => return Err((line, "expected five numbers: m n k p q".into())),
        };
        let stones = |key| {
            let (line, text) = get(key)?;
            let square = |word: &str| match game.parse(word.as_bytes()).as_deref() {
                Ok(&[square]) => Ok(square),
                Err(BadSquare::OffBoard) => Err((line, format!("`{word}` is off the board"))),
                _ => Err((line, format!("`{word}` is not a square"))),
            };
            text.split(' ').filter(|word| !word.is_empty()).map(square).collect::<Result<Vec<Square>, _>>()
        };
        let side = |key| match get(key)? {
            (_, "black") => Ok(Side::Black),
            (_, "white") => Ok(Side::White),
            (line, _) => Err((line, "expected `black` or `white`".into())),
        };
        let method = match get("method")? {
            (_, "rzop") => Method::Rzop,
            (_, "srzop1") => Method::Srzop1,
            (_, "srzop2") => Method::Srzop2,
            (_, "mutual") => Method::Mutual,
            (line, _) => return Err((line, "expected `rzop`, `srzop1`, `srzop2` or `mutual`".into())),
        };
        let (line, text) = get("replies")?;
        let replies = number(text).ok_or_else(|| (line, "expected a number".to_string()))?;
        let (black, white, line) = (stones("black")?, stones("white")?, get("white")?.0);
        let header = Header {
            game,
            black,
            white,
            to_move: side("to-move")?,
            attacker: side("attacker")?,
            method,
            replies,
        };
        header.board().map_err(|what| (line, what))?;
        Ok(header)
    }
}

/// A number in its one form: digits, no sign, no leading zero.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|value: &u64| value.to_string() == text)
}

impl fmt::Display for Header {
    /// Writes the header as a certificate has it, with the empty line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names =
            |list: &[Square]| list.iter().map(|&s| format!(" {}", self.game.name(s))).collect::<String>();
        let [m, n, k, p, q] = self.game.0;
        writeln!(f, "connect-proof 1\ngame: {m} {n} {k} {p} {q}")?;
        writeln!(f, "black:{}\nwhite:{}", names(&self.black), names(&self.white))?;
        writeln!(f, "to-move: {}\nattacker: {}", self.to_move, self.attacker)?;
        writeln!(f, "method: {}\nreplies: {}\n", self.method, self.replies)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(if *self == Side::Black { "black" } else { "white" })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(["rzop", "srzop1", "srzop2", "mutual"][*self as usize])
    }
}
