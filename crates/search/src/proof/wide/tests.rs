use super::choose::{Choice, Choices, HOT};
use super::*;
use crate::{NoClock, Zones};
use rules::{Game, Setup, Square};
use std::sync::atomic::AtomicBool;

fn three() -> Position {
    let text = "game: 19 19 6 2 1\nblack: j10 j12 i11\nto-move: white\n";
    Setup::parse(text).unwrap().position().unwrap()
}

/// What takes little time.
const SMALL: Extent = Extent {
    width: [2, 2, usize::MAX],
    close: 400_000,
    tries: 4_000,
    looks: 1_000,
    wins: 20,
    starts: 1,
    rounds: 2,
    suits: 1,
    each: 1,
    changes: 10_000,
};

/// Has something done where little effort begins.
fn with_light_effort(work: impl FnOnce(&mut Wide<'_, '_, 6>)) {
    let stop = AtomicBool::new(false);
    let budget = Budget::new(Limits::default(), &NoClock, &stop);
    let mut board = Board::from_position(&three());
    work(&mut Wide::new(&mut board, Side::Black, SMALL, budget));
}

/// The replies are far fewer than the 110,063 of a search for any proof. The
/// checker has walked them.
#[test]
fn three_stones_are_proved_with_few_replies() {
    let stop = AtomicBool::new(false);
    let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
    let found = prove(&three(), Side::Black, Effort::Light, &mut budget, &mut |_| ()).unwrap().unwrap();
    assert!(found.replies().len() <= 30_000, "{}", found.replies().len());
    assert!(budget.nodes() < 200_000, "{}", budget.nodes());
}

/// With more effort they become fewer than that in the first of eight rounds of the
/// first of ten starts. It is stopped there.
#[test]
fn three_stones_are_proved_with_fewer_replies_than_plans_have() {
    let stop = AtomicBool::new(false);
    let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
    let mut told = Vec::new();
    let mut tell = |replies: u64| {
        told.push(replies);
        stop.store(told.len() == 2, std::sync::atomic::Ordering::Relaxed);
    };
    let found = prove(&three(), Side::Black, Effort::Thorough, &mut budget, &mut tell).unwrap().unwrap();
    assert_eq!(told.len(), 2);
    assert!(told[0] <= 30_000 && told[1] < told[0], "{told:?}");
    assert_eq!(found.replies().len() as u64, told[1]);
}

#[test]
fn a_small_budget_finds_nothing_and_leaves_most_of_it() {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(8_000), ..Limits::default() };
    let mut budget = Budget::new(limits, &NoClock, &stop);
    assert_eq!(prove(&three(), Side::Black, Effort::Light, &mut budget, &mut |_| ()), Ok(None));
    assert!(budget.nodes() <= 2_001, "{}", budget.nodes());
    let empty = Position::new(Game::CONNECT6);
    assert_eq!(prove(&empty, Side::White, Effort::Light, &mut budget, &mut |_| ()), Ok(None));
}

/// The same stones near a corner, and with stones of the defender.
#[test]
fn other_positions_are_proved_with_few_replies() {
    let stop = AtomicBool::new(false);
    for (black, white, most) in [("d5 f5 e6", "", 36_000), ("j10 j12 i11", "g7 m15", 46_000)] {
        let text = format!("game: 19 19 6 2 1\nblack: {black}\nwhite: {white}\nto-move: white\n");
        let position = Setup::parse(&text).unwrap().position().unwrap();
        let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
        let found = prove(&position, Side::Black, Effort::Light, &mut budget, &mut |_| ()).unwrap().unwrap();
        assert!(found.replies().len() < most, "{black}: {}", found.replies().len());
    }
}

/// Choosing tries no moves, and stops all the same.
#[test]
fn choosing_stops_when_it_is_told_to() {
    let stones = [Square::new(0), Square::new(1)];
    let choice = |win, squares: &[Square]| Choice {
        win,
        replies: 40,
        zone: squares.iter().copied().collect::<Squares<6>>(),
    };
    for told in [false, true] {
        let mut choices = Choices::new(&stones, 361, 120);
        for i in 0..2 {
            choices.offer(i, choice(0, &[stones[1 - i], Square::new(2)]));
            choices.offer(i, choice(1, &[]));
        }
        assert_eq!(choices.total(), 2 * (40 + 120) + 120);
        let stop = AtomicBool::new(told);
        let budget = Budget::new(Limits::default(), &NoClock, &stop);
        let done = choices.anneal(1_000, HOT, &mut Random::new(1), &budget);
        assert_eq!(done, if told { Err(Why::Stopped) } else { Ok(()) });
        assert_eq!(choices.used(0).win == 0, told);
        assert_eq!(choices.used(1).win == 0, told);
    }
}

