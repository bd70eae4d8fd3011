//! A program that plays: starts it, exchanges lines with it, and ends it whatever
//! it does. A transcript keeps all lines for the report of a failure.

use std::{
    io::{BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

/// The most lines of a transcript; of a longer one the middle is left out.
const MAX_LINES: usize = 4000;

/// The time that a program has to end after it was asked to.
const GRACE: Duration = Duration::from_millis(200);

/// All lines of a game, with their times since the beginning.
pub(crate) struct Transcript {
    begin: Instant,
    lines: Vec<String>,
    left_out: usize,
}

impl Transcript {
    pub(crate) fn new() -> Transcript {
        Transcript { begin: Instant::now(), lines: Vec::new(), left_out: 0 }
    }

    /// Adds a line: `>` marks lines sent to the program, `<` its output, `e` its
    /// error output, `!` remarks of the referee.
    pub(crate) fn add(&mut self, mark: char, line: &str) {
        if self.lines.len() >= MAX_LINES {
            self.lines.remove(MAX_LINES / 2);
            self.left_out += 1;
        }
        let short: String = line.chars().take(2000).collect();
        self.lines.push(format!("{:10.3} {mark} {short}", self.begin.elapsed().as_secs_f64()));
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (i, line) in self.lines.iter().enumerate() {
            if self.left_out > 0 && i == MAX_LINES / 2 {
                text += &format!("           ({} lines left out)\n", self.left_out);
            }
            text += line;
            text.push('\n');
        }
        text
    }
}

enum PipeEvent {
    Line(String),
    Error(String),
    End,
}

/// What a program did.
pub(crate) enum ProcessEvent {
    Line(String),
    /// Its output ended.
    End,
    /// Nothing yet.
    Nothing,
}

/// Why a program cannot be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error("there is no program to start")]
    NoProgram,
    #[error("{program}: {error}")]
    NotFound { program: String, error: std::io::Error },
    #[error("{program}: cannot be started: {error}")]
    Spawn { program: String, error: std::io::Error },
}

/// A running program. It is ended when this is dropped.
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    events: Receiver<PipeEvent>,
    ended: bool,
}

impl Process {
    /// Starts a program, in its own directory unless another one is given.
    pub(crate) fn start(command: &[String], directory: Option<&Path>) -> Result<Process, StartError> {
        let (program, arguments) = command.split_first().ok_or(StartError::NoProgram)?;
        let mut path = PathBuf::from(program);
        // The system finds a name without a directory.
        let named = path.components().count() > 1;
        if named {
            let not_found = |error| StartError::NotFound { program: program.clone(), error };
            path = path.canonicalize().map_err(not_found)?;
        }
        let own = path.parent().filter(|_| named).map(Path::to_path_buf);
        let mut start = Command::new(&path);
        start.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = directory.map(Path::to_path_buf).or(own) {
            start.current_dir(directory);
        }
        let mut child =
            start.spawn().map_err(|error| StartError::Spawn { program: program.clone(), error })?;
        let (sender, events) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            listen(output, sender.clone(), PipeEvent::Line, true);
        }
        if let Some(errors) = child.stderr.take() {
            listen(errors, sender, PipeEvent::Error, false);
        }
        let input = child.stdin.take();
        Ok(Process { child, input, events, ended: false })
    }

    /// Sends a line; false when the program does not read any more.
    pub(crate) fn send(&mut self, line: &str, transcript: &mut Transcript) -> bool {
        transcript.add('>', line);
        let Some(input) = &mut self.input else { return false };
        writeln!(input, "{line}").and_then(|()| input.flush()).is_ok()
    }

    /// Closes the program's input.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Waits for a line, at most `wait`.
    pub(crate) fn hear(&mut self, wait: Duration, transcript: &mut Transcript) -> ProcessEvent {
        if self.ended {
            return ProcessEvent::End;
        }
        match self.events.recv_timeout(wait) {
            Ok(PipeEvent::Line(line)) => {
                transcript.add('<', &line);
                ProcessEvent::Line(line)
            }
            Ok(PipeEvent::Error(line)) => {
                transcript.add('e', &line);
                ProcessEvent::Nothing
            }
            Ok(PipeEvent::End) | Err(RecvTimeoutError::Disconnected) => {
                self.ended = true;
                ProcessEvent::End
            }
            Err(RecvTimeoutError::Timeout) => ProcessEvent::Nothing,
        }
    }

    /// How the program ended, if it has.
    pub(crate) fn status(&mut self) -> String {
        // The output ends a little before the program does.
        for _ in 0..100 {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Err(error) => return error.to_string(),
            }
        }
        "its output has ended".to_string()
    }

    /// Asks the program to end, and ends it.
    pub(crate) fn end(&mut self, lines: &[String], transcript: &mut Transcript) {
        for line in lines {
            if !self.send(line, transcript) {
                break;
            }
        }
        self.input = None;
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads lines in a thread and sends them as events.
fn listen(
    source: impl std::io::Read + Send + 'static,
    events: Sender<PipeEvent>,
    event: fn(String) -> PipeEvent,
    tell_end: bool,
) {
    let body = move || {
        let mut source = BufReader::new(source);
        while let Ok(Some(line)) = lambda6_engine::read_line(&mut source) {
            if events.send(event(line)).is_err() {
                return;
            }
        }
        if tell_end {
            let _ = events.send(PipeEvent::End);
        }
    };
    // Without a thread the program is not read and loses on time.
    let _ = thread::Builder::new().name("program".to_string()).spawn(body);
}
