//! The referee: plays a game, keeps the clocks, checks every move, and ends games
//! early whose result is certain.

pub use crate::pace::Pace;
use crate::{
    client::TimeNotice,
    entrant::{Entrant, Time},
    openings::Opening,
    seat::{Failure, MoveReply, MoveRequest, Seat},
};
use lambda6_player::{PlayerOptions, TimeControl};
use lambda6_proof::{Solver, SolverOptions};
use lambda6_rules::{Game, Move, Outcome, Position, Side};
use lambda6_search::{Budget, Limits, Silent};
use serde::{Deserialize, Serialize};
use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

/// The terms of every game of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The solver nodes for adjudication: a proved win of the side to move ends
    /// the game. `None` for games that are played to the end.
    pub adjudicate: Option<u64>,
    /// The number of moves after which the game is a draw.
    pub max_moves: Option<usize>,
    /// The time by which a clock may be exceeded.
    pub margin: Duration,
    /// The longest time for a move without a clock.
    pub patience: Duration,
    /// The settings of the levels; the level itself is each entrant's own.
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
    /// No side can complete a row any more.
    Dead,
    /// The solver proved a win.
    Proof,
    /// The game reached the largest number of moves.
    Moves,
    /// A side resigned.
    Resigned,
    /// A side failed.
    #[serde(untagged)]
    Failed(Failure),
}

impl Reason {
    /// The reason in one word.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Row => "row",
            Reason::Full => "full",
            Reason::Dead => "dead",
            Reason::Proof => "proof",
            Reason::Moves => "moves",
            Reason::Resigned => "resigned",
            Reason::Failed(Failure::Crash) => "crash",
            Reason::Failed(Failure::Time) => "time",
            Reason::Failed(Failure::Illegal) => "illegal",
            Reason::Failed(Failure::Garbage) => "garbage",
        }
    }
}

/// The time that one side used.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeUsed {
    /// The moves that it was asked for.
    pub moves: u32,
    /// The time for all of them.
    pub total: Duration,
    /// The time for the slowest.
    pub longest: Duration,
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// All moves, including those of the opening.
    pub moves: Vec<Move>,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Why it is over.
    pub reason: Reason,
    /// The failure of the loser, if there was one.
    pub failure: Option<String>,
    /// The time used, by side.
    pub used: [TimeUsed; 2],
    /// What was sent to and by the programs.
    pub transcript: String,
    /// The certificate of an adjudicated win.
    pub proof: Option<Vec<u8>>,
}

/// A game to be played.
#[derive(Clone, Copy)]
pub struct Pairing<'a> {
    /// Black and White.
    pub players: [&'a Entrant; 2],
    /// The first moves.
    pub opening: &'a Opening,
    /// The seed of the levels with random errors.
    pub seed: u64,
    /// Set when the contest is being stopped.
    pub stop: &'a AtomicBool,
    /// The pace of a side with the same time as its opponent.
    pub pace: &'a dyn Fn(Side) -> Option<Pace>,
    /// Called with the time of every move.
    pub spent: &'a dyn Fn(Side, Duration),
}

/// Plays games, one after the other, with one solver.
pub struct Referee {
    game: Game,
    terms: Terms,
    solver: Option<Solver>,
}

/// The time for a move.
struct Allowed {
    limits: Limits,
    notice: TimeNotice,
    /// The time on the clock; `None` without a clock.
    clock: Option<Duration>,
}

/// The share of an entrant with the same time as its opponent before the
/// opponent's first move.
const FIRST_SHARE: Duration = Duration::from_secs(1);

impl Referee {
    /// A referee for this game.
    pub fn new(game: Game, terms: Terms) -> Referee {
        let options = SolverOptions { table_bytes: 4 << 20, ..SolverOptions::default() };
        let solver = terms.adjudicate.map(|_| Solver::new(game, options));
        Referee { game, terms, solver }
    }

