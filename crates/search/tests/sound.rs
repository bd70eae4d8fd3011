//! Every win that is claimed is one: claims of all searches, by all
//! verifiers, against exhaustive search that knows nothing but the rules.
//!
//! 20,000 positions, or `PROPTEST_CASES` of them; `make soak` takes a million.
//! That a zone which is too narrow would be noticed is shown in
//! `src/proof/soundness.rs`.

#[path = "support/exhaustive.rs"]
mod exhaustive;
mod support;

use exhaustive::Exhaustive;
use lambda6_search::{
    Class, Limits, NoClock, Silent, Solver, SolverOptions, Verifier,
    any::AnyOptions,
    full::{Defence, Options, Partners},
};
use proptest::prelude::*;
use rules::Game;
use rustc_hash::FxHashMap;
use std::{
    cell::{Cell, RefCell},
    sync::atomic::AtomicBool,
};
use support::{Kind, positions, run};

const CLASSES: [Class; 4] = [Class::Vcdt, Class::Vcst, Class::Lambda3, Class::Lambda4];

/// V_CK is another name of V_C6.
const VERIFIERS: [Verifier; 5] =
    [Verifier::C6, Verifier::C6O1, Verifier::C6O2, Verifier::Mutual, Verifier::Wu];

/// Moves of the attacker that a search may try.
const SEARCH: Limits = Limits { depth: None, nodes: Some(2_000), time: None };

/// Positions that the exhaustive search may look at.
const MOST: u64 = 20_000;

/// The squares left empty at most.
const EMPTY: usize = 12;

#[test]
fn every_win_is_a_win_by_exhaustive_search() {
    let oracles: RefCell<FxHashMap<Game, Exhaustive>> = RefCell::default();
    let solvers: RefCell<FxHashMap<(Game, usize), Solver>> = RefCell::default();
    let next = Cell::new(0usize);
    // By class and verifier: claims, and how many were confirmed.
    let counts = RefCell::new([[(0u32, 0u32); VERIFIERS.len()]; 4]);
    let all = prop_oneof![
        positions(Kind::Full, EMPTY),
        positions(Kind::Any, EMPTY),
        positions(Kind::Defender, EMPTY),
    ];
    run(20_000, all, |case| {
        let number = next.replace(next.get() + 1);
        let (class, verifier, exhaustive) = (number % 4, number / 4 % 5, (number / 20).is_multiple_of(2));
        let game = case.position.game();
        let mut solvers = solvers.borrow_mut();
        let solver = solvers.entry((game, number % 40)).or_insert_with(|| {
            let full = if exhaustive {
                Options { defence: Defence::Normal, partners: Partners::All }
            } else {
                Options::default()
            };
            let any = AnyOptions { exhaustive, ..AnyOptions::default() };
            let class = CLASSES[class];
            let options = SolverOptions { class, full, any, table_bytes: 1 << 16, ..Default::default() };
            Solver::new(game, VERIFIERS[verifier].with(options))
        });
        let stop = AtomicBool::new(false);
        let report = solver.solve(&case.position, case.attacker, SEARCH, &NoClock, &stop, &mut Silent);
        let report = report.map_err(|error| TestCaseError::fail(error.to_string()))?;
        if report.verdict.win().is_none() {
            return Ok(());
        }
        let count = &mut counts.borrow_mut()[class][verifier];
        count.0 += 1;
        let mut oracles = oracles.borrow_mut();
        let oracle = oracles.entry(game).or_insert_with(|| Exhaustive::new(game));
        if let Ok(won) = oracle.wins(&case.position, case.attacker, MOST) {
            prop_assert!(won, "{:?} claims a win where there is none: {}", CLASSES[class], case.line());
            count.1 += 1;
        }
        Ok(())
    });
    println!("claims and confirmations by class and verifier: {:?}", counts.borrow());
    let few = next.get() as u32 / 20 / 20;
    for &(claims, confirmed) in counts.borrow().iter().flatten() {
        assert!(claims > few && confirmed > claims / 2, "{claims} claims, {confirmed} confirmed");
    }
}
