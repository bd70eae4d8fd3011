//! Every win that is claimed is one: claims of all classes, with certificates of
//! all methods, against exhaustive search that knows nothing but the rules.
//!
//! 20,000 positions, or `PROPTEST_CASES` of them; `make soak` takes a million.
//! That a zone which is too narrow would be noticed is shown in
//! `walk/soundness.rs` of the `search` crate.

mod support;

use lambda6_proof::{Budget, Class, Method, Silent, Solver, SolverOptions, Strategy};
use lambda6_rules::Game;
use lambda6_search::{
    vcdt::{Defence, Partners, VcdtOptions},
    vcst_rounds::RoundsOptions,
};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use support::claims::check_claims;

/// The search with this number: a class, a method, and whether moves are left out.
fn options(number: usize) -> SolverOptions {
    let (class, method, exhaustive) = (Class::ALL[number % 4], Method::ALL[number / 4 % 4], number >= 16);
    let strategy = match class {
        Class::Vcdt if exhaustive => {
            Strategy::Vcdt(VcdtOptions { defence: Defence::Normal, partners: Partners::All })
        }
        Class::Vcst if exhaustive => {
            Strategy::VcstRounds(RoundsOptions { exhaustive, ..RoundsOptions::default() })
        }
        _ => Strategy::for_class(class, 1),
    };
    SolverOptions { strategy, method, table_bytes: 1 << 16 }
}

#[test]
fn every_win_is_a_win_by_exhaustive_search() {
    // A solver keeps its memory from one position to the next.
    let solvers: RefCell<FxHashMap<(Game, usize), Solver>> = RefCell::default();
    check_claims::<32>(20_000, |number, case| {
        let game = case.position.game();
        let mut solvers = solvers.borrow_mut();
        let solver = solvers.entry((game, number)).or_insert_with(|| Solver::new(game, options(number)));
        let report = solver.solve(&case.position, case.attacker, &mut Budget::of_nodes(2_000), &mut Silent);
        let report = report.map_err(|error| TestCaseError::fail(error.to_string()))?;
        Ok(report.verdict.win().is_some())
    });
}
