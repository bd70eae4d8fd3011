//! Synthetic games: trees drawn from a seed, with known values and a program whose
//! evaluation is right more often than not.

use super::{Oracle, TimedAnswer, mix};
use crate::{Answer, JobProof, Judge, Kind, Refused, Status, Task, check_moves};
use lambda6_rules::{Game, Move, Position, Side, Square};
use lambda6_search::Method;
use std::{cell::RefCell, collections::HashMap};

/// Times of jobs in milliseconds, one for each twentieth of all jobs. The mean is 37 s
/// and a fifth takes more than a minute, as in the paper.
const JOB_MILLIS: [u64; 20] = [
    1_100, 2_300, 3_600, 5_200, 7_100, 9_400, 12_000, 15_000, 18_500, 22_500, 27_000, 31_500, 36_500, 42_000,
    48_000, 55_000, 63_000, 75_000, 95_000, 168_000,
];

/// Times of jobs, in milliseconds: each job takes one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobTimes {
    /// Times of jobs that find a move.
    pub searched: Vec<u64>,
    /// Times of jobs that prove a win or a loss.
    pub proved: Vec<u64>,
}

/// Times as in the paper; proofs take a third.
impl Default for JobTimes {
    fn default() -> JobTimes {
        JobTimes { searched: JOB_MILLIS.to_vec(), proved: JOB_MILLIS.map(|millis| millis / 3).to_vec() }
    }
}

impl JobTimes {
    /// The times scaled to this mean.
    pub fn with_mean(&self, millis: u64) -> JobTimes {
        let (sum, count) = self
            .searched
            .iter()
            .chain(&self.proved)
            .fold((0u128, 0u128), |(sum, n), &t| (sum + u128::from(t), n + 1));
        let scale = |&time: &u64| (u128::from(time) * u128::from(millis) * count / sum.max(1)).max(1) as u64;
        JobTimes {
            searched: self.searched.iter().map(scale).collect(),
            proved: self.proved.iter().map(scale).collect(),
        }
    }

    fn draw(&self, proved: bool, roll: u64) -> u64 {
        let times = if proved { &self.proved } else { &self.searched };
        times.get((roll % times.len().max(1) as u64) as usize).copied().unwrap_or(1)
    }
}

/// The shape of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeShape {
    /// The most moves in a position; the least is 2.
    pub branching: u32,
    /// The most moves of both sides together.
    pub depth: u32,
    /// The percentage of positions at which the game ends.
    pub ends: u32,
    /// The height of the highest proof tree that a job finds.
    pub sight: u32,
    /// The percentage of chance in a job's evaluation.
    pub noise: u32,
}

impl TreeShape {
    /// A short game, for tests.
    pub const SMALL: TreeShape = TreeShape { branching: 4, depth: 7, ends: 12, sight: 2, noise: 60 };
    /// A game that takes hundreds of jobs.
    pub const LARGE: TreeShape = TreeShape { branching: 9, depth: 9, ends: 8, sight: 1, noise: 55 };
}

/// A game drawn from a seed.
pub struct Synthetic {
    seed: u64,
    shape: TreeShape,
    times: JobTimes,
    facts: RefCell<HashMap<u64, Facts>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Facts {
    winner: Side,
    /// The height of the least proof tree.
    height: u32,
}

impl Synthetic {
    /// The game of a seed.
    pub fn new(seed: u64, shape: TreeShape) -> Synthetic {
        Synthetic { seed: mix(seed), shape, times: JobTimes::default(), facts: RefCell::default() }
    }

    /// The game with other times of jobs.
    pub fn with_times(self, times: JobTimes) -> Synthetic {
        Synthetic { times, ..self }
    }

    /// The board: so large that no side connects.
    pub fn game() -> Game {
        // The numbers are within the limits.
        Game::new(32, 32, 32, 2, 2).unwrap_or(Game::CONNECT6)
    }

