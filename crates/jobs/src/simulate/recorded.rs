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
    kind: Kind,
    /// The move or the moves, with what a job thinks of them; none if all lose.
    moves: Vec<(Move, Status)>,
    nodes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A move.
    Best,
    /// A move that wins.
    Win,
    /// All other moves lose.
    Lose,
    /// All moves but these lose.
    Defences,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Best, Kind::Win, Kind::Lose, Kind::Defences];

    fn name(self) -> &'static str {
        match self {
            Kind::Best => "best",
            Kind::Win => "win",
            Kind::Lose => "lose",
            Kind::Defences => "defences",
        }
    }

    fn fits(self, moves: usize) -> bool {
        match self {
            Kind::Best | Kind::Win => moves == 1,
            Kind::Lose => moves == 0,
            Kind::Defences => true,
        }
    }
}

/// Digits of a job's key that are kept: enough for some millions of jobs.
const KEY: usize = 14;
/// Moves tried in a virtual millisecond.
const NODES_A_MILLISECOND: u64 = 1;
/// How long a job takes that fails, in virtual milliseconds.
const FAILED: u64 = 1000;

/// Reads one line: five fields with tabs between.
fn parse(game: Game, line: &str) -> Result<(String, Line), String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [key, kind, moves, statuses, nodes] = fields[..] else {
        return Err("expected five fields with tabs between".to_string());
    };
    let kind = Kind::ALL.into_iter().find(|known| known.name() == kind);
    let kind = kind.ok_or("expected best, win, lose or defences")?;
    let moves = words(moves).map(|word| game.parse_move(word).map_err(text_of));
    let moves = moves.collect::<Result<Vec<Move>, _>>()?;
    let statuses = words(statuses).map(|word| word.parse::<Status>().map_err(text_of));
    let statuses = statuses.collect::<Result<Vec<_>, _>>()?;
    // One status for all of them, or one for each.
    if !kind.fits(moves.len()) || statuses.len() != moves.len() && (statuses.len() != 1 || moves.is_empty()) {
        return Err("expected one move, or - if all lose, and as many statuses or one".to_string());
    }
    let moves = moves.into_iter().zip(statuses.iter().copied().cycle()).collect();
    let nodes = nodes.parse().map_err(|_| "expected a number of moves".to_string())?;
    Ok((key.to_string(), Line { kind, moves, nodes }))
}

/// The words of a field; `-` stands for none.
fn words(field: &str) -> impl Iterator<Item = &str> {
    field.split(' ').filter(|&word| word != "-")
}

fn text_of(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// How long the jobs of a record took, in virtual time. The error names the line.
pub fn recorded_times(game: Game, text: &str) -> Result<JobTimes, String> {
    let (mut searched, mut proved) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let (_, line) = parse(game, line).map_err(|what| format!("line {number}: {what}"))?;
        let times = if line.kind == Kind::Best { &mut searched } else { &mut proved };
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
            let moves: Vec<String> = line.moves.iter().map(|(mv, _)| self.game.move_name(mv)).collect();
            let mut statuses: Vec<String> = line.moves.iter().map(|(_, status)| status.to_string()).collect();
            if statuses.iter().all(|status| *status == statuses[0]) {
                statuses.truncate(1);
            }
            let text = |words: &[String]| if words.is_empty() { "-".to_string() } else { words.join(" ") };
            format!("{key}\t{}\t{}\t{}\t{}\n", line.kind.name(), text(&moves), text(&statuses), line.nodes)
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
        let line = |kind, moves| Some(Line { kind, moves, nodes });
        match answer {
            Ok(Answer::Best { mv, status, win }) => {
                line(if win.is_some() { Kind::Win } else { Kind::Best }, vec![(mv, status)])
            }
            Ok(Answer::OthersLose { .. }) => line(Kind::Lose, Vec::new()),
            Ok(Answer::Defences { moves, .. }) => line(Kind::Defences, moves),
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
        let answer = match (line.kind, line.moves.first()) {
            (Kind::Win, Some(&(mv, status))) => {
                Answer::Best { mv, status, win: Some(Recorded::proof(task, true)) }
            }
            (Kind::Best, Some(&(mv, status))) => Answer::Best { mv, status, win: None },
            (Kind::Defences, _) => {
                Answer::Defences { moves: line.moves, proof: Recorded::proof(task, false) }
            }
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
