//! What each filter finds and what it does not.

use super::*;

/// The filters that win a position of a 13x13 board, Black to move, without
/// anything to fall back on.
fn solved_by(black: &str, white: &str) -> Vec<&'static str> {
    solved_on("13 13 6 2 1", black, white)
}

fn solved_on(game: &str, black: &str, white: &str) -> Vec<&'static str> {
    let text = format!("game: {game}\nblack: {black}\nwhite: {white}\nto-move: black\n");
    let position = Setup::parse(&text).unwrap().position().unwrap();
    let without = DbsOptions { fall_back: false, ..DbsOptions::default() };
    let solves = |filter: &Filter| {
        let mut solver = solver(position.game(), VcdtVariant::Filtered(*filter), without);
        let solved = solver.solve(&position, Side::Black, &mut Budget::of_nodes(100_000), &mut Silent);
        solved.unwrap().report.verdict.win().is_some()
    };
    // The plain one of the two: with the options of the others.
    let (plain, _) =
        search(&position, DbsOptions { filter: Filter::Plain, ..DbsOptions::default() }, u64::MAX);
    assert!(plain);
    Filter::ALL[1..].iter().filter(|filter| solves(filter)).map(|filter| filter.name()).collect()
}

/// Whether the search wins within so many moves, and how many it tried.
fn search(position: &Position, options: DbsOptions, nodes: u64) -> (bool, u64) {
    let mut search = DbsSearch::new(position.game(), options, 1 << 12).unwrap();
    let (mut board, mut budget) = (Board::from_position(position), Budget::of_nodes(nodes));
    let won = search.search(&mut board, Side::Black, Side::Black, &mut budget, &mut Silent).is_ok();
    (won, budget.nodes())
}

#[test]
fn a_line_of_dependent_moves_is_found_by_all() {
    assert_eq!(solved_by("f6 g6 f8 g8 f10", "a1"), ["f1", "f2", "f3", "f4", "f5"]);
}

#[test]
fn a_combination_takes_f2() {
    assert_eq!(solved_by("e8 g9 g6", "j9 c8 l9"), ["f2", "f3", "f4", "f5"]);
}

/// A defence makes a threat, and the next move must block it.
#[test]
fn a_block_afterwards_takes_f3() {
    assert_eq!(solved_by("f3 f4 e3", "i5 i9 g3 i8"), ["f3", "f4", "f5"]);
}

/// The stones that block must stand before the defence that they block.
#[test]
fn a_block_in_advance_takes_f3() {
    assert_eq!(solved_by("k2 k8 h9 k6", "l4 i6 h4 i4"), ["f3", "f4", "f5"]);
}

#[test]
fn what_follows_a_forced_block_need_not_depend_on_it() {
    // White has two threats. The one pair that meets both makes two single
    // threats, far away from where Black wins.
    let black = "d17 e17 f17 d12 e12 f12 n4 o4 n6 o6 n8";
    let white = "g13 g14 g15 g16 c17 c12";
    assert_eq!(solved_on("19 19 6 2 1", black, white), ["f3", "f4", "f5"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// What F4 and F5 leave out is searched in the end.
    #[test]
    fn nothing_is_lost_that_the_plain_search_finds(position in positions(), deepen: bool, normal: bool) {
        if position.outcome().is_some() {
            return Ok(());
        }
        let defence = if normal { Defence::Normal } else { Defence::Conservative };
        let solve = |filter, nodes| {
            let options = DbsOptions { filter, deepen, defence, depth: 6, ..DbsOptions::default() };
            search(&position, options, nodes)
        };
        let (won, nodes) = solve(Filter::Plain, 2_000);
        if won {
            for filter in [Filter::F4, Filter::F5] {
                // The filter may go where the plain search does not: behind the
                // moves that it may try in one position.
                prop_assert!(solve(filter, 20 * nodes + 1_000).0, "{}", filter);
            }
        }
    }
}
