//! Contests: everybody against everybody, both colours of every opening, as many
//! games at a time as are wanted.

use crate::{
    client::{client, longest_opening},
    entrant::{Entrant, Who},
    files::Files,
    log::{Agreed, Log, LogError, Played},
    openings::Opening,
    referee::{Finished, Pace, Referee, Terms},
    standing::Standing,
    stats::{Decision, Sprt},
};
use rules::{Game, Side};
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

/// What is to be played. A match is a contest of two.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The game.
    pub game: Game,
    /// Who takes part; their names differ.
    pub entrants: Vec<Entrant>,
    /// Where games begin, in turn.
    pub openings: Vec<Opening>,
    /// Games of each against each. Two in a row have the same opening.
    pub games: usize,
    /// Games at a time.
    pub parallel: usize,
    /// What holds for every game.
    pub terms: Terms,
    /// Ends a match of two as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// For the levels that leave something to chance.
    pub seed: u64,
    /// Where the log, the records and the transcripts are kept.
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
        /// What the system says.
        error: std::io::Error,
    },
    /// Somebody cannot take part.
    #[error("{name}: {error}")]
    Entrant {
        /// Who.
        name: String,
        /// Why not.
        error: String,
    },
    /// Too few take part, or nothing is to be played.
    #[error("{0}")]
    Nothing(&'static str),
    /// The system gives no threads.
    #[error("no thread can be started: {0}")]
    Thread(std::io::Error),
}

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fixture {
    first: usize,
    second: usize,
    number: usize,
}

impl Fixture {
    /// The first has Black in even games.
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
    // A counter or a list is whole whatever happened to whoever held it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Contest {
    /// Whether everybody can take part. Told before the first game, for a
    /// misspelt program would lose them all.
    fn check(&self) -> Result<(), ContestError> {
        if self.entrants.len() < 2 {
            return Err(ContestError::Nothing("a contest needs two who take part"));
        }
        if self.openings.is_empty() || self.openings.iter().any(|o| o.position(self.game).is_none()) {
            return Err(ContestError::Nothing("there is no opening, or one with an illegal move"));
        }
        for entrant in &self.entrants {
            let refused = |error: String| ContestError::Entrant { name: entrant.name.clone(), error };
            let Who::Program { protocol, command } = &entrant.who else { continue };
            client(*protocol, self.game, Side::Black).map_err(refused)?;
            let program = PathBuf::from(&command[0]);
            if program.components().count() > 1 && !program.is_file() {
                return Err(refused(format!("{}: there is no such program", program.display())));
            }
            let longest = self.openings.iter().map(|opening| opening.moves.len()).max().unwrap_or(0);
            if longest_opening(*protocol).is_some_and(|most| longest > most) {
                return Err(refused(format!(
                    "the protocol {} cannot set up an opening: play from the empty board",
                    protocol.name()
                )));
            }
        }
        Ok(())
    }

    fn agreed(&self) -> Agreed {
        let opening = |opening: &Opening| {
            let moves: Vec<String> = opening.moves.iter().map(|mv| self.game.move_name(mv)).collect();
            format!("{}: {}", opening.name, moves.join(" "))
        };
        Agreed::new(
            self.game.to_string(),
            self.entrants.iter().map(|entrant| entrant.name.clone()).collect(),
            self.entrants.iter().map(Entrant::terms).collect(),
            self.openings.iter().map(opening).collect(),
            format!("adjudicate {:?} max-moves {:?}", self.terms.adjudicate, self.terms.max_moves),
        )
    }

    /// The games in the order in which they begin: pair by pair, everybody's in
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

    /// Holds the contest, or what is left of it, and calls `see` after every
    /// game. When `stop` is set the games under way are given up; the results so
    /// far stand.
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
            let (opened, played) = Log::open(&path, &self.agreed())?;
            standing.extend(played);
            log = Some(opened);
        }
        let done: HashSet<Fixture> = standing.played().iter().map(fixture).collect();
        let open: VecDeque<Fixture> = self.fixtures().into_iter().filter(|f| !done.contains(f)).collect();
        let pace: Paces = Mutex::new(standing.pace());
        let queue = Mutex::new(open);
        if self.is_decided(&standing) {
            lock(&queue).clear();
        }
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| {
            for number in 0..self.parallel.max(1) {
                let (sender, queue, pace) = (sender.clone(), &queue, &pace);
                let builder =
                    thread::Builder::new().name(format!("game {number}")).stack_size(engine::STACK_BYTES);
                let body = move || self.work(queue, pace, stop, &sender);
                builder.spawn_scoped(scope, body).map_err(ContestError::Thread)?;
            }
            drop(sender);
            // An error ends the others' queue, and then the scope.
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

    /// Plays games until there are none.
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
            let paces = |side: Side| {
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
            let Some(finished) = referee.play(players, opening, seed, stop, &paces, &spent) else { return };
            if results.send((fixture, finished)).is_err() {
                return;
            }
        }
    }

    /// Writes a game down.
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
