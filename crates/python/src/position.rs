//! Positions.

use crate::{
    args::{self, GameArg},
    errors,
    game::{PyGame, Reduced},
};
use lambda6_rules::{
    Game, Move, Outcome, Position, Setup, Side, Symmetry, opening,
    record::{self, ReadOptions},
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict},
};

/// A position: stones on a board and a side to move. Positions do not change; `play`
/// returns the next one.
///
/// The text is whatever the command line takes for a position: a list of moves, the name of
/// an opening, a setup, or a game record, of which the last position counts. Without a text
/// it is the empty board. Squares are named `j10`, moves `i8h9`, sides `black` and `white`.
///
/// >>> from lambda6 import Position
/// >>> position = Position("j10 i8h9 k11l10")
/// >>> position.to_move, position.moves
/// ('white', ['j10', 'i8h9', 'k11l10'])
/// >>> position == Position("TX-H9").play("k11l10")
/// True
/// >>> Position("j10 i8h9 k11h9")
/// Traceback (most recent call last):
/// lambda6.errors.RecordError: text: line 1, column 10: move 3: h9 is occupied by a white stone
#[pyclass(name = "Position", module = "lambda6", frozen)]
#[derive(Clone)]
pub(crate) struct PyPosition {
    pub(crate) now: Position,
    start: Position,
    moves: Vec<Move>,
}

impl PyPosition {
    /// A position without moves that led there.
    pub(crate) fn alone(position: Position) -> PyPosition {
        PyPosition { start: position.clone(), now: position, moves: Vec::new() }
    }

    /// The position after these moves.
    pub(crate) fn after(start: Position, moves: Vec<Move>, now: Position) -> PyPosition {
        PyPosition { now, start, moves }
    }

    pub(crate) fn game(&self) -> Game {
        self.now.game()
    }

    fn image(&self, symmetry: Symmetry) -> PyPosition {
        let moves = self.moves.iter().map(|mv| symmetry.apply_to_move(self.game(), mv));
        PyPosition {
            now: self.now.transformed(symmetry),
            start: self.start.transformed(symmetry),
            moves: moves.collect(),
        }
    }

    fn played(&self, py: Python<'_>, mv: Move, partial: bool) -> PyResult<PyPosition> {
        let mut now = self.now.clone();
        let done = if partial { now.play_partial(&mv) } else { now.play(&mv) };
        done.map_err(|error| errors::input(py, "move", error))?;
        let mut moves = self.moves.clone();
        moves.push(mv);
        Ok(PyPosition { now, start: self.start.clone(), moves })
    }
}

