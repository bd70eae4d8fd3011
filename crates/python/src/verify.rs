//! Which moves of the defender are not refuted.

use crate::{
    args,
    certificate::PyCertificate,
    errors,
    position::PyPosition,
    solve::{Teller, tell},
    watch::{self, Ended, Listener},
};
use lambda6_proof::{
    Budget, Limits, SystemClock, Why,
    verify::{DefenceVerifier, Fate, Incomplete, Verified},
};
use lambda6_rules::Position;
use lambda6_search::lambda::LambdaOptions;
use lambda6_threats::Board;
use pyo3::prelude::*;
use std::time::Duration;

/// Stones of the defender after which the attacker wins.
#[pyclass(name = "Refutation", module = "lambda6", frozen, get_all)]
pub(crate) struct PyRefutation {
    /// The defender's stones; `-` for a pass.
    stones: String,
    /// The attacker's reply.
    reply: String,
    /// How many of the defender's stones are passed on.
    spare: usize,
    /// The squares where a further stone could matter.
    zone: Vec<String>,
    /// The proof: the position after the stones, with the attacker to move.
    certificate: Py<PyCertificate>,
}

#[pymethods]
impl PyRefutation {
    fn __repr__(&self) -> String {
        format!("<Refutation: {} loses to {}>", self.stones, self.reply)
    }
}

/// What is known of the defender's moves. It is true where every move loses, and then there
/// is a certificate.
#[pyclass(name = "Verification", module = "lambda6", frozen)]
pub(crate) struct PyVerification {
    position: Position,
    found: Verified,
    refuted: Vec<Py<PyRefutation>>,
    certificate: Option<Py<PyCertificate>>,
}

#[pymethods]
impl PyVerification {
    /// Whether every move is proved to lose.
    #[getter]
    fn proved(&self) -> bool {
        self.certificate.is_some()
    }

    /// The proof that every move loses, or None.
    #[getter]
    fn certificate(&self, py: Python<'_>) -> Option<Py<PyCertificate>> {
        self.certificate.as_ref().map(|certificate| certificate.clone_ref(py))
    }

    /// The side whose moves were tried.
    #[getter]
    fn defender(&self) -> &'static str {
        self.position.to_move().name()
    }

    /// The moves that were tried and are not refuted.
    #[getter]
    fn open(&self) -> Vec<String> {
        args::move_names(self.position.game(), &self.found.open)
    }

    /// The wins that were found, the most general first.
    #[getter]
    fn refuted(&self, py: Python<'_>) -> Vec<Py<PyRefutation>> {
        self.refuted.iter().map(|refuted| refuted.clone_ref(py)).collect()
    }

    /// Why moves beyond those listed were not examined: `connects` (the defender can), `full`
    /// (the move fills the board), `pass` (the attacker was not shown to win when the defender
    /// passes), or what ended the search. None if all were.
    #[getter]
    fn incomplete(&self) -> Option<&'static str> {
        Some(match self.found.incomplete? {
            Incomplete::Connects => "connects",
            Incomplete::Full => "full",
            Incomplete::Pass => "pass",
            Incomplete::Ended(why) => why.name(),
        })
    }

    /// Moves of the attacker tried.
    #[getter]
    fn nodes(&self) -> u64 {
        self.found.nodes
    }

    /// The time of the search.
    #[getter]
    fn seconds(&self) -> f64 {
        self.found.elapsed.as_secs_f64()
    }

    /// The attacker's reply to a whole move of the defender, or None for a move that is not
    /// refuted. It follows from the refutations and their zones.
    fn reply_to(&self, py: Python<'_>, r#move: &str) -> PyResult<Option<String>> {
        let game = self.position.game();
        let mv = args::mv(py, "move", game, r#move)?.sorted();
        self.position.clone().play(&mv).map_err(|error| errors::input(py, "move", error))?;
        Ok(match self.found.fate(&self.position, &mv) {
            Fate::Open => None,
            Fate::Refuted(refuted) => Some(args::move_name(game, &refuted.reply)),
            Fate::Unmet(row) => Some(args::move_name(game, &row)),
        })
    }

    fn __bool__(&self) -> bool {
        self.proved()
    }

    fn __repr__(&self) -> String {
        let (open, refuted) = (self.found.open.len(), self.refuted.len());
        format!("<Verification: {refuted} sets of stones refuted, {open} not>")
    }
}

/// Searches for a refutation of every move of the side to move that matters. `class_`, `time`,
/// `threads`, `memory` and `progress` are those of `solve`; `each` and `each_nodes` limit the
/// search against one move.
///
/// >>> from lambda6 import Position, verify
/// >>> three = Position.of_stones(black=["j10", "j12", "i11"], to_move="white")
/// >>> found = verify(three)
/// >>> found.proved, found.open, found.reply_to("a1s1")
/// (True, [], 'j13j11')
#[pyfunction]
#[pyo3(signature = (position, *, class_ = "vcst", each = 1.0, each_nodes = None, time = None, threads = 1,
                    memory = 256, progress = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
pub(crate) fn verify(
    py: Python<'_>,
    position: &Bound<'_, PyPosition>,
    class_: &str,
    each: f64,
    #[pyo3(from_py_with = args::optional)] each_nodes: Option<i64>,
    time: Option<f64>,
    #[pyo3(from_py_with = args::whole)] threads: i64,
    #[pyo3(from_py_with = args::whole)] memory: i64,
    progress: Option<Listener>,
) -> PyResult<PyVerification> {
    let position = position.get().now.clone();
    let game = position.game();
    let order = args::class(py, game, class_)?.order();
    let options = LambdaOptions { order, threads: args::threads(py, threads)?, ..LambdaOptions::default() };
    let nodes = each_nodes.map(|nodes| args::within(py, "each_nodes", nodes, 0, args::MOST)).transpose()?;
    let each = Limits { time: Some(args::seconds(py, "each", each)?), nodes, depth: None };
    let whole = args::limits(py, time, None, None)?;
    let bytes = args::memory(py, memory)?;
    let of = position.clone();
    let ended = watch::run(py, whole.time, tell(game, progress.as_ref()), move |watched| {
        let clock = SystemClock::start();
        let mut budget = Budget::new(whole, &clock, watched.stop);
        DefenceVerifier::new(&of, options, bytes, each)?.verify(&mut budget, &mut Teller(watched))
    })?;
    let found = match ended {
        Ended::Done(found) => found.map_err(|error| errors::solve(py, &error))?,
        Ended::Abandoned(why) => unknown(why),
    };
    let board = Board::from_position(&position);
    let refuted = found.refuted.iter().map(|refuted| {
        let certificate = Py::new(py, PyCertificate::made(refuted.certificate.clone()))?;
        let (stones, reply) = (args::move_name(game, &refuted.stones), args::move_name(game, &refuted.reply));
        let zone = args::square_names(game, refuted.zone(&board));
        Py::new(py, PyRefutation { stones, reply, spare: refuted.spare, zone, certificate })
    });
    let refuted = refuted.collect::<PyResult<_>>()?;
    let certificate = found.certificate.clone().map(|proof| Py::new(py, PyCertificate::made(proof)));
    Ok(PyVerification { position, refuted, certificate: certificate.transpose()?, found })
}

fn unknown(why: Why) -> Verified {
    Verified { incomplete: Some(Incomplete::Ended(why)), elapsed: Duration::ZERO, ..Verified::default() }
}
