//! What the analysis writes: one line of JSON each.

use super::query::{Query, QueryError};
use crate::ThinkError;
use lambda6_player::{Candidate, Choice, Info};
use lambda6_rules::{Game, Move, Side};
use serde::Serialize;
use std::time::Duration;

/// A report on a query, final or during the search.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The query's id.
    pub id: String,
    /// Whether more reports will follow. Exactly one report of a query is final.
    pub is_during_search: bool,
    /// The number of moves that led to the position.
    pub turn_number: usize,
    /// The query was ended before its search began.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_results: bool,
    /// The query was ended before its limits.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub terminated: bool,
    /// About the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_info: Option<RootInfo>,
    /// About moves, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub move_infos: Vec<MoveInfo>,
}

/// About the position.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RootInfo {
    to_move: &'static str,
    status: String,
    score: i32,
    winrate: f64,
    depth: u32,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    win: Option<WinInfo>,
}

/// A proved win.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct WinInfo {
    winner: &'static str,
    line: Vec<String>,
    length: usize,
    replies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<String>,
}

/// About a move.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveInfo {
    #[serde(rename = "move")]
    mv: String,
    order: usize,
    score: i32,
    winrate: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    pv: Vec<String>,
}

/// An error or a warning.
#[derive(Serialize)]
struct Message<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'a str>,
}

fn line(value: &impl Serialize) -> String {
    // Structs of strings and numbers: this does not fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// The answer to a line that cannot be read.
pub fn query_error(error: &QueryError) -> String {
    let QueryError { id, field, problem } = error;
    line(&Message { id: id.as_deref(), field: field.as_deref(), error: Some(problem), warning: None })
}

/// The answer to a query whose search failed.
pub fn search_error(id: &str, error: &ThinkError) -> String {
    line(&Message { id: Some(id), field: None, error: Some(&error.to_string()), warning: None })
}

/// The warning about an unknown field.
pub fn warning(id: &str, field: &str) -> String {
    line(&Message { id: Some(id), field: Some(field), error: None, warning: Some("unknown field, not used") })
}

fn names(game: Game, moves: &[Move]) -> Vec<String> {
    // A defence whose stones can be anywhere has no squares.
    moves.iter().map(|mv| if mv.is_empty() { "-".to_string() } else { game.move_name(mv) }).collect()
}

/// The chance of winning, with four digits.
fn winrate(score: i32) -> f64 {
    (lambda6_player::chance(score) * 1e4).round() / 1e4
}

fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e3).round() / 1e3
}

impl Report {
    fn new(query: &Query) -> Report {
        Report {
            id: query.id.clone(),
            is_during_search: false,
            turn_number: query.turn,
            no_results: false,
            terminated: false,
            root_info: None,
            move_infos: Vec::new(),
        }
    }

    /// The final report on a query that was ended before its search began.
    pub fn no_results(query: &Query) -> Report {
        Report { no_results: true, terminated: true, ..Report::new(query) }
    }

    /// A report during the search.
    pub fn partial(query: &Query, info: &Info) -> Report {
        let game = query.position.game();
        let line = |candidate: &Candidate| {
            let follows = info.line.first() == Some(&candidate.mv);
            if follows { names(game, &info.line) } else { names(game, &[candidate.mv]) }
        };
        let candidates = info.candidates.iter().take(query.max_candidates).enumerate();
        let move_infos = candidates.map(|(order, candidate)| MoveInfo {
            mv: game.move_name(&candidate.mv),
            order,
            score: candidate.score,
            winrate: winrate(candidate.score),
            status: None,
            pv: line(candidate),
        });
        Report {
            is_during_search: true,
            root_info: Some(RootInfo {
                to_move: query.position.to_move().name(),
                status: info.status.to_string(),
                score: info.score,
                winrate: winrate(info.score),
                depth: info.depth,
                nodes: info.nodes,
                seconds: seconds(info.elapsed),
                win: None,
            }),
            move_infos: move_infos.collect(),
            ..Report::new(query)
        }
    }

    /// The final report.
    pub fn complete(query: &Query, choices: &[Choice], elapsed: Duration, terminated: bool) -> Report {
        let game = query.position.game();
        let move_infos =
            choices.iter().take(query.max_candidates).enumerate().map(|(order, choice)| MoveInfo {
                mv: game.move_name(&choice.mv),
                order,
                score: choice.score,
                winrate: winrate(choice.score),
                status: Some(choice.status.to_string()),
                pv: names(game, &choice.line),
            });
        let root_info = choices.first().map(|best| RootInfo {
            to_move: query.position.to_move().name(),
            status: best.status.to_string(),
            score: best.score,
            winrate: winrate(best.score),
            depth: best.depth,
            nodes: best.nodes,
            seconds: seconds(elapsed),
            win: win_info(query, best),
        });
        Report { root_info, move_infos: move_infos.collect(), terminated, ..Report::new(query) }
    }

    /// Writes the report as one line of JSON.
    pub fn write(&self) -> String {
        line(self)
    }
}

fn win_info(query: &Query, best: &Choice) -> Option<WinInfo> {
    let win = best.win.as_ref()?;
    let certificate = win.certificate();
    let proof = query.include_proof.then(|| {
        let mut bytes = Vec::new();
        // Into memory: this does not fail.
        let _ = certificate.write(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let winner: Side = certificate.attacker();
    Some(WinInfo {
        winner: winner.name(),
        line: names(query.position.game(), win.line()),
        length: certificate.depth(),
        replies: certificate.replies().len(),
        proof,
    })
}
