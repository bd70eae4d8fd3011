//! Symmetric positions, where one node of the Lambda search stands for a position
//! and its images: what is claimed holds, for all verifiers.

mod support;

use lambda6_proof::{Budget, Class, Method, Silent, Solver, SolverOptions};
use lambda6_rules::{Position, Setup, Side, Symmetry};
use proptest::prelude::*;
use std::cell::Cell;
use support::{Kind, claims::Exhaustives, positions, run};

const CLASSES: [Class; 3] = [Class::Vcst, Class::Lambda3, Class::Lambda4];

/// The position with one half of the board laid upon the other by a symmetry that
/// undoes itself.
fn folded(position: &Position, choice: u64) -> Option<Position> {
    let game = position.game();
    let folds: Vec<Symmetry> = Symmetry::of(game).skip(1).filter(|s| s.inverse() == *s).collect();
    let fold = folds[choice as usize % folds.len()];
    let stones = |side| {
        let of = |square| position.at(std::cmp::min(square, fold.apply(game, square)));
        game.squares().filter(|&square| of(square) == Some(side)).collect()
    };
    let to_move = position.to_move();
    let setup = Setup { game, black: stones(Side::Black), white: stones(Side::White), to_move };
    setup.position().ok().filter(|position| position.outcome().is_none())
}

#[test]
fn every_win_of_a_symmetric_position_is_a_win_by_exhaustive_search() {
    let oracles = Exhaustives::default();
    let (next, claims, confirmed) = (Cell::new(0usize), Cell::new(0), Cell::new(0));
    let cases = prop_oneof![positions(Kind::Any, 12), positions(Kind::Defender, 12)];
    run(4_000, cases, |case| {
        let Some(position) = folded(&case.position, case.choice) else { return Ok(()) };
        if position.empty_count() > 13 || position.empty_count() == position.game().area() {
            return Ok(());
        }
        let number = next.replace(next.get() + 1);
        let (class, method) = (CLASSES[number % 3], Method::ALL[number / 3 % 4]);
        let options = SolverOptions { method, table_bytes: 1 << 16, ..SolverOptions::for_class(class) };
        let mut solver = Solver::new(position.game(), options);
        let report = solver.solve(&position, case.attacker, &mut Budget::of_nodes(2_000), &mut Silent);
        let report = report.map_err(|error| TestCaseError::fail(error.to_string()))?;
        if report.verdict.win().is_none() {
            return Ok(());
        }
        claims.set(claims.get() + 1);
        if let Ok(won) = oracles.wins(&position, case.attacker) {
            prop_assert!(won, "{class:?} claims a win where there is none: {}", position.setup());
            confirmed.set(confirmed.get() + 1);
        }
        Ok(())
    });
    println!("{} positions, {} claims, {} confirmed", next.get(), claims.get(), confirmed.get());
    assert!(claims.get() > 100 && confirmed.get() > claims.get() / 2);
}

/// Connect(6,2,3) laid upon a row through the middle of the board, so that nearly
/// every defence has an image.
#[test]
fn a_symmetric_position_is_solved_with_certificates() {
    let text = "game: 19 19 6 2 1\nblack: j9 j11 i10\nto-move: white\n";
    let position = Setup::parse(text).unwrap().position().unwrap();
    for method in [Method::Rzop, Method::Mutual] {
        let options = SolverOptions { method, ..SolverOptions::for_class(Class::Vcst) };
        let mut solver = Solver::new(position.game(), options);
        let mut budget = Budget::of_nodes(3_000_000);
        let report = solver.solve(&position, Side::Black, &mut budget, &mut Silent).unwrap();
        let win = report.verdict.win().expect("a win");
        let mut text = Vec::new();
        win.certificate().write(&mut text).unwrap();
        lambda6_checker::check(&text[..]).unwrap();
    }
}
