//! Puzzles: positions with a forced win, and a judge of attempts at it.

use crate::{
    ApiError, PositionSpec, Service, Work,
    notation::{line_names, move_name},
    work::{Ceiling, Task},
};
use lambda6_proof::{Class, Solver, SolverOptions, Verdict};
use lambda6_rules::{Game, Move, Outcome, Position, Side, Square};
use lambda6_search::{Budget, Limits, Silent, Why};
use lambda6_threats::{Board, Defences};
use serde::{Deserialize, Serialize};
use std::{
    sync::{LazyLock, atomic::Ordering},
    time::Duration,
};
use utoipa::ToSchema;

/// A position with a forced win of the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Puzzle {
    /// Such as `2.7`: the seventh of the second grade; `g2.7` in go-moku.
    pub id: String,
    /// The game, as the five numbers `m n k p q`.
    pub game: String,
    /// What it is about: `double-threat` (fours in go-moku), `single-threat` (threes, too),
    /// `inversion` (a defence makes a threat of its own), `quiet` (the first move makes no threat) or
    /// `defence` (find the only move that holds).
    pub theme: String,
    /// From 1, easy, to 5: by the moves that a search has to try.
    pub grade: u8,
    /// `vcdt` if double threats suffice, else `vcst`, or `lambda3` for a quiet first move; in go-moku `vcf`
    /// if fours suffice, else `vct`. Of a defence the class of the wins against the other moves.
    pub class: String,
    /// The moves that the winner needs; of a defence those against the move that lasts longest.
    pub length: u32,
    /// The moves that lead there.
    pub moves: Vec<String>,
}

/// The sets of puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Puzzles {
    /// Of each game in order of their grades.
    pub puzzles: Vec<Puzzle>,
}

/// An attempt at a puzzle: a move in a won position.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeRequest {
    /// The position before the move.
    pub position: PositionSpec,
    /// The move.
    pub r#move: String,
    /// The theme of the puzzle, if it has one. With `defence` the move is to hold, and the judge
    /// looks for the other side's win; with `quiet` the judge knows wins with quiet moves.
    #[serde(default)]
    pub theme: Option<String>,
}

/// The verdict on an attempt.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct JudgeDoc {
    /// `solved` (connected, or more threats than can be met; of a defence, that no win against it was
    /// found), `right` (the win is still there), `wrong` (no forced
    /// win is left) or `unsettled` (the judge ran out of time).
    pub verdict: String,
    /// After `right` the longest defence, after `wrong` the one that refutes the move. It may have
    /// fewer stones than a move where the others can be anywhere; `-` if all can. Nothing where
    /// there is no defence, or no single one that refutes.
    pub reply: Option<String>,
    /// After `right` or `solved` a line of the win from the reply on; after a wrong defence the other
    /// side's win, which is proved.
    pub line: Vec<String>,
    /// The verdict in a sentence.
    pub message: String,
}

/// The sets. A puzzle without a game is one of Connect6.
const DATA: [&str; 3] = [
    include_str!("../data/puzzles.tsv"),
    include_str!("../data/go-moku.tsv"),
    include_str!("../data/themes.tsv"),
];

impl Puzzles {
    /// The sets that come with the program: made by self-play, the win of each
    /// proved; of a defence the wins against all moves but one.
    pub fn all() -> &'static Puzzles {
        static ALL: LazyLock<Puzzles> = LazyLock::new(|| {
            let rows = |set: &'static str| set.lines().filter(|line| !line.starts_with('#')).skip(1);
            let lines = DATA.into_iter().flat_map(rows);
            Puzzles { puzzles: lines.filter_map(puzzle).collect() }
        });
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
        game: columns.next().map_or_else(|| Game::CONNECT6.to_string(), str::to_string),
        theme: columns.next()?.to_string(),
    })
}

