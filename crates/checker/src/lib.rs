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
//! [`check`] with its variants, which read replies from a file. A solver that
//! implements [`Replies`] can drive the same walk to write a certificate.
//!
//! Replies are read as the walk asks for them. Memory is bounded by the size of
//! the board and the replies read, whatever the certificate; time is not, so that
//! [`check_with`] offers to stop every few milliseconds. The limits are a board
//! of 64x64, 64 in a row and 8 stones a move.
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
mod defences;
mod error;
mod header;
mod replies;
#[cfg(test)]
mod tests;
mod walk;

pub use board::{Board, Move, Square};
pub use error::{
    BadSquare, CheckError, GameError, HeaderError, HeaderFault, PositionError, Reason, Rejection,
};
pub use header::{Game, Header, MAX_P, MAX_SIDE, Method, Side};
pub use replies::Replies;
pub use walk::{Summary, walk, walk_except};

use std::{io, io::BufRead, ops::ControlFlow};

/// The result of a check that succeeded: the claim of the header is proved, with
/// the exceptions that it makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The claim.
    pub header: Header,
    /// What was walked.
    pub summary: Summary,
}

/// Checks a certificate.
pub fn check(input: impl BufRead) -> Result<Checked, CheckError> {
    check_with(input, |_| ControlFlow::Continue(()))
}

/// Checks a certificate; calls `progress` with the number of replies read, and
/// stops when it says so. The calls come at least once in a few milliseconds of
/// work, whatever the certificate, so that a stop signal takes effect at once; a
/// read that blocks is not interrupted.
pub fn check_with(
    input: impl BufRead,
    progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Checked, CheckError> {
    check_showing(input, progress, |_, _, _, _| {})
}

/// Checks a certificate like [`check_with`], and shows each reply before it is
/// checked: the claim, the reply's number, the board before it and its squares.
pub fn check_showing(
    mut input: impl BufRead,
    progress: impl FnMut(u64) -> ControlFlow<()>,
    show: impl FnMut(&Header, u64, &Board, &Move),
) -> Result<Checked, CheckError> {
    struct Shown<P, F>(P, F);
    impl<P, F> Watch for Shown<P, F>
    where
        P: FnMut(u64) -> ControlFlow<()>,
        F: FnMut(&Header, u64, &Board, &Move),
    {
        fn progress(&mut self, replies: u64) -> ControlFlow<()> {
            self.0(replies)
        }

        fn reply(&mut self, header: &Header, number: u64, board: &Board, reply: &Move) {
            self.1(header, number, board, reply);
        }
    }
    check_watched(&mut input, &mut Shown(progress, show))
}

/// Follows a check.
pub trait Watch {
    /// Called with the number of replies read; the check stops on `Break`. See
    /// [`check_with`].
    fn progress(&mut self, replies: u64) -> ControlFlow<()>;

    /// Called with each reply before it is checked. See [`check_showing`].
    fn reply(&mut self, header: &Header, number: u64, board: &Board, reply: &Move);

    /// See [`Replies::settled`].
    fn settled(&mut self, number: u64, first_zones: &[u8]) {
        let _ = (number, first_zones);
    }
}

/// Checks a certificate and keeps `watch` informed. It has no type parameters, so
/// that it is compiled with this crate's optimisation, whatever the caller's.
pub fn check_watched(mut input: &mut dyn BufRead, watch: &mut dyn Watch) -> Result<Checked, CheckError> {
    let header = Header::read(&mut input)??;
    let mut tokens = Tokens { input, watch, header: &header, read: 0, token: Vec::new() };
    let summary = match header.except.is_empty() {
        true => walk(&header, &mut tokens)?,
        false => walk_except(&header, &mut tokens)?,
    };
    let reject = |reply, reason| Err(CheckError::Rejected(Rejection { reply, reason }));
    if tokens.read_token()? {
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

/// The replies of a certificate, read one by one.
struct Tokens<'a> {
    input: &'a mut dyn BufRead,
    watch: &'a mut dyn Watch,
    header: &'a Header,
    /// The number of replies read.
    read: u64,
    token: Vec<u8>,
}

/// Longer than any reply: 8 squares of two letters and two digits.
const MAX_TOKEN: usize = 64;
/// The bytes that are read between two calls of `progress`, at most.
const CHUNK: usize = 1 << 16;

impl Tokens<'_> {
    /// Reads the next token; false at the end of the input. Only the beginning
    /// of a token that is too long to be a reply is kept.
    fn read_token(&mut self) -> Result<bool, CheckError> {
        self.token.clear();
        loop {
            let bytes = match self.input.fill_buf() {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if bytes.is_empty() {
                return Ok(!self.token.is_empty());
            }
            let bytes = &bytes[..bytes.len().min(CHUNK)];
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
            self.look()?;
        }
    }

    /// Asks whether to go on.
    fn look(&mut self) -> Result<(), CheckError> {
        match self.watch.progress(self.read) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(CheckError::Stopped),
        }
    }
}

impl Replies for Tokens<'_> {
    type Error = CheckError;

    fn next(&mut self, number: u64, board: &Board) -> Result<Move, CheckError> {
        let reject = |reason| Err(CheckError::Rejected(Rejection { reply: number, reason }));
        if !self.read_token()? {
            return reject(Reason::RunOut);
        } else if number > self.header.replies {
            return reject(Reason::Count(self.header.replies));
        }
        let game = self.header.game;
        let (mut reply, mut count, mut repeated) = (Move::default(), 0, false);
        for square in game.squares(&self.token) {
            match square {
                Err(BadSquare::Malformed) => return reject(Reason::Malformed),
                Err(BadSquare::OffBoard) => return reject(Reason::OffBoard),
                Ok(square) => (count, repeated) = (count + 1, repeated | !reply.insert(square)),
            }
        }
        if count > game.p() {
            return reject(Reason::TooMany);
        } else if repeated {
            return reject(Reason::Repeated);
        }
        self.read = number;
        self.watch.reply(self.header, number, board, &reply);
        Ok(reply)
    }

    fn settled(&mut self, number: u64, first_zones: &[u8]) {
        self.watch.settled(number, first_zones);
    }

    fn excepts(&mut self, stones: Move, _board: &Board) -> Result<bool, CheckError> {
        Ok(self.header.excepts(&stones))
    }

    fn check_stop(&mut self) -> Result<(), CheckError> {
        self.look()
    }
}

// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
