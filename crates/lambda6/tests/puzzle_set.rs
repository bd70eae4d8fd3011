//! The set of puzzles that comes with the project: every position is won, and the
//! wins have not become longer.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use lambda6_literature::puzzle::{Traits, shortest};
use lambda6_proof::Class;
use lambda6_rules::{Game, Position};
use std::{collections::HashSet, sync::atomic::AtomicBool, thread};

const SET: &str = include_str!("../data/puzzles.tsv");

/// The set of go-moku, and the same as the page offers it.
const GO_MOKU: &str = include_str!("../data/go-moku.tsv");
const GO_MOKU_OF_PAGE: &str = include_str!("../../api/data/go-moku.tsv");

/// More than the searches need; a search that needs ten times as much as it did
/// when the set was made has lost something.
const NODES: u64 = 250_000;

struct Puzzle {
    id: &'static str,
    class: Class,
    depth: usize,
    areas: usize,
    inversions: bool,
    position: Position,
}

fn puzzles() -> Vec<Puzzle> {
    let mut lines = SET.lines();
    assert_eq!(lines.next(), Some("id\tclass\tdepth\tareas\tinversions\tnodes\tmoves"));
    lines.map(puzzle).collect()
}

fn puzzle(line: &'static str) -> Puzzle {
    let cells: Vec<&str> = line.split('\t').collect();
    let [id, class, depth, areas, inversions, nodes, moves] = cells[..] else { panic!("{line}") };
    assert!(nodes.parse::<u64>().unwrap() > 0, "{line}");
    of_game(Game::CONNECT6, [id, class, depth, areas, inversions, moves])
}

fn go_moku_puzzles() -> Vec<Puzzle> {
    let mut lines = GO_MOKU.lines();
    assert_eq!(lines.next(), Some("id\tgame\tgrade\tclass\tdepth\tareas\tinversions\tnodes\tmoves"));
    let puzzle = |line: &'static str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, game, grade, class, depth, areas, inversions, nodes, moves] = cells[..] else {
            panic!("{line}")
        };
        assert!(
            (1..=5).contains(&grade.parse::<u8>().unwrap()) && nodes.parse::<u64>().unwrap() > 0,
            "{line}"
        );
        of_game(game.parse().unwrap(), [id, class, depth, areas, inversions, moves])
    };
    lines.map(puzzle).collect()
}

