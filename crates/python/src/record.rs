//! Game records.

use crate::{
    args::{self, GameArg},
    errors,
    game::PyGame,
    position::PyPosition,
};
use lambda6_rules::record::{self, Format, ReadOptions, Record, RecordNodeId, Rows, WriteOptions};
use pyo3::{prelude::*, types::PyBytes};
use std::{collections::BTreeMap, fs, path::PathBuf, sync::Arc};

/// A game with its variations, comments and marks.
///
/// >>> from lambda6 import Record
/// >>> record = Record.read("(;FF[4];B[j10]C[the centre];W[i11k11](;B[a1b1])(;B[k9l9]))")
/// >>> record.moves
/// ['j10', 'i11k11', 'a1b1']
/// >>> record.position(1)
/// Position('j10')
/// >>> [node.move for node in record.root.children[0].children[0].children]
/// ['a1b1', 'k9l9']
#[pyclass(name = "Record", module = "lambda6", frozen)]
pub(crate) struct PyRecord(Arc<Record>);

/// Bytes or text.
#[derive(FromPyObject)]
pub(crate) enum Content {
    #[pyo3(transparent, annotation = "str")]
    Text(String),
    #[pyo3(transparent, annotation = "bytes")]
    Bytes(Vec<u8>),
}

impl Content {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self {
            Content::Text(text) => text.into_bytes(),
            Content::Bytes(bytes) => bytes,
        }
    }
}

fn rows(py: Python<'_>, rows: Option<&str>) -> PyResult<Option<Rows>> {
    match rows {
        None => Ok(None),
        Some("top") => Ok(Some(Rows::FromTop)),
        Some("bottom") => Ok(Some(Rows::FromBottom)),
        Some(other) => Err(errors::input(py, "rows", format!("expected top or bottom, found {other:?}"))),
    }
}

#[pymethods]
impl PyRecord {
    /// Reads a record in any format: a list of moves, SGF as Little Golem writes it, SGF with
    /// GM[511], a contest record, a setup or the name of an opening. `rows` is the row that
    /// the letter a means in SGF with letter pairs, `top` or `bottom`, if the text does not
    /// say it.
    #[staticmethod]
    #[pyo3(signature = (text, *, game = None, rows = None))]
    fn read(
        py: Python<'_>,
        text: Content,
        game: Option<GameArg<'_>>,
        rows: Option<&str>,
    ) -> PyResult<PyRecord> {
        let options =
            ReadOptions { game: game.map(|game| game.game(py)).transpose()?, rows: self::rows(py, rows)? };
        let bytes = text.into_bytes();
        let read = py.detach(|| record::read_any(&bytes, &options));
        read.map(|record| PyRecord(Arc::new(record))).map_err(|error| errors::any(py, "text", &error))
    }