    /// The root.
    pub fn root(&self) -> Position {
        Position::new(Synthetic::game())
    }

    /// The side that wins.
    pub fn winner(&self, position: &Position) -> Side {
        self.facts(position).winner
    }

    fn hash(&self, position: &Position, salt: u64) -> u64 {
        mix(position.key() ^ mix(self.seed ^ salt))
    }

    fn depth(position: &Position) -> u32 {
        ((position.game().area() - position.empty_count()) / 2) as u32
    }

    /// The moves that do not lose at once. Each depth uses its own squares, so that the
    /// moves can always be played.
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        let depth = Synthetic::depth(position);
        let roll = self.hash(position, 1) % 100;
        if depth >= self.shape.depth || (depth > 1 && roll < u64::from(self.shape.ends)) {
            return Vec::new();
        }
        let count = 2 + self.hash(position, 2) % u64::from(self.shape.branching - 1);
        let first = depth * self.shape.branching;
        let square = |i: u64| Square::new(2 * (first as usize + i as usize));
        (0..count).map(|i| Move::pair(square(i), Square::new(square(i).index() + 1))).collect()
    }

    fn after(position: &Position, mv: &Move) -> Position {
        let mut after = position.clone();
        let played = after.play(mv);
        debug_assert!(played.is_ok());
        after
    }

    fn facts(&self, position: &Position) -> Facts {
        if let Some(&facts) = self.facts.borrow().get(&position.key()) {
            return facts;
        }
        let moves = self.moves(position);
        let mover = position.to_move();
        let facts = if moves.is_empty() {
            let winner = if self.hash(position, 3) & 1 == 0 { Side::Black } else { Side::White };
            Facts { winner, height: 0 }
        } else {
            let after: Vec<Facts> =
                moves.iter().map(|mv| self.facts(&Synthetic::after(position, mv))).collect();
            let wins = after.iter().filter(|facts| facts.winner == mover);
            match wins.map(|facts| facts.height).min() {
                Some(height) => Facts { winner: mover, height: height + 1 },
                None => {
                    let height = after.iter().map(|facts| facts.height).max().unwrap_or(0);
                    Facts { winner: mover.other(), height: height + 1 }
                }
            }
        };
        self.facts.borrow_mut().insert(position.key(), facts);
        facts
    }

    /// A job's evaluation of a position, from 0 (lost for the side) to 100.
    fn opinion(&self, position: &Position, side: Side) -> u32 {
        let truth = if self.facts(position).winner == side { 75 } else { 25 };
        let noise = (self.hash(position, 4) % 101) as u32;
        (truth * (100 - self.shape.noise) + noise * self.shape.noise) / 100
    }

    fn status(&self, position: &Position) -> Status {
        let black = self.opinion(position, Side::Black);
        match black {
            86.. => Status::Ahead(Side::Black, 4),
            74..=85 => Status::Ahead(Side::Black, 3),
            64..=73 => Status::Ahead(Side::Black, 2),
            56..=63 => Status::Ahead(Side::Black, 1),
            53..=55 => Status::Unstable(1),
            50..=52 => Status::Unstable(2),
            45..=49 => Status::Stable,
            37..=44 => Status::Ahead(Side::White, 1),
            27..=36 => Status::Ahead(Side::White, 2),
            15..=26 => Status::Ahead(Side::White, 3),
            _ => Status::Ahead(Side::White, 4),
        }
    }

    fn proof(attacker: Side, task: &Task) -> JobProof {
        let except = if attacker == task.position.to_move() { Vec::new() } else { task.excluded.clone() };
        JobProof { attacker, method: Method::Mutual, except, replies: Vec::new() }
    }

    /// The moves that are left, the best first.
    fn ranked(&self, task: &Task) -> Vec<Move> {
        let position = &task.position;
        let mut moves = self.moves(position);
        moves.retain(|mv| !task.excluded.contains(mv));
        moves.sort_by_key(|mv| {
            let after = Synthetic::after(position, mv);
            std::cmp::Reverse((self.opinion(&after, position.to_move()), self.hash(&after, 5)))
        });
        moves
    }

