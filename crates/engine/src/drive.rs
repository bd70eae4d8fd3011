//! Runs a session with three threads: one reads, one thinks, one does everything
//! else, so that the engine listens while it thinks.

use crate::{Session, Step, Task, ThinkError, Thinker, Thought, Wanted};
use lambda6_player::{Choice, Info};
use lambda6_rules::Position;
use lambda6_search::{Observer, runner};
use std::{
    collections::VecDeque,
    io::{self, BufRead, Read, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::{Duration, Instant},
};

/// The longest line that is read, in bytes; no protocol has longer commands.
pub const MAX_LINE: usize = 1 << 20;

/// The time that a search has to end before the program quits.
const GRACE: Duration = Duration::from_secs(1);

/// A message for the person at the terminal.
pub enum Notice<'a> {
    /// Something that the protocol has no message for.
    Note(&'a str),
    /// The state of the search, from the thinking thread.
    Progress(&'a Info),
}

/// Receives notices.
pub type Notices = Arc<dyn Fn(&Notice<'_>) + Send + Sync>;

enum Event {
    Line(String),
    End,
    Progress(Info),
    Thought(Thought),
}

/// Reads a line of at most [`MAX_LINE`] bytes; the rest of a longer line is
/// skipped. `None` at the end of the input. Invalid UTF-8 is replaced.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else {
        // The end of the input, or too long.
        loop {
            let rest = input.fill_buf()?;
            let end = rest.iter().position(|&b| b == b'\n');
            let used = end.map_or(rest.len(), |at| at + 1);
            let done = end.is_some() || rest.is_empty();
            input.consume(used);
            if done {
                break;
            }
        }
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim_end_matches('\r').to_string()))
}

/// Runs the session until it quits, or until the input ends and everything is
/// answered.
pub fn drive(
    session: &mut dyn Session,
    thinker: Box<dyn Thinker>,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
    notices: &Notices,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    let (tasks, to_do) = mpsc::channel();
    let reader = sender.clone();
    // Neither thread is waited for: one may sit in a read, the other in a
    // search, and the program ends without them.
    thread::Builder::new().name("input".to_string()).spawn(move || read_all(input, &reader))?;
    let thinking_notices = Arc::clone(notices);
    let waiting = Arc::new(AtomicBool::new(false));
    let awaited = Arc::clone(&waiting);
    runner::spawn("thinking", move || think_all(thinker, &to_do, &awaited, &sender, &thinking_notices))
        .map_err(io::Error::other)?;
    let mut driver = Driver {
        output,
        notices,
        tasks,
        waiting,
        stop: None,
        quitting: None,
        reports: None,
        has_looked: false,
        done: false,
    };
    let ended = driver.run(session, &events);
    // Ends the pondering.
    driver.waiting.store(true, Ordering::Relaxed);
    ended
}

fn read_all(mut input: impl BufRead, events: &Sender<Event>) {
    while let Ok(Some(line)) = read_line(&mut input) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

fn think_all(
    mut thinker: Box<dyn Thinker>,
    tasks: &Receiver<(Task, Arc<AtomicBool>)>,
    waiting: &AtomicBool,
    events: &Sender<Event>,
    notices: &Notices,
) {
    struct Reporter<'a>(&'a Notices, Option<&'a Sender<Event>>);
    impl Observer<Info> for Reporter<'_> {
        fn report(&mut self, info: &Info) {
            (self.0)(&Notice::Progress(info));
            if let Some(events) = self.1 {
                // If nobody listens any more, the thought will find out.
                let _ = events.send(Event::Progress(info.clone()));
            }
        }
    }
    while let Ok((task, stop)) = tasks.recv() {
        waiting.store(false, Ordering::Relaxed);
        let begin = Instant::now();
        let count = if let Wanted::Best(count) = task.wanted { count } else { 1 };
        let found =
            thinker.think(&task, count, &stop, &mut Reporter(notices, task.report_every.map(|_| events)));
        let thought = Thought::new(found, begin.elapsed());
        let next = pondered(&task, thought.choice.as_ref().ok());
        if events.send(Event::Thought(thought)).is_err() {
            return;
        }
        if let Some(next) = next {
            // The next task is sent after this thought was handled, and ends the
            // pondering even if it comes before its start.
            thinker.ponder(&next, waiting);
        }
    }
}

/// The position to ponder; none after an analysis, and none with node limits, where
/// the same question must get the same answer whatever came before.
fn pondered(task: &Task, choice: Option<&Choice>) -> Option<Position> {
    let mut next = task.position.clone();
    let asked_to_play = task.limits.nodes.is_none() && task.wanted == Wanted::Best(1);
    let plays = asked_to_play && next.play(&choice?.mv).is_ok();
    (plays && next.outcome().is_none()).then_some(next)
}

struct Driver<'a> {
    output: &'a mut dyn Write,
    notices: &'a Notices,
    tasks: Sender<(Task, Arc<AtomicBool>)>,
    /// Set while a task waits for the thinking thread.
    waiting: Arc<AtomicBool>,
    /// Stops the thinking that is under way, if there is any.
    stop: Option<Arc<AtomicBool>>,
    /// When the program ends even if the thinking has not.
    quitting: Option<Instant>,
    /// The reports of the thinking under way, if the task asks for them.
    reports: Option<Reports>,
    /// Whether the line that waited when the thinking began has been looked at.
    has_looked: bool,
    done: bool,
}

