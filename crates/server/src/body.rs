//! Request bodies: how many bytes the server holds, and how long a client may
//! take to send them.
//!
//! Documents and records are read whole, within a budget of bytes for all
//! requests together. A certificate is not kept here: its check reads the
//! [`Upload`] piece by piece, and an upload that waits for its turn is not read
//! at all.

use crate::{App, guard, problem::Problem};
use axum::{
    body::{BodyDataStream, Bytes},
    extract::{FromRequest, Request},
    http::header,
};
use lambda6_api::{ApiError, Code};
use std::{
    io::{self, BufRead, Read},
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::runtime::Handle;
use tokio_stream::StreamExt;

/// Bytes of a JSON document.
const MAX_DOCUMENT: usize = 1 << 20;

/// The bytes of request bodies that are held at once.
pub(crate) struct BodyBytes {
    most: usize,
    held: AtomicUsize,
}

impl BodyBytes {
    pub(crate) fn new(most: usize) -> Arc<BodyBytes> {
        Arc::new(BodyBytes { most, held: AtomicUsize::new(0) })
    }

    /// The bytes that are held now.
    pub(crate) fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    fn take(&self, more: usize) -> bool {
        let fits = |held: usize| held.checked_add(more).filter(|&sum| sum <= self.most);
        self.held.try_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok()
    }
}

/// A body that was read whole. Its bytes count in the budget until it is dropped.
pub(crate) struct Whole {
    bytes: Vec<u8>,
    budget: Arc<BodyBytes>,
}

impl Deref for Whole {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        self.budget.held.fetch_sub(self.bytes.capacity(), Ordering::Relaxed);
    }
}

impl Whole {
    /// A body without bytes, for requests that have none.
    pub(crate) fn empty(app: &App) -> Whole {
        Whole { bytes: Vec::new(), budget: Arc::clone(&app.bodies) }
    }

    async fn read(app: &App, request: Request, most: usize) -> Result<Whole, Problem> {
        let mut frames = frames(request, most)?;
        let mut whole = Whole::empty(app);
        let read = async {
            while let Some(frame) = frames.next().await {
                whole.add(&frame.map_err(|_| broken_off())?, most)?;
            }
            Ok(())
        };
        tokio::time::timeout(app.options.upload_time, read).await.unwrap_or_else(|_| Err(too_slow()))?;
        Ok(whole)
    }

    fn add(&mut self, bytes: &[u8], most: usize) -> Result<(), ApiError> {
        let needed = self.bytes.len() + bytes.len();
        if needed > most {
            return Err(too_long(most));
        }
        // The memory that is reserved counts, not only that in use.
        let old = self.bytes.capacity();
        if needed > old {
            let new = needed.max((2 * old).min(most));
            if !self.budget.take(new - old) {
                let full = "the server holds as many requests as it has memory for";
                return Err(ApiError::new(Code::Busy, full));
            }
            self.bytes.reserve_exact(new - self.bytes.len());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }
}

/// The body of a request as it comes in. A wrong media type or a length beyond the
/// limit is refused before anything is read.
fn frames(request: Request, most: usize) -> Result<BodyDataStream, ApiError> {
    guard::media_type(request.headers())?;
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    match length.and_then(|text| text.parse::<usize>().ok()) {
        Some(length) if length > most => Err(too_long(most)),
        _ => Ok(request.into_body().into_data_stream()),
    }
}

fn too_long(most: usize) -> ApiError {
    ApiError::new(Code::TooLarge, format!("the request is longer than the {most} bytes that are allowed"))
}

fn too_slow() -> ApiError {
    ApiError::new(Code::Timeout, "the request was not sent within the time allowed")
}

fn broken_off() -> ApiError {
    ApiError::new(Code::BadRequest, "the request broke off before its end")
}

/// The body of a request that is a JSON document.
pub(crate) struct Document(pub(crate) Whole);

impl FromRequest<Arc<App>> for Document {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Document, Problem> {
        Whole::read(app, request, MAX_DOCUMENT).await.map(Document)
    }
}

/// The body of a request that is a record or holds one. A record as a document is
/// longer than its text.
pub(crate) struct Record(pub(crate) Whole);

impl FromRequest<Arc<App>> for Record {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Record, Problem> {
        Whole::read(app, request, app.options.ceiling.record.saturating_mul(4)).await.map(Record)
    }
}

/// A body that a thread reads while it comes in.
pub(crate) struct Upload {
    frames: BodyDataStream,
    /// Waits for the network.
    runtime: Handle,
    /// The frame that is being read.
    frame: Bytes,
    /// Whether the last frame has come.
    ended: bool,
    most: usize,
    received: usize,
    /// The time left for the client. The time that the reader takes does not
    /// count.
    time: Duration,
}

impl FromRequest<Arc<App>> for Upload {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Upload, Problem> {
        let most = app.options.ceiling.certificate;
        Ok(Upload {
            frames: frames(request, most)?,
            runtime: Handle::current(),
            frame: Bytes::new(),
            ended: false,
            most,
            received: 0,
            time: app.options.upload_time,
        })
    }
}

impl Upload {
    /// Waits for the next frame. An error is an [`ApiError`] inside.
    fn next_frame(&mut self) -> Result<(), ApiError> {
        let begun = Instant::now();
        let waiting = async { tokio::time::timeout(self.time, self.frames.next()).await };
        let frame = self.runtime.block_on(waiting);
        self.time = self.time.saturating_sub(begun.elapsed());
        match frame {
            Err(_) => return Err(too_slow()),
            Ok(None) => self.ended = true,
            Ok(Some(Err(_))) => return Err(broken_off()),
            Ok(Some(Ok(bytes))) => {
                self.received += bytes.len();
                if self.received > self.most {
                    return Err(too_long(self.most));
                }
                self.frame = bytes;
            }
        }
        Ok(())
    }

    /// Reads and forgets the rest: a client that still sends would not read the
    /// answer.
    pub(crate) fn discard(mut self) {
        while !self.ended && self.next_frame().is_ok() {}
    }
}

impl BufRead for Upload {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.frame.is_empty() && !self.ended {
            if let Err(error) = self.next_frame() {
                self.ended = true;
                return Err(io::Error::other(error));
            }
        }
        Ok(&self.frame)
    }

    fn consume(&mut self, count: usize) {
        self.frame = self.frame.split_off(count);
    }
}

impl Read for Upload {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}
