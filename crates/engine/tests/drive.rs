//! Sessions with real threads: an engine listens while it thinks. Nothing here
//! depends on the speed of the machine; the thinkers wait to be stopped.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod common;

use common::{Endless, Nearest};
use lambda6_engine::{
    Notices, PlayerThinker, Task, ThinkError, Thinker, drive, gtp::Gtp, read_line, sau::Sau,
};
use lambda6_player::{Choice, Info, TimeControl};
use lambda6_rules::{Game, Position, Side};
use lambda6_search::Observer;
use std::{
    io::{self, BufReader, Cursor, Read},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver},
    },
    time::{Duration, Instant},
};

fn silent() -> Notices {
    Arc::new(|_| ())
}

fn gtp() -> Gtp {
    Gtp::new(Game::CONNECT6, TimeControl::PerMove(Duration::from_secs(1)), true)
}

fn run(thinker: Box<dyn Thinker>, input: impl Read + Send + 'static) -> String {
    let mut output = Vec::new();
    drive(&mut gtp(), thinker, BufReader::new(input), &mut output, &silent()).unwrap();
    String::from_utf8(output).unwrap()
}

/// An input that never ends by itself.
struct Pipe(Receiver<Vec<u8>>, Cursor<Vec<u8>>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.1.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            match self.0.recv() {
                Ok(bytes) => self.1 = Cursor::new(bytes),
                Err(_) => return Ok(0),
            }
        }
    }
}

#[test]
fn what_was_asked_is_answered_at_the_end_of_the_input() {
    let answers = run(Box::new(Nearest), &b"genmove b\nplay w J9,H11\n1 genmove b"[..]);
    assert_eq!(answers, "= K10\n\n=\n\n=1 K11,J10\n\n");
}

#[test]
fn quit_ends_endless_thinking_after_its_answer() {
    let (sender, receiver) = mpsc::channel();
    sender.send(b"1 genmove b\n2 name\n3 quit\n".to_vec()).unwrap();
    // The input stays open: only `quit` ends this.
    let answers = run(Box::new(Endless), Pipe(receiver, Cursor::default()));
    assert_eq!(answers, "=1 K10\n\n=2 lambda6\n\n=3\n\n");
    drop(sender);
}

#[test]
fn every_command_before_quit_is_answered_in_its_order() {
    let (sender, receiver) = mpsc::channel();
    sender.send(b"1 genmove b\n2 name\n3 quit\n4 name\n".to_vec()).unwrap();
    let answers = run(Box::new(Endless), Pipe(receiver, Cursor::default()));
    assert_eq!(answers, "=1 K10\n\n=2 lambda6\n\n=3\n\n");
    // Also those that make the engine think again.
    let (sender, receiver) = mpsc::channel();
    sender.send(b"1 genmove b\n2 genmove w\n3 name\n4 quit\n".to_vec()).unwrap();
    let answers = run(Box::new(Endless), Pipe(receiver, Cursor::default()));
    assert_eq!(answers, "=1 K10\n\n=2 K11,J10\n\n=3 lambda6\n\n=4\n\n");
}

#[test]
fn the_next_line_ends_a_live_analysis_and_is_answered() {
    let (sender, receiver) = mpsc::channel();
    sender.send(b"1 lz-analyze b 10\n2 name\n3 kata-analyze 10\n\n4 quit\n".to_vec()).unwrap();
    let answers = run(Box::new(Endless), Pipe(receiver, Cursor::default()));
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.starts_with("info move K10 ")).count(), 2, "{answers}");
    assert_eq!(
        lines.iter().filter(|line| !line.starts_with("info")).copied().collect::<Vec<_>>(),
        ["=1", "", "=2 lambda6", "", "=3", "", "=4", ""],
        "{answers}"
    );
    // The end of the input ends it, too.
    let answers = run(Box::new(Endless), &b"lz-analyze\n"[..]);
    assert!(answers.starts_with("=\ninfo move ") && answers.ends_with("\n\n"), "{answers}");
}

/// An output that sends the next line after each answer.
struct Talk {
    lines: Vec<&'static str>,
    sender: Option<mpsc::Sender<Vec<u8>>>,
    seen: Vec<u8>,
}

impl io::Write for Talk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.seen.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match (self.lines.is_empty(), &self.sender) {
            (false, Some(sender)) => sender.send(self.lines.remove(0).into()).unwrap(),
            // The input ends.
            _ => self.sender = None,
        }
        Ok(())
    }
}