    /// Whether every move other than these loses with a proof tree below this height.
    fn others_lose(&self, position: &Position, known: &[Move], sight: u32) -> bool {
        let lost = |mv: &Move| {
            let facts = self.facts(&Synthetic::after(position, mv));
            facts.winner != position.to_move() && facts.height < sight
        };
        self.moves(position).iter().filter(|mv| !known.contains(mv)).all(lost)
    }

    fn answer(&self, task: &Task) -> Answer {
        let position = &task.position;
        let (mover, facts) = (position.to_move(), self.facts(position));
        let win = || Some(Synthetic::proof(mover, task));
        let over = self.moves(position).is_empty();
        if facts.winner == mover && (facts.height <= self.shape.sight || over) {
            let wins = |mv: &Move| self.facts(&Synthetic::after(position, mv)).winner == mover;
            let mv = self.moves(position).into_iter().find(wins);
            // At the end of the game any move will do.
            let mv = mv.unwrap_or_else(|| {
                let last = position.game().area();
                Move::pair(Square::new(last - 2), Square::new(last - 1))
            });
            return Answer::Best { mv, status: Status::Win(mover), win: win() };
        }
        if task.kind == Kind::Verify {
            let sight = self.shape.sight;
            let lost = |mv: &Move| {
                let facts = self.facts(&Synthetic::after(position, mv));
                facts.winner != mover && facts.height < sight
            };
            let mut moves = self.ranked(&Task { excluded: Vec::new(), ..task.clone() });
            moves.retain(|mv| !lost(mv));
            let proof = JobProof { except: moves.clone(), ..Synthetic::proof(mover.other(), task) };
            let moves = moves.into_iter().map(|mv| (mv, self.status(&Synthetic::after(position, &mv))));
            return Answer::Defences { moves: moves.collect(), proof };
        }
        match self.ranked(task).first() {
            Some(mv) if !self.others_lose(position, &task.excluded, self.shape.sight) => {
                let status = self.status(&Synthetic::after(position, mv));
                Answer::Best { mv: *mv, status, win: None }
            }
            _ => Answer::OthersLose { proof: Synthetic::proof(mover.other(), task) },
        }
    }
}

impl Oracle for Synthetic {
    fn ask(&self, task: &Task) -> TimedAnswer {
        let answer = self.answer(task);
        let roll = mix(self.hash(&task.position, 6) ^ task.excluded.len() as u64);
        let millis = self.times.draw(answer.proof().is_some(), roll);
        TimedAnswer { answer: Some(answer), millis }
    }

    /// Claims a win of the losing side.
    fn lie(&self, task: &Task) -> Option<Answer> {
        let mover = task.position.to_move();
        let loses = self.facts(&task.position).winner != mover;
        let mv = self.moves(&task.position).into_iter().find(|mv| !task.excluded.contains(mv))?;
        let status = Status::Win(mover);
        loses.then(|| Answer::Best { mv, status, win: Some(Synthetic::proof(mover, task)) })
    }
}

/// Compares claims with the known values.
impl Judge for &Synthetic {
    fn check(&self, task: &Task, answer: &Answer) -> Result<(), Refused> {
        check_moves(task, answer)?;
        let mover = task.position.to_move();
        let true_claim = match answer {
            Answer::Best { win: None, .. } => true,
            Answer::Best { .. } => self.facts(&task.position).winner == mover,
            Answer::OthersLose { .. } => self.others_lose(&task.position, &task.excluded, u32::MAX),
            Answer::Defences { moves, .. } => {
                let known: Vec<Move> = moves.iter().map(|(mv, _)| *mv).collect();
                self.others_lose(&task.position, &known, u32::MAX)
            }
        };
        if true_claim { Ok(()) } else { Err(Refused::Fails("it is not true".to_string())) }
    }
}
