//! Contests: every entrant against every other, with both colours of every
//! opening, several games at a time.

use crate::{
    client::{UnsupportedBoard, client, longest_opening},
    entrant::{Entrant, Protocol, Who},
    files::Files,
    log::{Log, LogError, LogHeader, Played},
    openings::Opening,
    referee::{Finished, Pace, Pairing, Referee, Terms},
    standing::Standing,
    stats::{Decision, Sprt},
};
use lambda6_rules::{Game, Side};
use lambda6_search::runner;
use std::{
    collections::{HashSet, VecDeque},
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

/// A contest to be held. A match is a contest of two.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The game.
    pub game: Game,
    /// The entrants; their names differ.
    pub entrants: Vec<Entrant>,
    /// The openings, used in turn.
    pub openings: Vec<Opening>,
    /// Games of each pairing. Two in a row have the same opening.
    pub games: usize,
    /// Games at a time.
    pub parallel: usize,
    /// The terms of every game.
    pub terms: Terms,
    /// A test that ends a match of two as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// The seed of the levels with random errors.
    pub seed: u64,
    /// The directory of the log, the records and the transcripts.
    pub directory: Option<PathBuf>,
}

/// Why a contest cannot be held.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A file cannot be written.
    #[error("{}: cannot be written: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// An entrant cannot take part.
    #[error("{name}: {problem}")]
    Entrant {
        /// Its name.
        name: String,
        /// Why not.
        problem: EntrantProblem,
    },
    /// There are too few entrants, or no openings.
    #[error("{0}")]
    Nothing(&'static str),
    /// A thread cannot be started.
    #[error("no thread can be started: {0}")]
    Thread(#[source] lambda6_search::runner::RunError),
}

/// Why an entrant cannot take part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntrantProblem {
    /// The protocol cannot express the game.
    #[error(transparent)]
    Board(#[from] UnsupportedBoard),
    /// The program does not exist.
    #[error("{}: there is no such program", .0.display())]
    NoProgram(PathBuf),
    /// The protocol cannot set up an opening.
    #[error("the protocol {} cannot set up an opening: play from the empty board", .0.name())]
    Opening(Protocol),
}

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fixture {
    first: usize,
    second: usize,
    number: usize,
}

impl Fixture {
    /// The entrant with Black: the first (0) in even games.
    fn black(self) -> usize {
        self.number % 2
    }

    /// Black and White, as entrants.
    fn sides(self) -> [usize; 2] {
        if self.black() == 0 { [self.first, self.second] } else { [self.second, self.first] }
    }
}

/// Time used and moves made, by entrant.
type Paces = Mutex<Vec<(Duration, u32)>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic leaves no counter or list inconsistent.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Contest {
    /// Checks that all entrants can take part: a misspelt program would lose all
    /// its games.
    fn check(&self) -> Result<(), ContestError> {
        if self.entrants.len() < 2 {
            return Err(ContestError::Nothing("a contest needs two entrants"));
        }
        if self.openings.is_empty() || self.openings.iter().any(|o| o.position(self.game).is_none()) {
            return Err(ContestError::Nothing("there is no opening, or one with an illegal move"));
        }
        for entrant in &self.entrants {
            let refused = |problem| ContestError::Entrant { name: entrant.name.clone(), problem };
            let Who::Program { protocol, command } = &entrant.who else { continue };
            client(*protocol, self.game, Side::Black).map_err(|board| refused(board.into()))?;
            let program = PathBuf::from(&command[0]);
            if program.components().count() > 1 && !program.is_file() {
                return Err(refused(EntrantProblem::NoProgram(program)));
            }
            let longest = self.openings.iter().map(|opening| opening.moves.len()).max().unwrap_or(0);
            if longest_opening(*protocol).is_some_and(|most| longest > most) {
                return Err(refused(EntrantProblem::Opening(*protocol)));
            }
        }
        Ok(())
    }

    fn log_header(&self) -> LogHeader {
        let opening = |opening: &Opening| {
            let moves: Vec<String> = opening.moves.iter().map(|mv| self.game.move_name(mv)).collect();
            format!("{}: {}", opening.name, moves.join(" "))
        };
        LogHeader::new(
            self.game.to_string(),
            self.entrants.iter().map(|entrant| entrant.name.clone()).collect(),
            self.entrants.iter().map(Entrant::terms).collect(),
            self.openings.iter().map(opening).collect(),
            format!("adjudicate {:?} max-moves {:?}", self.terms.adjudicate, self.terms.max_moves),
        )
    }

    /// The games in the order in which they begin: two games of every pairing in
    /// turn.
    fn fixtures(&self) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for round in 0..self.games.div_ceil(2) {
            for second in 0..self.entrants.len() {
                for first in 0..second {
                    let numbers = [2 * round, 2 * round + 1].into_iter().filter(|&n| n < self.games);
                    fixtures.extend(numbers.map(|number| Fixture { first, second, number }));
                }
            }
        }
        fixtures
    }

    /// Plays the games that the log does not have yet and calls `see` after every
    /// game. When `stop` is set the running games are given up; the results so far
    /// stand.
    pub fn run(
        &self,
        stop: &AtomicBool,
        see: &mut dyn FnMut(&Played, &Standing),
    ) -> Result<Standing, ContestError> {
        self.check()?;
        let mut files = Files::new(self.directory.as_deref())?;
        let names = self.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let mut standing = Standing::new(names, self.sprt);
        let mut log = None;
        if let Some(path) = files.log() {
            let (opened, played) = Log::open(&path, &self.log_header())?;
            standing.extend(played);
            log = Some(opened);
        }
        let done: HashSet<Fixture> = standing.played().iter().map(fixture).collect();
        let open: VecDeque<Fixture> = self.fixtures().into_iter().filter(|f| !done.contains(f)).collect();
        let pace: Paces = Mutex::new(standing.time_by_entrant());
        let queue = Mutex::new(open);
        if self.is_decided(&standing) {
            lock(&queue).clear();
        }
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| {
            for number in 0..self.parallel.max(1) {
                let (sender, queue, pace) = (sender.clone(), &queue, &pace);
                let body = move || self.work(queue, pace, stop, &sender);
                runner::spawn_scoped(scope, &format!("game {number}"), body).map_err(ContestError::Thread)?;
            }
            drop(sender);
            // After an error no further games begin.
            let mut failed = None;
            for (fixture, finished) in results {
                let kept = self.keep(fixture, &finished, &mut files, &mut log);
                match kept {
                    Ok(played) => {
                        standing.extend([played.clone()]);
                        see(&played, &standing);
                        if self.is_decided(&standing) {
                            lock(&queue).clear();
                        }
                    }
                    Err(error) => {
                        lock(&queue).clear();
                        failed.get_or_insert(error);
                    }
                }
            }
            failed.map_or(Ok(()), Err)
        })?;
        Ok(standing)
    }

    fn is_decided(&self, standing: &Standing) -> bool {
        standing.decision().is_some_and(|decision| decision != Decision::Open)
    }

    /// Plays games until the queue is empty.
    fn work(
        &self,
        queue: &Mutex<VecDeque<Fixture>>,
        pace: &Paces,
        stop: &AtomicBool,
        results: &mpsc::Sender<(Fixture, Finished)>,
    ) {
        let mut referee = Referee::new(self.game, self.terms);
        while !stop.load(Ordering::Relaxed) {
            let Some(fixture) = lock(queue).pop_front() else { return };
            let sides = fixture.sides();
            let opening = &self.openings[fixture.number / 2 % self.openings.len()];
            let pace_of = |side: Side| {
                let pace = lock(pace);
                let (total, moves) = pace[sides[side.index()]];
                let (theirs, replies) = pace[sides[side.other().index()]];
                (replies > 0).then(|| Pace { mean: theirs / replies, moves, total })
            };
            let spent = |side: Side, time: Duration| {
                let (total, moves) = &mut lock(pace)[sides[side.index()]];
                *total += time;
                *moves += 1;
            };
            let players = sides.map(|entrant| &self.entrants[entrant]);
            let seed = self.seed.wrapping_add(fixture.number as u64);
            let pairing = Pairing { players, opening, seed, stop, pace: &pace_of, spent: &spent };
            let Some(finished) = referee.play(&pairing) else { return };
            if results.send((fixture, finished)).is_err() {
                return;
            }
        }
    }

    /// Writes a game to the files and the log.
    fn keep(
        &self,
        fixture: Fixture,
        finished: &Finished,
        files: &mut Files,
        log: &mut Option<Log>,
    ) -> Result<Played, ContestError> {
        let black = fixture.black();
        let by_entrant = |of: &dyn Fn(usize) -> f64| if black == 0 { [of(0), of(1)] } else { [of(1), of(0)] };
        let used = &finished.used;
        let opening = &self.openings[fixture.number / 2 % self.openings.len()];
        let turns = used.map(|used| used.moves);
        let mut played = Played {
            first: fixture.first,
            second: fixture.second,
            number: fixture.number,
            opening: opening.name.clone(),
            black,
            result: finished.winner.map_or("draw", Side::name).to_string(),
            reason: finished.reason,
            failure: finished.failure.clone(),
            transcript: None,
            moves: finished.moves.iter().map(|mv| self.game.move_name(mv)).collect(),
            turns: if black == 0 { turns } else { [turns[1], turns[0]] },
            seconds: by_entrant(&|side| used[side].total.as_secs_f64()),
            longest: by_entrant(&|side| used[side].longest.as_secs_f64()),
        };
        let players = fixture.sides().map(|entrant| &self.entrants[entrant]);
        let name = format!(
            "{:05}-{}-{}",
            fixture.number + 1,
            self.entrants[fixture.first].name,
            self.entrants[fixture.second].name
        );
        played.transcript = files.keep(&name, self.game, players, opening, finished)?;
        if let Some(log) = log {
            log.add(&played)?;
        }
        Ok(played)
    }
}

fn fixture(played: &Played) -> Fixture {
    Fixture { first: played.first, second: played.second, number: played.number }
}
