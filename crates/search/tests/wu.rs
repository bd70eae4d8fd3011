//! V_Wu against V_C6: its wins are wins, with certificates, and none that V_C6 does
//! not have.

mod support;

use lambda6_search::{
    Class, Limits, Method, NoClock, Silent, Solver, SolverOptions, Verdict, Verifier, Why,
    any::AnyOptions,
    full::{Defence, Options, Partners},
};
use proptest::prelude::*;
use rules::{Position, Setup, Side};
use std::{cell::Cell, sync::atomic::AtomicBool};
use support::{Kind, positions, run};

fn solve(position: &Position, attacker: Side, options: SolverOptions, nodes: u64) -> Verdict {
    let limits = Limits { depth: None, nodes: Some(nodes), time: None };
    let stop = AtomicBool::new(false);
    let mut solver = Solver::new(position.game(), options);
    let report = solver.solve(position, attacker, limits, &NoClock, &stop, &mut Silent);
    report.expect("no search is wrong").verdict
}

/// The checker reads the certificate from its text.
fn check(verdict: &Verdict) {
    let win = verdict.win().expect("a win");
    let mut text = Vec::new();
    win.certificate.as_ref().expect("a certificate").write(&mut text).expect("memory");
    let checked = checker::check(&text[..]).expect("a certificate that holds");
    assert_eq!(checked.header.method.to_string(), Method::Rzop.name());
}

/// Threats only, so that V_C6 can be told to leave nothing out.
#[test]
fn it_solves_no_more_than_v_c6() {
    let full = Options { defence: Defence::Normal, partners: Partners::All };
    let any = AnyOptions { exhaustive: true, ..AnyOptions::default() };
    let options =
        SolverOptions { class: Class::Vcst, full, any, table_bytes: 1 << 16, ..SolverOptions::default() };
    let both = Cell::new(0);
    let cases = prop_oneof![positions(Kind::Any, 13), positions(Kind::Defender, 13)];
    run(1_000, cases, |case| {
        let of =
            |verifier: Verifier, nodes| solve(&case.position, case.attacker, verifier.with(options), nodes);
        let (wu, c6) = (of(Verifier::Wu, 5_000), of(Verifier::C6, 20_000));
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
    let options = Verifier::Wu.with(SolverOptions { class: Class::Lambda3, ..SolverOptions::default() });
    check(&solve(&position, Side::Black, options, 2_000_000));
}
