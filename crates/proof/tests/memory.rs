//! What a search remembers must not change what it says: small tables, tables
//! left by other searches, and failures within a smaller budget.

mod support;

use lambda6_rules::Game;
use lambda6_search::{
    Budget, Limits, Why,
    vcdt::{Defence, Partners, VcdtOptions, VcdtSearch},
    vcst_rounds::{RoundsOptions, VcstRounds},
};
use lambda6_threats::Board;
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use support::{Case, Kind, Oracles, claims_no_more, exact, oracle::Class, positions, run, search_case};

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

    fn vcdt(&mut self) -> VcdtOptions {
        let partners = self.of(&[Partners::All, Partners::Useful(24), Partners::Useful(2)]);
        VcdtOptions { defence: self.of(&[Defence::Normal, Defence::Conservative]), partners }
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

/// One VCDT search with any options: whether it wins.
fn vcdt_wins(
    search: &mut VcdtSearch,
    case: &Case,
    options: VcdtOptions,
    limits: Limits,
) -> Result<bool, Why> {
    let mut board = Board::from_position(&case.position);
    search.wins(&mut board, case.attacker, options, &mut Budget::within(limits))
}

#[test]
fn vcdt_is_searched_alike_whatever_is_remembered() {
    let every = VcdtOptions { defence: Defence::Normal, partners: Partners::All };
    let (oracles, kept) = (Oracles::default(), Kept::new(VcdtSearch::new));
    run(6_000, positions(Kind::Full, 18), |case| {
        let mut choices = Choices(case.choice);
        let Ok(won) = oracles.wins(&case, Class::Full) else { return Ok(()) };
        kept.with(&case, choices.of(&SIZES), |search| {
            for _ in 0..choices.below(3) {
                let found = vcdt_wins(search, &case, choices.vcdt(), choices.limits());
                prop_assert!(won || found != Ok(true), "a win where there is none");
                let _ = vcdt_wins(search, &turned(&case), choices.vcdt(), choices.limits());
            }
            match vcdt_wins(search, &case, every, MOST) {
                Err(Why::Nodes) => oracles.pass_over(),
                found => prop_assert_eq!(found, Ok(won)),
            }
            Ok(())
        })
    });
    oracles.check("vcdt with memory", 20);
}

#[test]
fn vcst_is_searched_alike_whatever_is_remembered() {
    for kind in [Kind::Any, Kind::Defender] {
        let make = |game, size| {
            let options = RoundsOptions { defence: Defence::Normal, exhaustive: true };
            VcstRounds::new(game, options, size)
        };
        let (oracles, kept) = (Oracles::default(), Kept::new(make));
        run(1_000, positions(kind, 15), |case| {
            let mut choices = Choices(case.choice);
            let Ok(won) = oracles.wins(&case, Class::Any) else { return Ok(()) };
            kept.with(&case, choices.of(&SIZES), |search| {
                for _ in 0..choices.below(3) {
                    claims_no_more(search_case(search, &case, choices.limits()), won)?;
                    let _ = search_case(search, &turned(&case), choices.limits());
                }
                match search_case(search, &case, MOST) {
                    Err(Why::Nodes) => oracles.pass_over(),
                    found => prop_assert_eq!(found, exact(won)),
                }
                Ok(())
            })
        });
        oracles.check(&format!("vcst with memory, {}", kind.name()), 20);
    }
}
