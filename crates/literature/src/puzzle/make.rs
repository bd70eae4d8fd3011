//! Makes a set: plays games, keeps the positions that spread it.

use super::{Traits, quotas::Quotas, selfplay::SelfPlay, shortest, winning_first_moves};
use lambda6_proof::{CertifyError, Class, SolveError};
use lambda6_rules::{Game, Move, Position};
use lambda6_search::{Random, vcdt::VcdtSearch};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// A position whose side to move has a forced win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The game.
    pub game: Game,
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

/// The most moves tried of a puzzle of each grade but the last.
const GRADES: [u64; 4] = [60, 400, 2_000, 8_000];

impl Puzzle {
    /// How hard it is, by the moves that a search tried: 1 to 5.
    pub fn grade(&self) -> u8 {
        1 + GRADES.iter().filter(|&&most| self.nodes > most).count() as u8
    }
}

/// What to make.
#[derive(Clone, Debug)]
pub struct MakeOptions {
    /// The games, which take turns.
    pub games: Vec<Game>,
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

/// A game without a forced win after so many stones has filled the board with blocks.
pub(super) const LONGEST_GAME: usize = 100;

/// Where a move is one stone: the most first moves that win. With more the win is no
/// secret. With two stones a move free stones alone make more.
const MOST_FIRST_MOVES: usize = 3;

/// Makes a set, in order of class, depth and moves tried. `None` when it was
/// stopped.
pub fn make(
    options: &MakeOptions,
    stop: &AtomicBool,
    mut observe: impl FnMut(Making),
) -> Result<Option<Vec<Puzzle>>, SolveError> {
    let mut seeds = Random::new(options.seed);
    let mut set = Set { count: options.count, puzzles: Vec::new(), keys: FxHashSet::default() };
    for (&game, games) in options.games.iter().cycle().zip(1..) {
        if set.puzzles.len() >= options.count {
            break;
        }
        let random = Random::new(seeds.number());
        for (puzzle, position) in of_game(game, random, !set.has_enough(Class::Vcst, game), stop)? {
            if set.wants(&puzzle, &position) && is_secret(&puzzle, &position, stop)? {
                set.keep(puzzle, &position);
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        observe(Making { games, kept: set.puzzles.len() });
    }
    let mut puzzles = set.puzzles;
    puzzles.sort_by_key(|puzzle| (puzzle.class == Class::Vcst, puzzle.depth, puzzle.nodes));
    Ok(Some(puzzles))
}

/// The puzzles of one game: the first position with a VCDT, and if `vcst` says so
/// the one before in which the same side was to move, should it have a VCST.
pub(super) fn of_game(
    game: Game,
    random: Random,
    vcst: bool,
    stop: &AtomicBool,
) -> Result<Vec<(Puzzle, Position)>, SolveError> {
    let mut vcdt = VcdtSearch::new(game, 1 << 20);
    let mut play = SelfPlay::new(game, random);
    let mut before: Vec<Position> = Vec::new();
    let mut puzzles = Vec::new();
    let longest = LONGEST_GAME / usize::from(game.p());
    while play.moves.len() < longest && play.step(&mut vcdt) && !stop.load(Ordering::Relaxed) {
        let found = match play.has_win(&mut vcdt, VCDT_NODES) {
            true => puzzle(&play.position, &play.moves, Class::Vcdt, VCDT_NODES, stop)?,
            false => None,
        };
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
    let (game, moves, depth, nodes) = (position.game(), moves.to_vec(), solution.depth, solution.nodes);
    Ok(Some(Puzzle { game, moves, class, depth, traits, nodes }))
}

/// Whether few first moves win. Only a puzzle that is wanted is worth the searches.
fn is_secret(puzzle: &Puzzle, position: &Position, stop: &AtomicBool) -> Result<bool, SolveError> {
    if puzzle.game.p() > 1 {
        return Ok(true);
    }
    let found = winning_first_moves(position, puzzle.class, MOST_FIRST_MOVES + 1, stop)?;
    Ok((1..=MOST_FIRST_MOVES).contains(&found.len()))
}

/// The positions kept so far.
struct Set {
    count: usize,
    puzzles: Vec<Puzzle>,
    /// What tells positions apart, however the board is turned.
    keys: FxHashSet<u64>,
}

/// Wins of this depth and more count as one depth.
const DEEP: usize = 8;

impl Set {
    /// Whether a position is new and there are not enough of its kind.
    fn wants(&self, puzzle: &Puzzle, position: &Position) -> bool {
        let Puzzle { class, traits, game, .. } = *puzzle;
        let quotas = Quotas::of(game);
        let depth = |puzzle: &Puzzle| puzzle.depth.min(DEEP);
        let in_one_area = |puzzle: &Puzzle| puzzle.class == Class::Vcdt && puzzle.traits.areas == 1;
        let enough = self.puzzles.len() >= self.count
            || self.has_enough(class, game)
            || self.has(quotas.of_a_depth(class), |p| p.class == class && depth(p) == depth(puzzle))
            || !traits.inversions && self.has(quotas.without_inversions, |p| !p.traits.inversions)
            || in_one_area(puzzle) && self.has(quotas.vcdt_in_one_area, in_one_area);
        !enough && !self.keys.contains(&key(position))
    }

    fn keep(&mut self, puzzle: Puzzle, position: &Position) {
        self.puzzles.push(puzzle);
        self.keys.insert(key(position));
    }

    fn has_enough(&self, class: Class, game: Game) -> bool {
        self.has(Quotas::of(game).of_class(class), |p| p.class == class)
    }

    /// Whether there are `most` of a kind in proportion.
    fn has(&self, most: usize, kind: impl Fn(&Puzzle) -> bool) -> bool {
        let most = (self.count * most).div_ceil(Quotas::OF);
        self.puzzles.iter().filter(|puzzle| kind(puzzle)).count() >= most
    }
}

/// What tells positions apart, however the board is turned.
pub(super) fn key(position: &Position) -> u64 {
    position.canonical().0.key()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_set() {
        for game in [Game::CONNECT6, Game::GO_MOKU] {
            let make = |seed| {
                let options = MakeOptions { games: vec![game], seed, count: 5 };
                make(&options, &AtomicBool::new(false), |_| {}).unwrap().unwrap()
            };
            let set = make(3);
            assert_eq!(set.len(), 5);
            assert_eq!(set, make(3));
            assert!(set.iter().any(|puzzle| puzzle.class == Class::Vcst));
            assert!(set.iter().all(|puzzle| puzzle.depth >= LEAST_DEPTH && puzzle.game == game));
        }
    }

    #[test]
    fn games_take_turns() {
        let games = vec![Game::GO_MOKU, Game::new(20, 20, 5, 1, 1).unwrap()];
        let options = MakeOptions { games: games.clone(), seed: 2, count: 8 };
        let set = make(&options, &AtomicBool::new(false), |_| {}).unwrap().unwrap();
        assert!(games.iter().all(|&game| set.iter().any(|puzzle| puzzle.game == game)));
    }

    #[test]
    fn grades_follow_the_moves_tried() {
        let options = MakeOptions { games: vec![Game::GO_MOKU], seed: 3, count: 1 };
        let mut set = make(&options, &AtomicBool::new(false), |_| {}).unwrap().unwrap();
        for (nodes, grade) in [(1, 1), (60, 1), (61, 2), (2_000, 3), (8_000, 4), (1 << 40, 5)] {
            set[0].nodes = nodes;
            assert_eq!(set[0].grade(), grade, "{nodes} moves tried");
        }
    }

    #[test]
    fn a_stop_ends_the_work() {
        let options = MakeOptions { games: vec![Game::CONNECT6], seed: 1, count: 1_000 };
        assert_eq!(make(&options, &AtomicBool::new(true), |_| {}), Ok(None));
    }
}
