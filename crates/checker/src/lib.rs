//! Checks certificates of wins in the games Connect(m,n,k,p,q).
//!
//! A certificate claims that one player, the attacker, wins a position. It is a
//! text: a header with the position, then the attacker's replies in the order
//! in which the checker asks for them. The checker walks the defender's moves
//! and trusts nothing in the file: a wrong reply can only make the check fail.
//!
//! This crate shares no code with the programs that write certificates. Its
//! parts: [`Header`] (reading and writing the claim), [`Board`] (stones and
//! segments), [`walk()`] (which moves of the defender must be answered), and
//! here the reader of files. A solver that is a source of [`Replies`] can drive
//! the same walk to write a certificate.
//!
//! Replies are read as the walk asks for them: memory depends on the length of
//! the lines, not of the file. The limits are a board of 64x64, 64 in a row and
//! 8 stones a move.
//!
//! ```
//! let text = "connect-proof 1
//! game: 3 3 3 1 1
//! black: a1 b1
//! white: a3 b2
//! to-move: black
//! attacker: black
//! method: rzop
//! replies: 1
//!
//! c1
//! ";
//! let checked = lambda6_checker::check(text.as_bytes())?;
//! assert_eq!(checked.summary.replies, 1);
//! # Ok::<(), lambda6_checker::CheckError>(())
//! ```

mod board;
mod header;
mod reason;
#[cfg(test)]
mod tests;
mod walk;

pub use board::{Board, Move, Square};
pub use header::{BadSquare, Game, Header, MAX_P, MAX_SIDE, Method, Side};
pub use reason::{Reason, Rejection};
pub use walk::{Replies, Summary, walk, walk_except};

use std::{fmt, io, io::BufRead, ops::ControlFlow};

/// A certificate that proves its claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The claim.
    pub header: Header,
    /// What was walked.
    pub summary: Summary,
}

/// Why a certificate was not accepted.
#[derive(Debug)]
pub enum CheckError {
    /// The header is not one that this crate can read.
    Unreadable {
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The replies do not prove the claim.
    Rejected(Rejection),
    /// The input failed.
    Io(io::Error),
    /// The caller's `progress` asked to stop.
    Stopped,
}

/// Checks a certificate.
pub fn check(input: impl BufRead) -> Result<Checked, CheckError> {
    check_with(input, |_| ControlFlow::Continue(()))
}

/// Checks a certificate; calls `progress` with the number of replies now and
/// then, and gives up when it says so.
pub fn check_with(
    input: impl BufRead,
    mut progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Checked, CheckError> {
    check_showing(input, |_, number, _, _| match number.is_multiple_of(PROGRESS) {
        true => progress(number),
        false => ControlFlow::Continue(()),
    })
}

/// Checks a certificate; shows the claim, the number of each reply, the board it
/// is asked for on and the reply, which has not been checked yet. Gives up when
/// `show` says so.
pub fn check_showing(
    mut input: impl BufRead,
    mut show: impl FnMut(&Header, u64, &Board, &Move) -> ControlFlow<()>,
) -> Result<Checked, CheckError> {
    let header = Header::read(&mut input)?.map_err(|(line, what)| CheckError::Unreadable { line, what })?;
    let show = |number, board: &Board, reply: &Move| show(&header, number, board, reply);
    let mut tokens = Tokens { input, show, game: header.game, count: header.replies, token: Vec::new() };
    let summary = walk(&header, &mut tokens)?;
    let reject = |reply, reason| Err(CheckError::Rejected(Rejection { reply, reason }));
    if tokens.read()? {
        return reject(summary.replies + 1, Reason::LeftOver);
    } else if summary.replies != header.replies {
        return reject(summary.replies, Reason::Count(header.replies));
    }
    Ok(Checked { header, summary })
}

/// Checks a certificate in a file, as text or compressed with zstd; the first
/// bytes tell which.
#[cfg(feature = "zstd")]
pub fn check_file(
    path: impl AsRef<std::path::Path>,
    progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Checked, CheckError> {
    check_with(open(path)?, progress)
}

/// Opens a certificate's file, compressed with zstd or not.
#[cfg(feature = "zstd")]
pub fn open(path: impl AsRef<std::path::Path>) -> io::Result<Box<dyn BufRead>> {
    let mut file = io::BufReader::with_capacity(1 << 16, std::fs::File::open(path)?);
    if file.fill_buf()?.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let text = zstd::Decoder::with_buffer(file)?;
        return Ok(Box::new(io::BufReader::with_capacity(1 << 16, text)));
    }
    Ok(Box::new(file))
}

/// The replies of a file, read one by one.
struct Tokens<R, F> {
    input: R,
    show: F,
    game: Game,
    count: u64,
    token: Vec<u8>,
}

/// How often `progress` is called: once in so many replies.
const PROGRESS: u64 = 1 << 10;
/// Longer than any reply: 8 squares of two letters and two digits.
const MAX_TOKEN: usize = 64;

impl<R: BufRead, F> Tokens<R, F> {
    /// Reads the next token; false at the end of the input. Only the beginning
    /// of a token that is too long to be a reply is kept.
    fn read(&mut self) -> io::Result<bool> {
        self.token.clear();
        loop {
            let bytes = match self.input.fill_buf() {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if bytes.is_empty() {
                return Ok(!self.token.is_empty());
            }
            let start = match self.token.is_empty() {
                true => bytes.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(bytes.len()),
                false => 0,
            };
            let rest = &bytes[start..];
            let end = rest.iter().position(u8::is_ascii_whitespace);
            let part = &rest[..end.unwrap_or(rest.len())];
            self.token.extend(part.iter().take(MAX_TOKEN - self.token.len()));
            let used = start + part.len();
            self.input.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

impl<R: BufRead, F: FnMut(u64, &Board, &Move) -> ControlFlow<()>> Replies for Tokens<R, F> {
    type Error = CheckError;

    fn next(&mut self, number: u64, board: &Board) -> Result<Move, CheckError> {
        let reject = |reason| Err(CheckError::Rejected(Rejection { reply: number, reason }));
        if !self.read()? {
            return reject(Reason::RunOut);
        } else if number > self.count {
            return reject(Reason::Count(self.count));
        }
        let (mut reply, mut count, mut repeated) = (Move::default(), 0, false);
        for square in self.game.squares(&self.token) {
            match square {
                Err(BadSquare::Malformed) => return reject(Reason::Malformed),
                Err(BadSquare::OffBoard) => return reject(Reason::OffBoard),
                Ok(square) => (count, repeated) = (count + 1, repeated | !reply.insert(square)),
            }
        }
        if count > self.game.p() {
            return reject(Reason::TooMany);
        } else if repeated {
            return reject(Reason::Repeated);
        }
        match (self.show)(number, board, &reply) {
            ControlFlow::Continue(()) => Ok(reply),
            ControlFlow::Break(()) => Err(CheckError::Stopped),
        }
    }
}

impl From<io::Error> for CheckError {
    fn from(error: io::Error) -> CheckError {
        CheckError::Io(error)
    }
}

impl From<Rejection> for CheckError {
    fn from(rejection: Rejection) -> CheckError {
        CheckError::Rejected(rejection)
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Unreadable { line, what } => write!(f, "line {line}: {what}"),
            CheckError::Rejected(rejection) => rejection.fmt(f),
            CheckError::Io(error) => error.fmt(f),
            CheckError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for CheckError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CheckError::Io(error) => Some(error),
            _ => None,
        }
    }
}
