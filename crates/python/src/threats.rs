//! Threats and defences of positions.

use crate::{args, errors, position::PyPosition};
use lambda6_rules::{Game, Move, Square};
use lambda6_threats::{
    Attack, Board, Defences, ThreatCount, ThreatMoves, defence, rows,
    sight::{self, MAX_COUNTED_P},
};
use pyo3::prelude::*;
use std::collections::BTreeSet;

/// The moves that make threats: sets of stones no proper subset of which makes them.
#[pyclass(name = "ThreatMoves", module = "lambda6", frozen, get_all)]
pub(crate) struct PyThreatMoves {
    /// Moves that win at once. Where there is one, nothing else is listed.
    winning: Vec<String>,
    /// Those that leave the defender no stone to spare: double threats in Connect6.
    full: Vec<String>,
    /// Those that leave the defender stones to spare: single threats in Connect6.
    partial: Vec<String>,
}

#[pymethods]
impl PyThreatMoves {
    fn __repr__(&self) -> String {
        let PyThreatMoves { winning, full, partial } = self;
        format!("<ThreatMoves: {} winning, {} full, {} partial>", winning.len(), full.len(), partial.len())
    }
}

/// The empty squares on which one stone makes threats.
#[pyclass(name = "ThreatCells", module = "lambda6", frozen, get_all)]
pub(crate) struct PyThreatCells {
    /// One threat.
    single: Vec<String>,
    /// Two threats or more.
    double: Vec<String>,
}

#[pymethods]
impl PyThreatCells {
    fn __repr__(&self) -> String {
        format!("<ThreatCells: {} single, {} double>", self.single.len(), self.double.len())
    }
}

/// A row of stones as players of go-moku name it.
#[pyclass(name = "Row", module = "lambda6", frozen, get_all)]
pub(crate) struct PyRow {
    /// `open four`, `four`, `open three` or `three`.
    name: String,
    /// Its stones.
    stones: Vec<String>,
    /// Where one stone more completes it or, of a three, makes the best four of it.
    next: Vec<String>,
}

#[pymethods]
impl PyRow {
    fn __repr__(&self) -> String {
        format!("<Row: {} {}>", self.name, self.stones.join(" "))
    }
}

#[pymethods]
impl PyPosition {
    /// The threats of a side: sets of empty squares that complete a row within one move.
    ///
    /// >>> from lambda6 import Position
    /// >>> position = Position.of_stones(black=["b5", "c5", "d5", "e5"], to_move="white")
    /// >>> position.threats("black")
    /// ['a5f5', 'f5g5']
    fn threats(&self, py: Python<'_>, side: &str) -> PyResult<Vec<String>> {
        let side = args::side(py, "side", side)?;
        let mut sets = BTreeSet::new();
        defence::for_each_threat(&Board::from_position(&self.now), side, |threat| {
            sets.insert(*threat);
        });
        Ok(sets.iter().map(|threat| args::move_name(self.game(), &threat.sorted())).collect())
    }

    /// The number of threats of a side: the least number of stones that meets them all. One
    /// more than a move has stands for more than can be met.
    ///
    /// >>> from lambda6 import Position
    /// >>> position = Position.of_stones(black=["b5", "c5", "d5", "e5"], to_move="white")
    /// >>> position.threat_count("black"), position.threat_count("white")
    /// (1, 0)
    fn threat_count(&self, py: Python<'_>, side: &str) -> PyResult<u8> {
        self.refuse_many_stones(py)?;
        let side = args::side(py, "side", side)?;
        Ok(match defence::count(&Board::from_position(&self.now), side) {
            ThreatCount::Exactly(count) => count,
            ThreatCount::More => self.game().p() + 1,
        })
    }

    /// The critical defences of the side to move: the smallest sets of stones that meet every
    /// threat of the other side. Empty where there is no threat, and where nothing meets
    /// them.
    ///
    /// >>> from lambda6 import Position
    /// >>> Position.of_stones(black=["b5", "c5", "d5", "e5"], to_move="white").defences()
    /// ['a5g5', 'f5']
    fn defences(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.refuse_many_stones(py)?;
        let mut defences = Defences::default();
        defences.find(&Board::from_position(&self.now), self.now.to_move().other());
        Ok(args::move_names(self.game(), defences.iter()))
    }

