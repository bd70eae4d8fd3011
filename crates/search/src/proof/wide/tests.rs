use super::*;
use crate::NoClock;
use rules::{Game, Setup};
use std::sync::atomic::AtomicBool;

fn three() -> Position {
    let text = "game: 19 19 6 2 1\nblack: j10 j12 i11\nto-move: white\n";
    Setup::parse(text).unwrap().position().unwrap()
}

/// The replies are far fewer than the 110,063 of a search for any proof. The
/// checker has walked them.
#[test]
fn three_stones_are_proved_with_few_replies() {
    let stop = AtomicBool::new(false);
    let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
    let found = prove(&three(), Side::Black, Effort::LIGHT, &mut budget).unwrap().unwrap();
    assert!(found.replies().len() < 60_000, "{}", found.replies().len());
    assert!(budget.nodes() < 500_000, "{}", budget.nodes());
}

#[test]
fn a_small_budget_finds_nothing_and_leaves_most_of_it() {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(8_000), ..Limits::default() };
    let mut budget = Budget::new(limits, &NoClock, &stop);
    assert_eq!(prove(&three(), Side::Black, Effort::LIGHT, &mut budget), Ok(None));
    assert!(budget.nodes() <= 2_001, "{}", budget.nodes());
    let empty = Position::new(Game::CONNECT6);
    assert_eq!(prove(&empty, Side::White, Effort::LIGHT, &mut budget), Ok(None));
}

/// Choosing tries no moves, and stops all the same.
#[test]
fn choosing_stops_when_it_is_told_to() {
    let stones = [Square::new(0), Square::new(1)];
    let choice = |win, word| Choice { win, replies: 40, zone: vec![word; 6] };
    for told in [false, true] {
        let mut choices = Choices::new(&stones, 361, 120);
        choices.open.iter_mut().for_each(|open| open.extend([choice(0, 3), choice(1, 0)]));
        let stop = AtomicBool::new(told);
        let budget = Budget::new(Limits::default(), &NoClock, &stop);
        let done = choices.anneal(1_000, HOT, &budget);
        assert_eq!(done, if told { Err(Why::Stopped) } else { Ok(()) });
        assert_eq!(choices.used == [0, 0], told);
    }
}

/// The zones of a win against one more stone are told without playing it through.
#[test]
fn a_stone_adds_the_segments_that_it_strengthens() {
    let stop = AtomicBool::new(false);
    let budget = Budget::new(Limits::default(), &NoClock, &stop);
    let mut board = Board::from_position(&three());
    let graph = Graph::new(&mut board, Side::Black, budget);
    let mut wide = Wide { lines: Lines::new(graph), effort: Effort::LIGHT, pool: Vec::new() };
    let win = wide.lines.find(4, &wide.aim()).unwrap().unwrap();
    let words = win.zones.zone(1).len();
    let mut more = vec![0; wide.area() * words];
    let board = &mut *wide.lines.graph.board;
    strengthened(board, Side::Black, &win, &mut more);
    let mut added = 0;
    for s in board.game().squares().filter(|&s| !win.zones.contains(1, s)) {
        if board.at(s).is_some() {
            continue;
        }
        board.place(Side::White, s);
        let replayed = replay(board, Side::Black, &win).unwrap();
        for t in board.game().squares().filter(|&t| t != s && board.is_empty(t)) {
            let is_more = more[s.index() * words + t.index() / 64] >> (t.index() % 64) & 1 != 0;
            assert_eq!(replayed.zones.contains(1, t), win.zones.contains(1, t) || is_more);
            added += u32::from(is_more && !win.zones.contains(1, t));
        }
        board.remove(Side::White, s);
    }
    assert!(added > 0);
}
