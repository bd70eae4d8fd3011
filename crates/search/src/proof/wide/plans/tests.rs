use super::super::{bits::Squares, tests::zones_of};
use super::{
    duel::{Annealing, Duel, Offer},
    library::Way,
    numbers::Numbers,
    trees::{Trees, Want},
    *,
};
use crate::{Limits, NoClock};
use rules::{Setup, Square};
use std::sync::atomic::AtomicBool;

fn board(game: &str, black: &str, white: &str) -> Board {
    let text = format!("game: {game}\nblack: {black}\nwhite: {white}\nto-move: white\n");
    Board::from_position(&Setup::parse(&text).unwrap().position().unwrap())
}

fn three() -> Board {
    board("19 19 6 2 1", "j10 j12 i11", "")
}

/// The outline of at most so many moves.
fn outline(board: &mut Board, depth: u8) -> (Outline<6>, Forecaster<6>) {
    let stop = AtomicBool::new(false);
    let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
    let forecaster = Forecaster::new(board, Side::Black).unwrap();
    let mut generator = Generator::new(board.game());
    let outline = Outline::new(board, Side::Black, &mut generator, &forecaster, depth, &mut budget).unwrap();
    (outline, forecaster)
}

/// The plans of at most so many moves.
fn plans(board: &mut Board, depth: u8) -> Library<6> {
    let (outline, mut forecaster) = outline(board, depth);
    Library::new(&outline, board, &mut forecaster)
}

/// All there is to begin with in a position.
fn begin<'r>(board: &'r mut Board, stop: &'r AtomicBool) -> Plans<'r, 'r, 6> {
    let mut budget = Budget::new(Limits::default(), &NoClock, stop);
    let (outline, mut forecaster) = Plans::<6>::outline(board, Side::Black, &mut budget).unwrap();
    let library = Library::new(&outline, board, &mut forecaster);
    Plans::new(Graph::new(board, Side::Black, WIDTH, true, budget), outline, library, forecaster)
}

fn play(board: &mut Board, way: &Way<6>, stones: &Move) -> Option<Answer<6>> {
    Stage::default().play(board, Side::Black, stones, &way.course)
}

/// With four moves there are four zones of 30 squares, ten of which they have in common.
#[test]
fn the_shortest_plans_are_found() {
    let mut board = three();
    assert!(plans(&mut board, 3).ways.is_empty());
    let library = plans(&mut board, 4);
    let zones: Vec<_> = library.ways.iter().map(|plan| plan.zones.first).collect();
    assert!(library.ways.iter().all(|plan| plan.replies == 40 && plan.zones.first.count() == 30));
    assert_eq!(zones.len(), 4);
    assert_eq!(zones.iter().fold(zones[0], |all, zone| all.and(zone)).count(), 10);
}

