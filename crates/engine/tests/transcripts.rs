//! Golden transcripts: the files in `tests/transcripts`.
//!
//! `<` marks input, `~` input while the engine thinks, `>` output, `!` a note for
//! the person at the terminal. `UPDATE_TRANSCRIPTS=1 cargo test` writes the files
//! again; check the difference.

// clippy.toml allows it in functions that are tests, but not in their helpers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::choices;
use lambda6_engine::{
    Session, Step, Thought, botzone::Botzone, cloudict::Cloudict, gomocup::Gomocup, gtp::Gtp, sau::Sau,
};
use lambda6_player::TimeControl;
use lambda6_rules::Game;
use lambda6_search::Limits;
use std::{fs, path::Path, time::Duration};

/// The session of a transcript's first line.
fn session(head: &str) -> Box<dyn Session> {
    let words: Vec<&str> = head.trim_start_matches('#').split_whitespace().collect();
    let time = TimeControl::PerMove(Duration::from_secs(5));
    let game = words.get(1).map_or(Game::CONNECT6, |game| game.parse().unwrap());
    match words[0] {
        "gtp" => Box::new(Gtp::new(game, time, false)),
        "gtp-pairs" => Box::new(Gtp::new(game, time, true)),
        "sau" => Box::new(Sau::new(game, time, "lambda6")),
        "cloudict" => Box::new(Cloudict::new(game, time, "lambda6")),
        "botzone" => Box::new(Botzone::new(game, time, false)),
        "gomocup" => Box::new(Gomocup::new(time)),
        "botzone-keep" => Box::new(Botzone::new(game, time, true)),
        other => panic!("no protocol {other}"),
    }
}

struct Replay {
    session: Box<dyn Session>,
    text: String,
    task: Option<lambda6_engine::Task>,
    ended: bool,
    /// Lines that are handed in once more after the thought.
    again: Vec<String>,
    line: String,
}

impl Replay {
    fn perform(&mut self, steps: Vec<Step>) {
        for step in steps {
            assert!(!self.ended, "a step after the end");
            match step {
                Step::Say(text) => text.split('\n').for_each(|line| self.write('>', line)),
                Step::Note(text) => self.write('!', &text),
                Step::Think(task) => {
                    if task.limits != Limits::default() && self.text.contains("# limits") {
                        let seconds =
                            task.limits.time.map_or("-".to_string(), |t| format!("{:.2}", t.as_secs_f64()));
                        let depth = task.limits.depth.map_or("-".to_string(), |d| d.to_string());
                        let tables =
                            task.table_bytes.map_or(String::new(), |bytes| format!(", tables {bytes}"));
                        self.write('!', &format!("thinks: time {seconds}, depth {depth}{tables}"));
                    }
                    self.task = Some(task);
                }
                Step::Again => self.again.push(self.line.clone()),
                Step::Stop | Step::StopAndQuit => self.write('!', "hurries"),
                Step::Quit => {
                    self.write('!', "ends");
                    self.ended = true;
                }
            }
        }
    }

    fn write(&mut self, mark: char, text: &str) {
        self.text += &format!("{mark} {text}").trim_end().replace('\r', "\\r");
        self.text.push('\n');
    }

    fn think(&mut self) {
        if let Some(task) = self.task.take() {
            let thought = Thought::new(Ok(choices(&task)), Duration::from_secs(1));
            let steps = self.session.thought(thought);
            self.perform(steps);
            for line in std::mem::take(&mut self.again) {
                let steps = self.session.line(&line);
                self.perform(steps);
            }
        }
    }
}

fn replay(text: &str) -> String {
    let mut lines = text.lines();
    let head = lines.next().unwrap();
    let mut play = Replay {
        session: session(head),
        text: format!("{head}\n"),
        task: None,
        ended: false,
        again: Vec::new(),
        line: String::new(),
    };
    for line in lines {
        let (mark, rest) = line.split_at(line.len().min(1));
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        match mark {
            "#" => {
                play.think();
                play.text += &format!("{line}\n");
            }
            "" => play.text.push('\n'),
            "<" => {
                play.think();
                play.write('<', rest);
                let steps = play.session.line(rest);
                play.perform(steps);
            }
            "~" => {
                assert!(play.task.is_some(), "{rest}: nobody is thinking");
                play.write('~', rest);
                assert!(play.session.is_urgent(rest), "{rest}: can wait");
                play.line = rest.to_string();
                let steps = play.session.line(rest);
                play.perform(steps);
            }
            // Output is produced again.
            ">" | "!" => {}
            _ => panic!("{line}"),
        }
    }
    play.think();
    play.text
}

#[test]
fn sessions_follow_their_transcripts() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut count = 0;
    for entry in fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        let expected = fs::read_to_string(&path).unwrap();
        let found = replay(&expected);
        if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
            fs::write(&path, &found).unwrap();
        } else {
            assert_eq!(found, expected, "{}", path.display());
        }
        count += 1;
    }
    assert!(count >= 8, "only {count} transcripts were found");
}
