//! A program that plays: started, written to, listened to, and ended whatever
//! it does. Everything that is said is kept, for when it goes wrong.

use std::{
    io::{BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

/// The longest transcript that is kept, in lines: its beginning and its end.
const MAX_LINES: usize = 4000;

/// How long a program may take to end after it was asked to.
const GRACE: Duration = Duration::from_millis(200);

/// What was said, with the time since the beginning.
pub(crate) struct Transcript {
    begin: Instant,
    lines: Vec<String>,
    left_out: usize,
}

impl Transcript {
    pub(crate) fn new() -> Transcript {
        Transcript { begin: Instant::now(), lines: Vec::new(), left_out: 0 }
    }

    /// `>` for what was sent, `<` for what came, `e` for errors, `!` for what
    /// the referee has to say.
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

enum Event {
    Line(String),
    Error(String),
    End,
}

/// What a program did.
pub(crate) enum Said {
    Line(String),
    /// Its output has ended.
    End,
    /// Nothing yet.
    Nothing,
}

/// A running program. It is ended when this is dropped.
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    events: Receiver<Event>,
    ended: bool,
}

impl Process {
    /// Starts a program, in its own directory unless another one is given.
    pub(crate) fn start(command: &[String], directory: Option<&Path>) -> Result<Process, String> {
        let (program, arguments) = command.split_first().ok_or("there is no program to start")?;
        let mut path = PathBuf::from(program);
        // A name without a directory is looked for by the system.
        let named = path.components().count() > 1;
        if named {
            path = path.canonicalize().map_err(|error| format!("{program}: {error}"))?;
        }
        let own = path.parent().filter(|_| named).map(Path::to_path_buf);
        let mut start = Command::new(&path);
        start.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = directory.map(Path::to_path_buf).or(own) {
            start.current_dir(directory);
        }
        let mut child = start.spawn().map_err(|error| format!("{program}: cannot be started: {error}"))?;
        let (sender, events) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            listen(output, sender.clone(), Event::Line, true);
        }
        if let Some(errors) = child.stderr.take() {
            listen(errors, sender, Event::Error, false);
        }
        let input = child.stdin.take();
        Ok(Process { child, input, events, ended: false })
    }

    /// Sends a line; false when the program does not listen any more.
    pub(crate) fn send(&mut self, line: &str, transcript: &mut Transcript) -> bool {
        transcript.add('>', line);
        let Some(input) = &mut self.input else { return false };
        writeln!(input, "{line}").and_then(|()| input.flush()).is_ok()
    }

    /// The program gets no more input.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Waits for a line, no longer than this.
    pub(crate) fn hear(&mut self, wait: Duration, transcript: &mut Transcript) -> Said {
        if self.ended {
            return Said::End;
        }
        match self.events.recv_timeout(wait) {
            Ok(Event::Line(line)) => {
                transcript.add('<', &line);
                Said::Line(line)
            }
            Ok(Event::Error(line)) => {
                transcript.add('e', &line);
                Said::Nothing
            }
            Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => {
                self.ended = true;
                Said::End
            }
            Err(RecvTimeoutError::Timeout) => Said::Nothing,
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
        // Whatever it is doing; there is nobody left to tell of a failure.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes lines on from a thread of their own.
fn listen(
    source: impl std::io::Read + Send + 'static,
    events: Sender<Event>,
    event: fn(String) -> Event,
    tell_end: bool,
) {
    let body = move || {
        let mut source = BufReader::new(source);
        while let Ok(Some(line)) = engine::read_line(&mut source) {
            if events.send(event(line)).is_err() {
                return;
            }
        }
        if tell_end {
            let _ = events.send(Event::End);
        }
    };
    // Without threads the program is not heard, and loses on time.
    let _ = thread::Builder::new().name("program".to_string()).spawn(body);
}
