//! Puzzles: positions with a forced win, and a judge of attempts at it.

use crate::{
    ApiError, PositionSpec, Work,
    wire::{line_names, move_name},
    work::Ceiling,
};
use rules::{Move, Outcome, Position, Side, Square};
use search::{Class, Limits, Silent, Solver, SolverOptions, Verdict, Why};
use serde::{Deserialize, Serialize};
use std::{
    sync::{LazyLock, atomic::Ordering},
    time::Duration,
};
use threats::{Board, Defences};
use utoipa::ToSchema;

/// A position with a forced win of the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Puzzle {
    /// Such as `2.7`: the seventh of the second grade.
    pub id: String,
    /// From 1, easy, to 5.
    pub grade: u8,
    /// `vcdt` if double threats suffice, else `vcst`.
    pub class: String,
    /// The moves that the winner needs.
    pub length: u32,
    /// The moves that lead there.
    pub moves: Vec<String>,
}

/// The set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Puzzles {
    /// By grade.
    pub puzzles: Vec<Puzzle>,
}

/// An attempt: a move in a position that was won before it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeRequest {
    /// Before the move.
    pub position: PositionSpec,
    /// The move.
    pub r#move: String,
}

/// What the judge says.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct JudgeDoc {
    /// `solved` (connected, or more threats than can be met), `right` (the win is still there), `wrong` (no forced
    /// win is left) or `unsettled` (the judge ran out of time).
    pub verdict: String,
    /// After `right` the longest defence, after `wrong` the one that refutes the move. It may have
    /// fewer stones than a move where the others can be anywhere; `-` if all can. Nothing where
    /// there is no defence, or no single one that refutes.
    pub reply: Option<String>,
    /// After `right` or `solved` a line of the win from the reply on.
    pub line: Vec<String>,
    /// One sentence.
    pub message: String,
}

const DATA: &str = include_str!("../data/puzzles.tsv");

impl Puzzles {
    /// The set that comes with the program: made by self-play, the win of each
    /// proved.
    pub fn all() -> &'static Puzzles {
        static ALL: LazyLock<Puzzles> =
            LazyLock::new(|| Puzzles { puzzles: DATA.lines().skip(1).filter_map(puzzle).collect() });
        &ALL
    }
}

fn puzzle(line: &str) -> Option<Puzzle> {
    let mut columns = line.split('\t');
    Some(Puzzle {
        id: columns.next()?.to_string(),
        grade: columns.next()?.parse().ok()?,
        class: columns.next()?.to_string(),
        length: columns.next()?.parse().ok()?,
        moves: columns.next()?.split(' ').map(str::to_string).collect(),
    })
}

/// How long the judge thinks.
const TIME: Duration = Duration::from_secs(10);
/// How long it looks for stones that refute a move, when it knows already that
/// the move is wrong, and how many moves it tries after each.
const SPARE_TIME: Duration = Duration::from_secs(15);
const SPARE_NODES: u64 = 100_000;
/// How many squares it tries there for the stones that meet no threat.
const SPARE_SQUARES: usize = 12;

