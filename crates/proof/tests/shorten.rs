//! Shortened certificates. The checker has accepted every certificate that exists, so only sizes
//! and methods are looked at here.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use lambda6_proof::{
    Budget, Certificate, Class, Limits, Method, NoClock, Shorten, Silent, Solver, SolverOptions, Strategy,
    Verdict,
};
use lambda6_rules::{Setup, Side};
use std::sync::atomic::AtomicBool;

/// The certificate of the Lambda search.
fn plain(text: &str, attacker: Side, method: Method) -> Certificate {
    let position = Setup::parse(text).unwrap().position().unwrap();
    let strategy = Strategy::Lambda { order: 2, threads: 1, exhaustive: false, small_proofs: false };
    let options = SolverOptions { strategy, method, ..SolverOptions::for_class(Class::Vcst) };
    let mut solver = Solver::new(position.game(), options);
    let report = solver.solve(&position, attacker, &mut Budget::of_nodes(400_000), &mut Silent).unwrap();
    let Verdict::Win(win) = report.verdict else { panic!("not proved: {text}") };
    win.into_certificate()
}

fn shorten(certificate: &Certificate, method: Method) -> Certificate {
    let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
    let stop = AtomicBool::new(false);
    let shorten = Shorten { method, table_bytes: 16 << 20 };
    shorten.run(certificate, limits, &NoClock, &stop, &mut |_| ()).unwrap()
}

const FOUR: &str = "game: 19 19 6 2 1\nblack: j10 k11 j12 i11\nwhite: a1 s19\nto-move: white\n";

const GAME: &str = "game: 19 19 6 2 1\nblack: j10 i11 k11 k12 e6 j12 g9 l10 i13\n\
                    white: i10 h9 j11 g8 i9 k9 h10 j8\nto-move: white\n";

#[test]
fn a_proof_against_two_spare_stones_becomes_smaller() {
    let old = plain(FOUR, Side::Black, Method::Mutual);
    let new = shorten(&old, Method::Mutual);
    assert!(new.replies().len() < old.replies().len() / 2, "{}", new.replies().len());
    assert!(shorten(&new, Method::Mutual).replies().len() <= new.replies().len());
}

#[test]
fn a_proof_gets_another_method() {
    for (text, attacker) in [(FOUR, Side::Black), (GAME, Side::White)] {
        let old = plain(text, attacker, Method::Srzop2);
        let new = shorten(&old, Method::Mutual);
        assert_eq!(new.method(), Method::Mutual);
        assert!(new.replies().len() <= old.replies().len());
    }
}

#[test]
fn a_proof_with_one_stone_a_move_does_not_become_larger() {
    let text = "game: 15 15 5 1 1\nblack: h8 h9 h10 i7 j7\nwhite: h11 a1 a3 o1 o3\nto-move: black\n";
    let old = plain(text, Side::Black, Method::Mutual);
    assert!(shorten(&old, Method::Mutual).replies().len() <= old.replies().len());
}
