//! Plays one game and says how it ended, and why.

use crate::{
    client::Told,
    entrant::{Entrant, Time},
    openings::Opening,
    seat::{Ask, Failing, Reply, Seat},
};
use player::{PlayLimits, PlayerOptions, TimeControl};
use rules::{Game, Move, Outcome, Position, Side};
use search::{Limits, NoClock, Silent, Solver, SolverOptions};
use serde::{Deserialize, Serialize};
use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

/// What holds for every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// A win of the side to move that the solver proves within so many moves
    /// tried ends the game; without, games are played to the end.
    pub adjudicate: Option<u64>,
    /// After so many moves the game is a draw.
    pub max_moves: Option<usize>,
    /// Time is overstepped by more than this before it counts.
    pub margin: Duration,
    /// Without a clock, a program that takes longer hangs.
    pub patience: Duration,
    /// What our levels are made of; the level is each entrant's own.
    pub player: PlayerOptions,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            adjudicate: Some(5_000),
            max_moves: None,
            margin: Duration::from_millis(100),
            patience: Duration::from_secs(600),
            player: PlayerOptions::default(),
        }
    }
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// A row was completed.
    Row,
    /// The board is full.
    Full,
    /// Nobody can complete a row any more: there is a stone of each side on
    /// every line.
    Dead,
    /// The solver proved a win.
    Proof,
    /// It took too many moves.
    Moves,
    /// Somebody gave up.
    Resigned,
    /// Somebody failed.
    #[serde(untagged)]
    Failed(Failing),
}

impl Reason {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Row => "row",
            Reason::Full => "full",
            Reason::Dead => "dead",
            Reason::Proof => "proof",
            Reason::Moves => "moves",
            Reason::Resigned => "resigned",
            Reason::Failed(Failing::Crash) => "crash",
            Reason::Failed(Failing::Time) => "time",
            Reason::Failed(Failing::Illegal) => "illegal",
            Reason::Failed(Failing::Garbage) => "garbage",
        }
    }
}

/// The time that one side took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Used {
    /// Moves that it was asked for.
    pub moves: u32,
    /// For all of them.
    pub total: Duration,
    /// For the one that took longest.
    pub longest: Duration,
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// All moves, those of the opening among them.
    pub moves: Vec<Move>,
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// Why it is over.
    pub reason: Reason,
    /// What went wrong, if something did.
    pub failure: Option<String>,
    /// By side.
    pub used: [Used; 2],
    /// What was said to and by the programs.
    pub transcript: String,
    /// The certificate of an adjudicated win.
    pub proof: Option<Vec<u8>>,
}

/// Plays games, one after the other. It keeps the solver's memory.
pub struct Referee {
    game: Game,
    terms: Terms,
    solver: Option<Solver>,
}

/// What a move may take.
struct Allowed {
    limits: PlayLimits,
    told: Told,
    /// On the clock; `None` for as long as it takes.
    clock: Option<Duration>,
}

/// Until the opponent has moved there is no average.
const FIRST_SHARE: Duration = Duration::from_secs(1);

/// What somebody goes by who may take as long as the opponent.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// What the opponent took for a move, on average.
    pub mean: Duration,
    /// One's own moves in the contest so far.
    pub moves: u32,
    /// The time that they took.
    pub total: Duration,
}

/// Moves of one side that decide most games.
const EARLY: u32 = 6;

/// How many moves of the opponent somebody may be ahead of its time.
const ADVANCE: f64 = 6.0;

/// What somebody may take for the next move of a game after `made` of its own, so
/// that the average of the contest comes to the opponent's. The first moves get more
/// than the others: most games are decided there, and long ones are won with moves
/// that take no time. No single move takes more than a few do.
fn fair_share(pace: Pace, made: u32) -> Duration {
    let mean = pace.mean.as_secs_f64();
    let saved = mean * f64::from(pace.moves + 1) - pace.total.as_secs_f64();
    let wanted = if made < EARLY { 2.0 * mean + saved / 4.0 } else { 0.7 * mean + saved / 16.0 };
    let share = wanted.min(saved + ADVANCE * mean).clamp(mean / 4.0, 3.0 * mean);
    Duration::try_from_secs_f64(share).unwrap_or(pace.mean)
}

