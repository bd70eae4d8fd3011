//! Makes a set: plays games, keeps the positions that spread it.

use super::{Traits, selfplay::SelfPlay, shortest};
use lambda6_proof::{CertifyError, Class, SolveError};
use lambda6_rules::{Game, Move, Position};
use lambda6_search::{Random, vcdt::VcdtSearch};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// A position whose side to move has a forced win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The moves that lead to it from the empty board.
    pub moves: Vec<Move>,
    /// The least class that wins.
    pub class: Class,
    /// The attacker's moves of the shortest known win.
    pub depth: usize,
    /// What the win is like.
    pub traits: Traits,
    /// Moves tried until it was found.
    pub nodes: u64,
}

/// What to make.
#[derive(Clone, Copy, Debug)]
pub struct MakeOptions {
    /// The game.
    pub game: Game,
    /// What the games played depend on.
    pub seed: u64,
    /// How many positions.
    pub count: usize,
}

/// How far the work has come.
#[derive(Clone, Copy, Debug)]
pub struct Making {
    /// Games played.
    pub games: u64,
    /// Positions kept.
    pub kept: usize,
}

/// Moves tried in search of a win: enough for what a person could find.
const VCDT_NODES: u64 = 10_000;
const VCST_NODES: u64 = 25_000;

/// Shorter wins are too easy.
const LEAST_DEPTH: usize = 3;

/// A game without a forced win by then has filled the board with blocks.
const LONGEST_GAME: usize = 50;