    /// Plays a game. `None` when the contest is being stopped.
    pub fn play(&mut self, pairing: &Pairing<'_>) -> Option<Finished> {
        let Pairing { players, opening, seed, .. } = *pairing;
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
                    fail(&mut finished, side, Failure::Crash, &error.to_string());
                    return Some(finished);
                }
            }
        }
        let over = self.play_moves(pairing, &mut seats, position, &mut finished);
        seats.iter_mut().for_each(Seat::end);
        for (side, seat) in Side::ALL.into_iter().zip(&seats) {
            if let Some(text) = seat.transcript() {
                finished.transcript += &format!("{side}: {}\n{text}\n", players[side.index()].who);
            }
        }
        over.then_some(finished)
    }

    /// Plays the moves after the opening. False when the contest is being stopped.
    fn play_moves(
        &mut self,
        pairing: &Pairing<'_>,
        seats: &mut [Seat],
        mut position: Position,
        finished: &mut Finished,
    ) -> bool {
        let Pairing { players, stop, .. } = *pairing;
        let mut left = players.map(|player| match player.time {
            Time::Control(control) => control.start(),
            Time::Unlimited | Time::Same => Duration::MAX,
        });
        while !self.is_over(&position, finished) {
            let side = position.to_move();
            let made = finished.used[side.index()].moves;
            let share = (pairing.pace)(side).map(|pace| pace.share(made));
            let allowed = self.allowed(players[side.index()].time, left[side.index()], &position, share);
            let deadline = allowed.clock.map_or(self.terms.patience, |clock| clock + self.terms.margin);
            let request = MoveRequest {
                position: &position,
                moves: &finished.moves,
                limits: allowed.limits,
                notice: allowed.notice,
                deadline,
                stop,
            };
            let begin = Instant::now();
            let reply = seats[side.index()].ask(&request);
            let took = begin.elapsed();
            let mv = match reply {
                MoveReply::Stopped => return false,
                MoveReply::Resigns => {
                    finished.winner = Some(side.other());
                    finished.reason = Reason::Resigned;
                    return true;
                }
                MoveReply::Fails(failure, text) => {
                    fail(finished, side, failure, &text);
                    return true;
                }
                MoveReply::Move(mv) => mv,
            };
            let used = &mut finished.used[side.index()];
            used.moves += 1;
            used.total += took;
            used.longest = used.longest.max(took);
            (pairing.spent)(side, took);
            if allowed.clock.is_some_and(|clock| took > clock + self.terms.margin) {
                let text = format!("a move took {:.2} s", took.as_secs_f64());
                fail(finished, side, Failure::Time, &text);
                return true;
            }
            if let Time::Control(TimeControl::Game { increment, .. }) = players[side.index()].time {
                left[side.index()] = left[side.index()].saturating_sub(took) + increment;
            }
            if let Err(error) = position.play(&mv) {
                let name = self.game.move_name(&mv);
                fail(finished, side, Failure::Illegal, &format!("{name}: {error}"));
                return true;
            }
            finished.moves.push(mv);
        }
        true
    }

    fn allowed(&self, time: Time, left: Duration, position: &Position, share: Option<Duration>) -> Allowed {
        match time {
            Time::Unlimited => {
                Allowed { limits: Limits::default(), notice: TimeNotice::Nothing, clock: None }
            }
            Time::Same => {
                let share = share.unwrap_or(FIRST_SHARE).max(Duration::from_millis(1));
                let limits = Limits { time: Some(share), ..Limits::default() };
                Allowed { limits, notice: TimeNotice::PerMove(share), clock: None }
            }
            Time::Control(control) => {
                let limits = control.allot(left, position);
                let (notice, clock) = match control {
                    TimeControl::PerMove(time) => (TimeNotice::PerMove(time), Some(time)),
                    TimeControl::Game { .. } => (TimeNotice::Left(left), Some(left)),
                    TimeControl::Nodes(_) => (TimeNotice::Nothing, None),
                };
                Allowed { limits, notice, clock }
            }
        }
    }

    /// Whether the game ends here; if so, sets how.
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
        let solver = self.solver.as_mut()?;
        // Positions that cannot be searched, such as the empty board, are not
        // won.
        let report =
            solver.solve(position, position.to_move(), &mut Budget::within(limits), &mut Silent).ok()?;
        let certificate = report.verdict.win()?.certificate();
        let mut bytes = Vec::new();
        certificate.write(&mut bytes).ok()?;
        Some(bytes)
    }
}

fn fail(finished: &mut Finished, side: Side, failure: Failure, text: &str) {
    finished.winner = Some(side.other());
    finished.reason = Reason::Failed(failure);
    finished.failure = Some(format!("{side}: {text}"));
}

/// Whether no side can ever complete a row: every k squares in a row have stones of
/// both sides.
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
    // Early in a game the first square is enough.
    !game.squares().any(|square| [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|step| open(square, step)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_player::Level;

    fn entrant(time: Time) -> Entrant {
        Entrant::new(crate::entrant::Who::Level(Level::Defense), time)
    }

    fn referee_plays(
        referee: &mut Referee,
        player: &Entrant,
        opening: &Opening,
        stop: bool,
    ) -> Option<Finished> {
        let stop = &AtomicBool::new(stop);
        let players = [player; 2];
        referee.play(&Pairing { players, opening, seed: 0, stop, pace: &|_| None, spent: &|_, _| () })
    }

    fn play(game: Game, terms: Terms, moves: &str) -> Finished {
        let opening = Opening {
            name: "test".to_string(),
            moves: moves.split_whitespace().map(|text| game.parse_move(text).unwrap()).collect(),
        };
        let terms = Terms { player: PlayerOptions { table_bytes: 1 << 20, ..terms.player }, ..terms };
        let player = entrant(Time::Control(TimeControl::Nodes(50)));
        referee_plays(&mut Referee::new(game, terms), &player, &opening, false).unwrap()
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
        let mut referee = Referee::new(Game::CONNECT6, Terms::default());
        assert!(referee_plays(&mut referee, &player, &opening, true).is_none());
    }
}
