//! The orders of moves against their definition, written out: a move of order r wins, for
//! every u, against every move of the defender with u stones passed on by moves of order
//! r - u. Random positions of small games with one, two and three stones a move, k = 3 to 6;
//! a search that has time must agree with the definition in both directions.

mod support;

use lambda6_rules::Game;
use lambda6_search::{
    Limits, Method, Why,
    lambda::{LambdaOptions, LambdaSearch},
};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use support::{
    Case, Kind, Role, cases, exact, near_late_wins,
    oracle::{Oracle, Stones, TooLong, sets, stones},
    run, search_case, sharp_cases, small_games,
};

/// Moves of the defender that the definition may look at in one position.
const ORACLE_MOVES: u64 = 60_000;

/// Moves that a search may try in a position before it is passed over.
const MOST: Limits = Limits { depth: None, nodes: Some(200_000), time: None };

/// The definition.
struct Orders {
    lines: Oracle,
    board: u64,
    p: usize,
    known: FxHashMap<(Stones, usize), bool>,
    left: u64,
}

impl Orders {
    fn new(game: Game) -> Orders {
        let board = if game.area() == 64 { u64::MAX } else { (1 << game.area()) - 1 };
        Orders { lines: Oracle::new(game), board, p: game.p().into(), known: FxHashMap::default(), left: 0 }
    }

    fn wins(&mut self, case: &Case, order: usize) -> Result<bool, TooLong> {
        self.known.clear();
        self.left = ORACLE_MOVES;
        let stones = stones(&case.position, case.attacker);
        if case.position.to_move() == case.attacker {
            return self.attack(stones, order);
        }
        // The order of a move that led here is not known: passes are no threat to it.
        Ok(!self.lines.connects(stones.defender, stones.attacker) && self.defend(stones, order, 0)?)
    }

    /// Whether the attacker, to move, wins by moves of this order.
    fn attack(&mut self, stones: Stones, order: usize) -> Result<bool, TooLong> {
        let Stones { attacker, defender } = stones;
        if self.lines.connects(attacker, defender) {
            return Ok(true);
        }
        if order == 0 {
            return Ok(false);
        }
        if let Some(&known) = self.known.get(&(stones, order)) {
            return Ok(known);
        }
        let mut won = false;
        for mv in sets(self.board & !attacker & !defender, self.p) {
            let after = Stones { attacker: attacker | mv, defender };
            if !self.lines.connects(defender, after.attacker) && self.defend(after, order, self.p)? {
                won = true;
                break;
            }
        }
        self.known.insert((stones, order), won);
        Ok(won)
    }

    /// Whether the attacker wins whatever the defender does, with up to so many stones
    /// passed on.
    fn defend(&mut self, stones: Stones, order: usize, most_passed: usize) -> Result<bool, TooLong> {
        let Stones { attacker, defender } = stones;
        let empty = self.board & !attacker & !defender;
        if (empty.count_ones() as usize) < self.p {
            return Ok(false);
        }
        // Passes fail soonest.
        for passed in (0..=most_passed).rev() {
            for mv in sets(empty, self.p - passed) {
                self.left = self.left.checked_sub(1).ok_or(TooLong)?;
                let after = Stones { attacker, defender: defender | mv };
                if !self.attack(after, order.saturating_sub(passed))? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Positions with so few empty squares that the definition can be followed.
fn positions(to_move: Role, kind: Kind) -> impl Strategy<Value = Case> {
    prop_oneof![
        4 => cases(small_games(), to_move),
        1 => sharp_cases(small_games(), to_move),
        1 => near_late_wins(kind),
    ]
    .prop_filter("too many squares are empty", |case| {
        let most = [13, 11, 9][usize::from(case.position.game().p()) - 1];
        case.position.empty_count() <= most
    })
}

fn orders_are_exact(to_move: Role, kind: Kind, tests: u32) {
    let definitions: RefCell<FxHashMap<Game, Orders>> = RefCell::default();
    // By stones a move and order: won, not won.
    let tally: [[[Cell<u32>; 2]; 5]; 3] = Default::default();
    let passed_over = Cell::new(0);
    run(tests, positions(to_move, kind), |case| {
        let game = case.position.game();
        let order = 1 + (case.choice % 5) as u8;
        let mut definitions = definitions.borrow_mut();
        let definition = definitions.entry(game).or_insert_with(|| Orders::new(game));
        let Ok(won) = definition.wins(&case, order.into()) else {
            passed_over.set(passed_over.get() + 1);
            return Ok(());
        };
        let method = Method::ALL[(case.choice / 5 % 4) as usize];
        let exhaustive = case.choice / 20 % 2 == 0;
        let options = LambdaOptions { order, method, threads: 1, exhaustive };
        match search_case(&mut LambdaSearch::new(game, options, 1 << 22), &case, MOST) {
            Err(Why::Nodes) => passed_over.set(passed_over.get() + 1),
            found => {
                prop_assert_eq!(found, exact(won), "order {}, {}", order, case.line());
                let count = &tally[usize::from(game.p()) - 1][usize::from(order) - 1][usize::from(!won)];
                count.set(count.get() + 1);
            }
        }
        Ok(())
    });
    let text = format!("by stones a move and order [won, not won]: {tally:?}, {passed_over:?} passed over");
    println!("{text}");
    // With three stones a move a win is rare: one of any order has to do.
    let [one, two, three] = &tally;
    assert!(one.iter().chain(two).flatten().all(|count| count.get() > 0), "one-sided: {text}");
    let of_three = |won: usize| three.iter().map(|order| order[won].get()).sum::<u32>();
    assert!(of_three(0) > 0 && of_three(1) > 0, "one-sided: {text}");
    assert!(passed_over.get() <= tests / 4, "passed over too many: {text}");
}

#[test]
fn an_attacker_to_move_wins_exactly_by_the_moves_of_the_order() {
    orders_are_exact(Role::Attacker, Kind::Any, 6_000);
}

#[test]
fn a_defender_to_move_loses_exactly_to_the_moves_of_the_order() {
    orders_are_exact(Role::Defender, Kind::Defender, 3_000);
}
