//! Searches for wins, of one position and of many.

use crate::{
    args,
    certificate::PyCertificate,
    errors,
    position::PyPosition,
    watch::{self, Ended, Listener},
};
use lambda6_proof::{
    Budget, Observer, Progress, Silent, SolveError, Solver, SolverOptions, Strategy, SystemClock, Verdict,
    Why,
};
use lambda6_rules::{Game, Move, Position, Side};
use lambda6_search::runner::{self, RunError};
use pyo3::prelude::*;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// What a search found: a proved win with its certificate, or the reason why there is
/// none. It is true where the win is proved.
#[pyclass(name = "SolveResult", module = "lambda6", frozen)]
pub(crate) struct PySolveResult {
    game: Game,
    attacker: Side,
    proof: Result<Py<PyCertificate>, Why>,
    line: Vec<Move>,
    #[pyo3(get)]
    /// Moves of the attacker tried.
    nodes: u64,
    elapsed: Duration,
}

#[pymethods]
impl PySolveResult {
    /// Whether the attacker's win is proved.
    #[getter]
    fn proved(&self) -> bool {
        self.proof.is_ok()
    }

    /// The side whose win was searched for.
    #[getter]
    fn attacker(&self) -> &'static str {
        self.attacker.name()
    }

    /// The proof, or None.
    #[getter]
    fn certificate(&self, py: Python<'_>) -> Option<Py<PyCertificate>> {
        self.proof.as_ref().ok().map(|certificate| certificate.clone_ref(py))
    }

    /// Why there is no proof, in a word: `exhausted` or `narrowed` after a search that tried
    /// all it could, `time`, `nodes`, `depth`, `memory` or `stopped` after one that was ended.
    /// None where the win is proved.
    #[getter]
    fn why(&self) -> Option<&'static str> {
        self.proof.as_ref().err().map(|why| why.name())
    }

    /// The same in a sentence.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.proof.as_ref().err().map(ToString::to_string)
    }

    /// The line in which the defender holds out longest, up to the row; empty without a proof.
    #[getter]
    fn line(&self) -> Vec<String> {
        args::move_names(self.game, &self.line)
    }

    /// The attacker's moves in that line, or None.
    #[getter]
    fn length(&self) -> Option<usize> {
        self.proof.is_ok().then(|| self.line.len().div_ceil(2))
    }

    /// The time of the search.
    #[getter]
    fn seconds(&self) -> f64 {
        self.elapsed.as_secs_f64()
    }

    fn __bool__(&self) -> bool {
        self.proved()
    }

    fn __repr__(&self) -> String {
        match (&self.proof, self.line.first()) {
            (Ok(_), first) => {
                let first = first.map_or_else(String::new, |mv| args::move_name(self.game, mv));
                format!("<SolveResult: {} wins with {first}, {} moves tried>", self.attacker, self.nodes)
            }
            (Err(why), _) => format!("<SolveResult: not proved, {}, {} moves tried>", why.name(), self.nodes),
        }
    }
}

/// A report of a search under way.
#[pyclass(name = "Progress", module = "lambda6", frozen, get_all)]
pub(crate) struct PyProgress {
    /// Moves of the attacker tried.
    nodes: u64,
    /// The depth it is searching to.
    depth: u32,
    /// The time used.
    seconds: f64,
    /// The line that is being searched.
    line: Vec<String>,
    /// The proof number and the disproof number, where the search keeps them.
    numbers: Option<(u32, u32)>,
    /// The defences that are not refuted yet, where the defender is to move.
    left: Option<usize>,
}

#[pymethods]
impl PyProgress {
    fn __repr__(&self) -> String {
        format!("<Progress: {} moves tried in {:.1} s>", self.nodes, self.seconds)
    }
}