fn of_game(game: Game, [id, class, depth, areas, inversions, moves]: [&'static str; 6]) -> Puzzle {
    let mut position = Position::new(game);
    for mv in moves.split(' ') {
        position.play(&game.parse_move(mv).unwrap()).unwrap();
    }
    Puzzle {
        id,
        class: Class::ALL.into_iter().find(|known| known.name_in(game) == class).unwrap(),
        depth: depth.parse().unwrap(),
        areas: areas.parse().unwrap(),
        inversions: inversions == "yes",
        position,
    }
}

#[test]
fn the_set_is_spread() {
    let puzzles = puzzles();
    assert_eq!(puzzles.len(), 200);
    let count = |kind: &dyn Fn(&Puzzle) -> bool| puzzles.iter().filter(|p| kind(p)).count();
    assert!(count(&|p| p.class == Class::Vcst) >= 40);
    assert!(count(&|p| p.inversions) >= 40);
    assert!(count(&|p| !p.inversions) >= 40);
    assert!(count(&|p| p.areas > 1) >= 30);
    for depth in 3..=7 {
        assert!(count(&|p| p.depth == depth) >= 20, "depth {depth}");
    }
    assert!(count(&|p| p.depth >= 8) >= 5);
    let keys: HashSet<u64> = puzzles.iter().map(|p| p.position.canonical().0.key()).collect();
    assert_eq!(keys.len(), 200, "a position is there twice");
}

/// Every puzzle is solved, by a win that its class allows and the checker accepts.
///
/// VCDT looks for short wins first, so each of its wins is as short as the one that
/// is known. VCST takes the first that comes along, which changes with the order of
/// its moves: one win may be longer and the next one shorter, but not all of them.
#[test]
fn every_puzzle_is_solved_and_its_certificate_holds() {
    let puzzles = puzzles();
    // The hard ones come last: every other one to each thread.
    let lengths: Vec<(usize, usize)> = thread::scope(|scope| {
        let mine = |start| puzzles.iter().skip(start).step_by(2);
        let threads = [0, 1].map(|start| scope.spawn(move || mine(start).map(solve).collect::<Vec<_>>()));
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let (found, known) = lengths.iter().fold((0, 0), |(f, k), (found, known)| (f + found, k + known));
    assert!(found * 4 <= known * 5, "wins with spare stones take {found} moves, {known} are known to do");
}

#[test]
fn the_set_of_go_moku_is_spread() {
    let puzzles = go_moku_puzzles();
    assert_eq!(puzzles.len(), 100);
    let count = |kind: &dyn Fn(&Puzzle) -> bool| puzzles.iter().filter(|p| kind(p)).count();
    assert!(count(&|p| p.class == Class::Vcdt) >= 40 && count(&|p| p.class == Class::Vcst) >= 40);
    assert!(count(&|p| p.position.game().cols() == 20) >= 20, "boards of 20x20");
    assert!(count(&|p| p.inversions) >= 10);
    assert!(count(&|p| p.depth < 3) == 0 && count(&|p| p.depth >= 5) >= 30 && count(&|p| p.depth >= 7) >= 10);
    let keys: HashSet<(Game, u64)> =
        puzzles.iter().map(|p| (p.position.game(), p.position.canonical().0.key())).collect();
    assert_eq!(keys.len(), 100, "a position is there twice");
}

/// The solver finds each win, and the checker accepts its certificate.
#[test]
fn every_puzzle_of_go_moku_is_solved_and_its_certificate_holds() {
    let puzzles = go_moku_puzzles();
    thread::scope(|scope| {
        let mine = |start| puzzles.iter().skip(start).step_by(2);
        for start in [0, 1] {
            scope.spawn(move || mine(start).map(solve).count());
        }
    });
}

/// The page has the same positions, in the order of their grades.
#[test]
fn the_page_offers_the_same_positions() {
    let moves = |set: &'static str, column: usize| -> HashSet<&str> {
        set.lines().skip(1).map(|line| line.split('\t').nth(column).unwrap()).collect()
    };
    assert_eq!(moves(GO_MOKU_OF_PAGE, 4), moves(GO_MOKU, 8));
    let grades: Vec<&str> =
        GO_MOKU_OF_PAGE.lines().skip(1).map(|line| line.split('\t').nth(1).unwrap()).collect();
    assert!(grades.is_sorted() && grades.len() == 100);
}

/// For VCST the length of the win found and of the one known.
fn solve(puzzle: &Puzzle) -> (usize, usize) {
    let (id, stop) = (puzzle.id, AtomicBool::new(false));
    let solution = shortest(&puzzle.position, puzzle.class, NODES, &stop).unwrap();
    let solution = solution.unwrap_or_else(|| panic!("{id} is not solved"));
    let mut text = Vec::new();
    solution.certificate.write(&mut text).unwrap();
    let checked = lambda6_checker::check(&text[..]).unwrap_or_else(|error| panic!("{id}: {error}"));
    assert_eq!(checked.summary.longest, solution.depth as u64, "{id}");
    let traits = Traits::of(&solution.certificate).unwrap();
    match puzzle.class {
        Class::Vcdt => {
            assert!(!traits.spare, "{id}");
            assert!(solution.depth <= puzzle.depth, "{id}: {} moves, not {}", solution.depth, puzzle.depth);
            (0, 0)
        }
        Class::Vcst | Class::Lambda3 | Class::Lambda4 | Class::Lambda5 => {
            // Without single threats there is no win: that is what the class says.
            assert!(traits.spare, "{id}");
            (solution.depth, puzzle.depth)
        }
    }
}