/// What a choice costs is told from what is kept up to date; here it is counted.
#[test]
fn what_a_choice_costs_is_kept_up_to_date() {
    let stones: Vec<Square> = (0..40).map(Square::new).collect();
    let mut choices: Choices<'_, 6> = Choices::new(&stones, 361, 100);
    let mut random = crate::puzzle::Random::new(3);
    for (i, &stone) in stones.iter().enumerate() {
        for win in 0..5 {
            let zone = (0..60).map(Square::new).filter(|&t| t != stone && random.below(3) == 0).collect();
            choices.offer(i, Choice { win, replies: 40 + win as u32, zone });
        }
    }
    let half: Squares<6> = (0..60).step_by(2).map(Square::new).collect();
    choices.bear(&half, 40);
    let stop = AtomicBool::new(false);
    let budget = Budget::new(Limits::default(), &NoClock, &stop);
    let before = choices.total();
    choices.anneal(20_000, HOT, &mut Random::new(1), &budget).unwrap();
    let has = |i: usize, t: usize| choices.used(i).zone.contains(Square::new(t));
    let mut counted = (0..40).map(|i| u64::from(choices.used(i).replies)).sum::<u64>();
    for s in 0..40 {
        for t in s + 1..60 {
            if has(s, t) && (t >= 40 || has(t, s)) {
                counted += if s % 2 == 0 && t % 2 == 0 { 40 } else { 100 };
            }
        }
    }
    assert_eq!(choices.total(), counted);
    assert!(counted < before);
}

/// Changes for the better are made until there is none.
#[test]
fn choices_settle_where_no_stone_has_a_better_one() {
    let stones: Vec<Square> = (0..30).map(Square::new).collect();
    let mut choices: Choices<'_, 6> = Choices::new(&stones, 361, 100);
    let mut random = Random::new(5);
    for (i, &stone) in stones.iter().enumerate() {
        for win in 0..6 {
            let zone = (0..50).map(Square::new).filter(|&t| t != stone && random.below(3) == 0).collect();
            choices.offer(i, Choice { win, replies: 40, zone });
        }
    }
    let before = choices.total();
    choices.settle();
    assert!(choices.total() < before);
    for i in 0..stones.len() {
        assert!((0..6).all(|choice| choices.cost(i, choice) >= choices.cost_now(i)));
    }
}

/// The smallest win against a pair is one with the two stones on the board, and none of
/// those that keep clear of them is smaller.
#[test]
fn the_smallest_win_against_a_pair_is_found() {
    let stop = AtomicBool::new(false);
    let budget = Budget::new(Limits::default(), &NoClock, &stop);
    let mut board = Board::from_position(&three());
    let extent = Extent { width: [6, 3, 6], ..SMALL };
    let mut wide: Wide<'_, '_, 6> = Wide::new(&mut board, Side::Black, extent, budget);
    let null = wide.lines.find(&Move::NULL, 4, &wide.aim()).unwrap().unwrap();
    let squares: Vec<Square> = null.first.iter().collect();
    assert_eq!(
        wide.lines.smallest([squares[0], squares[1]], 5, u32::MAX).unwrap(),
        None,
        "not worked out yet"
    );
    assert_eq!(wide.lines.close(&Move::NULL, 5, u64::MAX), Ok(Some(true)));
    let (mut found, mut spared, mut refused) = (0, 0, 0);
    for (i, &s) in squares.iter().enumerate().step_by(3) {
        for &t in &squares[..i] {
            let pair = Move::pair(t, s);
            let smallest = wide.lines.smallest([s, t], 5, u32::MAX).unwrap();
            let without = [s, t].into_iter().collect();
            let (priced, looks, tries) = (Squares::EMPTY, 10_000, u64::MAX);
            let aim = Aim { without, reply: 1, priced, looks, tries, ..wide.aim() };
            let clear = wide.lines.find(&Move::NULL, 5, &aim).unwrap();
            let Some(smallest) = smallest else {
                // Together the two are in the way, and only that one was tried.
                refused += u32::from(clear.is_some());
                continue;
            };
            let replies = smallest.replies();
            assert!(wide.lines.still_wins(&smallest, &pair).unwrap());
            assert!(clear.is_none_or(|win| replies <= win.replies()));
            assert_eq!(wide.lines.smallest([s, t], 5, replies).unwrap(), None, "not below that");
            found += 1;
            spared += u32::from(smallest.first.contains(s) || smallest.first.contains(t));
        }
    }
    assert!(found > 50 && spared > 0 && refused < found / 10, "{found} {spared} {refused}");
}

