//! Answers: one line of JSON each.

use super::query::{Query, QueryError};
use player::{Candidate, Choice, Info};
use rules::{Game, Move, Side};
use serde::Serialize;
use std::time::Duration;

/// An analysis, finished or under way.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Analysis {
    /// The query's.
    pub id: String,
    /// Whether more is to come. Exactly one answer of a query says no.
    pub is_during_search: bool,
    /// How many moves led to the position.
    pub turn_number: usize,
    /// There was no time to find out anything.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_results: bool,
    /// The query was ended before its limits were.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub terminated: bool,
    /// About the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_info: Option<RootInfo>,
    /// About moves, the best first.
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

/// What could not be done, or was passed over.
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

/// The answer to a line that asks for nothing that can be done.
pub fn error(error: &QueryError) -> String {
    let QueryError { id, field, error } = error;
    line(&Message { id: id.as_deref(), field: field.as_deref(), error: Some(error), warning: None })
}

/// A field that was passed over.
pub fn warning(id: &str, field: &str) -> String {
    line(&Message { id: Some(id), field: Some(field), error: None, warning: Some("unknown field, not used") })
}

fn names(game: Game, moves: &[Move]) -> Vec<String> {
    // A defence whose stones can be anywhere has none.
    moves.iter().map(|mv| if mv.is_empty() { "-".to_string() } else { game.move_name(mv) }).collect()
}

/// The chance of winning, with four digits.
fn winrate(score: i32) -> f64 {
    (player::chance(score) * 1e4).round() / 1e4
}

fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e3).round() / 1e3
}

impl Analysis {
    fn new(query: &Query) -> Analysis {
        Analysis {
            id: query.id.clone(),
            is_during_search: false,
            turn_number: query.turn,
            no_results: false,
            terminated: false,
            root_info: None,
            move_infos: Vec::new(),
        }
    }

    /// The final answer of a query that was ended before it began.
    pub fn none(query: &Query) -> Analysis {
        Analysis { no_results: true, terminated: true, ..Analysis::new(query) }
    }

    /// An answer on the way.
    pub fn partial(query: &Query, info: &Info<'_>) -> Analysis {
        let game = query.position.game();
        let first = |candidate: &Candidate| {
            let follows = info.line.first() == Some(&candidate.mv);
            if follows { names(game, info.line) } else { names(game, &[candidate.mv]) }
        };
        let candidates = info.candidates.iter().take(query.max_candidates).enumerate();
        let move_infos = candidates.map(|(order, candidate)| MoveInfo {
            mv: game.move_name(&candidate.mv),
            order,
            score: candidate.score,
            winrate: winrate(candidate.score),
            status: None,
            pv: first(candidate),
        });
        Analysis {
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
            ..Analysis::new(query)
        }
    }

    /// The final answer.
    pub fn last(query: &Query, choices: &[Choice], elapsed: Duration, terminated: bool) -> Analysis {
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
        Analysis { root_info, move_infos: move_infos.collect(), terminated, ..Analysis::new(query) }
    }

    /// One line of JSON.
    pub fn write(&self) -> String {
        line(self)
    }
}

fn win_info(query: &Query, best: &Choice) -> Option<WinInfo> {
    let win = best.win.as_ref()?;
    let certificate = win.certificate.as_ref()?;
    let proof = query.include_proof.then(|| {
        let mut bytes = Vec::new();
        // Into memory: this does not fail.
        let _ = certificate.write(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let winner: Side = certificate.attacker();
    Some(WinInfo {
        winner: winner.name(),
        line: names(query.position.game(), &win.line),
        length: certificate.depth(),
        replies: certificate.replies().len(),
        proof,
    })
}