impl Referee {
    /// A referee for this game.
    pub fn new(game: Game, terms: Terms) -> Referee {
        let options = SolverOptions { table_bytes: 4 << 20, ..SolverOptions::default() };
        let solver = terms.adjudicate.map(|_| Solver::new(game, options));
        Referee { game, terms, solver }
    }

    /// Plays a game. `pace` tells what a side goes by that may take as long as
    /// its opponent; `spent` is told what a side took. `None` when the contest is
    /// being stopped.
    pub fn play(
        &mut self,
        players: [&Entrant; 2],
        opening: &Opening,
        seed: u64,
        stop: &AtomicBool,
        pace: &dyn Fn(Side) -> Option<Pace>,
        spent: &dyn Fn(Side, Duration),
    ) -> Option<Finished> {
        let mut seats = Vec::new();
        let mut finished = Finished {
            moves: opening.moves.clone(),
            winner: None,
            reason: Reason::Full,
            failure: None,
            used: Default::default(),
            transcript: String::new(),
            proof: None,
        };
        let position = opening.position(self.game)?;
        for (side, entrant) in Side::ALL.into_iter().zip(players) {
            let options = PlayerOptions { seed, ..self.terms.player };
            match Seat::new(entrant, self.game, side, options) {
                Ok(seat) => seats.push(seat),
                Err(error) => {
                    fail(&mut finished, side, Failing::Crash, error);
                    return Some(finished);
                }
            }
        }
        let over = self.moves(players, &mut seats, position, &mut finished, stop, pace, spent);
        seats.iter_mut().for_each(Seat::end);
        for (side, seat) in Side::ALL.into_iter().zip(&seats) {
            if let Some(text) = seat.transcript() {
                finished.transcript += &format!("{side}: {}\n{text}\n", players[side.index()].who);
            }
        }
        over.then_some(finished)
    }

    #[allow(clippy::too_many_arguments, reason = "the second half of one function, with its variables")]
    fn moves(
        &mut self,
        players: [&Entrant; 2],
        seats: &mut [Seat],
        mut position: Position,
        finished: &mut Finished,
        stop: &AtomicBool,
        pace: &dyn Fn(Side) -> Option<Pace>,
        spent: &dyn Fn(Side, Duration),
    ) -> bool {
        let mut left = players.map(|player| match player.time {
            Time::Control(control) => control.start(),
            Time::Unlimited | Time::Same => Duration::MAX,
        });
        while !self.is_over(&position, finished) {
            let side = position.to_move();
            let share = pace(side).map(|pace| fair_share(pace, finished.used[side.index()].moves));
            let allowed = self.allowed(players[side.index()].time, left[side.index()], &position, share);
            let deadline = allowed.clock.map_or(self.terms.patience, |clock| clock + self.terms.margin);
            let ask = Ask {
                position: &position,
                moves: &finished.moves,
                limits: allowed.limits,
                told: allowed.told,
                deadline,
                stop,
            };
            let begin = Instant::now();
            let reply = seats[side.index()].ask(&ask);
            let took = begin.elapsed();
            let mv = match reply {
                Reply::Stopped => return false,
                Reply::Resigns => {
                    finished.winner = Some(side.other());
                    finished.reason = Reason::Resigned;
                    return true;
                }
                Reply::Fails(failing, text) => {
                    fail(finished, side, failing, text);
                    return true;
                }
                Reply::Move(mv) => mv,
            };
            let used = &mut finished.used[side.index()];
            used.moves += 1;
            used.total += took;
            used.longest = used.longest.max(took);
            spent(side, took);
            if allowed.clock.is_some_and(|clock| took > clock + self.terms.margin) {
                let text = format!("a move took {:.2} s", took.as_secs_f64());
                fail(finished, side, Failing::Time, text);
                return true;
            }
            if let Time::Control(TimeControl::Game { increment, .. }) = players[side.index()].time {
                left[side.index()] = left[side.index()].saturating_sub(took) + increment;
            }
            if let Err(error) = position.play(&mv) {
                let name = self.game.move_name(&mv);
                fail(finished, side, Failing::Illegal, format!("{name}: {error}"));
                return true;
            }
            finished.moves.push(mv);
        }
        true
    }

