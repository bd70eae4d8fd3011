use super::{
    assignment::{Annealing, Assignment, Offer, PairPrices},
    move_zones::{CounterLines, ZonePair, taken_by_last, zones_of},
    plan_list::Plan,
    writer::play_out,
    *,
};
use crate::{Class, Solver, SolverOptions, Strategy, Verdict};
use lambda6_rules::{Setup, Square};
use lambda6_search::{NoClock, Silent, Zones};
use lambda6_threats::{Defences, Play};
use std::sync::atomic::AtomicBool;

fn position(game: &str, black: &str, white: &str) -> Position {
    let text = format!("game: {game}\nblack: {black}\nwhite: {white}\nto-move: white\n");
    Setup::parse(&text).unwrap().position().unwrap()
}

fn board(game: &str, black: &str, white: &str) -> Board {
    Board::from_position(&position(game, black, white))
}

fn three() -> Board {
    board("19 19 6 2 1", "j10 j12 i11", "")
}

/// The plans of at most so many moves.
fn plans_of(board: &mut Board, depth: u8) -> (PlanGraph<6>, PlanList<6>) {
    let mut tracker = ZoneTracker::new(board, Side::Black).unwrap();
    let mut generator = VcdtMoves::new(board.game());
    let mut budget = Budget::within(Limits::default());
    let graph = PlanGraph::new(board, Side::Black, &mut generator, &tracker, depth, &mut budget).unwrap();
    let list = PlanList::new(&graph, board, &mut tracker);
    (graph, list)
}

fn play(board: &mut Board, plan: &Plan<6>, stones: &Move) -> Option<Rc<ReplyTree>> {
    board.play(Side::White, stones, |board| play_out(board, Side::Black, &plan.moves))
}

fn light(position: &Position) -> Option<Certificate> {
    let mut budget = Budget::within(Limits::default());
    prove(position, Side::Black, Effort::LIGHT, &mut budget, &mut |_| ()).unwrap()
}

fn empty_squares(board: &Board) -> Vec<Square> {
    board.game().squares().filter(|&square| board.is_empty(square)).collect()
}

/// The first two zones, as sets of empty squares.
fn zone_pair(board: &Board, zones: &Zones) -> ZonePair<6> {
    let [first, second] = [1, 2].map(|i| zones.empty_squares(board, i).collect());
    ZonePair { first, second }
}

#[test]
fn the_shortest_plans_of_three_stones_have_four_zones() {
    let mut board = three();
    assert!(plans_of(&mut board, 3).1.plans.is_empty());
    let (_, list) = plans_of(&mut board, 4);
    let zones: Vec<_> = list.plans.iter().map(|plan| *plan.first()).collect();
    assert!(list.plans.iter().all(|plan| plan.replies == 40 && plan.first().count() == 30));
    assert_eq!(zones.len(), 4);
    assert_eq!(zones.iter().fold(zones[0], |all, zone| all.and(zone)).count(), 10);
}

