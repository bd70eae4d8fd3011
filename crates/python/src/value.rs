//! Exact values of small games.

use crate::{
    args::{self, GameArg},
    errors,
    watch::{self, Ended},
};
use lambda6_literature::small_games::{self, GameValue};
use lambda6_proof::{Budget, Clock, SystemClock, Why};
use pyo3::prelude::*;

/// Who wins a small game from the empty board.
#[pyclass(name = "Value", module = "lambda6", frozen, get_all)]
pub(crate) struct PyValue {
    /// `black`, `white`, `draw`, or None if the search was ended.
    winner: Option<&'static str>,
    /// What ended the search: `time` or `stopped`. None if the value is known.
    why: Option<&'static str>,
    /// Positions searched.
    positions: u64,
    /// The time used.
    seconds: f64,
}

#[pymethods]
impl PyValue {
    fn __repr__(&self) -> String {
        format!("<Value: {}>", self.winner.or(self.why).unwrap_or_default())
    }
}

/// Finds who wins a small game when both sides play as well as they can, by exhaustive search.
/// Boards of up to some 30 squares take seconds, larger ones may take years. `memory` is in MiB.
///
/// >>> from lambda6 import Game, value
/// >>> value(Game(4, 4, 3, 1, 1)).winner
/// 'black'
/// >>> value("tic-tac-toe").winner
/// 'draw'
#[pyfunction]
#[pyo3(signature = (game, *, time = None, memory = 64))]
pub(crate) fn value(
    py: Python<'_>,
    game: GameArg<'_>,
    time: Option<f64>,
    #[pyo3(from_py_with = args::whole)] memory: i64,
) -> PyResult<PyValue> {
    let game = game.game(py)?;
    let limits = args::limits(py, time, None, None)?;
    let bytes = args::memory(py, memory)?;
    let ended = watch::run(
        py,
        limits.time,
        |_, _: Option<()>| Ok(true),
        move |watched| {
            let clock = SystemClock::start();
            let mut budget = Budget::new(limits, &clock, watched.stop);
            let found = small_games::value(game, bytes, &mut budget);
            found.map(|found| (found, budget.nodes(), clock.elapsed()))
        },
    )?;
    let (found, positions, elapsed) = match ended {
        Ended::Done(found) => found.map_err(|error| errors::input(py, "game", error))?,
        Ended::Abandoned(why) => (GameValue::Unknown(why), 0, limits.time.unwrap_or_default()),
    };
    let why = match found {
        GameValue::Unknown(why) => Some(Why::name(why)),
        _ => None,
    };
    let winner = why.is_none().then(|| found.name());
    Ok(PyValue { winner, why, positions, seconds: elapsed.as_secs_f64() })
}
