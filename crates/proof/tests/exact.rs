//! The searches against an oracle that tries every move, on random positions of
//! small games. `PROPTEST_CASES` sets how many.

mod support;

use lambda6_search::{
    Limits, Why,
    vcdt::{Defence, Partners, VcdtOptions, VcdtSolver},
    vcst_rounds::{RoundsOptions, VcstRounds},
};
use proptest::prelude::*;
use support::{Kind, Oracles, claims_no_more, exact, oracle::Class, positions, run, search_case};

const TABLE: usize = 1 << 14;

const EVERY_VCDT: VcdtOptions = VcdtOptions { defence: Defence::Normal, partners: Partners::All };
const EVERY_VCST: RoundsOptions = RoundsOptions { defence: Defence::Normal, exhaustive: true };

/// Moves that a search may try in a position before it is passed over.
const MOST: Limits = Limits { depth: None, nodes: Some(3_000), time: None };

#[test]
fn vcdt_wins_exactly_where_trying_everything_does() {
    let oracles = Oracles::default();
    run(65_000, positions(Kind::Full, 18), |case| {
        let Ok(won) = oracles.wins(&case, Class::Full) else { return Ok(()) };
        let mut search = VcdtSolver::new(case.position.game(), EVERY_VCDT, TABLE);
        prop_assert_eq!(search_case(&mut search, &case, Limits::default()), exact(won));
        Ok(())
    });
    oracles.check("vcdt", 20);
}

fn vcst_is_exact(kind: Kind, cases: u32) {
    let oracles = Oracles::default();
    run(cases, positions(kind, 15), |case| {
        let Ok(won) = oracles.wins(&case, Class::Any) else { return Ok(()) };
        let mut search = VcstRounds::new(case.position.game(), EVERY_VCST, TABLE);
        match search_case(&mut search, &case, MOST) {
            Err(Why::Nodes) => oracles.pass_over(),
            found => prop_assert_eq!(found, exact(won)),
        }
        Ok(())
    });
    oracles.check(&format!("vcst, {}", kind.name()), 10);
}

#[test]
fn vcst_wins_exactly_where_trying_everything_does() {
    vcst_is_exact(Kind::Any, 14_000);
}

#[test]
fn vcst_wins_against_a_defender_to_move_exactly_where_trying_everything_does() {
    vcst_is_exact(Kind::Defender, 10_000);
}

#[test]
fn narrow_searches_for_vcdt_claim_no_more_than_they_know() {
    let oracles = Oracles::default();
    run(8_000, positions(Kind::Full, 18), |case| {
        let Ok(won) = oracles.wins(&case, Class::Full) else { return Ok(()) };
        for partners in [Partners::All, Partners::Useful(24), Partners::Useful(3), Partners::Useful(0)] {
            for defence in [Defence::Normal, Defence::Conservative] {
                let options = VcdtOptions { defence, partners };
                let mut search = VcdtSolver::new(case.position.game(), options, TABLE);
                claims_no_more(search_case(&mut search, &case, Limits::default()), won)?;
            }
        }
        Ok(())
    });
    oracles.check("narrow searches for vcdt", 20);
}

#[test]
fn narrow_searches_for_vcst_claim_no_more_than_they_know() {
    let oracles = Oracles::default();
    for kind in [Kind::Any, Kind::Defender] {
        run(600, positions(kind, 15), |case| {
            let Ok(won) = oracles.wins(&case, Class::Any) else { return Ok(()) };
            for exhaustive in [true, false] {
                for defence in [Defence::Conservative, Defence::Normal] {
                    let options = RoundsOptions { defence, exhaustive };
                    let mut search = VcstRounds::new(case.position.game(), options, TABLE);
                    claims_no_more(search_case(&mut search, &case, MOST), won)?;
                }
            }
            Ok(())
        });
    }
    oracles.check("narrow searches for vcst", 10);
}