/// Makes a set, in order of class, depth and moves tried. `None` when it was
/// stopped.
pub fn make(
    options: MakeOptions,
    stop: &AtomicBool,
    mut observe: impl FnMut(Making),
) -> Result<Option<Vec<Puzzle>>, SolveError> {
    let mut seeds = Random::new(options.seed);
    let mut set = Set { count: options.count, puzzles: Vec::new(), keys: FxHashSet::default() };
    let mut games = 0;
    while set.puzzles.len() < options.count {
        let random = Random::new(seeds.number());
        for (puzzle, position) in of_game(options.game, random, !set.has_enough(Class::Vcst), stop)? {
            set.offer(puzzle, &position);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        games += 1;
        observe(Making { games, kept: set.puzzles.len() });
    }
    let mut puzzles = set.puzzles;
    puzzles.sort_by_key(|puzzle| (puzzle.class == Class::Vcst, puzzle.depth, puzzle.nodes));
    Ok(Some(puzzles))
}

/// The puzzles of one game: the first position with a VCDT, and if `vcst` says so
/// the one before in which the same side was to move, should it have a VCST.
fn of_game(
    game: Game,
    random: Random,
    vcst: bool,
    stop: &AtomicBool,
) -> Result<Vec<(Puzzle, Position)>, SolveError> {
    let mut vcdt = VcdtSearch::new(game, 1 << 20);
    let mut play = SelfPlay::new(game, random);
    let mut before: Vec<Position> = Vec::new();
    let mut puzzles = Vec::new();
    while play.moves.len() < LONGEST_GAME && play.step(&mut vcdt) && !stop.load(Ordering::Relaxed) {
        let found = puzzle(&play.position, &play.moves, Class::Vcdt, VCDT_NODES, stop)?;
        let Some(found) = found else {
            before.push(play.position.clone());
            continue;
        };
        puzzles.push((found, play.position.clone()));
        if let Some(index) = before.len().checked_sub(2).filter(|_| vcst) {
            let moves = &play.moves[..=index];
            let found = puzzle(&before[index], moves, Class::Vcst, VCST_NODES, stop)?;
            puzzles.extend(found.map(|found| (found, before[index].clone())));
        }
        break;
    }
    puzzles.retain(|(puzzle, _)| puzzle.depth >= LEAST_DEPTH);
    Ok(puzzles)
}

/// The position as a puzzle, if it is one of this class and not of a lesser.
fn puzzle(
    position: &Position,
    moves: &[Move],
    class: Class,
    nodes: u64,
    stop: &AtomicBool,
) -> Result<Option<Puzzle>, SolveError> {
    let Some(solution) = shortest(position, class, nodes, stop)? else { return Ok(None) };
    let refused = |error: CertifyError| SolveError::Caught(error.to_string());
    let traits = Traits::of(&solution.certificate).map_err(refused)?;
    if traits.spare != (class == Class::Vcst) {
        return Ok(None);
    }
    let (moves, depth, nodes) = (moves.to_vec(), solution.depth, solution.nodes);
    Ok(Some(Puzzle { moves, class, depth, traits, nodes }))
}

/// The positions kept so far.
struct Set {
    count: usize,
    puzzles: Vec<Puzzle>,
    /// What tells positions apart, however the board is turned.
    keys: FxHashSet<u64>,
}

/// Of 200 positions, the most of one kind. The rest is left to those that are
/// harder to come by: VCST, deep wins, inversions and several areas.
const OF: usize = 200;
const MOST_VCDT: usize = 156;
const MOST_VCST: usize = 48;
const MOST_VCDT_OF_A_DEPTH: usize = 30;
const MOST_VCST_OF_A_DEPTH: usize = 18;
const MOST_WITHOUT_INVERSIONS: usize = 120;
/// VCST in several areas is too rare to wait for.
const MOST_VCDT_IN_ONE_AREA: usize = 121;

/// Wins of this depth and more count as one depth.
const DEEP: usize = 8;

impl Set {
    /// Keeps a position, unless there are enough of its kind.
    fn offer(&mut self, puzzle: Puzzle, position: &Position) {
        let key = position.canonical().0.key();
        let Puzzle { class, traits, .. } = puzzle;
        let of_a_depth = if class == Class::Vcdt { MOST_VCDT_OF_A_DEPTH } else { MOST_VCST_OF_A_DEPTH };
        let depth = |puzzle: &Puzzle| puzzle.depth.min(DEEP);
        let in_one_area = |puzzle: &Puzzle| puzzle.class == Class::Vcdt && puzzle.traits.areas == 1;
        let enough = self.puzzles.len() >= self.count
            || self.has_enough(class)
            || self.has(of_a_depth, |p| p.class == class && depth(p) == depth(&puzzle))
            || !traits.inversions && self.has(MOST_WITHOUT_INVERSIONS, |p| !p.traits.inversions)
            || in_one_area(&puzzle) && self.has(MOST_VCDT_IN_ONE_AREA, in_one_area)
            || self.keys.contains(&key);
        if !enough {
            self.puzzles.push(puzzle);
            self.keys.insert(key);
        }
    }

    fn has_enough(&self, class: Class) -> bool {
        self.has(if class == Class::Vcdt { MOST_VCDT } else { MOST_VCST }, |p| p.class == class)
    }

    /// Whether there are `most` of a kind in proportion.
    fn has(&self, most: usize, kind: impl Fn(&Puzzle) -> bool) -> bool {
        let most = (self.count * most).div_ceil(OF);
        self.puzzles.iter().filter(|puzzle| kind(puzzle)).count() >= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_set() {
        let make = |seed| {
            let options = MakeOptions { game: Game::CONNECT6, seed, count: 5 };
            make(options, &AtomicBool::new(false), |_| {}).unwrap().unwrap()
        };
        let set = make(3);
        assert_eq!(set.len(), 5);
        assert_eq!(set, make(3));
        assert!(set.iter().any(|puzzle| puzzle.class == Class::Vcst));
        assert!(set.iter().all(|puzzle| puzzle.depth >= LEAST_DEPTH));
    }

    #[test]
    fn a_stop_ends_the_work() {
        let options = MakeOptions { game: Game::CONNECT6, seed: 1, count: 1_000 };
        assert_eq!(make(options, &AtomicBool::new(true), |_| {}), Ok(None));
    }
}
