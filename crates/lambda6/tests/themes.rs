//! The set of puzzles by theme: of a defence every move but one is proved to lose, and no refutation
//! of that one is found; a quiet win is proved, and threats alone were searched to the end.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use lambda6_literature::puzzle::{holds, only_defence, refuting_nodes};
use lambda6_proof::{Budget, Certificate, Class, Silent, Solver, SolverOptions, Verdict};
use lambda6_rules::{Game, Move, Position};
use lambda6_search::Why;
use lambda6_threats::{Board, Play};
use std::{collections::HashSet, sync::atomic::AtomicBool, thread};

const SET: &str = include_str!("../data/themes.tsv");

/// The same as the page offers it.
const OF_PAGE: &str = include_str!("../../api/data/themes.tsv");

struct Puzzle {
    id: &'static str,
    theme: &'static str,
    nodes: u64,
    solution: Move,
    position: Position,
    moves: &'static str,
}

fn puzzles() -> Vec<Puzzle> {
    let columns = "id\tgame\ttheme\tgrade\tclass\tdepth\tareas\tinversions\tnodes\tsolution\tmoves";
    let rows = SET.lines().filter(|line| !line.starts_with('#') && *line != columns);
    let puzzle = |line: &'static str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, game, theme, _, _, _, _, _, nodes, solution, moves] = cells[..] else { panic!("{line}") };
        let game: Game = game.parse().unwrap();
        let mut position = Position::new(game);
        moves.split(' ').for_each(|mv| position.play(&game.parse_move(mv).unwrap()).unwrap());
        let solution = game.parse_move(solution).unwrap();
        Puzzle { id, theme, nodes: nodes.parse().unwrap(), solution, position, moves }
    };
    rows.map(puzzle).collect()
}

/// Does `work` with every puzzle of a theme, in two threads.
fn each(theme: &str, work: impl Fn(&Puzzle) + Sync) -> usize {
    let puzzles: Vec<Puzzle> = puzzles().into_iter().filter(|puzzle| puzzle.theme == theme).collect();
    thread::scope(|scope| {
        let (puzzles, work) = (&puzzles, &work);
        for start in [0, 1] {
            scope.spawn(move || puzzles.iter().skip(start).step_by(2).for_each(work));
        }
    });
    puzzles.len()
}

fn checked(id: &str, certificate: &Certificate) {
    let mut text = Vec::new();
    certificate.write(&mut text).unwrap();
    lambda6_checker::check(&text[..]).unwrap_or_else(|error| panic!("{id}: {error}"));
}

#[test]
fn the_set_names_the_commands_that_made_it_and_has_no_position_twice() {
    let puzzles = puzzles();
    assert!(puzzles.len() >= 40, "{} puzzles", puzzles.len());
    assert!(SET.starts_with("# lambda6 puzzles make --theme defence --game "));
    let keys: HashSet<(Game, u64)> =
        puzzles.iter().map(|p| (p.position.game(), p.position.canonical().0.key())).collect();
    assert_eq!(keys.len(), puzzles.len());
    let page: HashSet<&str> = OF_PAGE.lines().skip(1).map(|line| line.split('\t').nth(4).unwrap()).collect();
    assert_eq!(page, puzzles.iter().map(|puzzle| puzzle.moves).collect());
}

#[test]
fn of_a_defence_all_other_moves_lose_by_proof() {
    let count = each("defence", |Puzzle { id, nodes, solution, position, .. }| {
        let found = only_defence(position, &AtomicBool::new(false)).unwrap().unwrap();
        assert_eq!(found.open, [solution.sorted()], "{id}");
        assert_eq!(refuting_nodes(&found), *nodes, "{id}");
        assert!(found.refuted.len() >= 3, "{id}");
        assert!(holds(position, solution, &AtomicBool::new(false)).unwrap(), "{id}");
        let winner = position.to_move().other();
        for refuted in &found.refuted {
            assert_eq!(refuted.certificate.attacker(), winner, "{id}");
            checked(id, &refuted.certificate);
        }
    });
    assert!(count >= 30, "{count} defences");
}

#[test]
fn a_quiet_win_begins_without_a_threat_and_is_proved() {
    let count = each("quiet", |Puzzle { id, solution, position, .. }| {
        let solve = |class| {
            let mut solver = Solver::new(position.game(), SolverOptions::for_class(class));
            let mut budget = Budget::of_nodes(100_000);
            solver.solve(position, position.to_move(), &mut budget, &mut Silent).unwrap().verdict
        };
        assert!(matches!(solve(Class::Vcst), Verdict::Unknown(Why::Exhausted | Why::Narrowed)), "{id}");
        let Verdict::Win(win) = solve(Class::Lambda3) else { panic!("{id} is not solved") };
        checked(id, win.certificate());
        let mut board = Board::from_position(position);
        board.place_all(position.to_move(), *solution);
        assert!(!board.has_threat(position.to_move()), "{id}");
    });
    assert!(count >= 3, "{count} quiet wins");
}
