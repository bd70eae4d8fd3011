//! Wins with their certificates: none is claimed without, and each is accepted
//! by the checker from its text.

mod support;

use lambda6_proof::{
    Budget, Class, Method, Silent, SolveError, Solver, SolverOptions, Strategy, Verdict, Why,
};
use lambda6_search::{
    vcdt::{Defence, Partners, VcdtOptions},
    vcst_rounds::RoundsOptions,
};
use proptest::prelude::*;
use std::cell::Cell;
use support::{Case, Kind, Oracles, oracle, positions, run};

const MOST: u64 = 5_000;

fn solve(case: &Case, options: SolverOptions) -> Verdict {
    let mut solver = Solver::new(case.position.game(), options);
    let report = solver.solve(&case.position, case.attacker, &mut Budget::of_nodes(MOST), &mut Silent);
    report.unwrap_or_else(|error| panic!("{error}: {}", case.line())).verdict
}

/// Has the checker read the text of a win's certificate.
fn check(verdict: &Verdict) -> Result<(), TestCaseError> {
    if let Some(win) = verdict.win() {
        let certificate = win.certificate();
        let mut text = Vec::new();
        certificate.write(&mut text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let checked =
            lambda6_checker::check(&text[..]).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(checked.summary.replies, certificate.replies().len() as u64);
        prop_assert_eq!(checked.header.replies, checked.summary.replies);
    }
    Ok(())
}

fn options(class: Class, exhaustive: bool, method: Method) -> SolverOptions {
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

/// All methods, one after the other from one position to the next, on positions
/// near late wins and others. A win that was found may still want for its
/// certificate when the budget ends, so the claims are compared in one direction.
fn wins_are_certified(class: Class, kind: Kind, cases: u32, most_empty: usize) {
    let oracles = Oracles::default();
    let of_oracle = if class == Class::Vcdt { oracle::Class::Full } else { oracle::Class::Any };
    let (next, certified) = (Cell::new(0), Cell::new([0; 4]));
    run(cases, positions(kind, most_empty), |case| {
        // On the empty board a move has q stones, which no search tries.
        if case.position.empty_count() == case.position.game().area() {
            return Ok(());
        }
        let Ok(won) = oracles.wins(&case, of_oracle) else { return Ok(()) };
        let method = next.get() % 4;
        next.set(next.get() + 1);
        for exhaustive in [true, false] {
            let verdict = solve(&case, options(class, exhaustive, Method::ALL[method]));
            check(&verdict)?;
            match verdict {
                Verdict::Win(_) => {
                    // With one stone a move order 2 has threes, which are no threats of the
                    // oracle's: `orders.rs` compares these.
                    let threes = class == Class::Vcst && !exhaustive && case.position.game().p() == 1;
                    prop_assert!(won || threes, "a win where there is none");
                    let mut counts = certified.get();
                    counts[method] += 1;
                    certified.set(counts);
                }
                // A move of order 2 must also threaten to win by order 1.
                Verdict::Unknown(Why::Exhausted) if class == Class::Vcst && !exhaustive => {}
                Verdict::Unknown(Why::Exhausted) => prop_assert!(!won, "exhausted where there is a win"),
                Verdict::Unknown(Why::Nodes) => oracles.pass_over(),
                // Nothing that tries everything may say less.
                Verdict::Unknown(why) => prop_assert!(!exhaustive, "{} from an exhaustive search", why),
            }
        }
        Ok(())
    });
    oracles.check(&format!("{} with certificates, {}", class.name(), kind.name()), 20);
    println!("certificates by method: {:?}", certified.get());
    assert!(certified.get().iter().all(|&count| count > cases / 50), "few certificates");
}

#[test]
fn wins_by_full_threats_are_certified() {
    wins_are_certified(Class::Vcdt, Kind::Full, 4_000, 18);
}

#[test]
fn wins_by_threats_are_certified() {
    wins_are_certified(Class::Vcst, Kind::Any, 600, 15);
}

#[test]
fn wins_by_threats_against_a_defender_to_move_are_certified() {
    wins_are_certified(Class::Vcst, Kind::Defender, 600, 15);
}

#[test]
fn a_winning_move_has_all_its_stones_where_fewer_would_do() {
    // A stone on d4 makes threats on four lines, one more than three stones meet.
    let text = "game: 7 7 5 3 1\nblack: d6 g4 b2 e3\nwhite: a7\nto-move: black\n";
    let position = lambda6_rules::Setup::parse(text).unwrap().position().unwrap();
    let case = Case { position, attacker: lambda6_rules::Side::Black, choice: 0 };
    for class in [Class::Vcdt, Class::Vcst] {
        let verdict = solve(&case, options(class, false, Method::Rzop));
        assert!(verdict.win().is_some());
        check(&verdict).unwrap();
    }
}

#[test]
fn a_first_move_with_fewer_stones_is_not_taken_for_a_whole_one() {
    // Three stones at once would win; the first move has one, and White wins.
    let game = lambda6_rules::Game::new(3, 3, 3, 3, 1).unwrap();
    let mut solver = Solver::new(game, SolverOptions::default());
    let mut solve = |attacker| {
        let position = lambda6_rules::Position::new(game);
        solver
            .solve(&position, attacker, &mut Budget::of_nodes(MOST), &mut Silent)
            .map(|report| report.verdict)
    };
    for attacker in lambda6_rules::Side::ALL {
        assert!(matches!(solve(attacker), Err(SolveError::FirstMove { p: 3, q: 1 })));
    }
}
