//! The set of puzzles that comes with the project: every position is won, and the
//! wins have not become longer.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use lambda6_literature::puzzle::{Traits, shortest};
use lambda6_proof::Class;
use lambda6_rules::{Game, Position};
use std::{collections::HashSet, sync::atomic::AtomicBool, thread};

const SET: &str = include_str!("../data/puzzles.tsv");

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
    let mut position = Position::new(Game::CONNECT6);
    for mv in moves.split(' ') {
        position.play(&Game::CONNECT6.parse_move(mv).unwrap()).unwrap();
    }
    Puzzle {
        id,
        class: [Class::Vcdt, Class::Vcst].into_iter().find(|known| known.name() == class).unwrap(),
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
