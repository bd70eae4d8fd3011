//! V_Wu against V_C6: its wins are wins, with certificates, and none that V_C6 does
//! not have.

#[path = "../../proof/tests/support/mod.rs"]
mod support;

use lambda6_literature::{ComparisonOptions, ComparisonSolver, ComparisonStrategy, Verifier};
use lambda6_proof::{Solver, SolverOptions, Verdict};
use lambda6_rules::{Position, Setup, Side};
use lambda6_search::{Budget, Silent, Why, vcdt::Partners, vcst_rounds::RoundsOptions};
use proptest::prelude::*;
use std::cell::Cell;
use support::{Kind, positions, run};

fn solve(
    position: &Position,
    attacker: Side,
    strategy: ComparisonStrategy,
    bytes: usize,
    nodes: u64,
) -> Verdict {
    let options = ComparisonOptions { strategy, method: Verifier::Wu.method(), table_bytes: bytes };
    let mut solver = ComparisonSolver::new(position.game(), options);
    let solved = solver.solve(position, attacker, &mut Budget::of_nodes(nodes), &mut Silent);
    solved.expect("no search is wrong").report.verdict
}

/// The checker reads the certificate from its text.
fn check(verdict: &Verdict) {
    let win = verdict.win().expect("a win");
    let mut text = Vec::new();
    win.certificate().write(&mut text).expect("memory");
    let checked = lambda6_checker::check(&text[..]).expect("a certificate that holds");
    assert_eq!(checked.header.method.to_string(), Verifier::C6.method().name());
}

/// Threats only, so that V_C6 can be told to leave nothing out.
#[test]
fn it_solves_no_more_than_v_c6() {
    let wu = ComparisonStrategy::Wu { order: 2, partners: Partners::All };
    let c6 = RoundsOptions { exhaustive: true, ..RoundsOptions::default() };
    let c6 = SolverOptions {
        strategy: lambda6_proof::Strategy::VcstRounds(c6),
        method: Verifier::C6.method(),
        table_bytes: 1 << 16,
    };
    let both = Cell::new(0);
    let cases = prop_oneof![positions(Kind::Any, 13), positions(Kind::Defender, 13)];
    run(1_000, cases, |case| {
        let wu = solve(&case.position, case.attacker, wu, 1 << 16, 5_000);
        let mut solver = Solver::new(case.position.game(), c6);
        let mut budget = Budget::of_nodes(20_000);
        let c6 = solver.solve(&case.position, case.attacker, &mut budget, &mut Silent);
        let c6 = c6.expect("no search is wrong").verdict;
        match (&wu, &c6) {
            (Verdict::Win(_), Verdict::Win(_)) => both.set(both.get() + 1),
            (Verdict::Win(_), Verdict::Unknown(why)) => {
                prop_assert_eq!(*why, Why::Nodes, "V_Wu wins where V_C6 does not");
            }
            _ => {}
        }
        if wu.win().is_some() {
            check(&wu);
        }
        Ok(())
    });
    assert!(both.get() > 100, "both {}", both.get());
}

/// What it was made for: three stones, the other side to move.
#[test]
fn it_solves_connect_6_2_3() {
    let text = "game: 19 19 6 2 1\nblack: j10 j12 i11\nto-move: white\n";
    let position = Setup::parse(text).unwrap().position().unwrap();
    let wu = ComparisonStrategy::Wu { order: 3, partners: Partners::Useful(24) };
    check(&solve(&position, Side::Black, wu, 64 << 20, 2_000_000));
}
