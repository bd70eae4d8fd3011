//! What the verifier says of the defender's moves, against exhaustive search.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod support;

use lambda6_proof::{
    Budget, Limits, Silent,
    verify::{DefenceVerifier, Fate, Verified},
};
use lambda6_rules::{Move, Position, Square};
use lambda6_search::lambda::LambdaOptions;
use proptest::prelude::*;
use std::cell::Cell;
use support::{Kind, claims::Exhaustives, positions, run};

fn verified(position: &Position, order: u8, each: u64) -> Verified {
    let options = LambdaOptions { order, ..LambdaOptions::default() };
    let each = Limits { nodes: Some(each), ..Limits::default() };
    let mut verifier = DefenceVerifier::new(position, options, 1 << 16, each).unwrap();
    verifier.verify(&mut Budget::of_nodes(100_000), &mut Silent).unwrap()
}

/// All moves of as many stones as are played.
fn moves(position: &Position) -> Vec<Move> {
    let empty: Vec<Square> = position.empty_squares().collect();
    let mut all = vec![Move::NULL];
    for _ in 0..position.stones_to_place() {
        let longer = |mv: &Move| {
            let after = mv.squares().last().copied();
            let later = empty.iter().filter(|&&square| after.is_none_or(|last| square > last));
            later.map(|&square| mv.with(square)).collect::<Vec<Move>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[test]
fn a_refuted_move_loses_and_no_other_is_left_out() {
    let oracles = Exhaustives::default();
    let (refuted, open, wins) = (Cell::new(0), Cell::new(0), Cell::new(0));
    run(4_000, positions(Kind::Defender, 10), |case| {
        let position = &case.position;
        let defender = position.to_move();
        let order = 2 + (case.choice % 3) as u8;
        let found = verified(position, order, [50, 1_000][case.choice as usize / 3 % 2]);
        if let Ok(won) = oracles.wins(position, case.attacker) {
            prop_assert!(won || !found.is_win(), "not won: {}", case.line());
            wins.set(wins.get() + u32::from(found.is_win()));
        }
        for mv in moves(position) {
            let mut after = position.clone();
            after.play(&mv).unwrap();
            if let Fate::Open = found.fate(position, &mv) {
                let known = found.incomplete.is_some() || found.open.contains(&mv.sorted());
                prop_assert!(known, "{mv:?} is left out: {}", case.line());
                open.set(open.get() + 1);
                continue;
            }
            let over =
                after.outcome().is_some_and(|outcome| outcome == lambda6_rules::Outcome::Win(defender));
            prop_assert!(!over, "{mv:?} connects: {}", case.line());
            if after.outcome().is_none()
                && let Ok(won) = oracles.wins(&after, case.attacker)
            {
                prop_assert!(won, "{mv:?} is not lost: {}", case.line());
                refuted.set(refuted.get() + 1);
            }
        }
        Ok(())
    });
    let counts = [refuted.get(), open.get(), wins.get()];
    println!("refuted, open moves, and wins: {counts:?}");
    assert!(counts.iter().all(|&count| count > 20), "one-sided: {counts:?}");
}
