use super::super::tests::zones_of;
use super::{
    duel::{Annealing, Duel, Offer, WORDS},
    library::Plan,
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

/// The plans of at most so many moves.
fn plans(board: &mut Board, depth: u8) -> Library<6> {
    let stop = AtomicBool::new(false);
    let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
    let mut forecaster = Forecaster::new(board, Side::Black).unwrap();
    let mut generator = Generator::new(board.game());
    let outline = Outline::new(board, Side::Black, &mut generator, &forecaster, depth, &mut budget).unwrap();
    Library::new(&outline, board, &mut forecaster)
}

fn play(board: &mut Board, plan: &Plan<6>, stones: &Move) -> Option<Answer<6>> {
    Stage::default().play(board, Side::Black, stones, &plan.moves)
}

/// With four moves there are four zones of 30 squares, ten of which they have in common.
#[test]
fn the_shortest_plans_are_found() {
    let mut board = three();
    assert!(plans(&mut board, 3).plans.is_empty());
    let library = plans(&mut board, 4);
    let zones: Vec<_> = library.plans.iter().map(|plan| plan.zones.first).collect();
    assert!(library.plans.iter().all(|plan| plan.replies == 40 && plan.zones.first.count() == 30));
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
        assert!(!library.plans.is_empty());
        for plan in library.plans.iter().step_by(1 + library.plans.len() / 40) {
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
                let plan = &library.plans[plan];
                let played = play(&mut board, plan, &pair).unwrap();
                assert_eq!(Some(played.list), play(&mut board, plan, &Move::NULL).map(|alone| alone.list));
                borne += 1;
                near += u32::from(plan.zones.second.contains(s) && plan.zones.second.contains(t));
            }
            let before = &library.plans[..against.unwrap_or(library.plans.len())];
            let outside = |plan: &&Plan<6>| !plan.zones.first.contains(s) && !plan.zones.first.contains(t);
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
    let best: Vec<&Plan<6>> = library.best.iter().map(|&i| &library.plans[i]).collect();
    assert!(best.len() > 10 && best.len() < library.plans.len());
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
    let mut board = three();
    let area = board.game().area();
    let mut counts = Vec::new();
    for price in [1, -1] {
        let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
        let (outline, mut forecaster) = Plans::<6>::outline(&mut board, Side::Black, &mut budget).unwrap();
        let library = Library::new(&outline, &board, &mut forecaster);
        let mut plans =
            Plans::new(Graph::new(&mut board, Side::Black, WIDTH, false, budget), outline, library);
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

/// Stones and offers by chance, with prices of five kinds.
fn duel(random: &mut Random) -> (Duel, Vec<Vec<Offer>>, Vec<u32>) {
    let n = 70;
    let mut prices = vec![0; n * n];
    for s in 0..n {
        for t in 0..s {
            let price = [40, 58, 67, 121, 364][random.below(5) as usize];
            prices[s * n + t] = price;
            prices[t * n + s] = price;
        }
    }
    let offers: Vec<Vec<Offer>> = (0..n)
        .map(|s| {
            let offer = |win| {
                let mut zone = [0; WORDS];
                for t in (0..n).filter(|&t| t != s) {
                    zone[t / 64] |= u64::from(random.below(3) == 0) << (t % 64);
                }
                Offer { win, base: 40 + random.below(80) as u32, zone }
            };
            (0..12).map(offer).collect()
        })
        .collect();
    (Duel::new(offers.clone(), &prices), offers, prices)
}

/// What a choice costs is told from what is kept up to date; here it is counted.
#[test]
fn what_a_duel_costs_is_kept_up_to_date() {
    let stop = AtomicBool::new(false);
    let budget = Budget::new(Limits::default(), &NoClock, &stop);
    let mut random = Random::new(7);
    let (mut duel, offers, prices) = duel(&mut random);
    let n = offers.len();
    let has = |offer: &Offer, t: usize| offer.zone[t / 64] >> (t % 64) & 1 != 0;
    let mut totals = Vec::new();
    for round in 0..3 {
        match round {
            0 => {}
            1 => duel.settle(),
            _ => {
                let how = Annealing { epochs: 4, changes: 5_000, tried: 8, heat: 300 };
                duel.anneal(&how, &mut random, &budget).unwrap();
            }
        }
        let mut counted = 0;
        for s in 0..n {
            counted += duel.now(s).base;
            let pairs = |t: &usize| has(duel.now(s), *t) && has(duel.now(*t), s);
            let of_s: u32 = (0..n).filter(pairs).map(|t| prices[s * n + t]).sum();
            assert_eq!(duel.cost_now(s), duel.now(s).base + of_s);
            counted += (0..s).filter(pairs).map(|t| prices[s * n + t]).sum::<u32>();
        }
        assert_eq!(duel.total(), counted);
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
    let how = Annealing { epochs: 4, changes: 5_000, tried: 8, heat: 300 };
    assert_eq!(duel.anneal(&how, &mut random, &budget), Err(Why::Stopped));
}

/// A stone that none of the plans on offer does without is answered all the same.
#[test]
fn stones_that_no_plan_on_offer_bears_are_answered() {
    let stop = AtomicBool::new(false);
    let mut board = three();
    let area = board.game().area();
    let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
    let (outline, mut forecaster) = Plans::<6>::outline(&mut board, Side::Black, &mut budget).unwrap();
    let mut library = Library::new(&outline, &board, &mut forecaster);
    library.best.truncate(1);
    let only = library.plans[library.best[0]].zones.first;
    let mut plans = Plans::new(Graph::new(&mut board, Side::Black, WIDTH, false, budget), outline, library);
    let null = plans.null(&vec![-1; area]).unwrap().unwrap();
    assert!(null.first.meets(&only));
    let singles = plans.singles(&null, None).unwrap().unwrap();
    assert_eq!(singles.wins.len(), null.first.count() as usize);
    for (&s, &win) in singles.stones.iter().zip(&singles.wins) {
        assert!(!plans.zones_of(win).0.contains(s));
    }
    assert!(!plans.extra.is_empty());
}
