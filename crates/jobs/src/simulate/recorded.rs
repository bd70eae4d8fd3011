//! Real jobs in virtual time: each is done once, for real, and remembered, so that
//! policies and numbers of workers can be compared on the same positions.

use super::{Asked, Oracle};
use crate::{Answer, Checked, Execute, Judge, Proof, Refused, Status, Task, check_moves};
use rules::{Game, Move, Square};
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
            let bad = |what: &str| format!("line {number}: {what}");
            let fields: Vec<&str> = line.split('\t').collect();
            let [key, kind, mv, status, nodes] = fields[..] else {
                return Err(bad("expected five fields with tabs between"));
            };
            if !["best", "win", "lose"].contains(&kind) {
                return Err(bad("expected best, win or lose"));
            }
            let mv = match mv {
                "-" => None,
                text => Some(self.game.parse_move(text).map_err(|error| bad(&error.to_string()))?),
            };
            if mv.is_none() != (kind == "lose") {
                return Err(bad("expected a move, unless all lose"));
            }
            let status = status.parse::<Status>().map_err(|error| bad(&error.to_string()))?;
            let nodes = nodes.parse().map_err(|_| bad("expected a number of moves"))?;
            let line = Line { kind: kind.to_string(), mv, status, nodes };
            self.lines.borrow_mut().insert(key.to_string(), line);
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
    fn execute(&self, task: &Task) -> Line {
        self.asked.set(self.asked.get() + 1);
        let nodes = AtomicU64::new(0);
        let answer = self.program.borrow_mut().execute(task, &AtomicBool::new(false), &nodes);
        let answer = answer.map_err(|error| error.to_string()).and_then(|answer| {
            Checked.check(task, &answer).map(|()| answer).map_err(|refused| refused.to_string())
        });
        let nodes = nodes.load(Ordering::Relaxed);
        let line = |kind: &str, mv, status| Line { kind: kind.to_string(), mv, status, nodes };
        let lost = Status::Win(task.position.to_move().other());
        match answer {
            Ok(Answer::Best { mv, status, win }) => {
                line(if win.is_some() { "win" } else { "best" }, Some(mv), status)
            }
            Ok(Answer::OthersLose { .. }) => line("lose", None, lost),
            Ok(Answer::Defences { .. }) => line("best", any_move(task), lost),
            Err(trouble) => {
                self.trouble.borrow_mut().get_or_insert(trouble);
                line("best", any_move(task), lost)
            }
        }
    }

    fn proof(task: &Task, wins: bool) -> Proof {
        let mover = task.position.to_move();
        let attacker = if wins { mover } else { mover.other() };
        Proof { attacker, method: task.method, except: Vec::new(), replies: Vec::new() }
    }
}

/// Some move that is not excluded, for want of a better one.
fn any_move(task: &Task) -> Option<Move> {
    let squares: Vec<Square> = task.position.empty_squares().collect();
    let sets = squares.windows(task.position.stones_to_place()).filter_map(Move::new);
    sets.into_iter().find(|mv| !task.excluded.contains(mv))
}

impl Oracle for Recorded<'_> {
    fn ask(&self, task: &Task) -> Asked {
        let key = task.key(&self.build).0[..KEY].to_string();
        let known = self.lines.borrow().get(&key).cloned();
        let line = known.unwrap_or_else(|| {
            let line = self.execute(task);
            self.lines.borrow_mut().insert(key, line.clone());
            line
        });
        let answer = match (line.kind.as_str(), line.mv) {
            ("win", Some(mv)) => {
                Answer::Best { mv, status: line.status, win: Some(Recorded::proof(task, true)) }
            }
            ("best", Some(mv)) => Answer::Best { mv, status: line.status, win: None },
            _ => Answer::OthersLose { proof: Recorded::proof(task, false) },
        };
        Asked { answer, millis: 1 + line.nodes / NODES_A_MILLISECOND }
    }
}

/// Proofs were checked when the answer was given; what is left to check is that
/// it answers the question.
impl Judge for &Recorded<'_> {
    fn check(&self, task: &Task, answer: &Answer) -> Result<(), Refused> {
        check_moves(task, answer)
    }
}