/// The zones of a win against one more stone are told without playing it through,
/// and so is whether it bears it.
#[test]
fn a_stone_adds_the_segments_that_it_strengthens() {
    with_light_effort(|wide| {
        let aim = wide.aim();
        let win = wide.lines.find(&Move::NULL, 4, &aim).unwrap().unwrap();
        assert_eq!((win.replies(), win.first.count()), (40, 30));
        let more = wide.lines.strengthened(&win).unwrap();
        let replies = &win.list;
        let zones = wide.lines.graph.against(&Move::NULL, |graph| zones_of(graph.board, &mut replies.iter()));
        for t in wide.board().game().squares().filter(|&t| wide.board().is_empty(t)) {
            assert_eq!([1, 2].map(|i| zones.contains(i, t)), [win.first, win.second].map(|z| z.contains(t)));
        }
        let mut added = 0;
        for s in wide.board().game().squares().filter(|&s| wide.board().is_empty(s)).collect::<Vec<_>>() {
            let stone = Move::single(s);
            // A stone on a square of a reply cannot even be played against.
            if win.first.contains(s) {
                continue;
            }
            assert!(wide.lines.still_wins(&win, &stone).unwrap());
            let zones = wide.lines.graph.against(&stone, |graph| zones_of(graph.board, &mut replies.iter()));
            for t in wide.board().game().squares().filter(|&t| t != s && wide.board().is_empty(t)) {
                let is_more = more.get(&s).is_some_and(|more| more.contains(t));
                assert_eq!(zones.contains(1, t), win.first.contains(t) || is_more);
                added += u32::from(is_more && !win.first.contains(t));
            }
        }
        assert!(added > 0);
    });
}

/// The zones of these replies as the walk has them.
pub(super) fn zones_of<'a>(board: &mut Board, replies: &mut impl Iterator<Item = &'a Move>) -> Zones {
    let reply = replies.next().unwrap();
    reply.iter().for_each(|square| board.place(Side::Black, square));
    let (mut zones, defences) = walk::begin(board, Side::Black).unwrap();
    zones.add_move(reply);
    for defence in defences {
        defence.iter().for_each(|square| board.place(Side::White, square));
        zones.union(&zones_of(board, replies));
        defence.iter().for_each(|square| board.remove(Side::White, square));
    }
    reply.iter().for_each(|square| board.remove(Side::Black, square));
    zones
}

/// A win that ends in other ways suits the aim better, and is one: its zones are those
/// of the walk.
#[test]
fn a_win_is_stretched_to_where_it_is_wanted() {
    with_light_effort(|wide| {
        let mut aim = wide.aim();
        let small = wide.lines.find(&Move::NULL, 4, &aim).unwrap().unwrap();
        // Squares outside are worth more than the replies that they take.
        aim = Aim { price: vec![-100; wide.area()], second: 1, tries: u64::MAX, ..aim };
        let large = wide.lines.find(&Move::NULL, 4, &aim).unwrap().unwrap();
        let again = wide.lines.find(&Move::NULL, 4, &aim).unwrap().unwrap();
        let stretched = wide.lines.stretch(again, &aim).unwrap();
        assert!(small.first.count() <= large.first.count());
        assert!(large.first.count() < stretched.first.count());
        assert!(large.replies() < stretched.replies());
        let zones = wide.lines.graph.against(&Move::NULL, |graph| {
            let mut replies = stretched.list.iter();
            let zones = zones_of(graph.board, &mut replies);
            assert_eq!(replies.next(), None);
            zones
        });
        for t in wide.board().game().squares().filter(|&t| wide.board().is_empty(t)) {
            let of_win = [stretched.first, stretched.second].map(|zone| zone.contains(t));
            assert_eq!([1, 2].map(|i| zones.contains(i, t)), of_win);
        }
    });
}

/// There are several proofs, each smaller than the one before, and what was found by then
/// is there when it is stopped.
#[test]
fn proofs_become_smaller_and_the_last_one_is_kept() {
    let text = "game: 19 19 6 2 1\nblack: j10 k11 j12 i11\nwhite: a1 s19\nto-move: white\n";
    let position = Setup::parse(text).unwrap().position().unwrap();
    let extent = Extent { starts: 1, rounds: 3, changes: 50_000, ..Extent::FULL };
    let mut sizes = Vec::new();
    for stopped in [false, true] {
        let stop = AtomicBool::new(false);
        let budget = Budget::new(Limits::default(), &NoClock, &stop);
        let mut told = Vec::new();
        let mut tell = |replies: u64| {
            told.push(replies);
            stop.store(stopped, std::sync::atomic::Ordering::Relaxed);
        };
        let mut board = Board::from_position(&position);
        let (replies, _) = Wide::<6>::replies(&mut board, Side::Black, extent, budget, &mut tell);
        let replies = replies.unwrap();
        assert!(told.is_sorted_by(|one, next| one > next), "{told:?}");
        assert_eq!(told.last(), Some(&(replies.len() as u64)));
        Certificate::of_replies(&position, Side::Black, Method::Mutual, replies).unwrap();
        sizes.push(told);
    }
    assert!(sizes[0].len() > 1, "{sizes:?}");
    assert_eq!(sizes[1], sizes[0][..1]);
}
