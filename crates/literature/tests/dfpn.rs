//! VCDT by proof numbers against an oracle that tries every move, on random
//! positions of small games. `PROPTEST_CASES` sets how many.

#[path = "../../proof/tests/support/mod.rs"]
mod support;

use lambda6_literature::{
    ComparisonOptions, ComparisonSolver, ComparisonStrategy, VcdtDfpn, VcdtVariant, dbs::DbsOptions,
};
use lambda6_search::{
    Budget, Limits, Silent,
    vcdt::{Defence, Partners, VcdtOptions},
};
use proptest::prelude::*;
use support::{
    Case, Kind, Oracles, claims_no_more, exact, late_wins, oracle::Class, positions, run, search_case,
};

/// With tables from next to nothing to more than is needed.
#[test]
fn proof_numbers_win_exactly_where_trying_everything_does() {
    let oracles = Oracles::default();
    let every = VcdtOptions { defence: Defence::Normal, partners: Partners::All };
    run(5_000, positions(Kind::Full, 18), |case| {
        let Ok(won) = oracles.wins(&case, Class::Full) else { return Ok(()) };
        for bytes in [0, 5_000, 1 << 16] {
            let mut search = VcdtDfpn::new(case.position.game(), every, bytes);
            prop_assert_eq!(search_case(&mut search, &case, Limits::default()), exact(won));
        }
        Ok(())
    });
    oracles.check("proof numbers", 20);
}

#[test]
fn narrow_searches_claim_no_more_than_they_know_whatever_was_searched_before() {
    let oracles = Oracles::default();
    run(1_500, positions(Kind::Full, 18), |case| {
        let Ok(won) = oracles.wins(&case, Class::Full) else { return Ok(()) };
        let turned = Case { attacker: case.attacker.other(), ..case.clone() };
        for partners in [Partners::Useful(0), Partners::Useful(3), Partners::Useful(24), Partners::All] {
            for defence in [Defence::Conservative, Defence::Normal] {
                let options = VcdtOptions { defence, partners };
                let mut search = VcdtDfpn::new(case.position.game(), options, 1 << 14);
                let _ = search_case(&mut search, &turned, Limits::default());
                claims_no_more(search_case(&mut search, &case, Limits::default()), won)?;
            }
        }
        Ok(())
    });
    oracles.check("narrow searches by proof numbers", 20);
}

#[test]
fn every_win_comes_with_a_certificate_and_a_limit_on_depth_is_kept() {
    let mut won = 0;
    for case in late_wins(Kind::Full).take(20) {
        let strategy = ComparisonStrategy::Vcdt {
            variant: VcdtVariant::Dfpn,
            options: VcdtOptions::default(),
            dbs: DbsOptions::default(),
        };
        let options = ComparisonOptions { table_bytes: 1 << 16, ..ComparisonOptions::new(strategy) };
        let mut solver = ComparisonSolver::new(case.position.game(), options);
        let mut solve = |limits| {
            let mut budget = Budget::within(limits);
            let solved = solver.solve(&case.position, case.attacker, &mut budget, &mut Silent);
            solved.expect("no search is wrong").report.verdict
        };
        won += usize::from(solve(Limits::default()).win().is_some());
        if let Some(win) = solve(Limits { depth: Some(1), ..Limits::default() }).win() {
            assert!(win.certificate().depth() <= 1);
        }
    }
    assert!(won > 10);
}