/// The name of an outcome.
pub(crate) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(side) => side.name(),
        Outcome::Draw => "draw",
    }
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (text = "", game = None))]
    fn new(py: Python<'_>, text: &str, game: Option<GameArg<'_>>) -> PyResult<PyPosition> {
        let game = game.map(|game| game.game(py)).transpose()?;
        if text.trim().is_empty() {
            return Ok(PyPosition::alone(Position::new(game.unwrap_or(Game::CONNECT6))));
        }
        let options = ReadOptions { game, rows: None };
        let read =
            record::read_any(text.as_bytes(), &options).map_err(|error| errors::any(py, "text", &error))?;
        let now = read.position_at(None).map_err(|error| errors::record(py, "text", &error))?;
        Ok(PyPosition { now, start: read.start().clone(), moves: read.main_line() })
    }

    /// A position with these stones, whether a game can reach it or not.
    ///
    /// >>> from lambda6 import Position
    /// >>> Position.of_stones(black=["j10", "j12", "i11"], to_move="white").black
    /// ['j12', 'i11', 'j10']
    #[staticmethod]
    #[pyo3(signature = (*, black = Vec::new(), white = Vec::new(), to_move = "black", game = None))]
    fn of_stones(
        py: Python<'_>,
        black: Vec<String>,
        white: Vec<String>,
        to_move: &str,
        game: Option<GameArg<'_>>,
    ) -> PyResult<PyPosition> {
        let game = game.map_or(Ok(Game::CONNECT6), |game| game.game(py))?;
        let setup = Setup {
            game,
            black: args::squares(py, "black", game, &black)?,
            white: args::squares(py, "white", game, &white)?,
            to_move: args::side(py, "to_move", to_move)?,
        };
        setup.position().map(PyPosition::alone).map_err(|error| errors::input(py, "stones", error))
    }

    /// The game.
    #[getter(game)]
    fn py_game(&self) -> PyGame {
        PyGame(self.game())
    }

    /// The side to move.
    #[getter]
    fn to_move(&self) -> &'static str {
        self.now.to_move().name()
    }

    /// The moves that led here from `start`.
    #[getter]
    fn moves(&self) -> Vec<String> {
        args::move_names(self.game(), &self.moves)
    }

    /// The position before `moves`: the empty board, unless stones were set up.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition::alone(self.start.clone())
    }

    /// The squares with black stones, row by row from the top.
    #[getter]
    fn black(&self) -> Vec<String> {
        args::square_names(self.game(), self.now.stones(Side::Black))
    }

    /// The squares with white stones.
    #[getter]
    fn white(&self) -> Vec<String> {
        args::square_names(self.game(), self.now.stones(Side::White))
    }

    /// The empty squares.
    #[getter]
    fn empty(&self) -> Vec<String> {
        args::square_names(self.game(), self.now.empty_squares())
    }

    /// How many stones the next move has; 0 when the game is over.
    #[getter]
    fn stones_to_place(&self) -> usize {
        if self.now.outcome().is_some() { 0 } else { self.now.stones_to_place() }
    }

    /// `black` or `white` if that side has won, `draw` if the board is full, None while the
    /// game goes on.
    ///
    /// >>> from lambda6 import Position
    /// >>> Position("a1 a2 b1 b2 c1", game="tic-tac-toe").outcome
    /// 'black'
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.now.outcome().map(outcome_name)
    }

    /// Whether a game can have these numbers of stones with this side to move.
    #[getter]
    fn reachable(&self) -> bool {
        self.now.reachable().is_ok()
    }

    /// The name of the opening of Connect6 with which the game began.
    #[getter]
    fn opening(&self) -> Option<String> {
        let [first, second, ..] = &self.moves[..] else { return None };
        let (centre, empty) = (Move::single(Game::CONNECT6.square(9, 9)), Position::new(Game::CONNECT6));
        match second.squares() {
            &[a, b] if self.start == empty && *first == centre => opening::name(a, b),
            _ => None,
        }
    }

    /// The stones and the side to move as text, which `Position` reads while the game goes on.
    ///
    /// >>> from lambda6 import Position
    /// >>> print(Position("j10 i8h9").setup, end="")
    /// game: 19 19 6 2 1
    /// black: j10
    /// white: h9 i8
    /// to-move: black
    #[getter]
    fn setup(&self) -> String {
        self.now.setup().to_string()
    }

    /// The side that has a stone on a square, if one has.
    ///
    /// >>> from lambda6 import Position
    /// >>> Position("j10").at("j10"), Position("j10").at("a1")
    /// ('black', None)
    fn at(&self, py: Python<'_>, square: &str) -> PyResult<Option<&'static str>> {
        let square = self.game().parse_square(square).map_err(|error| errors::input(py, "square", error))?;
        Ok(self.now.at(square).map(Side::name))
    }

    /// The position after a move. With `partial` it may have fewer stones than the rules ask
    /// for, or none (`-`), as analyses use them.
    ///
    /// >>> from lambda6 import Position
    /// >>> Position("j10").play("i8h9").to_move
    /// 'black'
    /// >>> Position("j10").play("i8")
    /// Traceback (most recent call last):
    /// lambda6.errors.InputError: move: the move has 1 stone, expected 2
    #[pyo3(signature = (r#move, *, partial = false))]
    fn play(&self, py: Python<'_>, r#move: &str, partial: bool) -> PyResult<PyPosition> {
        let mv = args::mv(py, "move", self.game(), r#move)?;
        self.played(py, mv, partial)
    }

    /// The images of this position under the symmetries of the board, itself first.
    ///
    /// >>> from lambda6 import Position
    /// >>> len(Position("j10 i8h9").symmetries()), len(set(Position("j10").symmetries()))
    /// (8, 1)
    fn symmetries(&self) -> Vec<PyPosition> {
        Symmetry::of(self.game()).map(|symmetry| self.image(symmetry)).collect()
    }

    /// The image that stands for all of them: equal for positions that are symmetric.
    ///
    /// >>> from lambda6 import Position
    /// >>> Position("j10 i8h9").canonical() == Position("j10 k8l9").canonical()
    /// True
    fn canonical(&self) -> PyPosition {
        self.image(self.now.canonical().1)
    }

    /// The board as a numpy array of int8 with a row for each row of the board, the highest
    /// first: 0 for empty squares, 1 for black stones, 2 for white ones. `Game.index` gives
    /// the place of a square.
    ///
    /// >>> from lambda6 import Position
    /// >>> board = Position("j10 i8h9").array()
    /// >>> board.shape, board[9, 9], int((board == 2).sum())
    /// ((19, 19), np.int8(1), 2)
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let game = self.game();
        let shape = (usize::from(game.rows()), usize::from(game.cols()));
        py.import("lambda6._arrays")?.call_method1("of_bytes", (self.cells(py), "int8", shape))
    }

    /// The board as bytes, square by square as in `array`.
    fn cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let cell = |square| self.now.at(square).map_or(0, |side| side.index() as u8 + 1);
        PyBytes::new(py, &self.game().squares().map(cell).collect::<Vec<u8>>())
    }

    /// The position as a picture in SVG. See `lambda6.svg.draw` for the options.
    #[pyo3(signature = (**options))]
    fn svg(slf: &Bound<'_, Self>, options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        slf.py().import("lambda6.svg")?.call_method("draw", (slf,), options)?.extract()
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        PyPosition::svg(slf, None)
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("lambda6._text")?.call_method1("board", (slf,))?.extract()
    }

    fn __repr__(&self) -> String {
        let mut moves: String = self.moves().join(" ");
        let game = PyGame(self.game()).__repr__();
        if self.start != Position::new(self.game()) {
            let stones = |side| self.now.stone_count(side);
            let (black, white) = (stones(Side::Black), stones(Side::White));
            return format!("<Position of {game}: {black} black, {white} white, {} to move>", self.to_move());
        }
        moves = format!("'{moves}'");
        if self.game() == Game::CONNECT6 {
            format!("Position({moves})")
        } else {
            format!("Position({moves}, {game})")
        }
    }

    fn __eq__(&self, other: &PyPosition) -> bool {
        self.now == other.now
    }

    fn __hash__(&self) -> u64 {
        self.now.key()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<Reduced<(String, Vec<String>)>> {
        let restore = slf.get_type().getattr("_restored")?.unbind();
        Ok((restore, (slf.get().start.setup().to_string(), slf.get().moves())))
    }

    /// A position that was pickled.
    #[staticmethod]
    fn _restored(py: Python<'_>, start: &str, moves: Vec<String>) -> PyResult<PyPosition> {
        let setup = Setup::parse(start).map_err(|error| errors::input(py, "start", error))?;
        let start = setup.position().map_err(|error| errors::input(py, "start", error))?;
        moves.iter().try_fold(PyPosition::alone(start), |position, text| {
            let mv = args::mv(py, "moves", position.game(), text)?;
            let whole = position.now.stones_to_place() == mv.len();
            position.played(py, mv, !whole)
        })
    }
}
