//! VCDT by proof numbers against an oracle that tries every move, on random
//! positions of small games. `PROPTEST_CASES` sets how many.

mod support;

use lambda6_search::{
    Budget, Class, Limits, NoClock, Silent, Solver, SolverOptions, Vcdt, Why,
    dfpn_vcdt::DfpnSearch,
    full::{Defence, Options, Partners},
};
use proptest::prelude::*;
use rules::Side;
use std::sync::atomic::AtomicBool;
use support::{Case, Kind, Oracles, Said, late_wins, oracle, positions, run};
use threats::Board;

fn search(search: &mut DfpnSearch, case: &Case, options: Options) -> Said {
    let stop = AtomicBool::new(false);
    let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
    let mut board = Board::from_position(&case.position);
    let key = board.key(Side::Black);
    let verdict = search.solve(&mut board, case.attacker, options, &mut budget, &mut Silent);
    assert!(board.is_consistent() && board.key(Side::Black) == key, "the board was changed");
    Said::from(&verdict)
}

/// With tables from next to nothing to more than is needed.
#[test]
fn proof_numbers_win_exactly_where_trying_everything_does() {
    let oracles = Oracles::default();
    let every = Options { defence: Defence::Normal, partners: Partners::All };
    run(5_000, positions(Kind::Full, 18), |case| {
        let Ok(won) = oracles.wins(&case, oracle::Class::Full) else { return Ok(()) };
        for bytes in [0, 5_000, 1 << 16] {
            let said = search(&mut DfpnSearch::new(case.position.game(), bytes), &case, every);
            prop_assert_eq!(said, if won { Said::Win } else { Said::Not(Why::Exhausted) });
        }
        Ok(())
    });
    oracles.check("proof numbers", 20);
}

#[test]
fn narrow_searches_claim_no_more_than_they_know_whatever_was_searched_before() {
    let oracles = Oracles::default();
    run(1_500, positions(Kind::Full, 18), |case| {
        let Ok(won) = oracles.wins(&case, oracle::Class::Full) else { return Ok(()) };
        let mut kept = DfpnSearch::new(case.position.game(), 1 << 14);
        for partners in [Partners::Useful(0), Partners::Useful(3), Partners::Useful(24), Partners::All] {
            for defence in [Defence::Conservative, Defence::Normal] {
                match search(&mut kept, &case, Options { defence, partners }) {
                    Said::Win => prop_assert!(won, "a win where there is none"),
                    Said::Not(Why::Exhausted) => prop_assert!(!won, "exhausted where there is a win"),
                    Said::Not(_) => {}
                }
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
        let stop = AtomicBool::new(false);
        let class = Class::Vcdt;
        let options =
            SolverOptions { class, vcdt: Vcdt::Dfpn, table_bytes: 1 << 16, ..SolverOptions::default() };
        let mut solver = Solver::new(case.position.game(), options);
        let mut solve =
            |limits| solver.solve(&case.position, case.attacker, limits, &NoClock, &stop, &mut Silent);
        let Ok(report) = solve(Limits::default()) else { panic!("not solved") };
        if let Some(win) = report.verdict.win() {
            won += 1;
            assert!(win.certificate.is_some());
        }
        let Ok(report) = solve(Limits { depth: Some(1), ..Limits::default() }) else { panic!("not solved") };
        if let Some(certificate) = report.verdict.win().and_then(|win| win.certificate.as_ref()) {
            assert!(certificate.depth() <= 1);
        }
    }
    assert!(won > 10);
}
