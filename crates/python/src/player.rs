//! The player.

use crate::{
    args::{self, GameArg},
    certificate::PyCertificate,
    errors,
    game::PyGame,
    position::PyPosition,
    watch::{self, Ended, Listener},
};
use lambda6_player::{Choice, Info, Level, PlayError, Player, PlayerOptions, chance};
use lambda6_proof::{Control, Observer, SystemClock};
use lambda6_rules::Game;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Plays a game at a level. It keeps its tables from move to move, and may be asked about
/// any position of its game.
///
/// Levels, the weakest first: `defense`, `novice`, `casual`, `kagami`, `club`, `strong`. Only `strong`
/// uses several threads and the opening book. `seed` is for the levels with random errors.
///
/// >>> from lambda6 import Player, Position
/// >>> player = Player(level="club", memory=1)
/// >>> choice = player.choose(Position("j10"), nodes=200)
/// >>> Position("j10").play(choice.move).to_move
/// 'black'
#[pyclass(name = "Player", module = "lambda6", frozen)]
pub(crate) struct PyPlayer {
    game: Game,
    options: PlayerOptions,
    /// Away while it thinks.
    player: Mutex<Option<Player>>,
}

/// A move with what the search knows of it.
#[pyclass(name = "Choice", module = "lambda6", frozen)]
pub(crate) struct PyChoice {
    game: Game,
    choice: Choice,
    certificate: Option<Py<PyCertificate>>,
}

impl PyChoice {
    fn new(py: Python<'_>, game: Game, mut choice: Choice) -> PyResult<PyChoice> {
        let made = |win: Box<lambda6_proof::Win>| Py::new(py, PyCertificate::made(win.into_certificate()));
        let certificate = choice.win.take().map(made).transpose()?;
        Ok(PyChoice { game, choice, certificate })
    }
}

#[pymethods]
impl PyChoice {
    /// The move.
    #[getter]
    fn r#move(&self) -> String {
        args::move_name(self.game, &self.choice.mv)
    }

    /// The score for the side to move: thousandths of the logarithm of the odds of winning.
    #[getter]
    fn score(&self) -> i32 {
        self.choice.score
    }

    /// The estimated chance of the side to move to win.
    #[getter]
    fn chance(&self) -> f64 {
        chance(self.choice.score)
    }

    /// The status of the position: `B:w` or `W:w` where a win is proved, `B1` to `B4` and `W1`
    /// to `W4` where a side is ahead, `stable` and `unstable1`, `unstable2` where none is.
    #[getter]
    fn status(&self) -> String {
        self.choice.status.to_string()
    }

    /// The side that is proved to win, or None.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.choice.status.winner().map(lambda6_rules::Side::name)
    }

    /// The proof of that win, or None.
    #[getter]
    fn certificate(&self, py: Python<'_>) -> Option<Py<PyCertificate>> {
        self.certificate.as_ref().map(|certificate| certificate.clone_ref(py))
    }

    /// The expected line, which begins with the move.
    #[getter]
    fn line(&self) -> Vec<String> {
        args::move_names(self.game, &self.choice.line)
    }

    /// The depth of the search in moves.
    #[getter]
    fn depth(&self) -> u32 {
        self.choice.depth
    }

    /// Positions searched.
    #[getter]
    fn nodes(&self) -> u64 {
        self.choice.nodes
    }

    fn __repr__(&self) -> String {
        format!("<Choice: {}, {}, chance {:.2}>", self.r#move(), self.status(), self.chance())
    }
}

/// A report of a player that is thinking.
#[pyclass(name = "Thinking", module = "lambda6", frozen, get_all)]
pub(crate) struct PyThinking {
    /// The depth of the search in moves.
    depth: u32,
    /// Positions searched.
    nodes: u64,
    /// The time used.
    seconds: f64,
    /// The score of the best move, for the side to move.
    score: i32,
    /// The expected line.
    line: Vec<String>,
}

#[pymethods]
impl PyThinking {
    fn __repr__(&self) -> String {
        format!("<Thinking: depth {}, {}>", self.depth, self.line.join(" "))
    }
}

struct Teller<'a, 'w>(&'a watch::Watched<'w, Info>);

impl Observer<Info> for Teller<'_, '_> {
    fn report(&mut self, info: &Info) {
        self.0.report(|| info.clone());
    }
}

