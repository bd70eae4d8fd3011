//! The sets of puzzles that come with lambda6.

use crate::{
    args::{self, GameArg},
    position::PyPosition,
};
use lambda6_api::Puzzles;
use lambda6_rules::{Game, Position};
use pyo3::prelude::*;

/// A position with a forced win of the side to move.
#[pyclass(name = "Puzzle", module = "lambda6", frozen, get_all)]
pub(crate) struct PyPuzzle {
    /// Such as `2.7`: the seventh of the second grade.
    id: String,
    /// From 1, easy, to 5.
    grade: u8,
    /// The class of moves that suffices: `vcdt` or `vcst`, in go-moku `vcf` or `vct`.
    class_: String,
    /// The moves that the winner needs.
    length: u32,
    /// The position.
    position: Py<PyPosition>,
}

#[pymethods]
impl PyPuzzle {
    fn __repr__(&self) -> String {
        format!("<Puzzle {}: {}, {} moves>", self.id, self.class_, self.length)
    }
}

/// The puzzles of a game, in order of their grades: positions made by self-play, the win of
/// each proved.
///
/// >>> from lambda6 import puzzles
/// >>> len(puzzles()), len(puzzles("go-moku"))
/// (60, 81)
/// >>> puzzles()[0].class_
/// 'vcdt'
#[pyfunction]
#[pyo3(signature = (game = None))]
pub(crate) fn puzzles(py: Python<'_>, game: Option<GameArg<'_>>) -> PyResult<Vec<PyPuzzle>> {
    let game = game.map_or(Ok(Game::CONNECT6), |game| game.game(py))?;
    let name = game.to_string();
    // In a defence the other side wins but for one move.
    let is_win = |theme: &str| theme != "defence";
    let of_game = Puzzles::all().puzzles.iter().filter(|puzzle| puzzle.game == name && is_win(&puzzle.theme));
    of_game
        .map(|puzzle| {
            let (start, mut now) = (Position::new(game), Position::new(game));
            let mut moves = Vec::new();
            for text in &puzzle.moves {
                let mv = args::mv(py, "moves", game, text)?;
                now.play(&mv).map_err(|error| crate::errors::input(py, "moves", error))?;
                moves.push(mv);
            }
            let position = Py::new(py, PyPosition::after(start, moves, now))?;
            let (id, class_) = (puzzle.id.clone(), puzzle.class.clone());
            Ok(PyPuzzle { id, grade: puzzle.grade, class_, length: puzzle.length, position })
        })
        .collect()
}
