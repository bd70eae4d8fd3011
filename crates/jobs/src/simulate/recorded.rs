//! Real jobs in virtual time: each is done once, for real, and remembered, so that
//! policies and numbers of workers can be compared on the same positions.

use super::{Asked, JobTimes, Oracle};
use crate::{Answer, Checked, Execute, Judge, Proof, Refused, Status, Task, check_moves};
use rules::{Game, Move};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

/// Answers from the record, and from a program for what is not in it.
pub struct Recorded<'a> {
    build: String,
    game: Game,
    lines: RefCell<BTreeMap<String, Line>>,
    program: RefCell<&'a mut dyn Execute>,
    asked: Cell<u64>,
    trouble: RefCell<Option<String>>,
}

/// An answer without its proof, which was checked when it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    /// `best`, `win` or `lose`.
    kind: String,
    mv: Option<Move>,
    status: Status,
    nodes: u64,
}

/// Digits of a job's key that are kept: enough for some millions of jobs.
const KEY: usize = 20;
/// Moves tried in a virtual millisecond.
const NODES_A_MILLISECOND: u64 = 40;
/// How long a job takes that fails, in virtual milliseconds.
const FAILED: u64 = 1000;

/// Reads one line: five fields with tabs between.
fn parse(game: Game, line: &str) -> Result<(String, Line), String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [key, kind, mv, status, nodes] = fields[..] else {
        return Err("expected five fields with tabs between".to_string());
    };
    if !["best", "win", "lose"].contains(&kind) {
        return Err("expected best, win or lose".to_string());
    }
    let mv = match mv {
        "-" => None,
        text => Some(game.parse_move(text).map_err(|error| error.to_string())?),
    };
    if mv.is_none() != (kind == "lose") {
        return Err("expected a move, unless all lose".to_string());
    }
    let status = status.parse::<Status>().map_err(|error| error.to_string())?;
    let nodes = nodes.parse().map_err(|_| "expected a number of moves".to_string())?;
    Ok((key.to_string(), Line { kind: kind.to_string(), mv, status, nodes }))
}

/// How long the jobs of a record took, in virtual time. The error names the line.
pub fn recorded_times(game: Game, text: &str) -> Result<JobTimes, String> {
    let (mut searched, mut proved) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let (_, line) = parse(game, line).map_err(|what| format!("line {number}: {what}"))?;
        let times = if line.kind == "best" { &mut searched } else { &mut proved };
        times.push(1 + line.nodes / NODES_A_MILLISECOND);
    }
    Ok(JobTimes { searched, proved })
}

impl<'a> Recorded<'a> {
    /// An empty record.
    pub fn new(game: Game, build: &str, program: &'a mut dyn Execute) -> Recorded<'a> {
        Recorded {
            build: build.to_string(),
            game,
            lines: RefCell::default(),
            program: RefCell::new(program),
            asked: Cell::new(0),
            trouble: RefCell::default(),
        }
    }

    /// Adds a record's lines. The error names the line.
    pub fn read(&self, text: &str) -> Result<(), String> {
        for (number, line) in (1..).zip(text.lines()) {
            let bad = |what: String| format!("line {number}: {what}");
            let (key, line) = parse(self.game, line).map_err(bad)?;
            self.lines.borrow_mut().insert(key, line);
        }
        Ok(())
    }

    /// The record as text.
    pub fn text(&self) -> String {
        let line = |(key, line): (&String, &Line)| {
            let mv = line.mv.map_or("-".to_string(), |mv| self.game.move_name(&mv));
            format!("{key}\t{}\t{mv}\t{}\t{}\n", line.kind, line.status, line.nodes)
        };
        self.lines.borrow().iter().map(line).collect()
    }

    /// How many jobs were done for real.
    pub fn asked(&self) -> u64 {
        self.asked.get()
    }

    /// What went wrong with a job, if something did.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.borrow().clone()
    }

    /// Does a job for real and checks it.
    fn execute(&self, task: &Task) -> Option<Line> {
        self.asked.set(self.asked.get() + 1);
        let nodes = AtomicU64::new(0);
        let answer = self.program.borrow_mut().execute(task, &AtomicBool::new(false), &nodes);
        let answer = answer.map_err(|error| error.to_string()).and_then(|answer| {
            Checked.check(task, &answer).map(|()| answer).map_err(|refused| refused.to_string())
        });
        let nodes = nodes.load(Ordering::Relaxed);
        let line = |kind: &str, mv, status| Some(Line { kind: kind.to_string(), mv, status, nodes });
        let lost = Status::Win(task.position.to_move().other());
        match answer {
            Ok(Answer::Best { mv, status, win }) => {
                line(if win.is_some() { "win" } else { "best" }, Some(mv), status)
            }
            Ok(Answer::OthersLose { .. }) => line("lose", None, lost),
            Ok(Answer::Defences { .. }) => {
                self.trouble.borrow_mut().get_or_insert("a record has no verifiers".to_string());
                None
            }
            Err(trouble) => {
                self.trouble.borrow_mut().get_or_insert(trouble);
                None
            }
        }
    }

    fn proof(task: &Task, wins: bool) -> Proof {
        let mover = task.position.to_move();
        let attacker = if wins { mover } else { mover.other() };
        Proof { attacker, method: task.method, except: Vec::new(), replies: Vec::new() }
    }
}

impl Oracle for Recorded<'_> {
    fn ask(&self, task: &Task) -> Asked {
        let key = task.key(&self.build).0[..KEY].to_string();
        let known = self.lines.borrow().get(&key).cloned();
        let line = known.or_else(|| {
            let line = self.execute(task)?;
            self.lines.borrow_mut().insert(key, line.clone());
            Some(line)
        });
        // What cannot be done is not done: the worker hands it back, and the search
        // does not end before its events do.
        let Some(line) = line else { return Asked { answer: None, millis: FAILED } };
        let answer = match (line.kind.as_str(), line.mv) {
            ("win", Some(mv)) => {
                Answer::Best { mv, status: line.status, win: Some(Recorded::proof(task, true)) }
            }
            ("best", Some(mv)) => Answer::Best { mv, status: line.status, win: None },
            _ => Answer::OthersLose { proof: Recorded::proof(task, false) },
        };
        Asked { answer: Some(answer), millis: 1 + line.nodes / NODES_A_MILLISECOND }
    }
}

/// Proofs were checked when the answer was given; what is left to check is that
/// it answers the question.
impl Judge for &Recorded<'_> {
    fn check(&self, task: &Task, answer: &Answer) -> Result<(), Refused> {
        check_moves(task, answer)
    }
}
