//! Claims of wins against exhaustive search.

use super::{Case, Kind, exhaustive::Exhaustive, exhaustive::TooLong, positions, run};
use lambda6_rules::{Game, Position, Side};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// Positions that the exhaustive search may look at.
const MOST: u64 = 20_000;

/// An exhaustive search for each game.
#[derive(Default)]
pub struct Exhaustives(RefCell<FxHashMap<Game, Exhaustive>>);

impl Exhaustives {
    /// Whether the attacker wins.
    pub fn wins(&self, position: &Position, attacker: Side) -> Result<bool, TooLong> {
        let mut searches = self.0.borrow_mut();
        let search = searches.entry(position.game()).or_insert_with(|| Exhaustive::new(position.game()));
        search.wins(position, attacker, MOST)
    }
}

/// The squares left empty at most.
const EMPTY: usize = 12;

/// Asks so many searches in turn about random positions: `claim` says whether the
/// search with this number claims a win. Every claim must be a win by exhaustive
/// search, and every search must claim some.
pub fn check_claims<const N: usize>(cases: u32, claim: impl Fn(usize, &Case) -> Result<bool, TestCaseError>) {
    let oracles = Exhaustives::default();
    let next = Cell::new(0);
    // By search: claims, and how many were confirmed.
    let counts = RefCell::new([(0u32, 0u32); N]);
    let all = prop_oneof![
        positions(Kind::Full, EMPTY),
        positions(Kind::Any, EMPTY),
        positions(Kind::Defender, EMPTY),
    ];
    run(cases, all, |case| {
        let number = next.replace(next.get() + 1) % N;
        if !claim(number, &case)? {
            return Ok(());
        }
        let count = &mut counts.borrow_mut()[number];
        count.0 += 1;
        if let Ok(won) = oracles.wins(&case.position, case.attacker) {
            prop_assert!(won, "search {number} claims a win where there is none: {}", case.line());
            count.1 += 1;
        }
        Ok(())
    });
    println!("claims and confirmations by search: {:?}", counts.borrow());
    let few = (next.get() / N / 20) as u32;
    for &(claims, confirmed) in counts.borrow().iter() {
        assert!(claims > few && confirmed > claims / 2, "{claims} claims, {confirmed} confirmed");
    }
}