/// Calls a Python function with reports; the work goes on unless it returns False.
pub(crate) fn tell<'a>(
    game: Game,
    listener: Option<&'a Listener>,
) -> impl FnMut(Python<'_>, Option<Progress>) -> PyResult<bool> + 'a {
    move |py, progress| {
        let (Some(listener), Some(progress)) = (listener, progress) else { return Ok(true) };
        let report = PyProgress {
            nodes: progress.nodes,
            depth: progress.depth,
            seconds: progress.elapsed.as_secs_f64(),
            line: args::move_names(game, &progress.line),
            numbers: progress.numbers,
            left: progress.left,
        };
        listener.hear(py, report)
    }
}

/// Passes the reports of a search on.
pub(crate) struct Teller<'a, 'w>(pub(crate) &'a watch::Watched<'w, Progress>);

impl Observer for Teller<'_, '_> {
    fn report(&mut self, progress: &Progress) {
        self.0.report(|| progress.clone());
    }
}

/// What one search found.
struct Found {
    verdict: Verdict,
    nodes: u64,
    elapsed: Duration,
}

impl Found {
    fn unknown(why: Why) -> Found {
        Found { verdict: Verdict::Unknown(why), nodes: 0, elapsed: Duration::ZERO }
    }

    fn result(self, py: Python<'_>, game: Game, attacker: Side) -> PyResult<PySolveResult> {
        let Found { verdict, nodes, elapsed } = self;
        let (proof, line) = match verdict {
            Verdict::Win(win) => {
                let line = win.line().to_vec();
                (Ok(Py::new(py, PyCertificate::made(win.into_certificate()))?), line)
            }
            Verdict::Unknown(why) => (Err(why), Vec::new()),
        };
        Ok(PySolveResult { game, attacker, proof, line, nodes, elapsed })
    }
}

/// Searches for a win and proves it.
///
/// `attacker` is the side whose win is searched for, the side to move if not given. `class_`
/// says which moves it may use: `vcdt`, `vcst`, `lambda3`, `lambda4` or `lambda5`; in games
/// with one stone a move `vcf` and `vct`. The search ends after `time` seconds, `nodes` moves
/// tried, or a line of `depth` moves; without limits it may take for ever, and Ctrl-C ends it.
/// Classes from `vcst` on use `threads`; with one the result is the same each time. `memory` is
/// in MiB. `method` is that of the certificate. `progress` is called with a `Progress` a few
/// times a second, and ends the search when it returns False.
///
/// >>> from lambda6 import Position, solve
/// >>> position = Position("j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13")
/// >>> result = solve(position)
/// >>> result.proved, result.attacker, result.certificate.replies
/// (True, 'white', 61)
/// >>> solve(position, class_="vcdt").why
/// 'exhausted'
#[pyfunction]
#[pyo3(signature = (position, *, attacker = None, class_ = "vcst", time = None, nodes = None, depth = None,
                    threads = 1, memory = 64, method = "mutual", progress = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
pub(crate) fn solve(
    py: Python<'_>,
    position: &Bound<'_, PyPosition>,
    attacker: Option<&str>,
    class_: &str,
    time: Option<f64>,
    #[pyo3(from_py_with = args::optional)] nodes: Option<i64>,
    #[pyo3(from_py_with = args::optional)] depth: Option<i64>,
    #[pyo3(from_py_with = args::whole)] threads: i64,
    #[pyo3(from_py_with = args::whole)] memory: i64,
    method: &str,
    progress: Option<Listener>,
) -> PyResult<PySolveResult> {
    let position = position.get().now.clone();
    let game = position.game();
    let class = args::class(py, game, class_)?;
    let attacker = attacker.map_or(Ok(position.to_move()), |side| args::side(py, "attacker", side))?;
    let limits = args::limits(py, time, nodes, depth)?;
    let options = SolverOptions {
        strategy: Strategy::for_class(class, args::threads(py, threads)?),
        method: args::method(py, method)?,
        table_bytes: args::memory(py, memory)?,
    };
    let ended = watch::run(py, limits.time, tell(game, progress.as_ref()), move |watched| {
        let clock = SystemClock::start();
        let mut budget = Budget::new(limits, &clock, watched.stop);
        Solver::new(game, options).solve(&position, attacker, &mut budget, &mut Teller(watched))
    })?;
    let found = match ended {
        Ended::Abandoned(why) => Found::unknown(why),
        Ended::Done(report) => {
            let report = report.map_err(|error| errors::solve(py, &error))?;
            Found { verdict: report.verdict, nodes: report.nodes, elapsed: report.elapsed }
        }
    };
    found.result(py, game, attacker)
}

/// A position to be searched with others.
struct Question {
    position: Position,
    attacker: Side,
    strategy: Strategy,
}

/// The time between two calls of a listener.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Why a search of many could not be run, and which.
enum Failure {
    Run(RunError),
    Solve(usize, SolveError),
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        Failure::Run(error)
    }
}

