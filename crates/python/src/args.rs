//! Arguments: games, sides, moves, limits.

use crate::{errors, game::PyGame};
use lambda6_proof::{Class, Limits, Method};
use lambda6_rules::{Game, Move, Side, Square};
use pyo3::{exceptions::PyOverflowError, prelude::*};
use std::{str::FromStr, time::Duration};

/// A whole number. One that fits into no machine word becomes the nearest that does,
/// which is out of every range.
pub(crate) fn whole(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    match object.extract::<i64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
            Ok(if object.lt(0)? { i64::MIN } else { i64::MAX })
        }
        number => number,
    }
}

/// A whole number or None.
pub(crate) fn optional(object: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    if object.is_none() { Ok(None) } else { whole(object).map(Some) }
}

/// The number, which must be at least `low` and at most `high`.
pub(crate) fn within(py: Python<'_>, field: &str, number: i64, low: u64, high: u64) -> PyResult<u64> {
    let found = u64::try_from(number).ok().filter(|number| (low..=high).contains(number));
    found.ok_or_else(|| errors::input(py, field, format!("expected {low} to {high}, found {number}")))
}

/// A game or its name.
#[derive(FromPyObject)]
pub(crate) enum GameArg<'py> {
    #[pyo3(transparent, annotation = "Game")]
    Game(Bound<'py, PyGame>),
    #[pyo3(transparent, annotation = "str")]
    Name(String),
}

impl GameArg<'_> {
    pub(crate) fn game(&self, py: Python<'_>) -> PyResult<Game> {
        match self {
            GameArg::Game(game) => Ok(game.get().0),
            GameArg::Name(name) => parsed(py, "game", name),
        }
    }
}

/// Reads a value whose error tells what was expected.
pub(crate) fn parsed<T: FromStr<Err: std::fmt::Display>>(
    py: Python<'_>,
    field: &str,
    text: &str,
) -> PyResult<T> {
    text.parse().map_err(|error: T::Err| errors::input(py, field, error))
}

/// A side: `black` or `white`.
pub(crate) fn side(py: Python<'_>, field: &str, text: &str) -> PyResult<Side> {
    parsed(py, field, text)
}

/// A move; `-` is one without stones.
pub(crate) fn mv(py: Python<'_>, field: &str, game: Game, text: &str) -> PyResult<Move> {
    if text == "-" {
        return Ok(Move::NULL);
    }
    game.parse_move(text).map_err(|error| errors::input(py, field, error))
}

/// The name of a move; `-` for one without stones.
pub(crate) fn move_name(game: Game, mv: &Move) -> String {
    if mv.is_empty() { "-".to_string() } else { game.move_name(mv) }
}

/// The names of moves.
pub(crate) fn move_names<'a>(game: Game, moves: impl IntoIterator<Item = &'a Move>) -> Vec<String> {
    moves.into_iter().map(|mv| move_name(game, mv)).collect()
}

/// The names of squares.
pub(crate) fn square_names(game: Game, squares: impl IntoIterator<Item = Square>) -> Vec<String> {
    squares.into_iter().map(|square| game.square_name(square)).collect()
}

/// Squares from their names; an error names the one that is wrong.
pub(crate) fn squares(py: Python<'_>, field: &str, game: Game, names: &[String]) -> PyResult<Vec<Square>> {
    let square = |(i, name): (usize, &String)| {
        game.parse_square(name).map_err(|error| errors::input(py, &format!("{field}[{i}]"), error))
    };
    names.iter().enumerate().map(square).collect()
}

/// A class of moves.
pub(crate) fn class(py: Python<'_>, game: Game, text: &str) -> PyResult<Class> {
    Class::parse_in(text, game).map_err(|error| errors::input(py, "class_", error))
}

/// The method of a certificate.
pub(crate) fn method(py: Python<'_>, text: &str) -> PyResult<Method> {
    let expected = || format!("{text:?} is not a method: expected rzop, srzop1, srzop2 or mutual");
    Method::from_name(text).ok_or_else(|| errors::input(py, "method", expected()))
}

/// A number of seconds.
pub(crate) fn seconds(py: Python<'_>, field: &str, seconds: f64) -> PyResult<Duration> {
    let expected = || format!("expected a number of seconds from 0, found {seconds}");
    Duration::try_from_secs_f64(seconds).map_err(|_| errors::input(py, field, expected()))
}

/// The limits of a search.
pub(crate) fn limits(
    py: Python<'_>,
    time: Option<f64>,
    nodes: Option<i64>,
    depth: Option<i64>,
) -> PyResult<Limits> {
    let depth = depth.map(|depth| within(py, "depth", depth, 0, u32::MAX.into())).transpose()?;
    Ok(Limits {
        time: time.map(|time| seconds(py, "time", time)).transpose()?,
        nodes: nodes.map(|nodes| within(py, "nodes", nodes, 0, MOST)).transpose()?,
        depth: depth.map(|depth| depth as u32),
    })
}

/// The most threads of a search.
const MAX_THREADS: u64 = 1024;

/// The most of what has no limit of its own. The number above stands for all that are greater.
pub(crate) const MOST: u64 = i64::MAX as u64 - 1;

/// A number of threads.
pub(crate) fn threads(py: Python<'_>, threads: i64) -> PyResult<usize> {
    Ok(within(py, "threads", threads, 1, MAX_THREADS)? as usize)
}

/// The most memory for tables, in MiB.
const MAX_MEMORY_MIB: u64 = 1 << 20;

/// Memory in MiB, as bytes. Memory that is not there is an error here: a program that
/// runs out of memory later is killed without a message.
pub(crate) fn memory(py: Python<'_>, mib: i64) -> PyResult<usize> {
    let mib = within(py, "memory", mib, 1, MAX_MEMORY_MIB)?;
    let bytes = usize::try_from(mib << 20).unwrap_or(usize::MAX);
    match Vec::<u8>::new().try_reserve_exact(bytes) {
        Ok(()) => Ok(bytes),
        Err(_) => Err(errors::input(py, "memory", format!("{mib} MiB are not there"))),
    }
}
