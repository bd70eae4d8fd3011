//! The engine as a WebAssembly module, for the page without a server.
//!
//! A worker of the page writes a request into a buffer, calls [`ask`], and receives
//! reports and the answer through `page::hear`. Requests and answers are the
//! documents of the `api` crate as bytes. With three functions the interface needs
//! no binding generator and no tool beside the compiler.
//!
//! A search keeps the worker busy until it ends; to stop one, the page ends the
//! worker and starts another. So the stop flag is never set here, and the proofs
//! that are browsed are kept in a worker that runs no searches.

use lambda6_api::{About, ApiError, Ceiling, Event, Service, Where, Work};
use lambda6_search::Clock;
use std::{
    cell::RefCell,
    sync::{LazyLock, atomic::AtomicBool},
    time::Duration,
};

/// The functions that the page provides. Tests, outside a browser, have
/// substitutes.
mod page {
    #[cfg(target_family = "wasm")]
    mod imports {
        #[allow(unsafe_code, reason = "functions of the page; the declarations are those of the worker")]
        #[link(wasm_import_module = "page")]
        unsafe extern "C" {
            /// Milliseconds of a clock that only goes forward.
            pub(crate) safe fn now() -> f64;
            /// Takes the name of an event and its data: the bytes at `ptr`, of
            /// which the first `name` are the name.
            pub(crate) safe fn hear(ptr: *const u8, name: usize, len: usize);
        }
    }

    pub(crate) fn now() -> f64 {
        #[cfg(target_family = "wasm")]
        return imports::now();
        #[cfg(not(target_family = "wasm"))]
        return 0.0;
    }

    pub(crate) fn hear(name: &str, data: &[u8]) {
        let message = [name.as_bytes(), data].concat();
        #[cfg(target_family = "wasm")]
        imports::hear(message.as_ptr(), name.len(), message.len());
        #[cfg(not(target_family = "wasm"))]
        super::HEARD.with_borrow_mut(|heard| heard.push((name.to_string(), message[name.len()..].to_vec())));
    }
}

thread_local! {
    /// The request: its path, a line feed, its body.
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    #[cfg(not(target_family = "wasm"))]
    static HEARD: RefCell<Vec<(String, Vec<u8>)>> = const { RefCell::new(Vec::new()) };
}

/// A browser has less memory than a server, and a single user.
static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let time = Duration::from_secs(24 * 3600);
    let ceiling = Ceiling { time, memory: 128 << 20, kept: 128 << 20, ..Ceiling::default() };
    Service::new(About::new(Where::Browser, &ceiling, 1), ceiling)
});

/// The time since the request, by the page's clock.
struct PageClock(f64);

impl Clock for PageClock {
    fn elapsed(&self) -> Duration {
        Duration::from_secs_f64(((page::now() - self.0) / 1000.0).max(0.0))
    }
}

/// Makes a buffer for a request of this many bytes and returns its address.
#[allow(unsafe_code, reason = "the name by which the page finds it; nothing else has it")]
#[unsafe(no_mangle)]
pub extern "C" fn room(len: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(len, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request in the buffer with events, the last of which is `done`,
/// `answer` (a document or a file) or `error`.
#[allow(unsafe_code, reason = "the name by which the page finds it; nothing else has it")]
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let request = REQUEST.take();
    match answer(&request) {
        Ok((name, data)) => page::hear(name, &data),
        Err(error) => page::hear("error", &serde_json::to_vec(&error).unwrap_or_default()),
    }
}

fn answer(request: &[u8]) -> Result<(&'static str, Vec<u8>), ApiError> {
    let split = request.iter().position(|&byte| byte == b'\n').unwrap_or(request.len());
    let path = String::from_utf8_lossy(&request[..split]);
    let body = request.get(split + 1..).unwrap_or_default();
    let (clock, stop) = (PageClock(page::now()), AtomicBool::new(false));
    let mut report = |event: Event| page::hear(event.name, event.data.as_bytes());
    let mut work = Work { clock: &clock, stop: &stop, report: &mut report };
    let done = match SERVICE.prepare(&path, body)? {
        Some(search) => SERVICE.search(search, &mut work)?,
        None if path == "proofs" => SERVICE.check(body, &mut work)?,
        None => return Ok(("answer", SERVICE.answer(&path, None, body)?.bytes)),
    };
    Ok((done.name, done.data.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(path: &str, body: &str) -> (String, serde_json::Value) {
        let text = format!("{path}\n{body}");
        REQUEST.with_borrow_mut(|request| *request = text.into_bytes());
        ask();
        let (name, data) = HEARD.take().pop().unwrap();
        (name, serde_json::from_slice(&data).unwrap_or_default())
    }

    #[test]
    fn requests_are_answered_by_events() {
        assert_eq!(asked("about", "").1["engine"], "browser");
        let (name, found) = asked("position", r#"{"moves":["j10","i8h9"]}"#);
        assert_eq!((name.as_str(), &found["opening"]), ("answer", &"TX-H9".into()));
        let moves = r#"["j10","l10k9","i7k7","i9j9","h9j7","l7m9","l9k8","i6h7"]"#;
        let (name, found) = asked("solve", &format!(r#"{{"position":{{"moves":{moves}}}}}"#));
        assert_eq!((name.as_str(), &found["verdict"]), ("done", &"win".into()));
    }

    #[test]
    fn what_cannot_be_answered_is_an_error() {
        for (path, body) in [("", ""), ("nowhere", ""), ("position", "{"), ("solve", "[]"), ("proofs", "x")] {
            assert_eq!(asked(path, body).0, "error", "{path}");
        }
    }
}