/// Searches many positions, each with empty tables: see `lambda6.solve_many`.
#[pyfunction]
#[pyo3(signature = (positions, classes, attackers, time, nodes, depth, threads, memory, method, progress))]
#[allow(clippy::too_many_arguments, reason = "called by a function of the package only")]
pub(crate) fn solve_all(
    py: Python<'_>,
    positions: Vec<Py<PyPosition>>,
    classes: Vec<String>,
    attackers: Vec<Option<String>>,
    time: Option<f64>,
    #[pyo3(from_py_with = args::optional)] nodes: Option<i64>,
    #[pyo3(from_py_with = args::optional)] depth: Option<i64>,
    #[pyo3(from_py_with = args::whole)] threads: i64,
    #[pyo3(from_py_with = args::whole)] memory: i64,
    method: &str,
    progress: Option<Listener>,
) -> PyResult<Vec<Option<PySolveResult>>> {
    let limits = args::limits(py, time, nodes, depth)?;
    let (threads, table_bytes) = (args::threads(py, threads)?, args::memory(py, memory)?);
    let method = args::method(py, method)?;
    let questions = positions.iter().zip(&classes).zip(&attackers).map(|((position, class), attacker)| {
        let position = position.get().now.clone();
        let strategy = Strategy::for_class(args::class(py, position.game(), class)?, 1);
        let attacker = match attacker {
            Some(side) => args::side(py, "attacker", side)?,
            None => position.to_move(),
        };
        Ok(Question { position, attacker, strategy })
    });
    let questions: Arc<[Question]> = questions.collect::<PyResult<Vec<_>>>()?.into();
    let asked = Arc::clone(&questions);
    let done = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&done);
    let listener = progress.as_ref();
    // Also while no search ends, so that the listener can end the work.
    let mut next = Instant::now();
    let tell = |py: Python<'_>, _: Option<()>| match listener {
        Some(listener) if Instant::now() >= next => {
            next = Instant::now() + TELL_EVERY;
            listener.hear(py, done.load(Ordering::Relaxed))
        }
        _ => Ok(true),
    };
    let ended = watch::run(py, None, tell, move |watched| {
        let solve = |i: usize| {
            let Question { position, attacker, strategy } = &asked[i];
            let options = SolverOptions { strategy: *strategy, method, table_bytes };
            let clock = SystemClock::start();
            let mut budget = Budget::new(limits, &clock, watched.stop);
            let mut solver = Solver::new(position.game(), options);
            solver
                .solve(position, *attacker, &mut budget, &mut Silent)
                .map_err(|error| Failure::Solve(i, error))
        };
        let count = || {
            counted.fetch_add(1, Ordering::Relaxed);
        };
        runner::run_all(asked.len(), threads, watched.stop, count, solve)
    })?;
    let Ended::Done(results) = ended else { return Ok(positions.iter().map(|_| None).collect()) };
    let results = results.map_err(|failure| match failure {
        Failure::Run(error) => errors::search(py, error),
        Failure::Solve(i, error) => errors::input(py, &format!("positions[{i}]"), error),
    })?;
    if let Some(listener) = listener {
        listener.hear(py, done.load(Ordering::Relaxed))?;
    }
    let result = |(report, question): (Option<lambda6_proof::Report>, &Question)| {
        let report = report.map(|report| {
            let found = Found { verdict: report.verdict, nodes: report.nodes, elapsed: report.elapsed };
            found.result(py, question.position.game(), question.attacker)
        });
        report.transpose()
    };
    results.into_iter().zip(&*questions).map(result).collect()
}
