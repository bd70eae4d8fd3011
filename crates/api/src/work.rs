//! Limits, clock, stop flag and listener of a search: what its caller provides.

use crate::{ApiError, Code, Service};
use lambda6_search::{Clock, Control, Limits};
use serde::Serialize;
use std::{sync::atomic::AtomicBool, time::Duration};

/// Limits on what a request may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceiling {
    /// Time of one search.
    pub time: Duration,
    /// Memory for the tables of one search.
    pub memory: usize,
    /// Bytes of a certificate, unpacked.
    pub certificate: usize,
    /// Memory for the proofs that are kept and for the certificates being checked.
    pub proofs: usize,
    /// Memory for the tables of searches that were interrupted and can be continued.
    pub kept: usize,
    /// Bytes of a record.
    pub record: usize,
    /// Threads of one search, where it can use several.
    pub threads: usize,
}

/// Bytes for tables if the request does not say.
const DEFAULT_MEMORY: usize = 64 << 20;

impl Default for Ceiling {
    fn default() -> Ceiling {
        Ceiling {
            time: Duration::from_secs(600),
            memory: 256 << 20,
            certificate: 64 << 20,
            proofs: 512 << 20,
            kept: 512 << 20,
            record: 8 << 20,
            threads: 1,
        }
    }
}

impl Ceiling {
    /// The time asked for, in milliseconds; if none is asked for, the lesser of
    /// `default` and the ceiling.
    pub(crate) fn time(
        &self,
        asked: Option<u64>,
        default: Duration,
        field: &str,
    ) -> Result<Duration, ApiError> {
        let Some(ms) = asked else { return Ok(default.min(self.time)) };
        let time = Duration::from_millis(ms);
        if time > self.time {
            let most = self.time.as_millis();
            return Err(ApiError::field(
                field,
                format!("at most {most} ms are allowed, {ms} were asked for"),
            ));
        }
        Ok(time)
    }

    /// The bytes for tables, from the MiB asked for.
    pub(crate) fn memory(&self, asked: Option<u64>, field: &str) -> Result<usize, ApiError> {
        let Some(mib) = asked else { return Ok(DEFAULT_MEMORY.min(self.memory)) };
        let bytes = usize::try_from(mib).ok().and_then(|mib| mib.checked_mul(1 << 20));
        match bytes.filter(|&bytes| (1..=self.memory).contains(&bytes)) {
            Some(bytes) => Ok(bytes),
            None => {
                let most = self.memory >> 20;
                Err(ApiError::field(field, format!("expected 1 to {most} MiB, found {mib}")))
            }
        }
    }

    pub(crate) fn too_large(what: &str, bytes: usize, most: usize) -> ApiError {
        ApiError::new(Code::TooLarge, format!("{what} of {bytes} bytes: at most {most} are allowed"))
    }
}

/// An event of a search that is running or has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// `progress`, and at the end `done` or `error`.
    pub name: &'static str,
    /// A JSON document.
    pub data: String,
}

impl Event {
    /// An event with this document.
    pub fn new(name: &'static str, data: &impl Serialize) -> Event {
        // These documents have string keys and finite numbers only.
        Event { name, data: serde_json::to_string(data).unwrap_or_default() }
    }
}

/// A request that has been checked and can be run.
pub(crate) trait Task: Send + 'static {
    /// The document of the event `done`.
    type Done: Serialize;

    fn run(self, service: &Service, work: &mut Work<'_>) -> Result<Self::Done, ApiError>;
}

/// Clock, stop flag and listener of one search.
pub struct Work<'a> {
    /// The time since the search began.
    pub clock: &'a dyn Clock,
    /// Set when the caller no longer waits for the answer.
    pub stop: &'a AtomicBool,
    /// Receives the events of the search.
    pub report: &'a mut dyn FnMut(Event),
}

impl<'a> Work<'a> {
    /// The control of a search with these limits.
    pub(crate) fn control(&self, limits: Limits) -> Control<'a> {
        Control::new(limits, self.clock, self.stop)
    }
}

/// Passes on a few reports a second of the many that a search makes.
pub(crate) struct Throttle {
    next: Duration,
}

/// The time between two reports.
const REPORT_EVERY: Duration = Duration::from_millis(60);

impl Throttle {
    pub(crate) fn new() -> Throttle {
        Throttle { next: Duration::ZERO }
    }

    /// Whether it is time for another report.
    pub(crate) fn due(&mut self, now: Duration) -> bool {
        let due = now >= self.next;
        if due {
            self.next = now + REPORT_EVERY;
        }
        due
    }
}
