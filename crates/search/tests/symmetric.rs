//! Symmetric positions, where one node of the Lambda search stands for a position
//! and its images: what is claimed holds, for all verifiers.

#[path = "support/exhaustive.rs"]
mod exhaustive;
mod support;

use exhaustive::Exhaustive;
use lambda6_search::{Class, Limits, Method, NoClock, Silent, Solver, SolverOptions};
use proptest::prelude::*;
use rules::{Game, Position, Setup, Side, Symmetry};
use rustc_hash::FxHashMap;
use std::{
    cell::{Cell, RefCell},
    sync::atomic::AtomicBool,
};
use support::{Kind, positions, run};

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
    let oracles: RefCell<FxHashMap<Game, Exhaustive>> = RefCell::default();
    let (next, claims, confirmed) = (Cell::new(0usize), Cell::new(0), Cell::new(0));
    let cases = prop_oneof![positions(Kind::Any, 12), positions(Kind::Defender, 12)];
    run(4_000, cases, |case| {
        let Some(position) = folded(&case.position, case.choice) else { return Ok(()) };
        if position.empty_count() > 13 || position.empty_count() == position.game().area() {
            return Ok(());
        }
        let number = next.replace(next.get() + 1);
        let (class, method) = (CLASSES[number % 3], Method::ALL[number / 3 % 4]);
        let options = SolverOptions { class, method, table_bytes: 1 << 16, ..SolverOptions::default() };
        let (stop, limits) = (AtomicBool::new(false), Limits { nodes: Some(2_000), ..Limits::default() });
        let mut solver = Solver::new(position.game(), options);
        let report = solver.solve(&position, case.attacker, limits, &NoClock, &stop, &mut Silent);
        let report = report.map_err(|error| TestCaseError::fail(error.to_string()))?;
        if report.verdict.win().is_none() {
            return Ok(());
        }
        claims.set(claims.get() + 1);
        let mut oracles = oracles.borrow_mut();
        let oracle = oracles.entry(position.game()).or_insert_with(|| Exhaustive::new(position.game()));
        if let Ok(won) = oracle.wins(&position, case.attacker, 20_000) {
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
        let options = SolverOptions { class: Class::Vcst, method, ..SolverOptions::default() };
        let mut solver = Solver::new(position.game(), options);
        let (stop, limits) = (AtomicBool::new(false), Limits { nodes: Some(3_000_000), ..Limits::default() });
        let report = solver.solve(&position, Side::Black, limits, &NoClock, &stop, &mut Silent).unwrap();
        let win = report.verdict.win().expect("a win");
        let mut text = Vec::new();
        win.certificate.as_ref().expect("a certificate").write(&mut text).unwrap();
        checker::check(&text[..]).unwrap();
    }
}