    fn allowed(&self, time: Time, left: Duration, position: &Position, share: Option<Duration>) -> Allowed {
        match time {
            Time::Unlimited => Allowed { limits: PlayLimits::default(), told: Told::Nothing, clock: None },
            Time::Same => {
                let share = share.unwrap_or(FIRST_SHARE).max(Duration::from_millis(1));
                let limits = PlayLimits { time: Some(share), ..PlayLimits::default() };
                Allowed { limits, told: Told::PerMove(share), clock: None }
            }
            Time::Control(control) => {
                let limits = control.allot(left, position);
                let (told, clock) = match control {
                    TimeControl::PerMove(time) => (Told::PerMove(time), Some(time)),
                    TimeControl::Game { .. } => (Told::Left(left), Some(left)),
                    TimeControl::Nodes(_) => (Told::Nothing, None),
                };
                Allowed { limits, told, clock }
            }
        }
    }

    /// Whether the game ends here, and how.
    fn is_over(&mut self, position: &Position, finished: &mut Finished) -> bool {
        (finished.winner, finished.reason) = match position.outcome() {
            Some(Outcome::Win(side)) => (Some(side), Reason::Row),
            Some(Outcome::Draw) => (None, Reason::Full),
            None if is_dead(position) => (None, Reason::Dead),
            None => {
                if let Some(proof) = self.proof(position) {
                    finished.proof = Some(proof);
                    (Some(position.to_move()), Reason::Proof)
                } else if self.terms.max_moves.is_some_and(|most| finished.moves.len() >= most) {
                    (None, Reason::Moves)
                } else {
                    return false;
                }
            }
        };
        true
    }

    /// The certificate of a win of the side to move, if one is found.
    fn proof(&mut self, position: &Position) -> Option<Vec<u8>> {
        let limits = Limits { nodes: self.terms.adjudicate, ..Limits::default() };
        let stop = AtomicBool::new(false);
        let solver = self.solver.as_mut()?;
        // Positions that cannot be searched, such as the empty board, are no
        // wins.
        let report = solver.solve(position, position.to_move(), limits, &NoClock, &stop, &mut Silent).ok()?;
        let certificate = report.verdict.win()?.certificate.as_ref()?;
        let mut bytes = Vec::new();
        certificate.write(&mut bytes).ok()?;
        Some(bytes)
    }
}

fn fail(finished: &mut Finished, side: Side, failing: Failing, text: String) {
    finished.winner = Some(side.other());
    finished.reason = Reason::Failed(failing);
    finished.failure = Some(format!("{side}: {text}"));
}

