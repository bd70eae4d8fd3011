//! Every win that is claimed is one: claims of the searches of the literature
//! against exhaustive search that knows nothing but the rules. Those of trees are
//! in `trees.rs`.
//!
//! 5,000 positions, or `PROPTEST_CASES` of them.

#[path = "../../proof/tests/support/mod.rs"]
mod support;

use lambda6_literature::{
    ComparisonOptions, ComparisonSolver, ComparisonStrategy, VcdtVariant,
    dbs::{DbsOptions, Filter},
};
use lambda6_rules::Game;
use lambda6_search::{
    Budget, Method, Silent,
    vcdt::{Partners, VcdtOptions},
};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use support::claims::check_claims;

fn strategy(number: usize) -> ComparisonStrategy {
    let partners = if number.is_multiple_of(2) { Partners::All } else { Partners::Useful(24) };
    let vcdt = |variant| ComparisonStrategy::Vcdt {
        variant,
        options: VcdtOptions { partners, ..VcdtOptions::default() },
        dbs: DbsOptions::default(),
    };
    match number / 2 {
        order @ 0..=3 => ComparisonStrategy::Wu { order: order as u8 + 1, partners },
        4 => vcdt(VcdtVariant::Filtered(Filter::F4)),
        5 => vcdt(VcdtVariant::Filtered(Filter::F5)),
        6 => vcdt(VcdtVariant::Mixed),
        _ => vcdt(VcdtVariant::Dfpn),
    }
}

#[test]
fn every_win_is_a_win_by_exhaustive_search() {
    // A solver keeps its memory from one position to the next.
    let solvers: RefCell<FxHashMap<(Game, usize), ComparisonSolver>> = RefCell::default();
    check_claims::<16>(5_000, |number, case| {
        let game = case.position.game();
        let mut solvers = solvers.borrow_mut();
        let solver = solvers.entry((game, number)).or_insert_with(|| {
            let strategy = strategy(number);
            ComparisonSolver::new(
                game,
                ComparisonOptions { strategy, method: Method::Rzop, table_bytes: 1 << 16 },
            )
        });
        let solved = solver.solve(&case.position, case.attacker, &mut Budget::of_nodes(2_000), &mut Silent);
        let solved = solved.map_err(|error| TestCaseError::fail(error.to_string()))?;
        Ok(solved.report.verdict.win().is_some())
    });
}