/// The time for the verdict.
const TIME: Duration = Duration::from_secs(10);
/// The moves tried in search of a win against a defence: several times those that the wins against all
/// other moves of a puzzle took together.
const DEFENCE_NODES: u64 = 100_000;
/// The time to search for stones that refute a move known to be wrong, and the
/// moves tried after each.
const SPARE_TIME: Duration = Duration::from_secs(15);
const SPARE_NODES: u64 = 100_000;
/// Squares tried there for the stones that meet no threat.
const SPARE_SQUARES: usize = 12;

/// An attempt that has been checked: the position after the move.
pub(crate) struct JudgeTask {
    position: Position,
    attacker: Side,
    theme: Theme,
}

/// What the judge has to know of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Theme {
    /// A win by threats.
    Threats,
    /// A win with quiet moves.
    Quiet,
    /// A move that holds.
    Defence,
}

impl JudgeRequest {
    pub(crate) fn task(&self) -> Result<JudgeTask, ApiError> {
        let (mut position, _) = self.position.position()?;
        let attacker = position.to_move();
        let mv = position.game().parse_move(&self.r#move).map_err(|e| ApiError::field("move", e))?;
        position.play(&mv).map_err(|e| ApiError::field("move", e))?;
        let theme = match self.theme.as_deref() {
            None | Some("double-threat" | "single-threat" | "inversion") => Theme::Threats,
            Some("quiet") => Theme::Quiet,
            Some("defence") => Theme::Defence,
            Some(_) => {
                let expected = "expected double-threat, single-threat, inversion, quiet or defence";
                return Err(ApiError::field("theme", expected));
            }
        };
        Ok(JudgeTask { position, attacker, theme })
    }
}

impl Task for JudgeTask {
    type Done = JudgeDoc;

