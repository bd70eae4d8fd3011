//! Searches in threads of their own, and what they say as a stream of events.

use crate::problem::Problem;
use api::{ApiError, Code, Desk, Event, Question, Work};
use axum::response::sse;
use search::SystemClock;
use std::{
    convert::Infallible,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::{Stream, StreamExt, wrappers::ReceiverStream};

/// Lines can be hundreds of moves long.
const STACK_BYTES: usize = 256 << 20;

/// Reports that may wait for a slow client. It loses what does not fit, but never
/// the last event.
const BACKLOG: usize = 32;

/// How many searches there may be.
pub(crate) struct Searches {
    /// One for each search under way.
    running: Arc<Semaphore>,
    /// One for each stream, running or waiting.
    streams: Arc<Semaphore>,
}

pub(crate) type Events = sse::Sse<sse::KeepAliveStream<EventStream>>;
pub(crate) type EventStream = std::pin::Pin<Box<dyn Stream<Item = Result<sse::Event, Infallible>> + Send>>;

/// What is run: a search whose last event is its answer.
pub(crate) type Search = Box<dyn FnOnce(&mut Work<'_>) -> Result<Event, ApiError> + Send>;

/// Asks the search to stop when nobody listens any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Searches {
    pub(crate) fn new(running: usize, streams: usize) -> Searches {
        Searches {
            running: Arc::new(Semaphore::new(running.max(1))),
            streams: Arc::new(Semaphore::new(streams.max(1))),
        }
    }

    /// Starts a search, or lets it wait for its turn.
    pub(crate) fn start(&self, desk: Arc<Desk>, question: Question) -> Result<Events, Problem> {
        self.run(Box::new(move |work| desk.search(&question, work)))
    }

    /// Starts something that takes as long as a search.
    pub(crate) fn run(&self, search: Search) -> Result<Events, Problem> {
        let Ok(place) = Arc::clone(&self.streams).try_acquire_owned() else {
            return Err(Problem::new(Code::Busy, "too many searches are waiting already"));
        };
        let (sender, receiver) = mpsc::channel(BACKLOG);
        let stop = Arc::new(AtomicBool::new(false));
        let guard = StopOnDrop(Arc::clone(&stop));
        tokio::spawn(wait_and_run(Arc::clone(&self.running), search, sender, stop));
        let events = ReceiverStream::new(receiver).map(move |event: Event| {
            // The guard and the place live as long as the stream.
            let _ = (&guard, &place);
            Ok(sse::Event::default().event(event.name).data(event.data))
        });
        Ok(kept_alive(Box::pin(events)))
    }

    /// A place for a stream that runs no search, if there is one left.
    pub(crate) fn place(&self) -> Result<OwnedSemaphorePermit, Problem> {
        Arc::clone(&self.streams)
            .try_acquire_owned()
            .map_err(|_| Problem::new(Code::Busy, "too many streams are open already"))
    }
}

/// A stream that says something now and then, so that nobody takes it for dead.
pub(crate) fn kept_alive(events: EventStream) -> Events {
    sse::Sse::new(events).keep_alive(sse::KeepAlive::new().interval(Duration::from_secs(10)))
}

async fn wait_and_run(
    running: Arc<Semaphore>,
    search: Search,
    sender: mpsc::Sender<Event>,
    stop: Arc<AtomicBool>,
) {
    let turn = match Arc::clone(&running).try_acquire_owned() {
        Ok(turn) => turn,
        Err(_) => {
            let _ = sender.send(Event { name: "queued", data: "{}".to_string() }).await;
            tokio::select! {
                turn = running.acquire_owned() => match turn {
                    Ok(turn) => turn,
                    Err(_) => return,
                },
                () = sender.closed() => return,
            }
        }
    };
    let failed = sender.clone();
    let body = move || run(search, &sender, &stop, turn);
    let spawned = thread::Builder::new().name("search".to_string()).stack_size(STACK_BYTES).spawn(body);
    if let Err(error) = spawned {
        let error = ApiError::internal(format!("no thread for the search: {error}"));
        let _ = failed.send(Event::new("error", &error)).await;
    }
}

/// Runs a search to its end. The turn is given back when the thread is done with
/// it, not when the client goes away: there are never more searches than allowed.
fn run(search: Search, sender: &mpsc::Sender<Event>, stop: &AtomicBool, turn: OwnedSemaphorePermit) {
    let clock = SystemClock::start();
    let mut report = |event: Event| {
        let _ = sender.try_send(event);
    };
    let mut work = Work { clock: &clock, stop, report: &mut report };
    let answer = panic::catch_unwind(AssertUnwindSafe(|| search(&mut work)));
    let last = match answer {
        Ok(Ok(done)) => done,
        Ok(Err(error)) => Event::new("error", &error),
        Err(_) => Event::new("error", &ApiError::internal("the search broke down: please report it")),
    };
    drop(turn);
    // Nobody listens any more if this fails.
    let _ = sender.blocking_send(last);
}
