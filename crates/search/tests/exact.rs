//! The searches against an oracle that tries every move, on random positions of
//! small games. `PROPTEST_CASES` sets how many.

mod support;

use lambda6_search::{
    Limits, Why,
    any::{AnyOptions, AnySearch},
    full::{Defence, FullSearch, Options, Partners},
};
use proptest::prelude::*;
use support::{Kind, Oracles, Said, oracle::Class, positions, run, search_any, search_full};

const TABLE: usize = 1 << 14;

const EVERY_FULL: Options = Options { defence: Defence::Normal, partners: Partners::All };
const EVERY_ANY: AnyOptions = AnyOptions { defence: Defence::Normal, exhaustive: true };

/// Moves that a search may try in a position before it is passed over.
const MOST: Limits = Limits { depth: None, nodes: Some(3_000), time: None };

fn expected(won: bool) -> Said {
    if won { Said::Win } else { Said::Not(Why::Exhausted) }
}

#[test]
fn full_threats_win_exactly_where_trying_everything_does() {
    let oracles = Oracles::default();
    run(65_000, positions(Kind::Full, 18), |case| {
        let Ok(won) = oracles.wins(&case, Class::Full) else { return Ok(()) };
        let mut search = FullSearch::new(case.position.game(), TABLE);
        let verdict = search_full(&mut search, &case, EVERY_FULL, Limits::default());
        prop_assert_eq!(Said::from(&verdict), expected(won));
        Ok(())
    });
    oracles.check("full threats", 20);
}

#[test]
fn threats_win_exactly_where_trying_everything_does() {
    let oracles = Oracles::default();
    run(14_000, positions(Kind::Any, 15), |case| {
        let Ok(won) = oracles.wins(&case, Class::Any) else { return Ok(()) };
        let mut search = AnySearch::new(case.position.game(), TABLE);
        let verdict = search_any(&mut search, &case, EVERY_ANY, MOST);
        match Said::from(&verdict) {
            Said::Not(Why::Nodes) => oracles.pass_over(),
            said => prop_assert_eq!(said, expected(won)),
        }
        Ok(())
    });
    oracles.check("threats", 10);
}

#[test]
fn threats_win_against_a_defender_to_move_exactly_where_trying_everything_does() {
    let oracles = Oracles::default();
    run(10_000, positions(Kind::Defender, 15), |case| {
        let Ok(won) = oracles.wins(&case, Class::Any) else { return Ok(()) };
        let mut search = AnySearch::new(case.position.game(), TABLE);
        let verdict = search_any(&mut search, &case, EVERY_ANY, MOST);
        match Said::from(&verdict) {
            Said::Not(Why::Nodes) => oracles.pass_over(),
            said => prop_assert_eq!(said, expected(won)),
        }
        Ok(())
    });
    oracles.check("threats, the defender to move", 10);
}

/// Searches that leave moves out: what they claim must be so, and what they
/// miss they must not call impossible.
fn claims_no_more(said: Said, won: bool) -> Result<(), TestCaseError> {
    match said {
        Said::Win => prop_assert!(won, "a win where there is none"),
        Said::Not(Why::Exhausted) => prop_assert!(!won, "exhausted where there is a win"),
        Said::Not(_) => {}
    }
    Ok(())
}

#[test]
fn narrow_searches_by_full_threats_claim_no_more_than_they_know() {
    let oracles = Oracles::default();
    run(8_000, positions(Kind::Full, 18), |case| {
        let Ok(won) = oracles.wins(&case, Class::Full) else { return Ok(()) };
        let mut search = FullSearch::new(case.position.game(), TABLE);
        for partners in [Partners::All, Partners::Useful(24), Partners::Useful(3), Partners::Useful(0)] {
            for defence in [Defence::Normal, Defence::Conservative] {
                let options = Options { defence, partners };
                let verdict = search_full(&mut search, &case, options, Limits::default());
                claims_no_more(Said::from(&verdict), won)?;
            }
        }
        Ok(())
    });
    oracles.check("narrow searches by full threats", 20);
}

#[test]
fn narrow_searches_by_threats_claim_no_more_than_they_know() {
    let oracles = Oracles::default();
    for kind in [Kind::Any, Kind::Defender] {
        run(600, positions(kind, 15), |case| {
            let Ok(won) = oracles.wins(&case, Class::Any) else { return Ok(()) };
            let mut search = AnySearch::new(case.position.game(), TABLE);
            for exhaustive in [true, false] {
                // The conservative defence first: what it fails at must not be
                // held against the normal one.
                for defence in [Defence::Conservative, Defence::Normal] {
                    let options = AnyOptions { defence, exhaustive };
                    let verdict = search_any(&mut search, &case, options, MOST);
                    claims_no_more(Said::from(&verdict), won)?;
                }
            }
            Ok(())
        });
    }
    oracles.check("narrow searches by threats", 10);
}