#[test]
fn an_interrupt_ends_one_thought_and_the_next_goes_on() {
    let (sender, receiver) = mpsc::channel();
    sender.send(b"1 genmove b\n# interrupt\n".to_vec()).unwrap();
    let lines = vec!["2 name\n", "3 genmove w\n# interrupt\n"];
    let mut output = Talk { lines, sender: Some(sender), seen: Vec::new() };
    let input = BufReader::new(Pipe(receiver, Cursor::default()));
    drive(&mut gtp(), Box::new(Endless), input, &mut output, &silent()).unwrap();
    let answers = String::from_utf8(output.seen).unwrap();
    assert_eq!(answers, "=1 K10\n\n=2 lambda6\n\n=3 K11,J10\n\n");
}

/// A thinker without a move.
struct Broken;

impl Thinker for Broken {
    fn think(
        &mut self,
        _: &Task,
        _: usize,
        _: &AtomicBool,
        _: &mut dyn Observer<Info>,
    ) -> Result<Vec<Choice>, ThinkError> {
        Err(ThinkError::Panicked)
    }
}

#[test]
fn a_search_that_breaks_down_is_an_error_and_not_silence() {
    let answers = run(Box::new(Broken), &b"genmove b\nname\n"[..]);
    assert_eq!(answers, "? the search broke down\n\n= lambda6\n\n");
}

/// A thinker that ponders until it is stopped, and keeps the positions.
struct Pondering(Arc<Mutex<Vec<String>>>);

impl Thinker for Pondering {
    fn think(
        &mut self,
        task: &Task,
        count: usize,
        stop: &AtomicBool,
        observer: &mut dyn Observer<Info>,
    ) -> Result<Vec<Choice>, ThinkError> {
        Nearest.think(task, count, stop, observer)
    }

    fn ponder(&mut self, position: &Position, stop: &AtomicBool) {
        let stones = |side| position.stones(side).map(|s| position.game().square_name(s)).collect::<Vec<_>>();
        let text = format!("{:?} {} to move", stones(Side::Black), position.to_move());
        self.0.lock().unwrap().push(text);
        let begin = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            if begin.elapsed() > Duration::from_secs(60) {
                self.0.lock().unwrap().push("nobody stopped it".to_string());
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn the_opponents_time_is_used_until_there_is_something_to_do() {
    let (sender, receiver) = mpsc::channel();
    sender.send(b"1 genmove b\n".to_vec()).unwrap();
    let lines = vec!["2 play w J9,H11\n", "3 genmove b\n", "4 quit\n"];
    let mut output = Talk { lines, sender: Some(sender), seen: Vec::new() };
    let input = BufReader::new(Pipe(receiver, Cursor::default()));
    let pondered = Arc::new(Mutex::new(Vec::new()));
    drive(&mut gtp(), Box::new(Pondering(Arc::clone(&pondered))), input, &mut output, &silent()).unwrap();
    assert_eq!(String::from_utf8(output.seen).unwrap(), "=1 K10\n\n=2\n\n=3 K11,J10\n\n=4\n\n");
    // Whether it ponders after its last move depends on which thread is faster.
    assert_eq!(pondered.lock().unwrap()[0], "[\"j10\"] white to move");
    assert!(!pondered.lock().unwrap().iter().any(|text| text.starts_with("nobody")));
}

#[test]
fn the_player_itself_plays() {
    let time = TimeControl::Nodes(100);
    let options = lambda6_player::PlayerOptions { table_bytes: 1 << 20, ..Default::default() };
    let mut output = Vec::new();
    let mut session = Sau::new(Game::CONNECT6, time, "lambda6");
    let thinker = Box::new(PlayerThinker::new(options));
    drive(&mut session, thinker, &b"name?\nnew white\nmove JJ\n"[..], &mut output, &silent()).unwrap();
    let text = String::from_utf8(output).unwrap();
    let (name, mv) = text.split_once('\n').unwrap();
    assert_eq!(name, "name lambda6");
    assert!(mv.starts_with("move ") && mv.len() == "move XYXY\n".len(), "{mv}");
}

#[test]
fn long_lines_and_bytes_that_are_no_text_do_no_harm() {
    let mut bytes = vec![b'x'; 3 * lambda6_engine::MAX_LINE];
    bytes.extend(b"\nname\r\n\xff\xfename\n");
    let mut input = Cursor::new(bytes);
    assert_eq!(read_line(&mut input).unwrap().unwrap().len(), lambda6_engine::MAX_LINE);
    assert_eq!(read_line(&mut input).unwrap().as_deref(), Some("name"));
    assert_eq!(read_line(&mut input).unwrap().as_deref(), Some("\u{fffd}\u{fffd}name"));
    assert_eq!(read_line(&mut input).unwrap(), None);
}
