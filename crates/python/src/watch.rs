//! Work in a thread of its own, while this one reacts to Ctrl-C and passes reports on.

use crate::errors;
use lambda6_proof::Why;
use lambda6_search::runner::{self, RunError};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyBool};
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

/// How often the waiting thread looks at signals and at the clock.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// The time between two reports.
const REPORT_EVERY: Duration = Duration::from_millis(60);
/// How long work may take to stop by itself. Generating moves of many stones can take
/// long.
const GRACE: Duration = Duration::from_millis(500);

/// A Python function that receives reports.
pub(crate) struct Listener(Py<PyAny>);

impl<'py> FromPyObject<'_, 'py> for Listener {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Listener> {
        match object.is_callable() {
            true => Ok(Listener(object.to_owned().unbind())),
            false => Err(PyTypeError::new_err(format!("expected a function, found {}", object.get_type()))),
        }
    }
}

impl Listener {
    /// Passes a report on. The work is to go on unless the function returns False.
    pub(crate) fn hear<'py>(&self, py: Python<'py>, report: impl IntoPyObject<'py>) -> PyResult<bool> {
        let answer = self.0.bind(py).call1((report,))?;
        Ok(!answer.is_exact_instance_of::<PyBool>() || answer.is_truthy()?)
    }
}

/// How watched work ended.
pub(crate) enum Ended<T> {
    /// With a result.
    Done(T),
    /// It did not stop in time and was left alone. What it held is lost.
    Abandoned(Why),
}

enum Message<S, T> {
    Report(S),
    Done(T),
}

/// What the work may use: the stop signal, and a listener that takes a few reports a
/// second.
pub(crate) struct Watched<'a, S> {
    /// Set when the work is to end.
    pub(crate) stop: &'a AtomicBool,
    send: &'a (dyn Fn(S) + Sync),
    /// When the next report is due.
    next: Mutex<Instant>,
}

impl<S> Watched<'_, S> {
    /// Sends a report if one is due.
    pub(crate) fn report(&self, report: impl FnOnce() -> S) {
        // Where another thread holds the lock, that thread reports.
        let Ok(mut next) = self.next.try_lock() else { return };
        let now = Instant::now();
        if now >= *next {
            *next = now + REPORT_EVERY;
            (self.send)(report());
        }
    }
}

/// Runs work without the interpreter's lock. `tell` receives the reports with the
/// lock, and nothing where there is none for a moment; the work ends when it returns
/// false, and its result counts. An exception, of
/// `tell` or of a signal, ends the work and is returned.
pub(crate) fn run<S: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    time: Option<Duration>,
    mut tell: impl FnMut(Python<'_>, Option<S>) -> PyResult<bool>,
    work: impl FnOnce(&Watched<'_, S>) -> T + Send + 'static,
) -> PyResult<Ended<T>> {
    let (sender, receiver) = mpsc::channel();
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let body = move || {
        let done = work(&Watched { stop: &flag, send: &send_to(&sender), next: Mutex::new(Instant::now()) });
        // The receiver is gone if the work was abandoned.
        let _ = sender.send(Message::Done(done));
    };
    let handle = runner::spawn("search", body).map_err(|error| errors::search(py, error))?;
    // Two threads may not share a receiver: the lock is there for the type only.
    let receiver = Mutex::new(receiver);
    let receive = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK_EVERY);
    let begin = Instant::now();
    // Why the work is to end, and since when.
    let mut ending: Option<(Why, Instant)> = None;
    let mut raised = None;
    loop {
        let told = match py.detach(receive) {
            Ok(Message::Done(done)) => return raised.map_or(Ok(Ended::Done(done)), Err),
            Err(RecvTimeoutError::Disconnected) => {
                let why = handle.join().ok().and_then(Result::err).unwrap_or(RunError::Panicked);
                return Err(raised.unwrap_or_else(|| errors::search(py, why)));
            }
            _ if ending.is_some() => Ok(true),
            Ok(Message::Report(report)) => tell(py, Some(report)),
            Err(RecvTimeoutError::Timeout) => tell(py, None),
        };
        let told = told.and_then(|go_on| py.check_signals().map(|()| go_on));
        let late = time.is_some_and(|time| begin.elapsed() >= time);
        let why = match told {
            Ok(true) if late => Some(Why::Time),
            Ok(true) => None,
            Ok(false) => Some(Why::Stopped),
            Err(error) => {
                raised = Some(error);
                Some(Why::Stopped)
            }
        };
        ending = ending.or(why.map(|why| (why, Instant::now())));
        let Some((why, since)) = ending else { continue };
        // Work that keeps to its time limit ends by itself, and knows more then.
        let to_be_stopped = why == Why::Stopped || raised.is_some() || since.elapsed() >= GRACE / 2;
        stop.fetch_or(to_be_stopped, Ordering::Relaxed);
        if since.elapsed() >= GRACE {
            return raised.map_or(Ok(Ended::Abandoned(why)), Err);
        }
    }
}

/// Sends reports; nobody listens to those of abandoned work.
fn send_to<S, T>(sender: &Sender<Message<S, T>>) -> impl Fn(S) + '_ {
    |report| {
        let _ = sender.send(Message::Report(report));
    }
}
