//! Reads and checks a certificate in one pass: the text is kept and the index
//! for browsing is built while the checker asks for the replies.

use super::{Proof, Room, index::Indexer};
use crate::{ApiError, Ceiling, Code};
use lambda6_checker::{CheckError, Watch};
use lambda6_proof::convert;
use sha2::{Digest, Sha256};
use std::{
    cell::RefCell,
    io::{self, BufRead, BufReader, Read},
    ops::ControlFlow,
};

/// The first bytes of a file compressed with zstd.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Bytes of text unpacked at a time.
const UNPACK: usize = 1 << 16;

impl Proof {
    /// Reads a certificate, as text or compressed with zstd, and has it checked.
    /// The memory comes from `room`: a proof whose index does not fit is valid but
    /// cannot be browsed. `proceed` is called every few milliseconds with the number
    /// of replies read, and ends the check with the error that it returns.
    pub fn check(
        input: impl BufRead,
        ceiling: &Ceiling,
        room: &mut Room<'_>,
        proceed: &mut dyn FnMut(u64) -> Result<(), ApiError>,
    ) -> Result<Proof, ApiError> {
        let mut input = input;
        let mut magic = Vec::with_capacity(ZSTD.len());
        (&mut input).take(ZSTD.len() as u64).read_to_end(&mut magic).map_err(unread)?;
        let packed = magic == ZSTD;
        let input = io::Cursor::new(magic).chain(input);
        let input: Box<dyn BufRead + '_> = match packed {
            false => Box::new(input),
            true => {
                let text = ruzstd::decoding::StreamingDecoder::new(input).map_err(|error| {
                    ApiError::new(Code::BadRequest, format!("cannot be unpacked with zstd: {error}"))
                })?;
                Box::new(BufReader::with_capacity(UNPACK, text))
            }
        };
        let mut text = Vec::new();
        let room = RefCell::new(room);
        let mut captured = Captured { input, text: &mut text, most: ceiling.certificate, room: &room };
        let mut watch = Watcher { indexer: Indexer::new(), room: &room, proceed, ended: None };
        let checked = lambda6_checker::check_watched(&mut captured, &mut watch);
        let Watcher { indexer, ended, .. } = watch;
        let checked = checked.map_err(|error| match (error, ended) {
            (CheckError::Stopped, Some(error)) => error,
            (CheckError::Rejected(rejection), _) => {
                ApiError::new(Code::Rejected, format!("the checker rejects it at {rejection}"))
            }
            (CheckError::Io(error), _) => unread(error),
            (other, _) => ApiError::new(Code::BadRequest, format!("not a certificate: {other}")),
        })?;
        text.shrink_to_fit();
        let position = convert::rules_position(&checked.header)
            .map_err(|e| ApiError::new(Code::BadRequest, format!("not a position to browse: {e}")))?;
        let attacker = convert::rules_side(checked.header.attacker);
        let id = Sha256::digest(&text).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        Ok(Proof { id, text, checked, position, attacker, index: indexer.finish() })
    }
}

/// The error of an input that could not be read to its end.
fn unread(error: io::Error) -> ApiError {
    match error.downcast::<ApiError>() {
        Ok(error) => error,
        Err(error) => ApiError::new(Code::BadRequest, format!("the certificate cannot be read: {error}")),
    }
}

/// Keeps the text that is read, within the limit for certificates.
struct Captured<'a, 'r, R> {
    input: R,
    text: &'a mut Vec<u8>,
    most: usize,
    room: &'a RefCell<&'a mut Room<'r>>,
}

impl<R: BufRead> BufRead for Captured<'_, '_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.input.fill_buf()?;
        let needed = self.text.len() + bytes.len();
        if needed > self.most {
            return Err(io::Error::other(Ceiling::too_large("a certificate", needed, self.most)));
        }
        // The memory that is reserved counts, not only that in use.
        let old = self.text.capacity();
        if needed > old {
            let new = needed.max((2 * old).min(self.most));
            if !self.room.borrow_mut().grow(new - old) {
                let full = ApiError::new(Code::Busy, "there is no room for another certificate");
                return Err(io::Error::other(full));
            }
            self.text.reserve_exact(new - self.text.len());
        }
        Ok(bytes)
    }

    fn consume(&mut self, count: usize) {
        // What is buffered is returned again without reading.
        if let Ok(bytes) = self.input.fill_buf() {
            self.text.extend_from_slice(&bytes[..count]);
        }
        self.input.consume(count);
    }
}

impl<R: BufRead> Read for Captured<'_, '_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

/// Builds the index as the check goes, and ends the check when it is told to.
struct Watcher<'a, 'r> {
    indexer: Indexer,
    room: &'a RefCell<&'a mut Room<'r>>,
    proceed: &'a mut dyn FnMut(u64) -> Result<(), ApiError>,
    ended: Option<ApiError>,
}

impl Watch for Watcher<'_, '_> {
    fn progress(&mut self, replies: u64) -> ControlFlow<()> {
        match (self.proceed)(replies) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.ended = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn reply(
        &mut self,
        header: &lambda6_checker::Header,
        _: u64,
        board: &lambda6_checker::Board,
        reply: &lambda6_checker::Move,
    ) {
        self.indexer.reply(header, board, reply, &mut self.room.borrow_mut());
    }

    fn settled(&mut self, number: u64, first_zones: &[u8]) {
        self.indexer.settled(number, first_zones);
    }
}
