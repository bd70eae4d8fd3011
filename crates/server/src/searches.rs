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
type EventStream = std::pin::Pin<Box<dyn Stream<Item = Result<sse::Event, Infallible>> + Send>>;

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
        let Ok(place) = Arc::clone(&self.streams).try_acquire_owned() else {
            return Err(Problem::new(Code::Busy, "too many searches are waiting already"));
        };
        let (sender, receiver) = mpsc::channel(BACKLOG);
        let stop = Arc::new(AtomicBool::new(false));
        let guard = StopOnDrop(Arc::clone(&stop));
        tokio::spawn(wait_and_run(Arc::clone(&self.running), desk, question, sender, stop));
        let events = ReceiverStream::new(receiver).map(move |event: Event| {
            // The guard and the place live as long as the stream.
            let _ = (&guard, &place);
            Ok(sse::Event::default().event(event.name).data(event.data))
        });
        let events: EventStream = Box::pin(events);
        Ok(sse::Sse::new(events).keep_alive(sse::KeepAlive::new().interval(Duration::from_secs(10))))
    }
}

async fn wait_and_run(
    running: Arc<Semaphore>,
    desk: Arc<Desk>,
    question: Question,
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
    let body = move || run(&desk, &question, &sender, &stop, turn);
    let spawned = thread::Builder::new().name("search".to_string()).stack_size(STACK_BYTES).spawn(body);
    if let Err(error) = spawned {
        let error = ApiError::internal(format!("no thread for the search: {error}"));
        let _ = failed.send(Event::new("error", &error)).await;
    }
}

/// Runs a search to its end. The turn is given back when the thread is done with
/// it, not when the client goes away: there are never more searches than allowed.
fn run(
    desk: &Desk,
    question: &Question,
    sender: &mpsc::Sender<Event>,
    stop: &AtomicBool,
    turn: OwnedSemaphorePermit,
) {
    let clock = SystemClock::start();
    let mut report = |event: Event| {
        let _ = sender.try_send(event);
    };
    let mut work = Work { clock: &clock, stop, report: &mut report };
    let answer = panic::catch_unwind(AssertUnwindSafe(|| desk.search(question, &mut work)));
    let last = match answer {
        Ok(Ok(done)) => done,
        Ok(Err(error)) => Event::new("error", &error),
        Err(_) => Event::new("error", &ApiError::internal("the search broke down: please report it")),
    };
    drop(turn);
    // Nobody listens any more if this fails.
    let _ = sender.blocking_send(last);
}
