//! Walks through certificates: a line of the proof, defence by defence.

use crate::{args, certificate::stopped, errors, position::PyPosition};
use lambda6_api::{AnswerDoc, AnswerRequest, Proof};
use lambda6_rules::{Move, Position, Side};
use pyo3::{prelude::*, types::PyDict};
use std::sync::Arc;

/// A line of a proof: the defender's moves so far and the proof's answers. Walks do not
/// change; `defend` returns the next one.
#[pyclass(name = "Walk", module = "lambda6", frozen)]
pub(crate) struct PyWalk {
    proof: Arc<Proof>,
    attacker: Side,
    start: Position,
    defences: Vec<String>,
    answer: Option<AnswerDoc>,
}

impl PyWalk {
    /// The walk of a proof before any move.
    pub(crate) fn begin(proof: Arc<Proof>, attacker: Side, start: Position) -> PyWalk {
        PyWalk { proof, attacker, start, defences: Vec::new(), answer: None }
    }

    /// The walk after these moves too.
    pub(crate) fn after(&self, py: Python<'_>, more: Vec<String>) -> PyResult<PyWalk> {
        let defences = [self.defences.clone(), more].concat();
        let request = AnswerRequest { defences: defences.clone() };
        let answer = self.proof.answer(&request).map_err(|error| {
            let field = error.field.clone().unwrap_or_else(|| "certificate".to_string());
            errors::input(py, &field, error)
        })?;
        let PyWalk { proof, attacker, start, .. } = self;
        Ok(PyWalk {
            proof: Arc::clone(proof),
            attacker: *attacker,
            start: start.clone(),
            defences,
            answer: Some(answer),
        })
    }

    fn doc(&self) -> PyResult<&AnswerDoc> {
        // Every walk that Python sees was made by `after`.
        self.answer.as_ref().ok_or_else(stopped)
    }
}

#[pymethods]
impl PyWalk {
    /// The walk after a move of the defender. It may have fewer stones than the rules ask for, or
    /// none (`-`).
    fn defend(&self, py: Python<'_>, r#move: String) -> PyResult<PyWalk> {
        self.after(py, vec![r#move])
    }

    /// All moves from the certificate's position, in turn.
    #[getter]
    fn moves(&self) -> PyResult<Vec<String>> {
        Ok(self.doc()?.moves.clone())
    }

    /// The position after them.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<PyPosition> {
        let (game, mut now, mut moves) = (self.start.game(), self.start.clone(), Vec::<Move>::new());
        for text in &self.doc()?.moves {
            let mv = args::mv(py, "moves", game, text)?;
            now.play_partial(&mv).map_err(|error| errors::input(py, "moves", error))?;
            moves.push(mv);
        }
        Ok(PyPosition::after(self.start.clone(), moves, now))
    }

    /// The side that wins.
    #[getter]
    fn attacker(&self) -> &'static str {
        self.attacker.name()
    }

    /// The attacker's last reply; None before the first.
    #[getter]
    fn reply(&self) -> PyResult<Option<String>> {
        Ok(self.doc()?.reply.clone())
    }

    /// The part of the defender's move that the reply answers. Its other stones make no difference.
    #[getter]
    fn answers(&self) -> PyResult<Option<String>> {
        Ok(self.doc()?.answers.clone())
    }

    /// `open`, `unstoppable` (more threats than can be met) or `won`.
    #[getter]
    fn status(&self) -> PyResult<String> {
        Ok(self.doc()?.status.clone())
    }

    /// The zones Z1, Z2, ... of the win that the reply begins: where extra stones of the
    /// defender could matter. Empty where the reply connects.
    #[getter]
    fn zones(&self) -> PyResult<Vec<Vec<String>>> {
        Ok(self.doc()?.zones.clone())
    }

    /// The critical defences against the reply: every other move leaves a threat.
    #[getter]
    fn defences(&self) -> PyResult<Vec<String>> {
        Ok(self.doc()?.defences.clone())
    }

    /// The defender's moves, or parts of them, that the certificate answers here one by one.
    #[getter]
    fn named(&self) -> PyResult<Vec<String>> {
        Ok(self.doc()?.named.iter().map(|defence| defence.r#move.clone()).collect())
    }

    /// The zones as a numpy array of bool: one board for each zone, as `Position.array` has it.
    ///
    /// >>> from lambda6 import Position, solve
    /// >>> walk = solve(Position.of_stones(black=["j10", "j12", "i11"])).certificate.walk()
    /// >>> zones = walk.zones_array()
    /// >>> zones.shape, int(zones[0].sum()) == len(walk.zones[0])
    /// ((3, 19, 19), True)
    fn zones_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let game = self.start.game();
        let mut cells = Vec::new();
        for zone in &self.doc()?.zones {
            let board = cells.len();
            cells.resize(board + game.area(), 0_u8);
            for square in args::squares(py, "zones", game, zone)? {
                cells[board + square.index()] = 1;
            }
        }
        let shape = (self.doc()?.zones.len(), usize::from(game.rows()), usize::from(game.cols()));
        let cells = pyo3::types::PyBytes::new(py, &cells);
        py.import("lambda6._arrays")?.call_method1("of_bytes", (cells, "bool", shape))
    }

    /// The position with its zones as a picture in SVG. See `lambda6.svg.draw` for the options.
    #[pyo3(signature = (**options))]
    fn svg(slf: &Bound<'_, Self>, options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        slf.py().import("lambda6.svg")?.call_method("draw", (slf,), options)?.extract()
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        PyWalk::svg(slf, None)
    }

    fn __repr__(&self) -> PyResult<String> {
        let doc = self.doc()?;
        Ok(format!("<Walk: {}, {}>", doc.moves.join(" "), doc.status))
    }
}
