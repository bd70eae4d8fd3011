//! The fast code against the naive definitions, on random positions of many
//! games.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod support;

use lambda6_rules::{Game, Side};
use lambda6_threats::{Attack, Board, Defences, SegmentBoard, ThreatCount, ThreatMoves, defence};
use proptest::prelude::*;
use support::{Naive, games, lists, place_all, stones};

fn any_game_and_stones(most: usize) -> impl Strategy<Value = (Game, Vec<(u8, u8, bool)>)> {
    proptest::sample::select(games()).prop_flat_map(move |game| (Just(game), stones(game, most)))
}

/// Compares every count of active segments, on all lines and over the board.
fn compare_counts(naive: &Naive, board: &Board, segments: &SegmentBoard) -> Result<(), TestCaseError> {
    let game = board.game();
    for side in Side::ALL {
        prop_assert_eq!(board.has_row(side), naive.has_row(side));
        prop_assert_eq!(board.has_threat(side), !naive.threats(side).is_empty());
        for count in 0..=game.k() {
            let mut listed: Vec<_> =
                segments.active(side, count).map(|(line, start, _)| (line, start)).collect();
            listed.sort();
            let masks: Vec<_> = board
                .geometry()
                .lines()
                .flat_map(|line| {
                    let mask = board.windows_with(side, line, count);
                    (0..64u8).filter(move |start| mask >> start & 1 != 0).map(move |start| (line, start))
                })
                .collect();
            prop_assert_eq!(&masks, &listed);
            prop_assert_eq!(masks.len(), naive.segments_with(side, count));
            prop_assert_eq!(board.segments_with(side, count) as usize, masks.len());
        }
        for line in board.geometry().lines() {
            let by_need = |need: u8| {
                (0..=game.k())
                    .filter(|count| game.k() - count <= need)
                    .fold(0, |all, count| all | board.windows_with(side, line, count))
            };
            for need in 0..=game.k() {
                prop_assert_eq!(board.windows_needing(side, line, need), by_need(need));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn segments_are_counted_exactly_as_stones_come_and_go(
        (game, stones) in any_game_and_stones(60),
        undo in 0..40usize,
    ) {
        let (mut naive, mut board) = place_all(game, &stones);
        let mut segments = SegmentBoard::new(board.geometry());
        for square in game.squares() {
            if let Some(side) = board.at(square) {
                segments.place(side, square);
            }
        }
        compare_counts(&naive, &board, &segments)?;
        prop_assert!(board.is_consistent());
        let occupied: Vec<_> = game.squares().filter(|&s| !board.is_empty(s)).take(undo).collect();
        for square in occupied {
            let side = board.at(square).unwrap();
            board.remove(side, square);
            segments.remove(side, square);
            naive.squares[square.index()] = None;
        }
        compare_counts(&naive, &board, &segments)?;
        prop_assert!(board.is_consistent());
    }

    /// The board that recounts its lines agrees with the incremental one.
    #[test]
    fn a_naive_board_is_the_same_board((game, stones) in any_game_and_stones(60), undo in 0..40usize) {
        let (_, board) = place_all(game, &stones);
        let mut naive = Board::naive(game);
        prop_assert!(naive.is_naive() && naive.is_consistent());
        for square in game.squares() {
            if let Some(side) = board.at(square) {
                naive.place(side, square);
            }
        }
        prop_assert!(naive.is_consistent());
        for square in game.squares().filter(|&s| !board.is_empty(s)).take(undo) {
            naive.remove(board.at(square).unwrap(), square);
        }
        prop_assert!(naive.is_consistent());
    }

    #[test]
    fn threats_and_critical_defences_are_exact((game, stones) in any_game_and_stones(45)) {
        let (naive, board) = place_all(game, &stones);
        let mut defences = Defences::default();
        for side in Side::ALL {
            let expected = naive.critical_defences(side);
            defences.find(&board, side);
            let count = defence::count(&board, side);
            prop_assert_eq!(defences.count(), count);
            if naive.threats(side).is_empty() {
                // By definition the empty set is the one critical defence.
                prop_assert_eq!(expected, vec![vec![]]);
                prop_assert_eq!(count, ThreatCount::Exactly(0));
                prop_assert_eq!(defences.iter().count(), 0);
                continue;
            }
            let found: Vec<_> = defences.iter().map(|mv| mv.squares().to_vec()).collect();
            prop_assert_eq!(&found, &expected);
            let least = expected.iter().map(Vec::len).min();
            prop_assert_eq!(count, least.map_or(ThreatCount::More, |n| ThreatCount::Exactly(n as u8)));
            let normal = expected.iter().filter(|set| Some(set.len()) == least).count();
            prop_assert_eq!(defences.normal().count(), normal);
            prop_assert_eq!(defences.relaxed().count(), expected.len() - normal);
            let mut conservative = Vec::new();
            defences.conservative(&mut conservative);
            let union: std::collections::BTreeSet<_> = expected.into_iter().flatten().collect();
            prop_assert_eq!(conservative, union.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_key_is_that_of_the_position((game, stones) in any_game_and_stones(30)) {
        let (_, board) = place_all(game, &stones);
        let setup = lambda6_rules::Setup {
            game,
            black: game.squares().filter(|&s| board.at(s) == Some(Side::Black)).collect(),
            white: game.squares().filter(|&s| board.at(s) == Some(Side::White)).collect(),
            to_move: Side::White,
        };
        if let Ok(position) = setup.position() {
            prop_assert_eq!(position.key(), board.key(Side::White));
            prop_assert_eq!(Board::from_position(&position).key(Side::Black), board.key(Side::Black));
        }
    }
}

/// Compares the generated threat moves with all sets of at most p squares among
/// the candidates.
fn compare_moves(
    naive: &mut Naive,
    board: &mut Board,
    candidates: impl Fn(&Naive, Side) -> Vec<lambda6_rules::Square>,
) -> Result<(), TestCaseError> {
    let game = board.game();
    let mut attack = Attack::new(game);
    let mut moves = ThreatMoves::default();
    for side in Side::ALL {
        attack.threat_moves(board, side, &mut moves);
        prop_assert!(board.is_consistent());
        let mut threats: Vec<Vec<_>> =
            naive.threats(side).into_iter().map(|threat| threat.into_iter().collect()).collect();
        threats.sort();
        threats.dedup();
        prop_assert_eq!(lists(&moves.winning), threats.clone());
        if !threats.is_empty() {
            prop_assert!(moves.full.is_empty() && moves.partial.is_empty());
            continue;
        }
        let squares = candidates(naive, side);
        let p = usize::from(game.p());
        let full = naive.threat_sets(side, p, &squares);
        prop_assert_eq!(lists(&moves.full), full.clone());
        let partial: Vec<_> =
            naive.threat_sets(side, 1, &squares).into_iter().filter(|set| !full.contains(set)).collect();
        prop_assert_eq!(lists(&moves.partial), partial);
    }
    Ok(())
}

/// Squares on a segment that one move can make a threat of, and those that the
/// other side's threats need: no other square can be part of a minimal set.
fn squares_in_reach(naive: &Naive, side: Side) -> Vec<lambda6_rules::Square> {
    let mut reach = naive.clone();
    reach.game = Game::new(
        naive.game.cols().into(),
        naive.game.rows().into(),
        naive.game.k().into(),
        u32::from(naive.game.p()) * 2,
        1,
    )
    .unwrap();
    let mut squares: std::collections::BTreeSet<_> = reach.threats(side).into_iter().flatten().collect();
    squares.extend(naive.threats(side.other()).into_iter().flatten());
    squares.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn threat_moves_of_small_games_are_all_there_are(
        (game, stones) in proptest::sample::select(vec![
            Game::new(6, 6, 4, 2, 1).unwrap(),
            Game::new(5, 5, 3, 2, 1).unwrap(),
            Game::new(7, 6, 4, 1, 1).unwrap(),
            Game::new(7, 7, 6, 2, 1).unwrap(),
            Game::new(7, 7, 5, 2, 1).unwrap(),
            Game::new(5, 4, 4, 3, 2).unwrap(),
            Game::new(4, 4, 5, 2, 1).unwrap(),
        ]).prop_flat_map(|game| (Just(game), stones(game, 16)))
    ) {
        let (mut naive, mut board) = place_all(game, &stones);
        compare_moves(&mut naive, &mut board, |naive, _| naive.empty_squares())?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn threat_moves_of_large_games_are_all_there_are(
        (game, stones) in proptest::sample::select(vec![
            Game::CONNECT6,
            Game::GO_MOKU,
            Game::new(59, 59, 6, 2, 1).unwrap(),
            Game::new(9, 9, 8, 2, 1).unwrap(),
            Game::new(6, 6, 6, 3, 1).unwrap(),
        ]).prop_flat_map(|game| (Just(game), stones(game, 26)))
    ) {
        let (mut naive, mut board) = place_all(game, &stones);
        compare_moves(&mut naive, &mut board, squares_in_reach)?;
    }
}

/// For p = 2 and a side without threats: whether there is a move that makes more
/// threats than can be met, and whether those that are found do, on the lines that
/// are told.
fn compare_overwhelming(naive: &mut Naive, board: &mut Board) -> Result<u32, TestCaseError> {
    let game = board.game();
    let mut attack = Attack::new(game);
    let mut defences = Defences::default();
    let mut count = 0;
    for side in Side::ALL {
        if !naive.threats(side).is_empty() {
            continue;
        }
        defences.find(board, side.other());
        let squares = squares_in_reach(naive, side);
        let some = defences.count() != ThreatCount::More && !naive.threat_sets(side, 3, &squares).is_empty();
        prop_assert_eq!(attack.overwhelming(board, side, &defences).is_some(), some);
        let mut found = Vec::new();
        attack.all_overwhelming(board, side, &defences, usize::MAX, |mv, lines| {
            let mut squares = std::collections::BTreeSet::new();
            for open in lines {
                for start in (0..64).filter(|start| open.windows >> start & 1 != 0) {
                    let window = (start..start + u32::from(game.k())).filter(|i| open.empty >> i & 1 != 0);
                    squares.extend(window.map(|i| board.geometry().square(open.line, i)));
                }
            }
            found.push((mv, squares));
        });
        prop_assert_eq!(!found.is_empty(), some);
        count += found.len() as u32;
        for (mv, squares) in found {
            mv.iter().for_each(|s| naive.squares[s.index()] = Some(side));
            let threats: std::collections::BTreeSet<_> = naive.threats(side).into_iter().flatten().collect();
            prop_assert_eq!(&squares, &threats);
            prop_assert!(naive.threats(side.other()).is_empty());
            prop_assert_eq!(naive.threat_count(side), None);
            mv.iter().for_each(|s| naive.squares[s.index()] = None);
        }
    }
    Ok(count)
}

/// Random positions, and enough of them with such moves.
#[test]
fn overwhelming_moves_are_found_without_placing_them() {
    let games = [(6, 6, 4), (7, 7, 5), (9, 9, 6), (19, 19, 6), (10, 7, 7)];
    for (cols, rows, k) in games {
        let game = Game::new(cols, rows, k, 2, 1).unwrap();
        let config = ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() };
        let mut runner = proptest::test_runner::TestRunner::new_with_rng(
            config,
            proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
        );
        let found = std::cell::Cell::new(0);
        runner
            .run(&stones(game, 20), |stones| {
                let (mut naive, mut board) = place_all(game, &stones);
                found.set(found.get() + compare_overwhelming(&mut naive, &mut board)?);
                prop_assert!(board.is_consistent());
                Ok(())
            })
            .unwrap();
        assert!(found.get() > 5, "{cols}x{rows}: {}", found.get());
    }
}

#[test]
fn a_crossing_is_one_threat_where_sums_over_lines_count_two() {
    // Two dead fours that cross on a square that both need.
    let text = "game: 19 19 6 2 1\nblack: b10 c10 d10 e10 f5 f6 f7 f8\nwhite: a10 f4\nto-move: white\n";
    let position = lambda6_rules::Setup::parse(text).unwrap().position().unwrap();
    let board = Board::from_position(&position);
    assert_eq!(defence::count(&board, Side::Black), ThreatCount::Exactly(1));
    let mut defences = Defences::default();
    defences.find(&board, Side::Black);
    let names: Vec<_> = defences.iter().map(|mv| board.game().move_name(mv)).collect();
    assert_eq!(names, ["f10", "g10f9"]);
}