pub(crate) fn judge(
    request: &JudgeRequest,
    ceiling: &Ceiling,
    work: &mut Work<'_>,
) -> Result<JudgeDoc, ApiError> {
    let (before, _) = request.position.position()?;
    let game = before.game();
    let mv = game.parse_move(&request.r#move).map_err(|e| ApiError::field("move", e))?;
    let attacker = before.to_move();
    let mut position = before;
    position.play(&mv).map_err(|e| ApiError::field("move", e))?;
    let doc = |verdict: &str, reply: Option<String>, line, message: &str| JudgeDoc {
        verdict: verdict.to_string(),
        reply,
        line,
        message: message.to_string(),
    };
    match position.outcome() {
        Some(Outcome::Win(side)) if side == attacker => {
            return Ok(doc("solved", None, Vec::new(), "A row: solved."));
        }
        Some(_) => return Ok(doc("wrong", None, Vec::new(), "The board is full.")),
        None => {}
    }
    let mut solver = Judge::new(&position, attacker, ceiling)?;
    // A defence that holds by itself is quick to find, and refutes the move.
    match solver.refutation(&position, work)? {
        Refutation::Free => {
            let reply = solver.whole_refutation(&position, work)?.map(|mv| move_name(game, &mv));
            return Ok(doc("wrong", reply, Vec::new(), "No threat: the other side may play anywhere."));
        }
        Refutation::By(defence) => {
            let reply = Some(move_name(game, &defence));
            return Ok(doc("wrong", reply, Vec::new(), "Wrong: after this defence no forced win is left."));
        }
        Refutation::NotFound => {}
    }
    match solver.solve(&position, work)? {
        Verdict::Win(win) => {
            let mut defences = Defences::default();
            defences.find(&Board::from_position(&position), attacker);
            let line = line_names(game, &win.line);
            if defences.count() == threats::ThreatCount::More {
                return Ok(doc("solved", None, line, "More threats than can be met: solved."));
            }
            let reply = line.first().cloned();
            Ok(doc("right", reply, line, "Right. The defence that holds out longest is on the board."))
        }
        Verdict::Unknown(Why::Time | Why::Nodes | Why::Stopped | Why::Depth) => {
            Ok(doc("unsettled", None, Vec::new(), "The judge ran out of time on this move."))
        }
        Verdict::Unknown(_) => {
            let reply = solver.whole_refutation(&position, work)?.map(|mv| move_name(game, &mv));
            let message = "Wrong: the defender has a stone to spare, and no forced win is left.";
            Ok(doc("wrong", reply, Vec::new(), message))
        }
    }
}

enum Refutation {
    /// There is nothing to meet.
    Free,
    By(Move),
    /// Each defence loses if its spare stones are left out, or could not be
    /// settled.
    NotFound,
}

struct Judge {
    solver: Solver,
    attacker: Side,
    limits: Limits,
}

impl Judge {
    fn new(position: &Position, attacker: Side, ceiling: &Ceiling) -> Result<Judge, ApiError> {
        let table_bytes = ceiling.memory(None, "memory_mib")?;
        let options = SolverOptions { class: Class::Vcst, table_bytes, ..SolverOptions::default() };
        let limits = Limits { time: Some(TIME.min(ceiling.time)), ..Limits::default() };
        Ok(Judge { solver: Solver::new(position.game(), options), attacker, limits })
    }

    fn solve(&mut self, position: &Position, work: &Work<'_>) -> Result<Verdict, ApiError> {
        let report = self
            .solver
            .solve(position, self.attacker, self.limits, work.clock, work.stop, &mut Silent)
            .map_err(|e| ApiError::field("position", e))?;
        Ok(report.verdict)
    }

    /// A defence after which every line was tried and none wins.
    fn refutation(&mut self, position: &Position, work: &Work<'_>) -> Result<Refutation, ApiError> {
        let mut defences = Defences::default();
        defences.find(&Board::from_position(position), self.attacker);
        if defences.count().is_none() {
            return Ok(Refutation::Free);
        }
        for defence in defences.iter() {
            let mut after = position.clone();
            after.play_partial(defence).map_err(ApiError::internal)?;
            if after.outcome().is_some() {
                return Ok(Refutation::By(*defence));
            }
            // One that ran out of time refutes nothing.
            if let Verdict::Unknown(Why::Exhausted | Why::Narrowed) = self.solve(&after, work)? {
                return Ok(Refutation::By(*defence));
            }
        }
        Ok(Refutation::NotFound)
    }

    /// A whole move of the defender's after which no forced win is left: one that
    /// meets the threats, with the stones to spare where the attacker would go on
    /// otherwise. Nothing if it is not found soon.
    fn whole_refutation(&mut self, position: &Position, work: &Work<'_>) -> Result<Option<Move>, ApiError> {
        let until = work.clock.elapsed() + SPARE_TIME;
        let limits = self.limits;
        self.limits.nodes = Some(SPARE_NODES);
        let mut defences = Defences::default();
        defences.find(&Board::from_position(position), self.attacker);
        let mut met: Vec<Move> = defences.iter().copied().collect();
        if met.is_empty() {
            met.push(Move::NULL);
        }
        let mut found = None;
        'all: for defence in met {
            let mut after = position.clone();
            after.play_partial(&defence).map_err(ApiError::internal)?;
            let Verdict::Win(win) = self.solve(&after, work)? else { continue };
            let mut squares: Vec<Square> = Vec::new();
            for square in win.line.iter().flat_map(Move::iter) {
                if position.at(square).is_none() && !defence.contains(square) && !squares.contains(&square) {
                    squares.push(square);
                }
            }
            squares.truncate(SPARE_SQUARES);
            let spare = position.stones_to_place().saturating_sub(defence.iter().len());
            for stones in choices(&squares, spare) {
                if work.clock.elapsed() > until || work.stop.load(Ordering::Relaxed) {
                    break 'all;
                }
                let mut whole = defence;
                stones.iter().for_each(|&square| {
                    whole.push(square);
                });
                let mut after = position.clone();
                if after.play(&whole).is_err() || after.outcome().is_some() {
                    continue;
                }
                if let Verdict::Unknown(Why::Exhausted | Why::Narrowed) = self.solve(&after, work)? {
                    found = Some(whole);
                    break 'all;
                }
            }
        }
        self.limits = limits;
        Ok(found)
    }
}

/// All ways to choose one or two of these squares, in their order.
fn choices(squares: &[Square], count: usize) -> Vec<Vec<Square>> {
    match count {
        1 => squares.iter().map(|&a| vec![a]).collect(),
        2 => {
            let pairs = |(i, &a): (usize, &Square)| squares[i + 1..].iter().map(move |&b| vec![a, b]);
            squares.iter().enumerate().flat_map(pairs).collect()
        }
        _ => Vec::new(),
    }
}
