//! How a client meets its workers, and the loop that a client runs.

use crate::{Client, Command, Event, Judge, SqliteStore, Steer, StoreError};
use std::{
    error::Error,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Carries jobs to workers and brings back what they say.
pub trait Transport {
    /// How many jobs should be out now: one for each worker that is there, and
    /// perhaps a few ahead.
    fn slots(&self) -> usize;

    /// Passes a command on.
    fn send(&mut self, command: Command) -> Result<(), TransportError>;

    /// What has happened; waits a moment for the first thing. Whoever asks again
    /// has dealt with what it was told before.
    fn receive(&mut self, wait: Duration) -> Result<Vec<Event>, TransportError>;

    /// The workers that are there and what they do (the paper's ask-info).
    fn workers(&self) -> Vec<WorkerInfo>;
}

/// A worker as the client sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerInfo {
    /// Its name.
    pub name: String,
    /// The job that it is at, in words.
    pub job: Option<String>,
    /// The moves that it has tried for it.
    pub nodes: u64,
    /// Why it gets no jobs, if it does not.
    pub trouble: Option<String>,
}

/// The way to the workers is broken.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct TransportError {
    what: String,
    #[source]
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl TransportError {
    /// An error in words.
    pub fn new(what: impl Into<String>) -> TransportError {
        TransportError { what: what.into(), source: None }
    }
}

/// Why a client ends before its search does.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The way to the workers.
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
    /// Nothing is left to be done: a person forbade or paused it, or jobs failed
    /// too often.
    Stuck,
    /// As many jobs were done as were wanted.
    Enough,
}

/// When to stop, beside the solution of the root.
#[derive(Clone, Copy, Debug, Default)]
pub struct Until {
    /// After so many jobs.
    pub jobs: Option<u64>,
    /// Wait for orders where nothing is left to do.
    pub wait: bool,
}

/// Called after every step of [`drive`].
pub type Look<'a, J> = &'a mut dyn FnMut(&Client<SqliteStore, J>, &dyn Transport);

/// How long the loop waits for something to happen.
const WAIT: Duration = Duration::from_millis(100);
/// How often it is noted in the file what the workers do.
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
        if noted.is_none_or(|noted| now() >= noted + NOTE_EVERY) {
            noted = Some(now());
            client.store_mut().note_workers(&transport.workers())?;
        }
        for (id, order) in client.store().waiting_orders()? {
            match order {
                None => {
                    client.store().close_order(id, Ok(()))?;
                    stop.store(true, Ordering::Relaxed);
                }
                Some(order) => carry_out(client, transport, id, order)?,
            }
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
    id: i64,
    order: Result<Steer, String>,
) -> Result<(), DriveError> {
    let outcome = match order {
        Err(why) => Err(why),
        Ok(order) => match client.steer(&order)? {
            Err(error) => Err(error.to_string()),
            Ok(commands) => {
                commands.into_iter().try_for_each(|command| transport.send(command))?;
                Ok(())
            }
        },
    };
    Ok(client.store().close_order(id, outcome)?)
}