#[pymethods]
impl PyPlayer {
    #[new]
    #[pyo3(signature = (game = None, *, level = "strong", threads = 1, memory = 64, seed = 0, openings = true))]
    fn new(
        py: Python<'_>,
        game: Option<GameArg<'_>>,
        level: &str,
        #[pyo3(from_py_with = args::whole)] threads: i64,
        #[pyo3(from_py_with = args::whole)] memory: i64,
        #[pyo3(from_py_with = args::whole)] seed: i64,
        openings: bool,
    ) -> PyResult<PyPlayer> {
        let game = game.map_or(Ok(Game::CONNECT6), |game| game.game(py))?;
        let options = PlayerOptions {
            level: args::parsed::<Level>(py, "level", level)?,
            threads: args::threads(py, threads)?,
            table_bytes: args::memory(py, memory)?,
            seed: args::within(py, "seed", seed, 0, args::MOST)?,
            openings,
        };
        Ok(PyPlayer { game, options, player: Mutex::new(None) })
    }

    /// The game.
    #[getter(game)]
    fn py_game(&self) -> PyGame {
        PyGame(self.game)
    }

    /// The level.
    #[getter]
    fn level(&self) -> &'static str {
        self.options.level.name()
    }

    /// The move to play within `time` seconds or `nodes` positions; without limits, within a
    /// number of positions that takes about a second. With `nodes` and one thread the answer
    /// is the same each time. `progress` is called with a `Thinking` a few times a second, and
    /// ends the search when it returns False.
    #[pyo3(signature = (position, *, time = None, nodes = None, progress = None))]
    fn choose(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyPosition>,
        time: Option<f64>,
        #[pyo3(from_py_with = args::optional)] nodes: Option<i64>,
        progress: Option<Listener>,
    ) -> PyResult<PyChoice> {
        let choices = self.ask(py, position.get(), time, nodes, progress, None)?;
        let first = choices.into_iter().next().ok_or_else(|| errors::search(py, PlayError::NothingLeft))?;
        PyChoice::new(py, self.game, first)
    }

    /// The best `count` moves, the best first, for analysis: without the opening book.
    #[pyo3(signature = (position, *, count = 5, time = None, nodes = None, progress = None))]
    fn candidates(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyPosition>,
        #[pyo3(from_py_with = args::whole)] count: i64,
        time: Option<f64>,
        #[pyo3(from_py_with = args::optional)] nodes: Option<i64>,
        progress: Option<Listener>,
    ) -> PyResult<Vec<PyChoice>> {
        let count = args::within(py, "count", count, 1, 10_000)? as usize;
        let choices = self.ask(py, position.get(), time, nodes, progress, Some(count))?;
        choices.into_iter().map(|choice| PyChoice::new(py, self.game, choice)).collect()
    }

    /// Forgets the game so far.
    fn reset(&self) {
        *self.player.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn __repr__(&self) -> String {
        format!("<Player of {}: {}>", self.game, self.level())
    }
}

impl PyPlayer {
    /// One move to play, or `count` moves for analysis.
    fn ask(
        &self,
        py: Python<'_>,
        position: &PyPosition,
        time: Option<f64>,
        nodes: Option<i64>,
        progress: Option<Listener>,
        count: Option<usize>,
    ) -> PyResult<Vec<Choice>> {
        let limits = args::limits(py, time, nodes, None)?;
        let (game, now) = (self.game, position.now.clone());
        // Two threads that ask at the same time use a player each; one is kept.
        let kept = self.player.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut player = kept.unwrap_or_else(|| Player::new(game, self.options));
        let tell = |py: Python<'_>, info: Option<Info>| {
            let (Some(listener), Some(info)) = (&progress, info) else { return Ok(true) };
            let thinking = PyThinking {
                depth: info.depth,
                nodes: info.nodes,
                seconds: info.elapsed.as_secs_f64(),
                score: info.score,
                line: args::move_names(game, &info.line),
            };
            listener.hear(py, thinking)
        };
        let ended = watch::run(py, limits.time, tell, move |watched| {
            let clock = SystemClock::start();
            let (control, teller) = (Control::new(limits, &clock, watched.stop), &mut Teller(watched));
            let choices = match count {
                None => player.choose(&now, control, teller).map(|choice| vec![choice]),
                Some(count) => player.candidates(&now, control, teller, count),
            };
            (choices, player)
        })?;
        let Ended::Done((choices, player)) = ended else {
            return Err(errors::search(py, "the player did not answer in time"));
        };
        *self.player.lock().unwrap_or_else(PoisonError::into_inner) = Some(player);
        choices.map_err(|error| match error {
            PlayError::Limits(_) => errors::input(py, "nodes", error),
            _ => errors::input(py, "position", error),
        })
    }
}
