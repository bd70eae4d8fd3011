//! Games of the family.

use crate::{args, errors};
use lambda6_rules::{Game, Square};
use pyo3::prelude::*;

/// A game Connect(m,n,k,p,q): two players place `p` stones a move (`q` on the first
/// move of the game) on a board of `m` columns and `n` rows; the first with `k` of their
/// own in a row wins.
///
/// >>> from lambda6 import Game
/// >>> Game(19, 19, 6, 2, 1)
/// Game.parse('connect6')
/// >>> Game.parse("go-moku").numbers
/// (15, 15, 5, 1, 1)
/// >>> Game(7, 6, 4, 1, 1).name is None
/// True
#[pyclass(name = "Game", module = "lambda6", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyGame(pub(crate) Game);

/// What pickling keeps of an object: a function that makes it again, and its arguments.
pub(crate) type Reduced<A> = (Py<PyAny>, A);

/// The five numbers of a game.
type Numbers = (u8, u8, u8, u8, u8);

#[pymethods]
impl PyGame {
    #[new]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = args::whole)] m: i64,
        #[pyo3(from_py_with = args::whole)] n: i64,
        #[pyo3(from_py_with = args::whole)] k: i64,
        #[pyo3(from_py_with = args::whole)] p: i64,
        #[pyo3(from_py_with = args::whole)] q: i64,
    ) -> PyResult<PyGame> {
        let number =
            |field, number| Ok::<u32, PyErr>(args::within(py, field, number, 0, u32::MAX.into())? as u32);
        let game =
            Game::new(number("m", m)?, number("n", n)?, number("k", k)?, number("p", p)?, number("q", q)?);
        game.map(PyGame).map_err(|error| match error {
            lambda6_rules::GameError::OutOfRange { name, value, low, high } => {
                errors::input(py, name, format!("expected {low} to {high}, found {value}"))
            }
            other => errors::input(py, "game", other),
        })
    }

    /// A game by its name (`connect6`, `go-moku`, `tic-tac-toe`) or its five numbers.
    ///
    /// >>> from lambda6 import Game
    /// >>> Game.parse("9 9 6 2 1")
    /// Game(9, 9, 6, 2, 1)
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<PyGame> {
        args::parsed(py, "game", text).map(PyGame)
    }

    /// The number of columns.
    #[getter]
    fn m(&self) -> u8 {
        self.0.cols()
    }

    /// The number of rows.
    #[getter]
    fn n(&self) -> u8 {
        self.0.rows()
    }

    /// How many in a row win.
    #[getter]
    fn k(&self) -> u8 {
        self.0.k()
    }

    /// How many stones a move places.
    #[getter]
    fn p(&self) -> u8 {
        self.0.p()
    }

    /// How many stones the first move of the game places.
    #[getter]
    fn q(&self) -> u8 {
        self.0.q()
    }

    /// The five numbers m, n, k, p, q.
    #[getter]
    fn numbers(&self) -> Numbers {
        (self.m(), self.n(), self.k(), self.p(), self.q())
    }

    /// The name, if the game has one.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        self.0.name()
    }

    /// The names of all squares, row by row from the top, as the arrays have them.
    ///
    /// >>> from lambda6 import TIC_TAC_TOE
    /// >>> TIC_TAC_TOE.squares
    /// ['a3', 'b3', 'c3', 'a2', 'b2', 'c2', 'a1', 'b1', 'c1']
    #[getter]
    fn squares(&self) -> Vec<String> {
        args::square_names(self.0, self.0.squares())
    }

    /// The row and the column of a square in the arrays: row 0 is the highest.
    ///
    /// >>> from lambda6 import CONNECT6
    /// >>> CONNECT6.index("j10")
    /// (9, 9)
    fn index(&self, py: Python<'_>, square: &str) -> PyResult<(usize, usize)> {
        let square = self.0.parse_square(square).map_err(|error| errors::input(py, "square", error))?;
        let columns = usize::from(self.0.cols());
        Ok((square.index() / columns, square.index() % columns))
    }

    /// The name of the square at a row and a column of the arrays.
    ///
    /// >>> from lambda6 import CONNECT6
    /// >>> CONNECT6.square(0, 0)
    /// 'a19'
    fn square(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = args::whole)] row: i64,
        #[pyo3(from_py_with = args::whole)] column: i64,
    ) -> PyResult<String> {
        let row = args::within(py, "row", row, 0, u64::from(self.0.rows()) - 1)? as usize;
        let column = args::within(py, "column", column, 0, u64::from(self.0.cols()) - 1)? as usize;
        Ok(self.0.square_name(Square::new(row * usize::from(self.0.cols()) + column)))
    }

    /// The squares of a move, one by one.
    ///
    /// >>> from lambda6 import CONNECT6
    /// >>> CONNECT6.stones("i8h9")
    /// ['i8', 'h9']
    fn stones(&self, py: Python<'_>, r#move: &str) -> PyResult<Vec<String>> {
        let mv = args::mv(py, "move", self.0, r#move)?;
        Ok(args::square_names(self.0, mv.iter()))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    pub(crate) fn __repr__(&self) -> String {
        match self.0.name() {
            Some(name) => format!("Game.parse({name:?})").replace('"', "'"),
            None => format!("Game{:?}", self.numbers()),
        }
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<Reduced<Numbers>> {
        Ok((slf.get_type().into_any().unbind(), slf.get().numbers()))
    }
}