    /// The moves that make threats, of a side or of the side to move. Where the other side has
    /// threats, they meet them too.
    ///
    /// >>> from lambda6 import Position
    /// >>> Position.of_stones(black=["a1", "b1", "c1"]).threat_moves().partial
    /// ['d1', 'e1', 'f1']
    #[pyo3(signature = (side = None))]
    fn threat_moves(&self, py: Python<'_>, side: Option<&str>) -> PyResult<PyThreatMoves> {
        let side = side.map_or(Ok(self.now.to_move()), |side| args::side(py, "side", side))?;
        if self.now.outcome().is_some() {
            return Err(errors::input(py, "position", "the game is over"));
        }
        let (mut board, mut moves) = (Board::from_position(&self.now), ThreatMoves::default());
        let (mut calls, mut raised) = (0_u32, None);
        let mut go_on = || {
            calls = calls.wrapping_add(1);
            if calls.is_multiple_of(SIGNALS_EVERY) {
                raised = py.check_signals().err();
            }
            raised.is_none()
        };
        let _ = Attack::new(self.game()).threat_moves_while(&mut board, side, &mut moves, &mut go_on);
        if let Some(error) = raised {
            return Err(error);
        }
        let names = |moves: &[Move]| args::move_names(self.game(), moves);
        Ok(PyThreatMoves {
            winning: names(&moves.winning),
            full: names(&moves.full),
            partial: names(&moves.partial),
        })
    }

    /// The empty squares on which one stone of a side makes threats. None where the side
    /// has threats already: it wins by completing them.
    ///
    /// >>> from lambda6 import Position
    /// >>> Position.of_stones(black=["a1", "b1", "c1"]).threat_cells("black").single
    /// ['d1', 'e1', 'f1']
    fn threat_cells(&self, py: Python<'_>, side: &str) -> PyResult<PyThreatCells> {
        self.refuse_many_stones(py)?;
        let side = args::side(py, "side", side)?;
        let cells = match self.now.outcome() {
            Some(_) => sight::Cells::default(),
            None => sight::threat_cells(&mut Board::from_position(&self.now), side),
        };
        let names = |squares: Vec<Square>| args::square_names(self.game(), squares);
        Ok(PyThreatCells { single: names(cells.single), double: names(cells.double) })
    }

    /// The fours and threes of a side, the strongest first; none in games with more than one
    /// stone a move.
    ///
    /// >>> from lambda6 import GO_MOKU, Position
    /// >>> Position("h8 a1 h9 b1 h10 c1", GO_MOKU).rows("black")
    /// [<Row: open three h10 h9 h8>]
    fn rows(&self, py: Python<'_>, side: &str) -> PyResult<Vec<PyRow>> {
        let side = args::side(py, "side", side)?;
        let names = |squares: Vec<Square>| args::square_names(self.game(), squares);
        let found = rows(&Board::from_position(&self.now), side).into_iter();
        Ok(found
            .map(|row| PyRow { name: row.name(), stones: names(row.stones), next: names(row.next) })
            .collect())
    }

    /// The stones of the row that won; none while the game goes on.
    ///
    /// >>> from lambda6 import Position
    /// >>> Position("a1 a2 b1 b2 c1", "tic-tac-toe").winning_row()
    /// ['a1', 'b1', 'c1']
    fn winning_row(&self) -> Vec<String> {
        args::square_names(self.game(), sight::winning_row(&self.now).unwrap_or_default())
    }
}

/// Calls of a function that is called every few microseconds between two looks at signals.
const SIGNALS_EVERY: u32 = 1024;

impl PyPosition {
    /// The number of defences grows like p to the power of p.
    fn refuse_many_stones(&self, py: Python<'_>) -> PyResult<()> {
        let game: Game = self.game();
        if game.p() <= MAX_COUNTED_P {
            return Ok(());
        }
        let reason =
            format!("threats are counted for at most {MAX_COUNTED_P} stones a move, not for {}", game.p());
        Err(errors::input(py, "game", reason))
    }
}