/// On an empty board, near a corner, with stones of the defender, and where five in a row win.
#[test]
fn zones_of_plans_are_those_of_the_walk() {
    let positions = [
        (three(), 5),
        (board("19 19 6 2 1", "c4 e4 d5", ""), 5),
        (board("19 19 6 2 1", "j10 j12 i11", "g7 m15 k8 h13"), 5),
        (board("13 13 6 2 1", "g7 h8 f8 g9", "e5 e6 i11"), 4),
        (board("11 11 5 2 1", "f6", "d4 h8 d7"), 3),
    ];
    let mut compared = 0;
    for (mut board, depth) in positions {
        let (_, list) = plans_of(&mut board, depth);
        assert!(!list.plans.is_empty());
        for plan in list.plans.iter().step_by(1 + list.plans.len() / 12) {
            let Some(played) = play(&mut board, plan, &Move::NULL) else { continue };
            assert_eq!(zone_pair(&board, &played.zones), plan.zones.zones);
            assert_eq!(played.replies, u64::from(plan.replies));
            for s in empty_squares(&board).into_iter().filter(|s| !plan.first().contains(*s)) {
                let with = play(&mut board, plan, &Move::single(s)).unwrap();
                let first = board.play(Side::White, [s], |board| zone_pair(board, &with.zones).first);
                assert_eq!(first, plan.zones.first_with(&board, s));
                assert_eq!(with.replies, played.replies);
                compared += 1;
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn a_plan_that_bears_two_stones_wins_against_them_with_the_same_replies() {
    let mut board = board("19 19 6 2 1", "j10 j12 i11", "g7 m15 k8 h13");
    let (_, list) = plans_of(&mut board, 5);
    let squares = empty_squares(&board);
    let (mut borne, mut near) = (0, 0);
    for (i, &s) in squares.iter().enumerate().step_by(7) {
        for &t in squares[..i].iter().step_by(5) {
            let Some(plan) = list.against_pair(&board, s, t) else { continue };
            let plan = &list.plans[plan];
            let lists = [Move::pair(t, s), Move::NULL].map(|stones| {
                let mut list = Vec::new();
                play(&mut board, plan, &stones).unwrap().list(&mut list);
                list
            });
            assert_eq!(lists[0], lists[1]);
            borne += 1;
            let second = &plan.zones.zones.second;
            near += u32::from(second.contains(s) && second.contains(t));
        }
    }
    assert!(borne > 1_000 && near > 0, "{borne} {near}");
}

#[test]
fn no_plan_on_offer_is_worse_than_another() {
    let (_, list) = plans_of(&mut board("19 19 6 2 1", "j10 k11 j12 i11", "a1 s19"), 4);
    let offered: Vec<&Plan<6>> = list.offers().map(|(_, plan)| plan).collect();
    assert!(offered.len() > 10 && offered.len() < list.plans.len());
    for (i, plan) in offered.iter().enumerate() {
        for (_, other) in offered.iter().enumerate().filter(|(j, _)| i != *j) {
            assert!(!other.first().is_within(plan.first()) || other.replies > plan.replies);
        }
    }
}

/// A move on the board, and moves that end a line without being placed.
#[test]
fn zones_of_moves_are_those_of_the_walk() {
    let mut board = board("19 19 6 2 1", "j10 i9 k11 k9 l10 k13 h12", "g7 h8 m16 k7 h13 i14");
    let mut theirs = Defences::default();
    theirs.find(&board, Side::White);
    let counter_lines = CounterLines::find(&board, Side::White);
    let mut lasts = Vec::new();
    let mut generator = VcdtMoves::new(board.game());
    generator.attack.all_overwhelming(&board, Side::Black, &theirs, usize::MAX, |reply, threats| {
        let first = taken_by_last(&board, &reply, threats);
        let mut zones: ZonePair<6> = ZonePair { first, second: SquareSet::EMPTY };
        counter_lines.add_to(&mut zones, &board, &reply);
        lasts.push((reply, zones));
    });
    assert!(lasts.len() > 5, "{}", lasts.len());
    for (reply, zones) in lasts {
        let (on_board, mut walked) = board.play(Side::Black, reply, |board| {
            (zones_of(board, Side::Black, &reply), critical_defences(board, Side::Black).unwrap().0)
        });
        walked.add_move(&reply);
        assert_eq!((zones, on_board), (zone_pair(&board, &walked), zone_pair(&board, &walked)));
    }
}

#[test]
fn the_win_against_the_null_move_has_the_squares_that_are_worth_having() {
    let mut counts = Vec::new();
    for price in [1, -1] {
        let mut board = three();
        let (graph, _) = plans_of(&mut board, 5);
        let mut budget = Budget::within(Limits::default());
        let mut generator = VcdtMoves::new(board.game());
        let prices = ZonePrices { first: vec![price; board.game().area()], second: 1 };
        let (graph, generator, prices) = (&graph, &mut generator, &prices);
        let search = NullWin { graph, generator, attacker: Side::Black, prices, budget: &mut budget };
        let replies = search.find(&mut board).unwrap().unwrap();
        let tree = ReplyTree::of_list(&mut board, Side::Black, Method::Mutual, &replies).unwrap();
        assert_eq!(tree.replies as usize, replies.len());
        counts.push(zone_pair(&board, &tree.zones).first.count());
    }
    assert!(counts[0] < 60 && counts[1] > 110, "{counts:?}");
}

/// Random stones, prices and offers.
fn assignment(random: &mut Random) -> (Assignment<6>, Vec<SquareSet<6>>) {
    let squares: Vec<Square> = (0..90).map(Square::new).collect();
    let stones = squares[..70].to_vec();
    let mut dear = vec![SquareSet::EMPTY; stones.len()];
    for s in 0..70 {
        for t in (s + 1..90).filter(|_| random.below(2) == 0).collect::<Vec<_>>() {
            dear[s].insert(squares[t]);
            if t < 70 {
                dear[t].insert(squares[s]);
            }
        }
    }
    let prices = PairPrices { low: 40, high: 121 };
    let mut assignment = Assignment::new(stones, &three(), prices, dear.clone());
    for (s, &stone) in squares[..70].iter().enumerate() {
        for win in 0..40 {
            let zone = squares.iter().copied().filter(|&t| t != stone && random.below(3) == 0).collect();
            let offer = assignment.add(Offer { win, replies: 40 + random.below(80) as u32, zone });
            assignment.offer(s, offer);
        }
    }
    (assignment, dear)
}

const SHORT: Annealing =
    Annealing { improvements: 1, epochs: 4, changes: 5_000, tried: 8, sample: 20, heat: 100 };

#[test]
fn the_cost_of_an_assignment_is_kept_up_to_date() {
    let mut random = Random::new(7);
    let (mut assignment, dear) = assignment(&mut random);
    let mut totals = Vec::new();
    for round in 0..2 {
        match round {
            0 => {}
            _ => assignment.anneal(&SHORT, &mut random, &Budget::within(Limits::default())).unwrap(),
        }
        let has = |s: usize, t: usize| assignment.used(s).zone.contains(Square::new(t));
        let mut total = 0;
        for (s, dear) in dear.iter().enumerate() {
            let price = |t: usize| if dear.contains(Square::new(t)) { 121 } else { 40 };
            let met: Vec<usize> = (0..90).filter(|&t| has(s, t) && (t >= 70 || has(t, s))).collect();
            let of_pairs: u32 = met.iter().map(|&t| price(t)).sum();
            assert_eq!(assignment.cost_now(s), assignment.used(s).replies + of_pairs);
            total += assignment.used(s).replies;
            total += met.iter().filter(|&&t| t > s).map(|&t| price(t)).sum::<u32>();
        }
        totals.push(total);
    }
    assert!(totals.is_sorted_by(|one, next| one > next), "{totals:?}");
}

/// Annealing tries no moves, and stops all the same.
#[test]
fn annealing_stops_when_it_is_told_to() {
    let stop = AtomicBool::new(true);
    let budget = Budget::new(Limits::default(), &NoClock, &stop);
    let mut random = Random::new(7);
    let (mut assignment, _) = assignment(&mut random);
    assert_eq!(assignment.anneal(&SHORT, &mut random, &budget), Err(Why::Stopped));
}

/// The replies of the plain certificate.
fn plain(position: &Position) -> usize {
    let strategy = Strategy::Lambda { order: 2, threads: 1, exhaustive: false, small_proofs: false };
    let options = SolverOptions { strategy, ..SolverOptions::for_class(Class::Vcst) };
    let mut budget = Budget::within(Limits::default());
    let mut solver = Solver::new(position.game(), options);
    let report = solver.solve(position, Side::Black, &mut budget, &mut Silent).unwrap();
    let Verdict::Win(win) = report.verdict else { panic!("not proved") };
    win.certificate().replies().len()
}

/// Three stones, also on a larger board, and four; the last two have stones that no plan wins
/// against.
#[test]
fn small_proofs_are_smaller_than_plain_ones_and_always_the_same() {
    for (game, black, white, most) in [
        ("19 19 6 2 1", "j10 j12 i11", "", 36_000),
        ("25 25 6 2 1", "m13 m15 l14", "", 36_000),
        ("19 19 6 2 1", "j10 k11 j12 i11", "a1 s19", 3_300),
        ("19 19 6 2 1", "j10 k10 l11 i12", "h8 m13", 17_000),
        ("19 19 6 2 1", "j10 k10 k11", "", 60_000),
    ] {
        let position = position(game, black, white);
        let small = light(&position).unwrap();
        let replies = small.replies().len();
        assert!(replies <= most, "{black}: {replies}");
        assert!(replies <= plain(&position), "{black}: {replies}");
        assert_eq!(light(&position).unwrap().replies(), small.replies(), "{black}");
    }
}

#[test]
fn rounds_make_proofs_smaller_and_the_smallest_counts() {
    let position = position("19 19 6 2 1", "j10 k11 j12 i11", "a1 s19");
    let mut told = Vec::new();
    let mut budget = Budget::within(Limits::default());
    let found = prove(&position, Side::Black, Effort::THOROUGH, &mut budget, &mut |n| told.push(n));
    assert!(told.len() > 1 && told.is_sorted_by(|one, next| one > next), "{told:?}");
    assert_eq!(found.unwrap().unwrap().replies().len() as u64, told[told.len() - 1]);
}

#[test]
fn a_small_budget_finds_nothing_and_leaves_most_of_it() {
    let three = position("19 19 6 2 1", "j10 j12 i11", "");
    let mut budget = Budget::of_nodes(8_000);
    assert_eq!(prove(&three, Side::Black, Effort::LIGHT, &mut budget, &mut |_| ()), Ok(None));
    assert!(budget.nodes() <= 2_001, "{}", budget.nodes());
}

/// One and three stones a move, windows of seven, no stone of the attacker, and a board that is too
/// large.
#[test]
fn other_games_are_left_to_other_searches() {
    for (game, black, white) in [
        ("15 15 5 1 1", "h8 i9 h10 g9", "d4 l12 d12"),
        ("15 15 6 3 1", "h8 h9", ""),
        ("19 19 7 2 1", "j10 j12 i11 k13 h12 k10 l11", ""),
        ("19 19 6 2 1", "", ""),
        ("40 40 6 2 1", "j10 j12 i11", ""),
    ] {
        assert_eq!(light(&position(game, black, white)), None, "{game}");
    }
}