    fn run(self, service: &Service, work: &mut Work<'_>) -> Result<JudgeDoc, ApiError> {
        match self.theme {
            Theme::Defence => judge_defence(&self.position, &service.ceiling, work),
            theme => judge(&self.position, self.attacker, theme == Theme::Quiet, &service.ceiling, work),
        }
    }
}

/// Whether a move holds: the other side, to move, is not found to win.
fn judge_defence(position: &Position, ceiling: &Ceiling, work: &Work<'_>) -> Result<JudgeDoc, ApiError> {
    let game = position.game();
    let doc = |verdict: &str, line: Vec<String>, message: String| JudgeDoc {
        verdict: verdict.to_string(),
        reply: line.first().cloned(),
        line,
        message,
    };
    if position.outcome().is_some() {
        return Ok(doc("solved", Vec::new(), "The game is over: solved.".to_string()));
    }
    let winner = position.to_move();
    let mut solver = Judge::new(position, winner, Class::Vcst, ceiling)?;
    solver.limits.nodes = Some(DEFENCE_NODES);
    Ok(match solver.solve(position, work)? {
        Verdict::Win(win) => {
            let message = format!("Wrong: {winner} wins in {} (proved).", win.certificate().depth());
            doc("wrong", line_names(game, win.line()), message)
        }
        Verdict::Unknown(Why::Time | Why::Stopped | Why::Memory) => {
            doc("unsettled", Vec::new(), "The judge ran out of time on this move.".to_string())
        }
        Verdict::Unknown(Why::Exhausted | Why::Narrowed | Why::Nodes | Why::Depth) => {
            doc("solved", Vec::new(), "Solved: no win is found against this move.".to_string())
        }
    })
}

fn judge(
    position: &Position,
    attacker: Side,
    quiet: bool,
    ceiling: &Ceiling,
    work: &Work<'_>,
) -> Result<JudgeDoc, ApiError> {
    let game = position.game();
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
    let class = if quiet { Class::Lambda3 } else { Class::Vcst };
    let mut solver = Judge::new(position, attacker, class, ceiling)?;
    // A defence that holds by itself is quick to find, and refutes the move.
    let refutation = if quiet { Refutation::NotFound } else { solver.refutation(position, work)? };
    match refutation {
        Refutation::Free => {
            let reply = solver.whole_refutation(position, work)?.map(|mv| move_name(game, &mv));
            return Ok(doc("wrong", reply, Vec::new(), "No threat: the other side may play anywhere."));
        }
        Refutation::By(defence) => {
            let reply = Some(move_name(game, &defence));
            return Ok(doc("wrong", reply, Vec::new(), "Wrong: after this defence no forced win is left."));
        }
        Refutation::NotFound => {}
    }
    match solver.solve(position, work)? {
        Verdict::Win(win) => {
            let mut defences = Defences::default();
            defences.find(&Board::from_position(position), attacker);
            let line = line_names(game, win.line());
            if defences.count() == lambda6_threats::ThreatCount::More {
                return Ok(doc("solved", None, line, "More threats than can be met: solved."));
            }
            let reply = line.first().cloned();
            Ok(doc("right", reply, line, "Right. The defence that holds out longest is on the board."))
        }
        Verdict::Unknown(Why::Time | Why::Nodes | Why::Stopped | Why::Depth) => {
            Ok(doc("unsettled", None, Vec::new(), "The judge ran out of time on this move."))
        }
        Verdict::Unknown(_) if quiet => {
            let message = "Wrong: the search finds no forced win after this move.";
            Ok(doc("wrong", None, Vec::new(), message))
        }
        Verdict::Unknown(_) => {
            let reply = solver.whole_refutation(position, work)?.map(|mv| move_name(game, &mv));
            let message = match game.p() {
                1 => "Wrong: no forced win is left.",
                _ => "Wrong: the defender has a stone to spare, and no forced win is left.",
            };
            Ok(doc("wrong", reply, Vec::new(), message))
        }
    }
}

enum Refutation {
    /// The move makes no threat.
    Free,
    By(Move),
    /// Each defence loses without its spare stones, or its search was not
    /// finished.
    NotFound,
}

struct Judge {
    solver: Solver,
    attacker: Side,
    limits: Limits,
}

impl Judge {
    fn new(position: &Position, attacker: Side, class: Class, ceiling: &Ceiling) -> Result<Judge, ApiError> {
        let table_bytes = ceiling.memory(None, "memory_mib")?;
        let options = SolverOptions { table_bytes, ..SolverOptions::for_class(class) };
        let limits = Limits { time: Some(TIME.min(ceiling.time)), ..Limits::default() };
        Ok(Judge { solver: Solver::new(position.game(), options), attacker, limits })
    }

    fn solve(&mut self, position: &Position, work: &Work<'_>) -> Result<Verdict, ApiError> {
        let mut budget = Budget::new(self.limits, work.clock, work.stop);
        let report = self.solver.solve(position, self.attacker, &mut budget, &mut Silent);
        Ok(report.map_err(|e| ApiError::field("position", e))?.verdict)
    }

    /// A critical defence after which the search is exhausted without a win.
    fn refutation(&mut self, position: &Position, work: &Work<'_>) -> Result<Refutation, ApiError> {
        let mut defences = Defences::default();
        defences.find(&Board::from_position(position), self.attacker);
        if defences.count().is_none() {
            // With one stone a move a three threatens, too: the solver tells.
            let quiet = position.game().p() == 1;
            return Ok(if quiet { Refutation::NotFound } else { Refutation::Free });
        }
        for defence in defences.iter() {
            let mut after = position.clone();
            after.play_partial(defence).map_err(ApiError::internal)?;
            if after.outcome().is_some() {
                return Ok(Refutation::By(*defence));
            }
            // A search that ran out of time refutes nothing.
            if let Verdict::Unknown(Why::Exhausted | Why::Narrowed) = self.solve(&after, work)? {
                return Ok(Refutation::By(*defence));
            }
        }
        Ok(Refutation::NotFound)
    }

    /// A full move of the defender after which no forced win is left: a critical
    /// defence, with its spare stones on squares of the attacker's winning line.
    /// Nothing if none is found within the time.
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
            for square in win.line().iter().flat_map(Move::iter) {
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
