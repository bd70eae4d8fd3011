//! The engine as a WebAssembly module, for the page without a server.
//!
//! A worker of the page puts a question into a buffer, calls [`ask`], and hears
//! the answer, and reports on the way, through `page::hear`. Questions and
//! answers are the documents of the `api` crate: bytes both ways. That is an
//! interface of three functions, so there is no binding generator and no tool to
//! install beside the compiler.
//!
//! A search keeps the worker busy until it ends; to stop one, the page ends the
//! worker and starts another. So there is no stop flag here, and the proofs that
//! are browsed live in a worker that runs no searches.

use api::{About, ApiError, Ceiling, Desk, Event, Question, Where, Work};
use search::Clock;
use std::{
    cell::RefCell,
    sync::{LazyLock, atomic::AtomicBool},
    time::Duration,
};

/// What the module asks of the page. Outside a browser, in tests, there is
/// nobody to ask.
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
    /// The question: its path, a line feed, its body.
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    #[cfg(not(target_family = "wasm"))]
    static HEARD: RefCell<Vec<(String, Vec<u8>)>> = const { RefCell::new(Vec::new()) };
}

/// A browser has less memory than a server, and nobody else to share it with.
static DESK: LazyLock<Desk> = LazyLock::new(|| {
    let ceiling = Ceiling {
        time: Duration::from_secs(24 * 3600),
        memory: 128 << 20,
        certificate: 64 << 20,
        proofs: 512 << 20,
        record: 8 << 20,
    };
    Desk::new(About::new(Where::Browser, &ceiling, 1), ceiling)
});

/// The page's clock, since the question was asked.
struct PageClock(f64);

impl Clock for PageClock {
    fn elapsed(&self) -> Duration {
        Duration::from_secs_f64(((page::now() - self.0) / 1000.0).max(0.0))
    }
}

/// Makes room for a question of so many bytes and tells where.
#[allow(unsafe_code, reason = "the name by which the page finds it; nothing else has it")]
#[unsafe(no_mangle)]
pub extern "C" fn room(len: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(len, 0);
        question.as_mut_ptr()
    })
}

/// Answers the question that was written there: events, the last of which is
/// `done`, `answer` (a file) or `error`.
#[allow(unsafe_code, reason = "the name by which the page finds it; nothing else has it")]
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let question = QUESTION.take();
    match answer(&question) {
        Ok((name, data)) => page::hear(name, &data),
        Err(error) => page::hear("error", &serde_json::to_vec(&error).unwrap_or_default()),
    }
}

fn answer(question: &[u8]) -> Result<(&'static str, Vec<u8>), ApiError> {
    let split = question.iter().position(|&byte| byte == b'\n').unwrap_or(question.len());
    let path = String::from_utf8_lossy(&question[..split]);
    let body = question.get(split + 1..).unwrap_or_default();
    if let Some(search) = Question::parse(&path, body)? {
        let (clock, stop) = (PageClock(page::now()), AtomicBool::new(false));
        let mut report = |event: Event| page::hear(event.name, event.data.as_bytes());
        let done = DESK.search(&search, &mut Work { clock: &clock, stop: &stop, report: &mut report })?;
        return Ok((done.name, done.data.into_bytes()));
    }
    Ok(("answer", DESK.answer(&path, None, body)?.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(path: &str, body: &str) -> (String, serde_json::Value) {
        let text = format!("{path}\n{body}");
        QUESTION.with_borrow_mut(|question| *question = text.into_bytes());
        ask();
        let (name, data) = HEARD.take().pop().unwrap();
        (name, serde_json::from_slice(&data).unwrap_or_default())
    }

    #[test]
    fn questions_are_answered_by_events() {
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