/// Reports that are passed on at intervals.
struct Reports {
    every: Duration,
    due: Instant,
    /// The last one that has not been passed on.
    last: Option<Info>,
}

/// What a driver has waited for.
enum Waited {
    Event(Event),
    ReportIsDue,
    TooLong,
}

impl Driver<'_> {
    fn run(&mut self, session: &mut dyn Session, events: &Receiver<Event>) -> io::Result<()> {
        let mut waiting: VecDeque<String> = VecDeque::new();
        let mut ended = false;
        while !self.done {
            if self.stop.is_none() {
                if let Some(line) = waiting.pop_front() {
                    self.perform(session.line(&line))?;
                    continue;
                }
                if ended {
                    break;
                }
            } else if !self.has_looked {
                self.has_looked = true;
                self.look(session, &mut waiting, ended)?;
                continue;
            }
            match self.wait(events)? {
                Waited::Event(Event::Line(line)) if self.stop.is_some() && session.is_urgent(&line) => {
                    let steps = session.line(&line);
                    let again = steps.iter().any(|step| matches!(step, Step::Again));
                    self.perform(steps)?;
                    if again {
                        waiting.push_back(line);
                    }
                }
                Waited::Event(Event::Line(line)) => waiting.push_back(line),
                Waited::Event(Event::End) => {
                    ended = true;
                    self.perform(session.ended())?;
                }
                Waited::Event(Event::Progress(info)) => {
                    if let Some(reports) = &mut self.reports {
                        reports.last = Some(info);
                    }
                }
                Waited::Event(Event::Thought(thought)) => self.think_no_more(session, thought)?,
                Waited::TooLong => {
                    self.think_no_more(session, Thought::new(Err(ThinkError::NotStopped), Duration::ZERO))?;
                }
                Waited::ReportIsDue => {
                    if let Some(reports) = &mut self.reports {
                        reports.due = Instant::now() + reports.every;
                        if let Some(info) = reports.last.take() {
                            self.perform(session.progress(&info))?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Looks at what came before the thinking began: the next line may end it.
    fn look(
        &mut self,
        session: &mut dyn Session,
        waiting: &mut VecDeque<String>,
        ended: bool,
    ) -> io::Result<()> {
        let Some(line) = waiting.pop_front() else {
            return if ended { self.perform(session.ended()) } else { Ok(()) };
        };
        if !session.is_urgent(&line) {
            waiting.push_front(line);
            return Ok(());
        }
        let steps = session.line(&line);
        if steps.iter().any(|step| matches!(step, Step::Again)) {
            waiting.push_front(line);
        }
        self.perform(steps)
    }

    /// Waits for an event, until a report is due, or until the time to quit.
    fn wait(&self, events: &Receiver<Event>) -> io::Result<Waited> {
        let report = self.reports.as_ref().filter(|reports| reports.last.is_some());
        let until = [self.quitting, report.map(|reports| reports.due)].into_iter().flatten().min();
        let Some(until) = until else {
            return events.recv().map(Waited::Event).map_err(|_| io::Error::other("the threads are gone"));
        };
        Ok(match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(event) => Waited::Event(event),
            Err(_) if self.quitting.is_some_and(|at| at <= Instant::now()) => Waited::TooLong,
            Err(_) => Waited::ReportIsDue,
        })
    }

    fn think_no_more(&mut self, session: &mut dyn Session, thought: Thought) -> io::Result<()> {
        (self.stop, self.reports) = (None, None);
        self.perform(session.thought(thought))
    }

    fn perform(&mut self, steps: Vec<Step>) -> io::Result<()> {
        for step in steps {
            match step {
                Step::Say(text) => {
                    writeln!(self.output, "{text}")?;
                    self.output.flush()?;
                }
                // The caller hands the line in again.
                Step::Again => {}
                Step::Note(text) => (self.notices)(&Notice::Note(&text)),
                Step::Think(task) => {
                    // What waits before a `quit` is answered at once.
                    let stop = Arc::new(AtomicBool::new(self.quitting.is_some()));
                    self.quitting = self.quitting.map(|_| Instant::now() + GRACE);
                    self.reports = task.report_every.map(|every| Reports {
                        every,
                        due: Instant::now() + every,
                        last: None,
                    });
                    (self.stop, self.has_looked) = (Some(Arc::clone(&stop)), false);
                    self.waiting.store(true, Ordering::Relaxed);
                    self.tasks.send((task, stop)).map_err(|_| io::Error::other("the thinking broke down"))?;
                }
                Step::Stop | Step::StopAndQuit => {
                    if let Some(stop) = &self.stop {
                        stop.store(true, Ordering::Relaxed);
                    }
                    if matches!(step, Step::StopAndQuit) {
                        self.quitting = Some(Instant::now() + GRACE);
                    }
                }
                Step::Quit => {
                    self.done = true;
                    break;
                }
            }
        }
        Ok(())
    }
}
