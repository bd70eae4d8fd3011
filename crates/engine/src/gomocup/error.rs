//! What the engine answers when it cannot do what it was told.

use super::{
    list::ListError,
    parse::{LineError, Point},
};
use crate::{CoordError, ThinkError};
use lambda6_rules::{PlayError, Side};

/// Why a command fails; the text follows `ERROR`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum GomocupError {
    #[error(transparent)]
    Line(#[from] LineError),
    #[error(transparent)]
    List(#[from] ListError),
    #[error("expected START before {0}")]
    NotStarted(&'static str),
    #[error("a board of {width} columns and {height} rows: expected from 5 to 64 of both")]
    Size { width: i64, height: i64 },
    #[error("{0} is not played here: expected rule 0, five or more in a row win")]
    Rule(String),
    #[error("BEGIN: expected an empty board, there are {0} stones")]
    NotEmpty(usize),
    #[error("{command} {point}: {problem}")]
    Square { command: &'static str, point: Point, problem: CoordError },
    #[error("{command} {point}: there is a {by} stone")]
    Occupied { command: &'static str, point: Point, by: Side },
    #[error("TAKEBACK {0}: there is no stone")]
    NoStone(Point),
    #[error("DONE: expected BOARD or another list before it")]
    NoList,
    #[error("swap2 is not played here: expected BEGIN, TURN or BOARD")]
    Swap2,
    #[error("{0}")]
    Rules(#[from] PlayError),
    #[error(transparent)]
    Think(#[from] ThinkError),
    #[error("no {0} stones were found")]
    ShortLine(usize),
}

/// The description of a rule that is not played here; `None` for the one that is.
pub(super) fn refused_rule(rule: &str) -> Option<String> {
    const NAMES: [(u32, &str); 4] =
        [(1, "exactly five in a row"), (2, "continuous game"), (4, "renju"), (8, "caro")];
    match rule.parse::<u32>() {
        Ok(0) => None,
        Ok(number) => {
            let names = NAMES.iter().filter(|(bit, _)| number & bit != 0).map(|(_, name)| *name);
            let names = names.collect::<Vec<_>>().join(", ");
            Some(if names.is_empty() { format!("rule {number}") } else { format!("rule {number} ({names})") })
        }
        Err(_) => Some(format!("rule {rule:?}")),
    }
}