/// Whether no side can ever have a row: every k squares in a row have a stone of
/// each, so there is nothing left to play for.
fn is_dead(position: &Position) -> bool {
    let game = position.game();
    let k = i32::from(game.k());
    let open = |square, (dx, dy): (i32, i32)| {
        let mut seen = [false; 2];
        for i in 0..k {
            let Some(at) = game.offset(square, dx * i, dy * i) else { return false };
            if let Some(side) = position.at(at) {
                seen[side.index()] = true;
            }
        }
        seen != [true; 2]
    };
    // Early in a game the first square answers.
    !game.squares().any(|square| [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|step| open(square, step)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use player::Level;

    #[test]
    fn shares_bring_the_average_to_the_opponents() {
        let seconds = Duration::from_secs;
        let share =
            |total, moves, made| fair_share(Pace { mean: seconds(8), moves, total: seconds(total) }, made);
        // More for the first moves of a game than for the others.
        assert!(share(800, 100, 0) > seconds(8) && share(800, 100, EARLY) < seconds(8));
        // However much was saved or overspent, within bounds.
        assert_eq!(share(1, 100, 0), seconds(24));
        assert_eq!(share(9_999, 100, 0), seconds(2));
        // Whoever takes all of it ends where the opponent is, whatever the length of the games.
        for length in [4, 9, 25] {
            let mut pace = Pace { mean: seconds(8), moves: 0, total: Duration::ZERO };
            for i in 0..400 {
                pace.total += fair_share(pace, i % length);
                pace.moves += 1;
            }
            let average = pace.total.as_secs_f64() / f64::from(pace.moves);
            assert!((7.5..=8.3).contains(&average), "{average} s in games of {length} moves");
        }
    }

    fn entrant(time: Time) -> Entrant {
        Entrant::new(crate::entrant::Who::Level(Level::Defense), time)
    }

    fn play(game: Game, terms: Terms, moves: &str) -> Finished {
        let opening = Opening {
            name: "test".to_string(),
            moves: moves.split_whitespace().map(|text| game.parse_move(text).unwrap()).collect(),
        };
        let terms = Terms { player: PlayerOptions { table_bytes: 1 << 20, ..terms.player }, ..terms };
        let player = entrant(Time::Control(TimeControl::Nodes(50)));
        let stop = AtomicBool::new(false);
        let mut referee = Referee::new(game, terms);
        referee.play([&player, &player], &opening, 0, &stop, &|_| None, &|_, _| ()).unwrap()
    }

    #[test]
    fn a_line_with_stones_of_both_sides_is_dead() {
        let game = Game::new(3, 1, 3, 1, 1).unwrap();
        let mut position = Position::new(game);
        assert!(!is_dead(&position));
        position.play(&game.parse_move("a1").unwrap()).unwrap();
        assert!(!is_dead(&position));
        position.play(&game.parse_move("c1").unwrap()).unwrap();
        assert!(is_dead(&position));
        assert!(is_dead(&Position::new(Game::new(2, 2, 3, 1, 1).unwrap())));
    }

    #[test]
    fn a_proved_win_ends_the_game_with_its_certificate_unless_it_is_not_wanted() {
        let moves = "j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13";
        let finished = play(Game::CONNECT6, Terms::default(), moves);
        assert_eq!((finished.winner, finished.reason), (Some(Side::White), Reason::Proof));
        assert_eq!(finished.moves.len(), 9);
        assert!(finished.proof.unwrap().starts_with(b"connect-proof 1\n"));
        let terms = Terms { adjudicate: None, max_moves: Some(12), ..Terms::default() };
        let finished = play(Game::CONNECT6, terms, moves);
        assert_ne!(finished.reason, Reason::Proof);
        assert!(finished.moves.len() > 9);
    }

    #[test]
    fn games_end_by_their_length_and_by_themselves() {
        let terms = Terms { max_moves: Some(4), ..Terms::default() };
        let finished = play(Game::CONNECT6, terms, "j10");
        assert_eq!((finished.reason, finished.moves.len(), finished.winner), (Reason::Moves, 4, None));
        assert_eq!((finished.used[0].moves, finished.used[1].moves), (1, 2));
        let finished = play(Game::TIC_TAC_TOE, Terms::default(), "b2");
        assert!(matches!(finished.reason, Reason::Dead | Reason::Row | Reason::Proof | Reason::Full));
    }

    #[test]
    fn a_contest_that_is_stopped_leaves_no_result() {
        let player = entrant(Time::Unlimited);
        let opening = Opening { name: "x".to_string(), moves: Vec::new() };
        let stop = AtomicBool::new(true);
        let mut referee = Referee::new(Game::CONNECT6, Terms::default());
        assert!(referee.play([&player, &player], &opening, 0, &stop, &|_| None, &|_, _| ()).is_none());
    }
}
