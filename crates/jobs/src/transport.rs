//! The interface between a client and its workers, and the main loop of a client.

use crate::{Client, Command, Event, Judge, OrderState, Request, SqliteStore, StoreError};
use std::{
    error::Error,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Carries jobs to workers and their events back.
pub trait Transport {
    /// The number of jobs that should be running: one for each worker, and possibly a
    /// few more that wait.
    fn slots(&self) -> usize;

    /// Passes a command on.
    fn send(&mut self, command: Command) -> Result<(), TransportError>;

    /// Returns the events since the last call, and waits up to `wait` for the first
    /// one. The next call acknowledges the events of this one.
    fn receive(&mut self, wait: Duration) -> Result<Vec<Event>, TransportError>;

    /// The workers and their current jobs (ask-info in the paper).
    fn workers(&self) -> Vec<WorkerInfo>;
}

/// A worker as the client sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerInfo {
    /// Its name: `owner/process` where owners run several workers.
    pub name: String,
    /// Its current job, in words.
    pub job: Option<String>,
    /// The moves tried for that job.
    pub nodes: u64,
    /// Why it gets no jobs, if so.
    pub trouble: Option<String>,
}

/// The owner in a worker's name, for whom the transport vouches. All workers whose
/// names have none belong to the client itself.
pub(crate) fn owner(worker: &str) -> &str {
    worker.split_once('/').map_or("", |(owner, _)| owner)
}

/// The transport failed.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct TransportError {
    what: String,
    #[source]
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl TransportError {
    /// An error with this message.
    pub fn new(what: impl Into<String>) -> TransportError {
        TransportError { what: what.into(), source: None }
    }
}

/// Why a client ended early.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The transport failed.
    #[error(transparent)]
    Transport(#[from] TransportError),
}

/// How a client ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The root is solved.
    Solved,
    /// It was told to stop.
    Stopped,
    /// Nothing is left to search: the rest is paused or forbidden, or its jobs failed
    /// too often.
    Stuck,
    /// The limit of jobs was reached.
    Enough,
}

/// When a client ends before the root is solved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Until {
    /// After so many jobs.
    pub jobs: Option<u64>,
    /// Wait for orders when nothing is left to search.
    pub wait: bool,
}

/// Called after every step of [`drive`].
pub type Look<'a, J> = &'a mut dyn FnMut(&Client<SqliteStore, J>, &dyn Transport);

/// How long the loop waits for an event.
const WAIT: Duration = Duration::from_millis(100);
/// How often the workers and their jobs are written into the file.
const NOTE_EVERY: Duration = Duration::from_secs(3);

/// Runs a client until its root is solved. `now` is the time since it began;
/// `look` is called after every step.
pub fn drive<J: Judge>(
    client: &mut Client<SqliteStore, J>,
    transport: &mut dyn Transport,
    until: Until,
    now: &dyn Fn() -> Duration,
    stop: &AtomicBool,
    look: Look<'_, J>,
) -> Result<Left, DriveError> {
    let left = steps(client, transport, until, now, stop, look)?;
    client.store_mut().note_workers(&[])?;
    Ok(left)
}

fn steps<J: Judge>(
    client: &mut Client<SqliteStore, J>,
    transport: &mut dyn Transport,
    until: Until,
    now: &dyn Fn() -> Duration,
    stop: &AtomicBool,
    look: Look<'_, J>,
) -> Result<Left, DriveError> {
    let send = |transport: &mut dyn Transport, commands: Vec<Command>| {
        commands.into_iter().try_for_each(|command| transport.send(command))
    };
    let (mut done, mut noted) = (0, None);
    send(transport, client.resubmit(now()))?;
    loop {
        let workers = transport.workers();
        client.set_workers(&workers);
        if noted.is_none_or(|noted| now() >= noted + NOTE_EVERY) {
            noted = Some(now());
            client.store_mut().note_workers(&workers)?;
        }
        for (id, order) in client.store().waiting_orders()? {
            if order == Request::Stop {
                stop.store(true, Ordering::Relaxed);
            }
            let state = carry_out(client, transport, order)?;
            client.store().close_order(id, &state)?;
        }
        if client.search().value().is_some() {
            look(client, transport);
            return Ok(Left::Solved);
        } else if stop.load(Ordering::Relaxed) {
            return Ok(Left::Stopped);
        } else if until.jobs.is_some_and(|most| done >= most) {
            return Ok(Left::Enough);
        }
        let slots = transport.slots();
        send(transport, client.fill(now(), slots)?)?;
        if client.running() == 0 && slots > 0 && client.search().value().is_none() && !until.wait {
            return Ok(Left::Stuck);
        }
        for event in transport.receive(WAIT)? {
            done += u64::from(matches!(event, Event::Answered { .. }));
            send(transport, client.handle(now(), event)?)?;
        }
        send(transport, client.handle(now(), Event::Tick)?)?;
        look(client, transport);
    }
}

fn carry_out<J: Judge>(
    client: &mut Client<SqliteStore, J>,
    transport: &mut dyn Transport,
    order: Request,
) -> Result<OrderState, DriveError> {
    let order = match order {
        Request::Stop => return Ok(OrderState::Done),
        Request::Steer(order) => order,
        Request::Unreadable(error) => return Ok(OrderState::Refused(error.to_string())),
    };
    match client.steer(&order)? {
        Err(error) => Ok(OrderState::Refused(error.to_string())),
        Ok(commands) => {
            commands.into_iter().try_for_each(|command| transport.send(command))?;
            Ok(OrderState::Done)
        }
    }
}
