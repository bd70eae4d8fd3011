//! Go-moku on 15x15: positions that need moves without a threat, with certificates.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use lambda6_proof::{Budget, Class, Replies, Silent, Solver, SolverOptions, Verdict};
use lambda6_rules::{Position, Setup, Side};

/// Black to move, and the text of the position.
fn position(black: &str, white: &str) -> (Position, String) {
    let text = format!("game: 15 15 5 1 1\nblack: {black}\nwhite: {white}\nto-move: black\n");
    (Setup::parse(&text).unwrap().position().unwrap(), text)
}

/// Black to move has two stones against two and wins, but not by threes and fours
/// alone. The checker decides whether the win is one; the limit on moves tried is
/// below what a search takes that does not look up wins of positions with a stone
/// less and orders moves as in Connect6 (143,000 to 246,000).
#[test]
fn two_stones_against_two_win_with_a_quiet_move() {
    for (black, white) in [("h8 i9", "a1 c12"), ("h8 i9", "a1 k3"), ("h8 i9", "o8 e10"), ("h8 h9", "d4 o14")]
    {
        let (position, text) = position(black, white);
        let solved = |class, nodes| {
            let mut solver = Solver::new(position.game(), SolverOptions::for_class(class));
            let mut budget = Budget::of_nodes(nodes);
            solver.solve(&position, Side::Black, &mut budget, &mut Silent).unwrap().verdict
        };
        assert!(matches!(solved(Class::Vcst, 80_000), Verdict::Unknown(_)), "{text}");
        let Verdict::Win(win) = solved(Class::Lambda3, 80_000) else { panic!("not proved: {text}") };
        let mut certificate = Vec::new();
        win.certificate().write(&mut certificate).unwrap();
        assert!(lambda6_checker::check(&certificate[..]).is_ok(), "{text}");
    }
}

/// The win of a position, played in another one with a white stone on another square,
/// leaves little to search; in the position itself nothing.
#[test]
fn the_win_of_a_similar_position_is_played_first() {
    let solved = |position: &Position, known: &[_]| {
        let mut solver = Solver::new(position.game(), SolverOptions::for_class(Class::Lambda3));
        solver.suggest(known);
        let mut budget = Budget::of_nodes(80_000);
        let report = solver.solve(position, Side::Black, &mut budget, &mut Silent).unwrap();
        let Verdict::Win(win) = report.verdict else { panic!("not proved: {}", position.setup()) };
        (win.into_certificate(), report.nodes)
    };
    let (first, _) = position("h8 i9", "a1 c12");
    let (proof, alone) = solved(&first, &[]);
    let replies = Replies::of(&proof).unwrap();
    let (_, again) = solved(&first, &replies.seen_from(&first));
    // A move is tried for each reply at most.
    assert!(again <= proof.replies().len() as u64, "{again} moves of {alone}");
    for white in ["a2 c12", "a1 c11"] {
        let (second, text) = position("h8 i9", white);
        let (_, without) = solved(&second, &[]);
        let (_, with) = solved(&second, &replies.seen_from(&second));
        assert!(with < without / 2, "{with} moves instead of {without}: {text}");
    }
}