    /// Reads a file. See `read`.
    #[staticmethod]
    #[pyo3(signature = (path, *, game = None, rows = None))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        game: Option<GameArg<'_>>,
        rows: Option<&str>,
    ) -> PyResult<PyRecord> {
        PyRecord::read(py, Content::Bytes(fs::read(&path)?), game, rows)
    }

    /// A record of these moves from the empty board.
    ///
    /// >>> from lambda6 import Record
    /// >>> Record.of_moves(["j10", "i11k11"]).write("little-golem")
    /// b'(;FF[4];B[j10];W[i11k11])\n'
    #[staticmethod]
    #[pyo3(signature = (moves, *, game = None))]
    fn of_moves(py: Python<'_>, moves: Vec<String>, game: Option<GameArg<'_>>) -> PyResult<PyRecord> {
        let game = game.map_or(Ok(lambda6_rules::Game::CONNECT6), |game| game.game(py))?;
        let mv = |(i, text): (usize, &String)| args::mv(py, &format!("moves[{i}]"), game, text);
        let moves = moves.iter().enumerate().map(mv).collect::<PyResult<Vec<_>>>()?;
        let made = Record::from_moves(game, &moves);
        made.map(|record| PyRecord(Arc::new(record))).map_err(|error| errors::record(py, "moves", &error))
    }

    /// The game.
    #[getter(game)]
    fn py_game(&self) -> PyGame {
        PyGame(self.0.game())
    }

    /// The format that it was read from.
    #[getter]
    fn format(&self) -> &'static str {
        self.0.format().name()
    }

    /// The moves of the main line.
    #[getter]
    fn moves(&self) -> Vec<String> {
        args::move_names(self.0.game(), &self.0.main_line())
    }

    /// What is said of the game as a whole: `black`, `white`, `event`, `result`, `date`, `place`,
    /// `source`. What is not known is left out.
    #[getter]
    fn info(&self) -> BTreeMap<&'static str, String> {
        let info = &self.0.info;
        let facts = [
            ("black", &info.black),
            ("white", &info.white),
            ("event", &info.event),
            ("result", &info.result),
            ("date", &info.date),
            ("place", &info.place),
            ("source", &info.source),
        ];
        facts
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(key, text)| (key, text.clone()))
            .collect()
    }

    /// The node before the first move.
    #[getter]
    fn root(&self) -> PyRecordNode {
        PyRecordNode { record: Arc::clone(&self.0), id: self.0.root() }
    }

    /// The position after so many moves of the main line, or after all of them.
    #[pyo3(signature = (after = None))]
    fn position(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = args::optional)] after: Option<i64>,
    ) -> PyResult<PyPosition> {
        let after = after.map(|after| args::within(py, "after", after, 0, u32::MAX.into())).transpose()?;
        let after = after.map(|after| after as usize);
        let now = self.0.position_at(after).map_err(|error| errors::record(py, "after", &error))?;
        let mut moves = self.0.main_line();
        moves.truncate(after.unwrap_or(moves.len()));
        Ok(PyPosition::after(self.0.start().clone(), moves, now))
    }

    /// The record in a format: `move-list`, `little-golem`, `gm511`, `gm511-pairs` or `contest`.
    /// What the format cannot carry is an error, or left out with `lossy`.
    #[pyo3(signature = (format = "little-golem", *, lossy = false, rows = None))]
    fn write<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        lossy: bool,
        rows: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let format: Format = args::parsed(py, "format", format)?;
        let options = WriteOptions { rows: self::rows(py, rows)?, lossy };
        let bytes = self.0.write(format, &options).map_err(|error| errors::input(py, "format", error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __repr__(&self) -> String {
        format!("<Record of {}: {} moves, {}>", self.0.game(), self.0.main_line().len(), self.format())
    }
}

/// A node of a record: a move or a part of one, with a comment and the variations that
/// follow.
#[pyclass(name = "RecordNode", module = "lambda6", frozen)]
pub(crate) struct PyRecordNode {
    record: Arc<Record>,
    id: RecordNodeId,
}

#[pymethods]
impl PyRecordNode {
    /// The stones placed here, or None.
    #[getter]
    fn r#move(&self) -> Option<String> {
        let (_, mv) = self.record.node(self.id).stones()?;
        Some(args::move_name(self.record.game(), &mv))
    }

    /// The side that places them, or None.
    #[getter]
    fn side(&self) -> Option<&'static str> {
        Some(self.record.node(self.id).stones()?.0.name())
    }

    /// The comment; empty where there is none.
    #[getter]
    fn comment(&self) -> String {
        self.record.node(self.id).comment().to_string()
    }

    /// The nodes that follow: the main line first.
    #[getter]
    fn children(&self) -> Vec<PyRecordNode> {
        let node = |id| PyRecordNode { record: Arc::clone(&self.record), id };
        self.record.children(self.id).map(node).collect()
    }

    /// The moves from the start up to here. A move of which only a part is here is left out.
    #[getter]
    fn moves(&self) -> Vec<String> {
        args::move_names(self.record.game(), &self.record.moves_to(self.id))
    }

    /// The position after these moves.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<PyPosition> {
        let (mut now, moves) = (self.record.start().clone(), self.record.moves_to(self.id));
        for mv in &moves {
            now.play(mv).map_err(|error| errors::input(py, "record", error))?;
        }
        Ok(PyPosition::after(self.record.start().clone(), moves, now))
    }

    fn __repr__(&self) -> String {
        match self.record.node(self.id).stones() {
            Some((side, mv)) => format!("<RecordNode: {side} {}>", args::move_name(self.record.game(), &mv)),
            None => "<RecordNode>".to_string(),
        }
    }
}
