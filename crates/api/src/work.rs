//! What the caller gives a search to work with.

use crate::{ApiError, Code};
use search::Clock;
use serde::Serialize;
use std::{sync::atomic::AtomicBool, time::Duration};

/// The most that a search may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceiling {
    /// Time of one search.
    pub time: Duration,
    /// Memory for the tables of one search.
    pub memory: usize,
    /// Bytes of a certificate, unpacked.
    pub certificate: usize,
    /// Memory for the proofs that can be browsed.
    pub proofs: usize,
    /// Bytes of a record.
    pub record: usize,
}

impl Default for Ceiling {
    fn default() -> Ceiling {
        Ceiling {
            time: Duration::from_secs(600),
            memory: 256 << 20,
            certificate: 64 << 20,
            proofs: 512 << 20,
            record: 8 << 20,
        }
    }
}

impl Ceiling {
    /// The time asked for, in milliseconds; if nothing is asked for, `usual` or
    /// the ceiling, whichever is less.
    pub(crate) fn time(
        &self,
        asked: Option<u64>,
        usual: Duration,
        field: &str,
    ) -> Result<Duration, ApiError> {
        let Some(ms) = asked else { return Ok(usual.min(self.time)) };
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
        let usual = (64 << 20).min(self.memory);
        let Some(mib) = asked else { return Ok(usual) };
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

/// Something a search says while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What kind: `progress`, and at the end `done` or `error`.
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

/// Clock, stop flag and listener of one search.
pub struct Work<'a> {
    /// The time since the search began.
    pub clock: &'a dyn Clock,
    /// Set when nobody waits for the answer any more.
    pub stop: &'a AtomicBool,
    /// Told how it goes.
    pub report: &'a mut dyn FnMut(Event),
}

/// Reports come as often as the search likes; listeners want a few a second.
pub(crate) struct Throttle {
    next: Duration,
}

/// Between two reports.
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
