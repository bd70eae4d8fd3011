//! Real jobs in virtual time: each job is done once and recorded, so that policies and
//! numbers of workers can be compared on the same positions.

use super::{JobTimes, Oracle, TimedAnswer};
use crate::{
    Answer, Checked, Execute, FieldError, JobProof, Judge, Refused, Status, Task, check_moves, wire,
};
use lambda6_rules::{Game, Move};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

/// Answers jobs from a record, and does the jobs that are not in it.
pub struct Recorded<'a> {
    build: String,
    game: Game,
    lines: RefCell<BTreeMap<String, Line>>,
    program: RefCell<&'a mut dyn Execute>,
    asked: Cell<u64>,
    trouble: RefCell<Option<String>>,
}

/// An answer without its proof, which was checked before it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    kind: LineKind,
    /// The moves with their statuses; none if all lose.
    moves: Vec<(Move, Status)>,
    nodes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    /// A move.
    Best,
    /// A move that wins.
    Win,
    /// All other moves lose.
    Lose,
    /// All moves but these lose.
    Defences,
}

impl LineKind {
    const ALL: [LineKind; 4] = [LineKind::Best, LineKind::Win, LineKind::Lose, LineKind::Defences];

    fn name(self) -> &'static str {
        match self {
            LineKind::Best => "best",
            LineKind::Win => "win",
            LineKind::Lose => "lose",
            LineKind::Defences => "defences",
        }
    }

    fn fits(self, moves: usize) -> bool {
        match self {
            LineKind::Best | LineKind::Win => moves == 1,
            LineKind::Lose => moves == 0,
            LineKind::Defences => true,
        }
    }
}

/// Digits of a job's key that are kept: enough to tell millions of jobs apart.
const KEY: usize = 14;
/// Moves tried in a virtual millisecond.
const NODES_A_MILLISECOND: u64 = 1;
/// The time of a job that fails, in virtual milliseconds.
const FAILED: u64 = 1000;

/// Why a record cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {source}")]
pub struct JobRecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub source: FieldError,
}

/// Reads one line: five columns with tabs between.
fn parse(game: Game, line: &str) -> Result<(String, Line), FieldError> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [key, kind, moves, statuses, nodes] = columns[..] else {
        return Err(FieldError::new("columns", "expected five with tabs between"));
    };
    let kind = LineKind::ALL.into_iter().find(|known| known.name() == kind);
    let kind = kind.ok_or_else(|| FieldError::new("kind", "expected best, win, lose or defences"))?;
    let moves = wire::moves(game, "moves", words(moves))?;
    let statuses = words(statuses).map(|word| word.parse::<Status>());
    let statuses =
        statuses.collect::<Result<Vec<_>, _>>().map_err(|error| FieldError::new("statuses", error))?;
    // One status for all of them, or one for each.
    if !kind.fits(moves.len()) || statuses.len() != moves.len() && (statuses.len() != 1 || moves.is_empty()) {
        return Err(FieldError::new("moves", "expected one, or - if all lose, and as many statuses or one"));
    }
    let moves = moves.into_iter().zip(statuses.iter().copied().cycle()).collect();
    let nodes = nodes.parse().map_err(|_| FieldError::new("nodes", "expected a number of moves"))?;
    Ok((key.to_string(), Line { kind, moves, nodes }))
}

/// Reads all lines of a record.
fn parse_all(game: Game, text: &str) -> impl Iterator<Item = Result<(String, Line), JobRecordError>> {
    (1..).zip(text.lines()).map(move |(number, line)| {
        parse(game, line).map_err(|source| JobRecordError { line: number, source })
    })
}

/// The words of a column; `-` stands for none.
fn words(column: &str) -> impl Iterator<Item = &str> {
    column.split(' ').filter(|&word| word != "-")
}

/// The times of the jobs of a record, in virtual time.
pub fn recorded_times(game: Game, text: &str) -> Result<JobTimes, JobRecordError> {
    let (mut searched, mut proved) = (Vec::new(), Vec::new());
    for line in parse_all(game, text) {
        let (_, line) = line?;
        let times = if line.kind == LineKind::Best { &mut searched } else { &mut proved };
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

    /// Adds the lines of a record.
    pub fn read(&self, text: &str) -> Result<(), JobRecordError> {
        for line in parse_all(self.game, text) {
            let (key, line) = line?;
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

    /// The number of jobs that were done, not read.
    pub fn asked(&self) -> u64 {
        self.asked.get()
    }

    /// The first error of a job, if there was one.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.borrow().clone()
    }

    /// Does a job and checks the answer.
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
                line(if win.is_some() { LineKind::Win } else { LineKind::Best }, vec![(mv, status)])
            }
            Ok(Answer::OthersLose { .. }) => line(LineKind::Lose, Vec::new()),
            Ok(Answer::Defences { moves, .. }) => line(LineKind::Defences, moves),
            Err(trouble) => {
                self.trouble.borrow_mut().get_or_insert(trouble);
                None
            }
        }
    }

    fn proof(task: &Task, wins: bool) -> JobProof {
        let mover = task.position.to_move();
        let attacker = if wins { mover } else { mover.other() };
        JobProof { attacker, method: task.method, except: Vec::new(), replies: Vec::new() }
    }
}

impl Oracle for Recorded<'_> {
    fn ask(&self, task: &Task) -> TimedAnswer {
        let key = task.key(&self.build).0[..KEY].to_string();
        let known = self.lines.borrow().get(&key).cloned();
        let line = known.or_else(|| {
            let line = self.execute(task)?;
            self.lines.borrow_mut().insert(key, line.clone());
            Some(line)
        });
        // The worker returns a job that cannot be done; the search goes on until its
        // limit of events.
        let Some(line) = line else { return TimedAnswer { answer: None, millis: FAILED } };
        let answer = match (line.kind, line.moves.first()) {
            (LineKind::Win, Some(&(mv, status))) => {
                Answer::Best { mv, status, win: Some(Recorded::proof(task, true)) }
            }
            (LineKind::Best, Some(&(mv, status))) => Answer::Best { mv, status, win: None },
            (LineKind::Defences, _) => {
                Answer::Defences { moves: line.moves, proof: Recorded::proof(task, false) }
            }
            _ => Answer::OthersLose { proof: Recorded::proof(task, false) },
        };
        TimedAnswer { answer: Some(answer), millis: 1 + line.nodes / NODES_A_MILLISECOND }
    }
}

/// Proofs were checked before the answer was recorded: only the moves are left to
/// check.
impl Judge for &Recorded<'_> {
    fn check(&self, task: &Task, answer: &Answer) -> Result<(), Refused> {
        check_moves(task, answer)
    }
}
