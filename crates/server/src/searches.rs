//! Runs searches in threads of their own and streams their events.

use crate::problem::Problem;
use axum::response::sse;
use lambda6_api::{ApiError, Code, Event, Work};
use lambda6_search::{SystemClock, runner};
use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::{Stream, StreamExt, wrappers::ReceiverStream};

/// Events that may wait for a slow client. Reports that do not fit are lost, the
/// last event never is.
const BACKLOG: usize = 32;

/// Limits the searches that run and those that wait.
pub(crate) struct Searches {
    /// A permit for each search that runs.
    running: Arc<Semaphore>,
    /// A permit for each stream, running or waiting.
    streams: Arc<Semaphore>,
}

pub(crate) type Events = sse::Sse<sse::KeepAliveStream<EventStream>>;
pub(crate) type EventStream = std::pin::Pin<Box<dyn Stream<Item = Result<sse::Event, Infallible>> + Send>>;

/// A search; its last event is the answer.
pub(crate) type Run = Box<dyn FnOnce(&mut Work<'_>) -> Result<Event, ApiError> + Send>;

/// Stops the search when its stream is dropped.
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
    pub(crate) fn run(&self, search: Run) -> Result<Events, Problem> {
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

    /// A permit for a stream that runs no search.
    pub(crate) fn place(&self) -> Result<OwnedSemaphorePermit, Problem> {
        Arc::clone(&self.streams)
            .try_acquire_owned()
            .map_err(|_| Problem::new(Code::Busy, "too many streams are open already"))
    }
}

/// A stream with a comment every few seconds, so that it is not taken for dead.
pub(crate) fn kept_alive(events: EventStream) -> Events {
    sse::Sse::new(events).keep_alive(sse::KeepAlive::new().interval(Duration::from_secs(10)))
}

async fn wait_and_run(
    running: Arc<Semaphore>,
    search: Run,
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
    if let Err(error) = runner::spawn("search", body) {
        let _ = failed.send(Event::new("error", &ApiError::internal(error))).await;
    }
}

/// Runs a search to its end. The turn is given back when the thread ends, not when
/// the client goes away, so there are never more searches than allowed.
fn run(search: Run, sender: &mpsc::Sender<Event>, stop: &AtomicBool, turn: OwnedSemaphorePermit) {
    let clock = SystemClock::start();
    let mut report = |event: Event| {
        let _ = sender.try_send(event);
    };
    let mut work = Work { clock: &clock, stop, report: &mut report };
    let last = match runner::catch(|| search(&mut work)) {
        Ok(Ok(done)) => done,
        Ok(Err(error)) => Event::new("error", &error),
        Err(panicked) => Event::new("error", &ApiError::internal(panicked)),
    };
    drop(turn);
    // This fails if the client has gone away.
    let _ = sender.blocking_send(last);
}
