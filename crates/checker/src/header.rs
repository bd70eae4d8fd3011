//! The names of things in a certificate, and its header.

use crate::board::{Board, Move, Square};
use crate::error::{BadSquare, GameError, HeaderError, HeaderFault, PositionError};
use std::{fmt, io, io::BufRead, io::Read};

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

    /// The name in a certificate.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Black => "black",
            Side::White => "white",
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

impl Method {
    /// All methods.
    pub const ALL: [Method; 4] = [Method::Rzop, Method::Srzop1, Method::Srzop2, Method::Mutual];

    /// The name in a certificate.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Rzop => "rzop",
            Method::Srzop1 => "srzop1",
            Method::Srzop2 => "srzop2",
            Method::Mutual => "mutual",
        }
    }
}

/// A game Connect(m,n,k,p,q): m columns, n rows, k in a row win, p stones a
/// move, q on the first move of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Game([u8; 5]);

impl Game {
    /// The game, if its numbers are within the limits of this crate.
    pub fn new(m: u64, n: u64, k: u64, p: u64, q: u64) -> Result<Game, GameError> {
        let mut numbers = [0; 5];
        for (number, (letter, value)) in
            numbers.iter_mut().zip(['m', 'n', 'k', 'p', 'q'].into_iter().zip([m, n, k, p, q]))
        {
            let most = if letter == 'p' { MAX_P as u8 } else { MAX_SIDE };
            *number = u8::try_from(value).ok().filter(|v| (1..=most).contains(v)).ok_or(GameError {
                letter,
                value,
                most,
            })?;
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
    /// With the defender to move: nothing is claimed about moves that contain one of
    /// these sets of stones. Empty in version 1 of the format.
    pub except: Vec<Move>,
}

/// The first line, by version.
const VERSIONS: [&str; 2] = ["connect-proof 1", "connect-proof 2"];
/// The keys that every header has once; the last one in version 2 only.
const KEYS: [&str; 8] = ["game", "black", "white", "to-move", "attacker", "method", "replies", "except"];
/// The keys of lines that are for readers only: any number of them, in any form.
const NOTES: [&str; 4] = ["tool", "date", "name", "sha256"];

impl Header {
    /// The board with the header's stones.
    pub fn board(&self) -> Result<Board, PositionError> {
        let mut board = Board::new(self.game);
        for (side, stones) in [(Side::Black, &self.black), (Side::White, &self.white)] {
            for &s in stones {
                if !board.is_empty(s) {
                    return Err(match usize::from(s) < self.game.area() {
                        true => PositionError::Taken(self.game.name(s)),
                        false => PositionError::OffBoard(s),
                    });
                }
                board.put(side, &[s]);
            }
        }
        Ok(board)
    }

    /// Whether nothing is claimed about moves of the defender that contain these stones.
    pub fn excepts(&self, stones: &Move) -> bool {
        self.except.iter().any(|set| set.squares().iter().all(|&s| stones.contains(s)))
    }

    /// The sets of stones that a text lists.
    fn excepted(&self, board: &Board, text: &str) -> Result<Vec<Move>, HeaderFault> {
        if self.to_move == self.attacker {
            return Err(HeaderFault::ExceptsOfAttacker);
        }
        let set = |word: &str| {
            let squares = self.game.parse(word.as_bytes()).ok()?;
            let set = Move::new(&squares)?;
            let fits =
                squares.len() <= usize::from(self.game.p()) && squares.iter().all(|&s| board.is_empty(s));
            fits.then_some(set)
        };
        let words = text.split(' ').filter(|word| !word.is_empty());
        let sets: Result<Vec<Move>, _> =
            words.map(|word| set(word).ok_or_else(|| HeaderFault::NotExcepted(word.to_string()))).collect();
        sets.and_then(|sets| if sets.is_empty() { Err(HeaderFault::NoneExcepted) } else { Ok(sets) })
    }

    /// Reads a header up to and including the empty line that ends it.
    pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Result<Header, HeaderError>> {
        let mut fields = Fields::default();
        let mut input = input.take(MAX_HEADER);
        loop {
            let mut line = Vec::new();
            input.read_until(b'\n', &mut line)?;
            fields.lines += 1;
            match fields.add(line) {
                Ok(true) => {}
                Ok(false) => return Ok(fields.header()),
                Err(fault) => return Ok(Err(HeaderError { line: fields.lines, fault })),
            }
        }
    }
}

/// The fields of a header that is read.
#[derive(Default)]
struct Fields {
    /// The number of lines read.
    lines: u64,
    /// The version, by [`VERSIONS`].
    version: usize,
    /// For each of [`KEYS`] the line and the value.
    values: [Option<(u64, String)>; KEYS.len()],
}

impl Fields {
    /// Takes the next line, with its end. False if it is the empty one.
    fn add(&mut self, mut line: Vec<u8>) -> Result<bool, HeaderFault> {
        if line.pop() != Some(b'\n') {
            return Err(HeaderFault::Endless);
        }
        let line = String::from_utf8(line).map_err(|_| HeaderFault::NotUtf8)?;
        if line.contains('\r') {
            return Err(HeaderFault::CarriageReturn);
        } else if self.lines == 1 {
            self.version = VERSIONS.iter().position(|v| *v == line).ok_or(HeaderFault::Version)?;
            return Ok(true);
        } else if line.is_empty() {
            return Ok(false);
        }
        let (key, value) = line.split_once(':').ok_or(HeaderFault::NotKeyValue)?;
        if !value.is_empty() && !value.starts_with(' ') {
            return Err(HeaderFault::NotKeyValue);
        }
        if let Some(i) = self.keys().iter().position(|known| *known == key) {
            if self.values[i].is_some() {
                return Err(HeaderFault::RepeatedKey(KEYS[i]));
            }
            self.values[i] = Some((self.lines, value.trim_matches(' ').to_string()));
        } else if !NOTES.contains(&key) {
            return Err(HeaderFault::UnknownKey(key.to_string()));
        }
        Ok(true)
    }

    /// The keys of the version.
    fn keys(&self) -> &'static [&'static str] {
        &KEYS[..KEYS.len() - usize::from(self.version == 0)]
    }

    /// The header that the fields make.
    fn header(&self) -> Result<Header, HeaderError> {
        let game = self.read("game", |text| {
            let numbers: Option<Vec<u64>> = text.split(' ').map(number).collect();
            match numbers.as_deref() {
                Some(&[m, n, k, p, q]) => Game::new(m, n, k, p, q).map_err(HeaderFault::Game),
                _ => Err(HeaderFault::NotGame),
            }
        })?;
        let stones = |text: &str| {
            text.split(' ').filter(|word| !word.is_empty()).map(|word| square(game, word)).collect()
        };
        let side = |text: &str| {
            [Side::Black, Side::White]
                .into_iter()
                .find(|side| side.name() == text)
                .ok_or(HeaderFault::NotSide)
        };
        let method =
            |text: &str| Method::ALL.into_iter().find(|m| m.name() == text).ok_or(HeaderFault::NotMethod);
        let mut header = Header {
            game,
            black: self.read("black", stones)?,
            white: self.read("white", stones)?,
            to_move: self.read("to-move", side)?,
            attacker: self.read("attacker", side)?,
            method: self.read("method", method)?,
            replies: self.read("replies", |text| number(text).ok_or(HeaderFault::NotNumber))?,
            except: Vec::new(),
        };
        let board = self.read("white", |_| header.board().map_err(HeaderFault::Position))?;
        if self.version > 0 {
            header.except = self.read("except", |text| header.excepted(&board, text))?;
        }
        Ok(header)
    }

    /// What `parse` makes of the value of a key.
    fn read<T>(
        &self,
        key: &'static str,
        parse: impl FnOnce(&str) -> Result<T, HeaderFault>,
    ) -> Result<T, HeaderError> {
        let field =
            KEYS.iter().zip(&self.values).find_map(|(known, value)| value.as_ref().filter(|_| *known == key));
        let (line, value) = match field {
            Some((line, text)) => (*line, parse(text)),
            None => (self.lines, Err(HeaderFault::MissingKey(key))),
        };
        value.map_err(|fault| HeaderError { line, fault })
    }
}

/// The square that a word names.
fn square(game: Game, word: &str) -> Result<Square, HeaderFault> {
    match game.parse(word.as_bytes()).as_deref() {
        Ok(&[square]) => Ok(square),
        Err(BadSquare::OffBoard) => Err(HeaderFault::OffBoard(word.to_string())),
        _ => Err(HeaderFault::NotSquare(word.to_string())),
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
        let version = VERSIONS[usize::from(!self.except.is_empty())];
        writeln!(f, "{version}\ngame: {m} {n} {k} {p} {q}")?;
        writeln!(f, "black:{}\nwhite:{}", names(&self.black), names(&self.white))?;
        writeln!(f, "to-move: {}\nattacker: {}", self.to_move, self.attacker)?;
        writeln!(f, "method: {}\nreplies: {}", self.method, self.replies)?;
        if !self.except.is_empty() {
            let sets =
                self.except.iter().map(|set| set.squares().iter().map(|&s| self.game.name(s)).collect());
            writeln!(f, "except: {}", sets.collect::<Vec<String>>().join(" "))?;
        }
        writeln!(f)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
