//! What a search remembers must not change what it says: small tables, tables
//! left by other searches, and failures within a smaller budget.

mod support;

use lambda6_search::{
    Limits, Why,
    any::{AnyOptions, AnySearch},
    full::{Defence, FullSearch, Options, Partners},
};
use proptest::prelude::*;
use rules::Game;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use support::{Case, Kind, Oracles, Said, oracle::Class, positions, run, search_any, search_full};

const EVERY_FULL: Options = Options { defence: Defence::Normal, partners: Partners::All };
const EVERY_ANY: AnyOptions = AnyOptions { defence: Defence::Normal, exhaustive: true };

/// Moves that a search may try in a position before it is passed over.
const MOST: Limits = Limits { depth: None, nodes: Some(3_000), time: None };

/// From next to nothing to more than is needed.
const SIZES: [usize; 4] = [0, 600, 5_000, 1 << 16];

/// Searches that are kept from one position to the next.
struct Kept<S> {
    searches: RefCell<FxHashMap<(Game, usize), S>>,
    make: fn(Game, usize) -> S,
}

impl<S> Kept<S> {
    fn new(make: fn(Game, usize) -> S) -> Kept<S> {
        Kept { searches: RefCell::default(), make }
    }

    fn with<T>(&self, case: &Case, size: usize, work: impl FnOnce(&mut S) -> T) -> T {
        let game = case.position.game();
        let mut searches = self.searches.borrow_mut();
        work(searches.entry((game, size)).or_insert_with(|| (self.make)(game, size)))
    }
}

/// Small numbers drawn from a position's `choice`.
struct Choices(u64);

impl Choices {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    fn defence(&mut self) -> Defence {
        self.of(&[Defence::Normal, Defence::Conservative])
    }

    fn full(&mut self) -> Options {
        let partners = self.of(&[Partners::All, Partners::Useful(24), Partners::Useful(2)]);
        Options { defence: self.defence(), partners }
    }

    fn any(&mut self) -> AnyOptions {
        AnyOptions { defence: self.defence(), exhaustive: self.below(2) == 0 }
    }

    /// A budget that is often too small.
    fn limits(&mut self) -> Limits {
        let nodes = self.of(&[0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 150, 300, 1_000, 4_000]);
        let depth = self.of(&[None, None, Some(0), Some(1), Some(2), Some(3)]);
        Limits { nodes: Some(nodes), depth, time: None }
    }
}

/// The same stones with the other side to attack.
fn turned(case: &Case) -> Case {
    Case { attacker: case.attacker.other(), ..case.clone() }
}

/// What a search says that may be cut short or leave moves out.
fn claims_no_more(said: Said, won: bool) -> Result<(), TestCaseError> {
    match said {
        Said::Win => prop_assert!(won, "a win where there is none"),
        Said::Not(Why::Exhausted) => prop_assert!(!won, "exhausted where there is a win"),
        Said::Not(_) => {}
    }
    Ok(())
}

fn expected(won: bool) -> Said {
    if won { Said::Win } else { Said::Not(Why::Exhausted) }
}

#[test]
fn full_threats_are_searched_alike_whatever_is_remembered() {
    let (oracles, kept) = (Oracles::default(), Kept::new(FullSearch::new));
    run(6_000, positions(Kind::Full, 18), |case| {
        let mut choices = Choices(case.choice);
        let Ok(won) = oracles.wins(&case, Class::Full) else { return Ok(()) };
        kept.with(&case, choices.of(&SIZES), |search| {
            for _ in 0..choices.below(3) {
                let verdict = search_full(search, &case, choices.full(), choices.limits());
                claims_no_more(Said::from(&verdict), won)?;
                search_full(search, &turned(&case), choices.full(), choices.limits());
            }
            let verdict = search_full(search, &case, EVERY_FULL, MOST);
            match Said::from(&verdict) {
                Said::Not(Why::Nodes) => oracles.pass_over(),
                said => prop_assert_eq!(said, expected(won)),
            }
            Ok(())
        })
    });
    oracles.check("full threats with memory", 20);
}

#[test]
fn threats_are_searched_alike_whatever_is_remembered() {
    for kind in [Kind::Any, Kind::Defender] {
        let (oracles, kept) = (Oracles::default(), Kept::new(AnySearch::new));
        run(1_000, positions(kind, 15), |case| {
            let mut choices = Choices(case.choice);
            let Ok(won) = oracles.wins(&case, Class::Any) else { return Ok(()) };
            kept.with(&case, choices.of(&SIZES), |search| {
                for _ in 0..choices.below(3) {
                    let verdict = search_any(search, &case, choices.any(), choices.limits());
                    claims_no_more(Said::from(&verdict), won)?;
                    search_any(search, &turned(&case), choices.any(), choices.limits());
                }
                let verdict = search_any(search, &case, EVERY_ANY, MOST);
                match Said::from(&verdict) {
                    Said::Not(Why::Nodes) => oracles.pass_over(),
                    said => prop_assert_eq!(said, expected(won)),
                }
                Ok(())
            })
        });
        oracles.check(&format!("threats with memory, {}", kind.name()), 20);
    }
}

#[test]
fn what_conservative_defence_refutes_is_not_held_against_the_normal_one() {
    let case = Case::parse("6,5,5,2,1 black black xoxxxo......o....x.....o.....x");
    let mut search = AnySearch::new(case.position.game(), 1 << 22);
    let conservative = AnyOptions { defence: Defence::Conservative, exhaustive: true };
    let verdict = search_any(&mut search, &case, conservative, Limits::default());
    assert_eq!(Said::from(&verdict), Said::Not(Why::Narrowed));
    let verdict = search_any(&mut search, &case, EVERY_ANY, Limits::default());
    assert_eq!(Said::from(&verdict), Said::Win);
}