/// What is told of a plan is what comes of it when it is played out, on an empty board,
/// near a corner, with stones of the defender, and where five in a row win; with one more
/// stone of the defender's too.
#[test]
fn zones_are_foreseen() {
    let positions = [
        (three(), 5),
        (board("19 19 6 2 1", "c4 e4 d5", ""), 5),
        (board("19 19 6 2 1", "j10 j12 i11", "g7 m15 k8 h13"), 5),
        (board("13 13 6 2 1", "g7 h8 f8 g9", "e5 e6 i11"), 4),
        (board("11 11 5 2 1", "f6", "d4 h8 d7"), 3),
    ];
    let mut compared = 0;
    for (mut board, depth) in positions {
        let library = plans(&mut board, depth);
        assert!(!library.ways.is_empty());
        for plan in library.ways.iter().step_by(1 + library.ways.len() / 40) {
            let Some(played) = play(&mut board, plan, &Move::NULL) else { continue };
            assert_eq!((played.first, played.second), (plan.zones.first, plan.zones.second));
            assert_eq!(played.list.len() as u32, plan.replies);
            let squares: Vec<Square> = board.game().squares().collect();
            for &s in squares.iter().filter(|s| !plan.zones.first.contains(**s)) {
                if board.is_empty(s) {
                    let with = play(&mut board, plan, &Move::single(s)).unwrap();
                    assert_eq!(with.first, plan.zones.first_with(&board, s));
                    assert_eq!(with.list, played.list);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

/// A plan that two stones do no harm has the same replies with the two on the board, and no
/// plan that bears them has fewer.
#[test]
fn plans_bear_two_stones() {
    let mut board = board("19 19 6 2 1", "j10 j12 i11", "g7 m15 k8 h13");
    let library = plans(&mut board, 5);
    let squares: Vec<Square> = board.game().squares().filter(|&s| board.is_empty(s)).collect();
    let (mut borne, mut near) = (0, 0);
    for (i, &s) in squares.iter().enumerate().step_by(7) {
        for &t in squares[..i].iter().step_by(5) {
            let pair = Move::pair(t, s);
            let against = library.against(&board, s, t);
            if let Some(plan) = against {
                let plan = &library.ways[plan];
                let played = play(&mut board, plan, &pair).unwrap();
                assert_eq!(Some(played.list), play(&mut board, plan, &Move::NULL).map(|alone| alone.list));
                borne += 1;
                near += u32::from(plan.zones.second.contains(s) && plan.zones.second.contains(t));
            }
            let before = &library.ways[..against.unwrap_or(library.ways.len())];
            let outside = |plan: &&Way<6>| !plan.zones.first.contains(s) && !plan.zones.first.contains(t);
            for plan in before.iter().filter(outside).take(3) {
                assert!(
                    play(&mut board, plan, &pair)
                        .is_none_or(|played| played.list.len() as u32 >= plan.replies)
                );
            }
        }
    }
    assert!(borne > 1_000 && near > 0, "{borne} {near}");
}

/// The plans that are offered are worth it: none has another's zone and more.
#[test]
fn the_best_plans_are_kept() {
    let mut board = board("19 19 6 2 1", "j10 k11 j12 i11", "a1 s19");
    let library = plans(&mut board, 4);
    let best: Vec<&Way<6>> = library.best.iter().map(|&i| &library.ways[i]).collect();
    assert!(best.len() > 10 && best.len() < library.ways.len());
    for (i, plan) in best.iter().enumerate() {
        for (j, other) in best.iter().enumerate().filter(|(j, _)| i != *j) {
            let is_more = other.zones.first.is_within(&plan.zones.first) && other.replies <= plan.replies;
            assert!(!is_more, "{i} {j}");
        }
    }
}

/// The win against no stone has the zones of the walk, and what is wanted in them.
#[test]
fn the_win_against_no_stone_has_what_is_wanted() {
    let stop = AtomicBool::new(false);
    let mut counts = Vec::new();
    for price in [1, -1] {
        let mut board = three();
        let area = board.game().area();
        let mut plans = begin(&mut board, &stop);
        let null = plans.null(&vec![price; area]).unwrap().unwrap();
        counts.push(null.first.count());
        let mut replies = null.list.iter();
        let zones = zones_of(plans.lines.graph.board, &mut replies);
        assert_eq!(replies.next(), None);
        for t in plans.board().game().squares().filter(|&t| plans.board().is_empty(t)) {
            assert_eq!(
                [1, 2].map(|i| zones.contains(i, t)),
                [null.first, null.second].map(|z| z.contains(t))
            );
        }
    }
    assert!(counts[0] < 60 && counts[1] > 110, "{counts:?}");
}

/// What a tree costs that is looked for against a stone is no more than what any plan does, and
/// its zones are what comes of it when it is played out.
#[test]
fn trees_are_as_cheap_as_plans_and_their_zones_are_foreseen() {
    let mut board = board("19 19 6 2 1", "j10 j12 i11", "g7 m15 k8 h13");
    let (outline, mut forecaster) = outline(&mut board, 5);
    let library = Library::new(&outline, &board, &mut forecaster);
    let mut random = Random::new(3);
    let squares: Vec<Square> = board.game().squares().filter(|&s| board.is_empty(s)).collect();
    let (mut found, mut cheaper) = (0, 0);
    let stones = squares.iter().filter(|s| library.ways[0].zones.first.contains(**s));
    for &stone in stones.cycle().take(200) {
        let price = board.game().squares().map(|_| random.below(4) as u32 * 20).collect();
        let want = Want { stone, priced: squares.iter().copied().collect(), price };
        let cost = |way: &Way<6>| {
            let zone = way.zones.first_with(&board, stone);
            way.replies + zone.iter().map(|t| want.price[t.index()]).sum::<u32>()
        };
        let plans = library.ways.iter().filter(|way| !way.zones.first.contains(stone));
        let Some(least) = plans.map(cost).min() else { continue };
        let mut trees = Trees::new(&outline, &mut forecaster, &board);
        let Some(tree) = trees.cheapest(&want, least) else { continue };
        assert!(cost(&tree) < least, "{} {least}", cost(&tree));
        cheaper += 1;
        for stones in [Move::NULL, Move::single(stone)] {
            let Some(played) = play(&mut board, &tree, &stones) else { continue };
            let zone =
                if stones.is_empty() { tree.zones.first } else { tree.zones.first_with(&board, stone) };
            assert_eq!((played.first, played.list.len() as u32), (zone, tree.replies));
            found += 1;
        }
    }
    assert!(cheaper > 10 && found > cheaper, "{cheaper} {found}");
}

/// A tree against two stones wins with the two on the board, and has no more replies than a plan.
#[test]
fn small_trees_bear_two_stones() {
    let mut board = three();
    let (outline, mut forecaster) = outline(&mut board, 5);
    let library = Library::new(&outline, &board, &mut forecaster);
    // The squares that the short plans need.
    let mut zones = Squares::EMPTY;
    library.ways[..4].iter().for_each(|way| zones.add(&way.zones.first));
    let squares: Vec<Square> = zones.iter().collect();
    let (mut smaller, mut played) = (0, 0);
    for (i, &s) in squares.iter().enumerate() {
        for &t in &squares[..i] {
            let Some(plan) = library.against(&board, s, t) else { continue };
            let replies = library.ways[plan].replies;
            let pair = Move::pair(t, s);
            let found = Trees::new(&outline, &mut forecaster, &board).smallest(&pair, replies);
            let Some((fewer, branch)) = found else { continue };
            assert!(fewer < replies);
            smaller += 1;
            let course = Course::Tree(branch);
            if let Some(answer) = Stage::default().play::<6>(&mut board, Side::Black, &pair, &course) {
                assert_eq!(answer.list.len() as u32, fewer);
                played += 1;
            }
        }
    }
    // What is told of a stone that strengthens something need not be so when it is played.
    assert!(smaller > 10 && played * 10 > smaller * 9, "{smaller} {played}");
}

/// Stones, squares and offers by chance, with prices of four kinds.
fn duel(random: &mut Random) -> (Duel, Vec<u32>) {
    let (n, squares) = (70, 90);
    let levels = [40, 70, 121, 363];
    let mut prices = vec![0; n * squares];
    for s in 0..n {
        for t in (0..squares).filter(|&t| t < s || t >= n) {
            let price = levels[random.below(4) as usize];
            prices[s * squares + t] = price;
            if t < n {
                prices[t * squares + s] = price;
            }
        }
    }
    let mut duel = Duel::new(n, squares, &prices, levels);
    for s in 0..n {
        for win in 0..40 {
            let mut zone = Numbers::EMPTY;
            (0..squares).filter(|&t| t != s && random.below(3) == 0).for_each(|t| zone.insert(t));
            let offer = duel.add(Offer { win, replies: 40 + random.below(80) as u32, zone });
            duel.open(s, offer);
        }
    }
    (duel, prices)
}

/// What a choice costs is told from what is kept up to date; here it is counted.
#[test]
fn what_a_duel_costs_is_kept_up_to_date() {
    let stop = AtomicBool::new(false);
    let budget = Budget::new(Limits::default(), &NoClock, &stop);
    let mut random = Random::new(7);
    let (mut duel, mut prices) = duel(&mut random);
    let (n, squares) = (duel.len(), prices.len() / duel.len());
    let mut totals = Vec::new();
    for round in 0..4 {
        match round {
            0 => {}
            1 => {
                // A third of the pairs become cheaper.
                for (s, t) in duel.pairs().into_iter().step_by(3) {
                    duel.set_price(s, t, 40);
                    prices[s * squares + t] = 40;
                    if t < n {
                        prices[t * squares + s] = 40;
                    }
                }
            }
            2 => while duel.respond() {},
            _ => {
                let how = Annealing { epochs: 4, changes: 5_000, tried: 8, heat: 100 };
                duel.anneal(&how, &mut random, &budget).unwrap();
            }
        }
        let has = |s: usize, t: usize| duel.now(s).zone.contains(t);
        let price = |s: usize, t: usize| prices[s * squares + t];
        let (mut counted, mut pairs) = (0, 0);
        for s in 0..n {
            let asked = |t: &usize| has(s, *t) && (*t >= n || has(*t, s));
            let met: Vec<usize> = (0..squares).filter(asked).collect();
            let of_s: u32 = met.iter().map(|&t| price(s, t)).sum();
            assert_eq!(duel.cost_now(s), duel.now(s).replies + of_s);
            counted += duel.now(s).replies;
            counted += met.iter().filter(|&&t| t > s).map(|&t| price(s, t)).sum::<u32>();
            pairs += met.iter().filter(|&&t| t > s).count();
        }
        assert_eq!(duel.total(), counted);
        assert_eq!(duel.pairs().len(), pairs);
        totals.push(counted);
    }
    assert!(totals.is_sorted_by(|one, next| one > next), "{totals:?}");
}

/// Choosing tries no moves, and stops all the same.
#[test]
fn a_duel_stops_when_it_is_told_to() {
    let stop = AtomicBool::new(true);
    let budget = Budget::new(Limits::default(), &NoClock, &stop);
    let mut random = Random::new(7);
    let (mut duel, ..) = duel(&mut random);
    let how = Annealing { epochs: 4, changes: 5_000, tried: 8, heat: 100 };
    assert_eq!(duel.anneal(&how, &mut random, &budget), Err(Why::Stopped));
}

/// A stone that none of the plans on offer does without is answered all the same.
#[test]
fn stones_that_no_plan_on_offer_bears_are_answered() {
    let stop = AtomicBool::new(false);
    let mut board = three();
    let area = board.game().area();
    let mut plans = begin(&mut board, &stop);
    plans.library.best.truncate(1);
    let only = plans.library.ways[plans.library.best[0]].zones.first;
    let null = plans.null(&vec![-1; area]).unwrap().unwrap();
    assert!(null.first.meets(&only));
    let singles = plans.singles(&null).unwrap().unwrap();
    assert_eq!(singles.wins.len(), null.first.count() as usize);
    for (&s, &win) in singles.stones.iter().zip(&singles.wins) {
        assert!(!plans.library.ways[win].zones.first.contains(s));
    }
    assert!(plans.wins().any(|(_, way)| matches!(way.course, Course::Searched)));
}
